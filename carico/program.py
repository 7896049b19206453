"""A program that is spoken to line by line, in a process group of its own. Nothing of it outlives this process.

Linux kills its first process when this one dies (``die_with_parent``), and the ``watchdog`` then kills what else is in
the group. Its stderr is this process's own. All of it is to be called from the main thread, since Linux takes the end
of the starting thread for that of the parent.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from carico import die_with_parent, watchdog
from carico.cannot_play import CannotPlay
from carico.json_lines import LINE_LIMIT

BARE: Final = (sys.executable, "-I", "-S")
"""An interpreter that starts in ten milliseconds."""

END_S: Final = 2.0
"""How long a program may take to end after its input has ended; then it is killed."""

READ_AT_ONCE: Final = 4 * LINE_LIMIT
"""Most bytes that are read in one go, so that a program that writes for ever holds nobody up."""


class LineTooLong(Exception):
    """The program wrote a line that is longer than the limit."""


def located(command: Sequence[str]) -> list[str]:
    """The command with the path of its program. Raises CannotPlay where there is no such program."""
    if not command:
        raise CannotPlay("which program? Write its path, and its arguments after it")
    found = shutil.which(command[0])
    if found is None:
        there = Path(command[0]).is_file() and "/" in command[0]
        mend = f"it may not be run: chmod +x {command[0]}" if there else "there is no such program"
        raise CannotPlay(f"{command[0]}: {mend}")
    return [found, *command[1:]]


class Program:
    """A running program. ``command`` comes from ``located``."""

    def __init__(self, command: Sequence[str]) -> None:
        self._watchdog = subprocess.Popen(
            [*BARE, watchdog.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._process = subprocess.Popen(
            [*BARE, die_with_parent.__file__, str(os.getpid()), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._tell_watchdog("+")
        for pipe in (self.input, self.output):
            os.set_blocking(pipe, False)
        self._unsent = bytearray()
        self._unread = b""
        self.ended = False
        """Whether its output has ended: nothing more will come."""

    @property
    def pid(self) -> int:
        """The process id, which is that of its group, too."""
        return self._process.pid

    @property
    def input(self) -> int:
        """The file descriptor of its standard input."""
        return _pipe(self._process.stdin).fileno()

    @property
    def output(self) -> int:
        """The file descriptor of its standard output."""
        return _pipe(self._process.stdout).fileno()

    @property
    def waits_to_write(self) -> bool:
        """Whether something is left that the program has not taken yet."""
        return bool(self._unsent)

    def say(self, line: bytes) -> None:
        """Sends a line, or as much of it as the program takes now; ``flush`` sends the rest."""
        self._unsent += line
        self.flush()

    def flush(self) -> None:
        """Sends what is left, as far as the program takes it."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self.input, self._unsent)]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent.clear()  # it has closed its input: that it is gone shows at its output

    def lines(self) -> list[bytes]:
        """The whole lines that are there now; sets ``ended`` at the end. Raises LineTooLong."""
        got = b""
        while len(got) < READ_AT_ONCE:
            try:
                piece = os.read(self.output, READ_AT_ONCE)
            except BlockingIOError:
                break
            if not piece:
                self.ended = True
                break
            got += piece
        *whole, self._unread = (self._unread + got).split(b"\n")
        if len(self._unread) >= LINE_LIMIT or any(len(line) >= LINE_LIMIT for line in whole):
            raise LineTooLong
        return [line for line in whole if line.strip()]

    def close(self) -> bool:
        """Ends its input, waits a while, and kills what is left. Says whether the program ended by itself."""
        _pipe(self._process.stdin).close()
        gone = self._has_ended(END_S)
        self.kill()
        return gone

    def kill(self) -> str:
        """Kills the whole group, and says how the program had ended before that, if it had."""
        gone = self._has_ended(0.5 if self.ended else 0.0)
        # macOS says EPERM where only zombies are left in the group.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        code = self._process.wait()
        self._tell_watchdog("-")
        for pipe in (self._process.stdin, self._process.stdout, self._watchdog.stdin):
            with suppress(BrokenPipeError):
                _pipe(pipe).close()
        self._watchdog.wait()
        if not gone:
            return "it closed its stdout and was killed" if self.ended else "it was killed"
        return (
            f"it ended with exit code {code}" if code >= 0 else f"it died of signal {-code}, {signal.strsignal(-code)}"
        )

    def _tell_watchdog(self, sign: str) -> None:
        with suppress(BrokenPipeError):
            _pipe(self._watchdog.stdin).write(f"{sign}{self.pid}\n".encode())
            _pipe(self._watchdog.stdin).flush()

    def _has_ended(self, patience: float) -> bool:
        """Whether it ends within that time. It is left as it is, so that its pid still names its group and no other."""
        until = time.monotonic() + patience
        while os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() >= until:
                return False
            time.sleep(0.01)
        return True


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
