"""A program that becomes another one which dies with its parent: PARENT[:SIGNAL] PROGRAM ARGUMENT...

Run by its path, before anything of this project can be imported. PARENT is the pid of the process that starts it: one
that is gone before the kernel was asked for the signal would never send it. SIGNAL is the number of the signal that the
program gets when the parent ends, by default SIGKILL.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(parent: int, last_signal: int, program: list[str]) -> None:
    """Never returns: becomes the program, or exits where the parent is gone, the kernel refuses or it is no program."""
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, last_signal) != 0:
        sys.exit(f"prctl(PR_SET_PDEATHSIG): {os.strerror(ctypes.get_errno())}")
    if os.getppid() != parent:
        sys.exit(f"the parent {parent} is gone")
    try:
        os.execv(program[0], program)
    except OSError as error:
        sys.exit(f"{program[0]}: {error.strerror}")


if __name__ == "__main__":
    _parent, _, _signal = sys.argv[1].partition(":")
    main(int(_parent), int(_signal or signal.SIGKILL), sys.argv[2:])
