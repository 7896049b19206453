"""Programs that speak JSON lines badly: what they do when they are asked, in Python."""

from collections.abc import Mapping
from typing import Final

STAY: Final = "STAY = [sys.executable, '-S', '-c', 'import time; time.sleep(600)']"

SAY: Final = "        sys.stdout.{0}; sys.stdout.flush()\n"

ROGUES: Final[Mapping[str, str]] = {
    "rubbish": SAY.format("write('rubbish\\n[1, 2\\nnull\\n{}\\n')"),
    "bytes": SAY.format("buffer.write(bytes(range(256)) + b'\\n')"),
    "huge-line": SAY.format("write('x' * 200_000)"),
    "deep": SAY.format("write('[' * 50_000 + '\\n')"),
    "flood": SAY.format('write(\'{"type": "answer"}\\n\' * 20_000)'),
    "nothing": "        pass\n",
    "shut": "        os.close(1)\n",
    "exits": "        answer(message) if asked % 3 else sys.exit(asked % 2)\n",
    "dies": "        answer(message) if asked % 4 else os.kill(os.getpid(), signal.SIGSEGV)\n",
    "forks": "        answer(message) if os.fork() else time.sleep(600)\n",
    "orphan": f"        {STAY}; subprocess.Popen([*STAY, __file__]) and os._exit(1)\n",
    "stops-reading": "        time.sleep(600)\n",
    "illegal": "        answer(message, ['play', 'ZZ'] if asked % 5 == 3 else None)\n",
    "odd-types": "        say({'type': 'answer', 'match': 1, 'seat': [], 'number': 1e99, 'action': {'a': None}})\n",
    "others": "        answer({**message, 'seat': 77, 'number': 99})\n",
}
"""By name; lines for ``programs.program``."""
