"""Replays every record of files or directories in the naive engine, and tells what differs, with its line and field.

``python tests/kit/judge.py FILE.jsonl DIRECTORY ... [--seed N]``; of a directory every ``records.jsonl`` below it is
read, and the ``standings.json`` beside a file is compared with the table of its records. With ``--seed`` each key must
be that of the practice season. Ends with 1 if anything differs, with 2 if nothing was read.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.kit.naive.files import main

    sys.exit(main(sys.argv[1:]))
