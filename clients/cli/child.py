"""The first breath of a supervised process: run by its path, in a bare interpreter, with the standard library alone.

``child.py PARENT COMMAND...`` asks Linux to kill this process when its parent dies, and becomes the command. Elsewhere the
watchdog alone does that.
"""

import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """From here on this process is killed when the thread that started it ends; at once where that has ended already."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execvp(sys.argv[2], sys.argv[2:])
