"""Files of records: every line judged alone, then what holds between lines, then the table beside them."""

import argparse
import json
from collections import Counter, defaultdict
from itertools import groupby, pairwise
from pathlib import Path

from tests.kit.naive.deviation import Deviation, expect
from tests.kit.naive.form import check_form, read_line
from tests.kit.naive.hashes import practice_key
from tests.kit.naive.matches import check_match, order_of
from tests.kit.naive.replay import differences, replayed, tally
from tests.kit.naive.standings import check_standings, entrants_of

BROKEN = (KeyError, TypeError, ValueError, IndexError, AttributeError)


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
    except BROKEN as problem:
        found.append(Deviation("form", repr(problem)))
    if record is None:
        return None, found
    try:
        found += differences(record)
    except BROKEN as problem:
        found.append(Deviation("replay", repr(problem)))
    return record, found


def judge_file(data, seed=None, table=None):
    """All differences of a file's bytes as (line number, Deviation), and a count of what was in it.

    `table` is the bytes of the standings.json beside it, if there is one; its differences have line 0.
    """
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
    found += _between(good)
    if table is not None and not found:
        try:
            check_standings(json.loads(table), [record for _, record in good])
            counts["tables"] += 1
        except Deviation as problem:
            found.append((0, problem))
        except BROKEN as problem:
            found.append((0, Deviation("standings", repr(problem))))
    return found, counts


def _between(good):
    """Differences between lines: their order, the deals of each match, and the seatings of each deal set."""
    found = []
    for (_, before), (number, record) in pairwise(good):
        if order_of(before) >= order_of(record):
            found.append((number, Deviation("order", f"{order_of(record)} stands after {order_of(before)}")))
    for _, group in groupby(good, key=lambda one: order_of(one[1])[:3]):
        found += _said(check_match, list(group))
    packs, seatings = defaultdict(list), defaultdict(list)
    for number, record in good:
        packs[record["deal_set"], record["deal"], record["attempt"]].append((number, record))
        seatings[record["deal_set"], record["fixture"], record["deal"]].append((number, record))
    for group in packs.values():
        found += _said(check_one_pack, group)
    for group in seatings.values():
        found += _said(check_seatings, group)
    return found


def _said(check, group):
    try:
        check([record for _, record in group])
    except Deviation as problem:
        return [(group[0][0], problem)]
    return []


def check_one_pack(records):
    """All tables and seatings of a deal set have one dealer and one pack."""
    for record in records[1:]:
        expect("shuffle.source, in one deal set", record["shuffle"]["source"], records[0]["shuffle"]["source"])
        expect("dealer, in one deal set", record["dealer"], records[0]["dealer"])


def check_seatings(records):
    """In seating r entrant i sits at place (i + r) mod k."""
    names = [[name for name, _ in entrants_of(record)] for record in records]
    k = len(names[0])
    for record, here in zip(records, names, strict=True):
        as_scheduled = [here[(i + record["seating"]) % k] for i in range(k)]
        first = [names[0][(i + records[0]["seating"]) % k] for i in range(k)]
        expect(f"seats, of seating {record['seating']}", as_scheduled, first)


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
        table = file.parent / "standings.json"
        found, counts = judge_file(file.read_bytes(), told.seed, table.read_bytes() if table.exists() else None)
        total += counts
        wrong += len(found)
        print(f"{file}: {counts['deals']} deals without a difference, {len(found)} differences")
        for number, problem in found[: told.show]:
            print(f"  line {number}: {problem}" if number else f"  {table}: {problem}")
        fields = Counter(problem.field for _, problem in found)
        for field, count in fields.most_common() if len(found) > told.show else []:
            print(f"  {count} times {field}")
    print(", ".join(f"{name} {count}" for name, count in sorted(total.items())) or "nothing was read")
    if not total and not wrong:
        return 2
    return 1 if wrong else 0
