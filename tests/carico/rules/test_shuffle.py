import subprocess
import sys

import pytest

from carico.rules import shuffle
from carico.rules.game import game
from carico.rules.shuffle import NO_TRANSCRIPT, bot_seed, deck_key, master, practice_secret, source
from tests.kit import naive_engine
from tests.kit.deals import EVERY, names

VECTOR_KEY = "e15fbf350e9af534f876349e5a576306196e51bff31d709d98788767bda86247"
VECTOR_SOURCE = (
    "6D 6C 2B AD 5C AB 5B 4C KC 5S JD 7S 6S JB 5D KB QS 2S 3D AC "
    "7B 7D 2D AS 3B 4B QD JC KS 6B JS 3S 4S QC 2C 7C 3C 4D KD QB"
)


def test_the_vector_of_the_written_page():
    key = deck_key(master(practice_secret(7)), "briscola-2", 0, 0, 0)
    assert key.hex() == VECTOR_KEY
    assert " ".join(names(source(key, game("briscola-2").pack))) == VECTOR_SOURCE


def test_no_transcript_is_32_zero_bytes_and_the_default():
    assert bytes(32) == NO_TRANSCRIPT
    assert master(practice_secret(7)) == master(practice_secret(7), NO_TRANSCRIPT)
    assert master(practice_secret(7)) != master(practice_secret(7), bytes(31) + b"\1")


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("numbers", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (12, 3, 2), (1234567, 0, 11)])
@pytest.mark.parametrize("seed", [0, 7, 2**70])
def test_a_second_derivation_gives_the_same_deck(name, numbers, seed):
    what = game(name)
    key = deck_key(master(practice_secret(seed)), name, *numbers)
    record = {"variant": what.variant, "players": what.players, "options": {}}
    record |= dict(zip(("deal_set", "deal", "attempt"), numbers, strict=True))
    assert naive_engine.practice_key(seed, record) == key
    assert naive_engine.shuffled(key, names(what.pack)) == names(source(key, what.pack))


def test_every_deck_has_a_key_of_its_own():
    m = master(practice_secret(1))
    keys = {deck_key(m, name, *numbers) for name in EVERY for numbers in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}
    fields_that_run_together = {deck_key(m, "briscola-2", 1, 11, 1), deck_key(m, "briscola-2", 11, 1, 1)}
    seeds = {bot_seed(m, "greedy"), bot_seed(m, "greedy-2"), bot_seed(master(practice_secret(2)), "greedy")}
    assert len(keys | fields_that_run_together | seeds) == 4 * len(EVERY) + 2 + 3


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="seed -1: write a whole number that is not negative"):
        practice_secret(-1)


def test_a_deck_does_not_depend_on_the_order_of_the_asks():
    m = master(practice_secret(3))
    pack = game("briscola-3").pack
    ahead = [source(deck_key(m, "briscola-3", number, 0, 0), pack) for number in range(20)]
    back = [source(deck_key(m, "briscola-3", number, 0, 0), pack) for number in reversed(range(20))]
    assert ahead == back[::-1]
    assert len(set(ahead)) == 20


@pytest.mark.parametrize(("name", "decks"), [("briscola-2", 6_000), ("briscola-6", 3_000)])
def test_each_card_comes_to_each_position_equally_often(name, decks):
    """Chi-square of positions over permutations: times (n-1)/n it has (n-1)^2 degrees of freedom.

    With fixed keys the figure is fixed too; the bounds are four standard deviations, sqrt(2 df), to either side.
    """
    pack = game(name).pack
    n = len(pack)
    m = master(practice_secret(20))
    counts = {(position, card): 0 for position in range(n) for card in pack}
    for number in range(decks):
        for pair in enumerate(source(deck_key(m, name, number, 0, 0), pack)):
            counts[pair] += 1
    expected = decks / n
    chi_square = (n - 1) / n * sum((count - expected) ** 2 for count in counts.values()) / expected
    freedom = (n - 1) ** 2
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(
    ("word", "taken"),
    [
        (2**32 - 1, False),
        (2**32 - 16, False),  # 2^32 mod 40 = 16, so this is the first word above the last whole forty
        (2**32 - 17, True),
        (39, True),
    ],
)
def test_words_above_the_last_whole_multiple_are_dropped(word, taken, monkeypatch):
    """No key that meets such a word can be found by trying (one deck in some five million): the stream is made up."""
    pack = game("briscola-2").pack

    def derived(*words):
        stream = b"".join(w.to_bytes(4, "big") for w in (*words, *[7] * (48 - len(words))))
        monkeypatch.setattr(shuffle.hmac, "digest", lambda key, at, _: stream[32 * int.from_bytes(at, "big") :][:32])
        return source(b"", pack)

    # Where the word is taken it is 39 mod 40, and the last card keeps its place; else the next word, 7, is used for it.
    assert word % 40 == 39 or not taken
    assert derived(word) == (derived(39) if taken else derived(7))
    assert len({derived(39), derived(7), derived(0)}) == 3


def test_neighbours_are_independent_too():
    """How often the card on top is followed by each other card: a shuffle by too few words would show here."""
    pack = game("briscola-6").pack
    m = master(practice_secret(21))
    counts = {(a, b): 0 for a in pack for b in pack if a != b}
    decks = 12_600
    for number in range(decks):
        order = source(deck_key(m, "briscola-6", number, 0, 0), pack)
        counts[order[0], order[1]] += 1
    expected = decks / len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected
    freedom = len(counts) - 1
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_the_rules_room_loads_no_grpc():
    code = (
        "import sys, pkgutil, importlib, carico.rules\n"
        "for m in pkgutil.iter_modules(carico.rules.__path__): importlib.import_module('carico.rules.' + m.name)\n"
        "print(sorted(n for n in sys.modules if n.split('.')[0] in ('grpc', 'google', 'asyncio', 'socket')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
