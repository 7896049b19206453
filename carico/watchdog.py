"""Kills what a supervisor leaves behind: run by its path, in a bare interpreter, with the standard library alone.

It reads process groups from its standard input, ``+PID`` for one that was started and ``-PID`` for one that is gone. At
the end of the input, which comes with the supervisor's death of whatever kind, it kills the groups that are left: a
pool of Celery would survive its parent otherwise. It leaves only then, so it takes no notice of other signals.
"""

import os
import signal
import sys


def main() -> None:
    """Reads to the end, then kills."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        if line.startswith("+"):
            groups.add(int(line))
        else:
            groups.discard(-int(line))
    for group in groups:
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    main()
