"""Measures this project against yardsticks in the same run; ``docs/performance.md`` says what each bench compares."""
