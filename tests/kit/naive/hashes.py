"""The hash chain of a deal, and the shuffle from key to source."""

import hashlib
import hmac
import json

from tests.kit.naive.games import name_of


def canonical(value):
    """The JSON that hashes are taken of."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def hash_of(record):
    """The chain over the start of the deal and each action."""
    h = hashlib.sha256(canonical({key: record[key] for key in ("variant", "players", "options", "dealer", "deck")}))
    for action in record["actions"]:
        h = hashlib.sha256(h.digest() + canonical(action))
    return h.hexdigest()


def joined(*fields):
    """Fields with their lengths before them."""
    out = b""
    for field in fields:
        text = field if isinstance(field, bytes) else str(field).encode()
        out += len(text).to_bytes(4, "big") + text
    return out


def practice_key(seed, record):
    """K of a record that a practice season or an arena with this seed dealt."""
    secret = hashlib.sha256(joined("carico/practice/1", seed)).digest()
    master = hmac.new(bytes(32), joined(secret), hashlib.sha256).digest()
    message = joined("carico/deck/1", name_of(record), record["deal_set"], record["deal"], record["attempt"])
    return hmac.new(master, message, hashlib.sha256).digest()


def shuffled(key, pack):
    """The pack in the order that K gives it."""
    words = []
    count = 0
    cards = list(pack)
    for i in range(len(cards) - 1, 0, -1):
        while True:
            if not words:
                block = hmac.new(key, count.to_bytes(4, "big"), hashlib.sha256).digest()
                words = [int.from_bytes(block[k : k + 4], "big") for k in range(0, 32, 4)]
                count += 1
            x = words.pop(0)
            if x < 2**32 // (i + 1) * (i + 1):
                break
        j = x % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards
