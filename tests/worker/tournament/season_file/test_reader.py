import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from carico.rules.game import Game, game
from carico.time_control import TimeControl
from worker.tournament.schedule import MOST_AT_TABLES
from worker.tournament.season import Entry, SeasonSpec
from worker.tournament.season_file import Mistake, SeasonFileError, read_season, template
from worker.tournament.season_file.reader import KNOWN, MOST_ENTRANTS

GOOD = """\
name = "spring"
game = "briscola-4"
entry = "closed"
legs = 3
deal_sets = 40
chunk = 8
seed = 7
no_show = "2m"
[options]
hand = 5
[time_control]
bank = "30s"
increment = "0ms"
action_limit = "2s"
lag_credit = "250ms"
grace = "10s"
[[entrant]]
bot = "random"
version = "1"
[[entrant]]
bot = "greedy"
version = "1.0-rc_2"
"""


def mistakes(text: str) -> list[str]:
    with pytest.raises(SeasonFileError) as caught:
        read_season(text)
    assert str(caught.value).split("\n") == [str(mistake) for mistake in caught.value.mistakes]
    return [str(mistake) for mistake in caught.value.mistakes]


def changed(line: int, text: str) -> str:
    """The good file with another line in this place."""
    rows = GOOD.split("\n")
    rows[line - 1] = text
    return "\n".join(rows)


def test_every_field_is_read() -> None:
    assert read_season(GOOD) == SeasonSpec(
        name="spring",
        game=game("briscola-4", {"hand": 5}),
        entries=(Entry("random", "1"), Entry("greedy", "1.0-rc_2")),
        entry="closed",
        legs=3,
        deal_sets=40,
        chunk=8,
        seed=7,
        no_show_ms=120_000,
        time_control=TimeControl(30_000, 0, 2_000, 250, 10_000),
    )


def test_what_is_left_out_has_its_default() -> None:
    spec = read_season('name = "x"\ngame = "briscola-2"\nentry = "open"')
    assert spec == SeasonSpec("x", game("briscola-2"), entry="open")
    assert (spec.seed, spec.legs, spec.no_show_ms, spec.time_control) == (None, 1, 60_000, TimeControl())


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, 'name = "a b"', '1: name = "a b": is no name; write 1 to 40 letters'),
        (1, "name = 5", '1: name = 5: must be a text; write it in quotes: name = "5"'),
        (1, "", '1: name: is missing; write name = "..."'),
        (2, 'game = "brisola-4"', '2: game = "brisola-4": is no game of this version; did you mean "briscola-4"?'),
        (2, "game = 4", "2: game = 4: is no game of this version; write one of briscola-2, "),
        (2, "", "1: game: is missing; write one of briscola-2, "),
        (3, 'entry = "ajar"', '3: entry = "ajar": is neither open nor closed; write entry = "open" or'),
        (3, 'entry = "\u202eopen"', '3: entry = "\\u202eopen": is neither'),
        (4, "legs = 0", "4: legs = 0: must be at least 1; write legs = 1 or more"),
        (4, "legs = 101", "4: legs = 101: must be at most 100; write legs = 100 or less"),
        (4, "legs = true", "4: legs = true: must be a whole number; write legs = 1, without"),
        (4, "leg = 2", "4: leg: is no field of a season; did you mean legs?"),
        (5, 'deal_sets = "40"', '5: deal_sets = "40": must be a whole number; write deal_sets = 25, without quotes'),
        (5, "deal_sets = 2.0", "5: deal_sets = 2.0: must be a whole number"),
        (6, "chunk = 0x0", "6: chunk = 0: must be at least 1"),
        (7, "seed = -1", "7: seed = -1: must be at least 0; write seed = 0 or more"),
        (7, f"seed = {2**63}", f"7: seed = {2**63}: must be at most {2**63 - 1}"),
        (8, "no_show = 60", "8: no_show = 60: is no length of time; write a whole number with its unit"),
        (8, "bank = 3", "8: bank: is no field of a season; put it below [time_control]"),
        (8, "zzz = 3", "8: zzz: is no field of a season; known here: name, game, "),
        (8, "[options.deep]", "8: options.deep: briscola-4 has no option 'deep': it takes hand, "),
        (10, "hand = 10", "10: options.hand: option hand = 10: write a whole number from 1 to 9"),
        (10, "legs = 2", "10: options.legs: briscola-4 has no option 'legs': it takes hand, "),
        (12, 'bank = "0s"', '12: time_control.bank = "0s": must be at least 1s; write bank = "1s" or more'),
        (
            14,
            'action_limit = "2h"',
            '14: time_control.action_limit = "2h": must be at most 60m; write action_limit =',
        ),
        (15, 'lag_credit = "-1s"', '15: time_control.lag_credit = "-1s": is no length of time'),
        (16, "legs = 2", "16: time_control.legs: is no field of time_control; put it at the top of the file, above"),
        (19, "version = 1", '19: entrant[1].version = 1: must be a text; write it in quotes: version = "1"'),
        (19, "", '17: entrant[1].version: is missing; write version = "..."'),
        (21, 'bot = "<b>"', '21: entrant[2].bot = "<b>": is no name'),
        (22, 'verson = "1"', "22: entrant[2].verson: is no field of entrant; did you mean version?"),
    ],
)
def test_a_mistake_names_the_line_the_field_and_the_mend(line: int, text: str, message: str) -> None:
    found = mistakes(changed(line, text))
    assert any(mistake.startswith("season.toml:" + message) for mistake in found), found


def test_all_mistakes_come_at_once_in_the_order_of_the_lines() -> None:
    text = GOOD.replace("legs = 3", "legs = 0").replace('grace = "10s"', "grace = 10").replace('"1"', '""')
    assert [mistake.split(":")[1] for mistake in mistakes(text)] == ["4", "16", "19"]


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_bot_is_entered_once(version: str) -> None:
    found = mistakes(GOOD.replace("greedy", "random").replace("1.0-rc_2", version))
    assert found == [
        "season.toml:20: entrant[2]: random is entered in line 17 already; a bot plays one version at a time: "
        "take one of them out, or register the other as a bot of its own"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('options = 3\nname = "x"', "1: options = 3: must be a table; write [options] and its fields below it"),
        ('time_control = "fast"', '1: time_control = "fast": must be a table; write [time_control]'),
        ('\n[entrant]\nbot = "x"', "2: entrant: must be a list; write [[entrant]], with two brackets"),
        ('entrant = ["x"]', '1: entrant[1] = "x": must be a table'),
        ('"\\u001b[31m" = 1', '1: "\\u001b[31m": is no field of a season'),
    ],
)
def test_a_field_of_the_wrong_shape(text: str, message: str) -> None:
    found = mistakes(text)
    assert any(mistake.startswith("season.toml:" + message) for mistake in found), found


def test_an_option_in_the_wrong_place_is_sent_to_the_top() -> None:
    (found,) = mistakes(GOOD.replace("[options]\n", "[options]\nchunk = 3\n").replace("chunk = 8\n", ""))
    assert found.startswith("season.toml:9: options.chunk: ")
    assert found.endswith("; put it at the top of the file, above the first [table]")


def test_the_text_null_is_the_null_of_the_record_format(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def spy(name: str, options: Mapping[str, Any] | None = None) -> Game:
        seen.append(options)
        return game(name)

    monkeypatch.setattr("worker.tournament.season_file.reader.game", spy)
    read_season(GOOD.replace("hand = 5", 'exchange_margin = "null"\npartners = "none"'))
    assert seen[-1] == {"exchange_margin": None, "partners": "none"}


@pytest.mark.parametrize("n", [0, 1])
def test_a_closed_season_needs_somebody_to_play(n: int) -> None:
    text = GOOD[: GOOD.index("[[entrant]]")] + n * '[[entrant]]\nbot = "x"\nversion = "1"\n'
    (found,) = mistakes(text)
    assert f"entrant: entrants: {n}; a round robin needs at least 2; enter 2 or more" in found
    assert len(read_season(text.replace('"closed"', '"open"')).entries) == n


def test_tables_of_three_take_three_or_more_and_late_entrants() -> None:
    three = GOOD.replace("briscola-4", "briscola-3")
    (found,) = mistakes(three)
    assert found.startswith("season.toml:17: entrant: entrants: 2; a round robin at tables of 3 needs at least 3")
    assert found.endswith("enter 3 or more, each below its own [[entrant]]")
    assert read_season(three.replace('"closed"', '"open"')).entry == "open"
    more = "".join(f'[[entrant]]\nbot = "b{i}"\nversion = "1"\n' for i in range(MOST_AT_TABLES - 1))
    assert len(read_season(three + more[: more.rindex("[[entrant]]")]).entries) == MOST_AT_TABLES
    (found,) = mistakes(three + more)
    assert found.endswith("at tables of 3 there are 128 at most; take some of them out")


def test_partners_rotate_at_tables_of_four_only() -> None:
    assert read_season(GOOD).pairs == "fixed"
    rotating = GOOD.replace('"closed"', '"closed"\npairs = "rotating"')
    (found,) = mistakes(rotating)
    assert found.startswith("season.toml:18: entrant: entrants: 2; a round robin at tables of 4 needs at least 4")
    two_more = "".join(f'[[entrant]]\nbot = "b{i}"\nversion = "1"\n' for i in range(2))
    spec = read_season(rotating + two_more)
    assert (spec.pairs, spec.places) == ("rotating", ((0,), (1,), (2,), (3,)))
    (found,) = mistakes(rotating.replace("briscola-4", "briscola-6") + two_more)
    assert found.startswith(
        'season.toml:4: pairs = "rotating": briscola-6 has no partners of two; write pairs = "fixed"'
    )
    (found,) = mistakes(rotating.replace("rotating", "swiss"))
    assert found.startswith('season.toml:4: pairs = "swiss": is neither fixed nor rotating')


def test_a_season_is_bounded() -> None:
    many = "".join(f'[[entrant]]\nbot = "b{i}"\nversion = "1"\n' for i in range(MOST_ENTRANTS - 1))
    (found,) = mistakes(GOOD + many + "[[entrant]]\n")
    assert found.endswith(f"entrant[{MOST_ENTRANTS + 1}]: is one of {MOST_ENTRANTS + 2}; enter {MOST_ENTRANTS} at most")
    # 256 entrants: 32,640 pairs, three legs, 40 deal sets, two seatings
    (found,) = mistakes(GOOD + many[: many.rindex("[[entrant]]")])
    assert found.startswith("season.toml:5: deal_sets = 40: 97920 fixtures come to 7833600 deals; take fewer")
    (found,) = mistakes("#" * 200_001)
    assert found.startswith("season.toml:1: the file: has 200001 characters; keep it to 200000")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('\nname = "x\nlegs = 1\n', "2: name: no TOML: Illegal character .*; close the quote in the same line"),
        ("name = spring\n", '1: name: no TOML: Invalid value .*; put text in double quotes, as in game = "briscola-2"'),
        ("legs = 1\n\nlegs = 2\n", "3: legs: no TOML: Cannot overwrite a value .*; each field stands once"),
        ("[options]\n[options]\n", r"2: \[options\]: no TOML: Cannot declare .*; each \[table\] stands once"),
        (
            "legs = 1\nentrant = [\n{},\n\n",
            r"2: entrant: no TOML: .*; finish what was begun there: a value, a quote",
        ),
        ("legs 2\n", '1: "legs 2": no TOML: Expected .* after a key.*; write field = value'),
        ('a = "\x1b[31m"', "1: a: no TOML: Illegal character"),
        ("a = " + "[" * 50_000, "1: the file: has lists nested too deeply"),
        ("a = " + "9" * 50_000, "1: the file: has a number of too many digits"),
    ],
)
def test_what_is_no_toml_has_a_line_a_field_and_a_mend_too(text: str, message: str) -> None:
    (found,) = mistakes(text)
    assert re.match("season.toml:" + message, found), found
    assert found.isprintable()


def test_messages_call_the_file_by_its_name() -> None:
    with pytest.raises(SeasonFileError, match=r"^cups/autumn\.toml:1: "):
        read_season("", "cups/autumn.toml")


def test_the_template_is_a_season_and_explains_every_field() -> None:
    spec = read_season(template())
    assert spec.time_control == TimeControl()
    assert read_season(template("a", "briscola-6", [Entry("x", "2"), Entry("y", "3")])).entries == (
        Entry("x", "2"),
        Entry("y", "3"),
    )
    assert read_season(template(entries=[])).entries == ()
    for table, keys in KNOWN.items():
        for key in keys:
            if (*table, key) not in {("options",), ("time_control",), ("entrant",)}:
                assert re.search(rf"^(# )?{key} = ", template(), re.M), key


DAMAGE = ("", "=", "[", "]", '"', "{}", "[]", "nan", "-1", "1979-05-27", "a.b = 1", "'", '"""', "\\", "\x00", "é", ",")


@given(st.data())
def test_a_damaged_file_is_a_season_or_a_list_of_mistakes_and_nothing_else(data: st.DataObject) -> None:
    rows = GOOD.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(rows) - 1))
        row = rows[at]
        cut = data.draw(st.integers(0, len(row)))
        rows[at] = row[:cut] + data.draw(st.sampled_from(DAMAGE)) + row[cut + data.draw(st.integers(0, 3)) :]
    found: tuple[Mistake, ...] = ()
    try:
        read_season("\n".join(rows))
    except SeasonFileError as wrong:
        found = wrong.mistakes
        text = str(wrong)
        event("mistakes")
    else:
        text = ""
        event("a season")
    assert bool(found) == bool(text)
    assert all(1 <= mistake.line <= len(rows) for mistake in found)
    assert text.replace("\n", "").isprintable()
