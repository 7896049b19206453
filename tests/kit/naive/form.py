"""The form of a line of records.jsonl: keys and their order, types, options that a game has, and compact JSON."""

import json

from tests.kit.naive.deviation import Deviation, expect
from tests.kit.naive.games import DEFAULTS, HAND, OPTION_ORDER, PACK_SIZE, draw_rounds, has_upcard, name_of, option

TOP = [
    "format",
    "season",
    "deal_set",
    "fixture",
    "seating",
    "deal",
    "attempt",
    "match",
    "variant",
    "players",
    "options",
    "time_control",
    "dealer",
    "deck",
    "seats",
    "actions",
    "clock",
    "stand_in",
    "outcome",
    "shuffle",
    "hash",
]
NESTED = {
    "time_control": ["bank_ms", "increment_ms", "action_limit_ms", "lag_credit_ms", "grace_ms"],
    "shuffle": ["scheme", "stock", "source", "commitment", "key"],
}
OUTCOME = ["termination", "winners", "card_points", "scores", "faults"]
OUTCOME_CHIAMATA = [*OUTCOME, "caller", "partner", "called", "target", "penalties"]
REASONS = ["ILLEGAL_ACTION", "TIME_FORFEIT", "DISCONNECT", "PROTOCOL"]
ALLOWED = {
    "deal": ["single", "packet"],
    "upcard": ["next", "bottom"],
    "exchange_margin": [0, 1, 2, None],
    "auction": ["rank", "points"],
    "forced_last": [False, True],
    "chiamata_lead": ["mano", "caller"],
    "tie60": ["loss", "draw"],
    "open": [False, True],
    "partners": ["none", "last3", "start"],
    "missing": ["2C", "2D", "2S", "2B"],
}
PACKS = {"briscola-3": [39], "brisca-3": [36, 39], "brisca-6": [36, 48]}


def _no_double(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise Deviation("JSON", f"a key stands twice among {keys}")
    return dict(pairs)


def read_line(line):
    """The record of a line (bytes without the end of line), or a Deviation."""
    try:
        text = line.decode("utf-8")
        record = json.loads(text, object_pairs_hook=_no_double)
    except ValueError as problem:
        raise Deviation("JSON", str(problem)) from None
    if not isinstance(record, dict):
        raise Deviation("JSON", "the line is no object")
    expect("JSON, written compactly", text, json.dumps(record, separators=(",", ":"), ensure_ascii=False))
    return record


def natural(field, value, below=None):
    """Raise Deviation unless a value is a whole number from 0, and below a bound where one is given."""
    if type(value) is not int or value < 0 or (below is not None and value >= below):
        raise Deviation(field, f"{value!r} is not a whole number in range")


def check_form(record):
    """Raise Deviation at the first thing in which the form of a record is not that of the page."""
    expect("keys", list(record), TOP)
    if name_of(record) not in PACK_SIZE:
        raise Deviation("variant", f"there is no game {name_of(record)}")
    for key, keys in NESTED.items():
        if record[key] is not None:
            expect(f"{key}, its keys", list(record[key]), keys)
    expect("outcome, its keys", list(record["outcome"]), _outcome_keys(record))
    players = record["players"]
    for key in ("deal_set", "seating", "deal", "attempt"):
        natural(key, record[key])
    if record["fixture"] is not None:
        natural("fixture", record["fixture"])
    natural("dealer", record["dealer"], below=players)
    if not isinstance(record["match"], str) or not record["match"]:
        raise Deviation("match", f"{record['match']!r} is no handle")
    expect("seats, how many", len(record["seats"]), players)
    for seat in record["seats"]:
        expect("seats, their keys", list(seat), ["bot", "version", "owner"])
    check_options(record)
    check_faults(record)
    check_shuffle_form(record["shuffle"])


def _outcome_keys(record):
    return OUTCOME_CHIAMATA if record["variant"] == "chiamata" else OUTCOME


def _options_of(record):
    """The options that mean something in a game, in the record's order."""
    name, variant = name_of(record), record["variant"]
    has = {"deal", "open", "match"}
    if variant != "chiamata":
        has.add("hand")
    if has_upcard(record):
        has.add("upcard")
    if variant == "brisca":
        has |= {"exchange_margin", "exchange_max"}
    if variant == "chiamata":
        has |= {"auction", "forced_last", "chiamata_lead", "tie60", "capot", "multipliers"}
    if record["players"] in (4, 6):
        has.add("partners")
    if name in PACKS:
        has.add("pack")
    if option(record, "pack") == 39:
        has.add("missing")
    return [key for key in OPTION_ORDER if key in has]


def check_options(record):
    """Only options of the game, only those that differ from the default, in the page's order, in range."""
    options = record["options"]
    expect("options", list(options), [key for key in _options_of(record) if key in options])
    defaults = {**DEFAULTS, "hand": HAND[record["variant"]], "pack": PACK_SIZE[name_of(record)]}
    for key, value in options.items():
        if value == defaults[key] and type(value) is type(defaults[key]):
            raise Deviation(f"options.{key}", f"{value!r} is the default")
        allowed = PACKS.get(name_of(record), []) if key == "pack" else ALLOWED.get(key)
        if allowed is not None and not any(value == one and type(value) is type(one) for one in allowed):
            raise Deviation(f"options.{key}", f"{value!r} is none of {allowed}")
    check_numbers(record)
    natural("options.hand", draw_rounds(record) - (1 if has_upcard(record) else 0))
    natural("options.hand", option(record, "hand") - 1)


def check_numbers(record):
    """The options whose values are numbers: none is below what makes sense, and a match has one of three forms."""
    most = option(record, "exchange_max")
    if most is not None:
        natural("options.exchange_max", most)
    natural("options.capot", option(record, "capot") - 1)
    steps = option(record, "multipliers")
    for least, times in steps:
        natural("options.multipliers", least - 61, below=60)
        natural("options.multipliers", times - 1)
    expect("options.multipliers, their order", [least for least, _ in steps], sorted({least for least, _ in steps}))
    law = option(record, "match")
    if law is not None:
        if list(law) not in (["best_of"], ["first_to", "cap"], ["deals"]):
            raise Deviation("options.match", f"{law!r} has none of the three forms")
        for value in law.values():
            natural("options.match", value - 1)


def check_faults(record):
    """One fault a seat, in the order in which they fell, with a known reason."""
    faults = record["outcome"]["faults"]
    for seat, reason, after in faults:
        natural("outcome.faults", seat, below=record["players"])
        natural("outcome.faults", after, below=len(record["actions"]) + 1)
        if reason not in REASONS:
            raise Deviation("outcome.faults", f"{reason!r} is no reason")
    if len({seat for seat, _, _ in faults}) < len(faults):
        raise Deviation("outcome.faults", f"a seat stands twice in {faults}")
    expect("outcome.faults, their order", [after for _, _, after in faults], sorted(after for _, _, after in faults))


def check_shuffle_form(shuffle):
    """The scheme, and hexadecimal digits where they belong."""
    expect("shuffle.scheme", shuffle["scheme"], "carico.shuffle/1")
    for key in ("commitment", "key"):
        value = shuffle[key]
        if value is not None and not (len(value) == 64 and set(value) <= set("0123456789abcdef")):
            raise Deviation(f"shuffle.{key}", f"{value!r} is not 64 hexadecimal digits")
