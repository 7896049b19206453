"""Programs for tests that speak JSON lines, good ones and bad ones: each a Python file of its own."""

import sys
from pathlib import Path

HEAD = """\
import json, os, signal, subprocess, sys, time
def say(message):
    print(json.dumps(message), flush=True)
def answer(ask, action=None):
    say({"type": "answer", "match": ask["match"], "seat": ask["seat"], "number": ask["number"],
         "action": action or ask["legal"][0]})
def once():
    # True for the first process of this program that asks, and then never again.
    try:
        os.close(os.open(__file__ + ".once", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1})
    if message["type"] == "ask":
        asked += 1
"""

GOOD = "        answer(message)\n"


def program(folder: Path, on_ask: str = GOOD, name: str = "program.py", before: str = "", after: str = "") -> list[str]:
    """Writes a program; gives its command.

    ``on_ask`` are the lines that treat ``message``, an ask, indented by eight; ``before`` runs first of all and
    ``after`` once the input has ended.
    """
    file = folder / name
    file.write_text(f"{before}\n{HEAD}{on_ask}\n{after}\n")
    return [sys.executable, "-S", str(file)]
