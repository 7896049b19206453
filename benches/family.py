"""What a process and its children have used; the children of a Celery worker do its work."""

from pathlib import Path

from benches.processes import cpu_seconds


def family_cpu_seconds(pid: int) -> float:
    """CPU time of a process and of all that it started and that runs still, in s."""
    return cpu_seconds(pid) + sum(map(family_cpu_seconds, _children(pid)))


def _children(pid: int) -> list[int]:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]
