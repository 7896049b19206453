"""The match machine: pure, sans-I/O. Time is handed in, instructions come out, the log tells everything."""
