"""Replays every record of files or directories in the naive engine, and tells what differs, with its line and field.

``python -m tests.kit.judge FILE.jsonl DIRECTORY ... [--seed N]``; of a directory every ``records.jsonl`` below it is
read. With ``--seed`` each key must be that of the practice season. Ends with 1 if anything differs, with 2 if nothing
was read.
"""

import argparse
import sys
from collections import Counter
from itertools import groupby, pairwise
from pathlib import Path

from tests.kit.naive.deviation import Deviation, expect
from tests.kit.naive.form import check_form, read_line
from tests.kit.naive.hashes import practice_key
from tests.kit.naive.matches import check_match, order_of
from tests.kit.naive.replay import differences, replayed, tally


def judge_line(line, seed=None):
    """The record of a line, or None, and all Deviations found in it alone."""
    record, found = None, []
    try:
        record = read_line(line)
        check_form(record)
        if seed is not None:
            expect("shuffle.key from the seed", record["shuffle"]["key"], practice_key(seed, record).hex())
    except Deviation as problem:
        found.append(problem)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        found.append(Deviation("form", repr(problem)))
    if record is None:
        return None, found
    try:
        found += differences(record)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        found.append(Deviation("replay", repr(problem)))
    return record, found


def judge_file(data, seed=None):
    """All differences of a file's bytes as (line number, Deviation), and a count of what was in it."""
    found, counts, good = [], Counter(), []
    *lines, rest = data.split(b"\n")
    if rest:
        found.append((len(lines) + 1, Deviation("JSON", "the last line has no end")))
        lines.append(rest)
    for number, line in enumerate(lines, 1):
        record, problems = judge_line(line, seed)
        found += [(number, problem) for problem in problems]
        if not problems:
            counts.update(["deals", *tally(record, replayed(record))])
            good.append((number, record))
    return found + _among(good), counts


def _among(good):
    """Differences between lines: their order, and the deals of each match."""
    found = []
    for (_, before), (number, record) in pairwise(good):
        if order_of(before) >= order_of(record):
            found.append((number, Deviation("order", f"{order_of(record)} stands after {order_of(before)}")))
    for _, group in groupby(good, key=lambda one: order_of(one[1])[:3]):
        deals = list(group)
        try:
            check_match([record for _, record in deals])
        except Deviation as problem:
            found.append((deals[0][0], problem))
    return found


def main(arguments):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(description="Replay records in a second engine and tell what differs.")
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, help="the practice seed, to check the keys too")
    parser.add_argument("--show", type=int, default=20, help="how many differences of a file to print")
    told = parser.parse_args(arguments)
    files = [file for path in told.paths for file in (sorted(path.rglob("records.jsonl")) if path.is_dir() else [path])]
    total, wrong = Counter(), 0
    for file in files:
        found, counts = judge_file(file.read_bytes(), told.seed)
        total += counts
        wrong += len(found)
        print(f"{file}: {counts['deals']} deals without a difference, {len(found)} differences")
        for number, problem in found[: told.show]:
            print(f"  line {number}: {problem}")
        fields = Counter(problem.field for _, problem in found)
        for field, count in fields.most_common() if len(found) > told.show else []:
            print(f"  {count} times {field}")
    print(", ".join(f"{name} {count}" for name, count in sorted(total.items())) or "nothing was read")
    if not total and not wrong:
        return 2
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
