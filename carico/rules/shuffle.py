"""Where decks come from (shuffle.md, steps 1, 4 and 5): a secret, a transcript, one key per deal, one order per key.

Everything here is a pure function of its arguments. The generator of secrets is the caller's.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from itertools import count
from typing import Final

Field = bytes | str | int

_EIGHT_WORDS: Final = struct.Struct(">8I")
"""A block of the stream."""

NO_TRANSCRIPT: Final = bytes(32)
"""The transcript of seasons whose entrants added nothing to the shuffle: practice seasons and arenas, always."""


def practice_secret(seed: int) -> bytes:
    """The secret S of a practice season or an arena, 32 bytes, from its public seed (a whole number, not negative)."""
    if seed < 0:
        raise ValueError(f"seed {seed}: write a whole number that is not negative")
    return hashlib.sha256(_joined("carico/practice/1", seed)).digest()


def master(secret: bytes, transcript: bytes = NO_TRANSCRIPT) -> bytes:
    """M, from which every key of a season comes: HMAC of the secret under the transcript, 32 bytes."""
    return _keyed(transcript, secret)


def deck_key(master_key: bytes, game: str, deal_set: int, deal: int, attempt: int) -> bytes:
    """K of one deck, 32 bytes. ``game`` is a name such as ``briscola-2``; the numbers are those of the record."""
    return _keyed(master_key, "carico/deck/1", game, deal_set, deal, attempt)


def bot_seed(master_key: bytes, bot: str) -> bytes:
    """The seed of a house bot in one season, 32 bytes; it tells nothing about the decks."""
    return _keyed(master_key, "carico/bot/1", bot)


def source(key: bytes, pack: bytes) -> bytes:
    """The pack in derived order, top first: Fisher-Yates over a stream of HMAC blocks with rejection, so unbiased."""
    words = _words(key)
    order = bytearray(pack)
    for i in range(len(order) - 1, 0, -1):
        limit = (1 << 32) // (i + 1) * (i + 1)
        word = next(words)
        while word >= limit:
            word = next(words)
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return bytes(order)


def _words(key: bytes) -> Iterator[int]:
    for block in count():
        yield from _EIGHT_WORDS.unpack(hmac.digest(key, block.to_bytes(4, "big"), "sha256"))


def _keyed(key: bytes, *fields: Field) -> bytes:
    return hmac.digest(key, _joined(*fields), "sha256")


def _joined(*fields: Field) -> bytes:
    """The fields one after the other, each behind its length in four bytes, so that no two lists read alike."""
    parts = [f if isinstance(f, bytes) else str(f).encode() for f in fields]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
