"""A program that becomes another one which dies with its parent: PARENT PROGRAM ARGUMENT...

Run by its path, before anything of this project can be imported. PARENT is the pid of the process that starts it: one
that is gone before the kernel was asked for the signal would never send it.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(parent: int, program: list[str]) -> None:
    """Never returns: becomes the program, or exits where the parent is gone or the kernel refuses.

    Signals that its starter held back while it started this are let through again.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        sys.exit(f"prctl(PR_SET_PDEATHSIG): {os.strerror(ctypes.get_errno())}")
    if os.getppid() != parent:
        sys.exit(f"the parent {parent} is gone")
    os.execv(program[0], program)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
