"""A second engine of Briscola, written from the written pages alone, to check the first.

It reads the public fields of a record and nothing else: cards are strings, a hand is a list, the stock is one pile. It
is slow and plain on purpose and shares no line with the package under test, so that the two can only agree where the
pages say the same to both.
"""

import hashlib
import hmac
import json

Card = str
RANKS = ["A", "3", "K", "Q", "J", "7", "6", "5", "4", "2"]
SUITS = ["C", "D", "S", "B"]
WORTH = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2, "7": 0, "6": 0, "5": 0, "4": 0, "2": 0}


class Deviation(Exception):
    """The record says something that the pages do not allow."""


def expect(what, told, found):
    """Raise Deviation where the record tells one thing and the pages another."""
    if told != found:
        raise Deviation(f"{what}: the record has {told!r}, the pages give {found!r}")


# ---------------------------------------------------------------------------------------------------------- the table


def pack_of(record) -> list[Card]:
    """The cards of the game in the pack's order, which is where a shuffle starts."""
    out = []
    if record["players"] == 3:
        out = [record["options"].get("missing", "2C")]
    if record["players"] == 6:
        out = ["2C", "2D", "2S", "2B"]
    return [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in out]


def side_of(record, seat):
    """Two sides at four and six seats, and at two; everybody alone at three."""
    return seat if record["players"] == 3 else seat % 2


def better(one: Card, other: Card, led: str, trump: str) -> bool:
    """Whether the first card beats the second in a trick where suit `led` was led."""

    def height(card):
        rank, suit = card
        if suit == trump:
            return 200 - RANKS.index(rank)
        if suit == led:
            return 100 - RANKS.index(rank)
        return -1

    return height(one) > height(other)


def winner_of(trick: list[tuple[int, Card]], trump: str) -> int:
    """The seat that wins a whole trick."""
    led = trick[0][1][1]
    best_seat, best = trick[0]
    for seat, card in trick[1:]:
        if better(card, best, led, trump):
            best_seat, best = seat, card
    return best_seat


class Table:
    """One deal on a wooden table: hands as lists, one stock, drawn from the top, the upcard under it."""

    def __init__(self, record, deck=None):
        deck = list(record["deck"] if deck is None else deck)
        self.record = record
        self.n = record["players"]
        size = record["options"].get("hand", 3)
        self.mano = (record["dealer"] + 1) % self.n
        order = [(self.mano + k) % self.n for k in range(self.n)]
        self.hands = {seat: [] for seat in order}
        if record["options"].get("deal", "single") == "packet":
            for seat in order:
                for _ in range(size):
                    self.hands[seat].append(deck.pop(0))
        else:
            for _ in range(size):
                for seat in order:
                    self.hands[seat].append(deck.pop(0))
        if record["options"].get("upcard", "next") == "next":
            self.upcard = deck.pop(0)
            deck.append(self.upcard)
        else:
            self.upcard = deck[-1]
        self.stock = deck
        self.trump = self.upcard[1]
        self.points = [0] * self.n
        self.turn = self.mano
        self.trick = []
        self.winners = []
        self.drawn = []
        self.seen_tricks = []
        self.over = False

    def play(self, seat, card):
        """One card on the table, and all that follows from it."""
        if self.over:
            raise Deviation("an action after the last card")
        expect("whose turn it is", seat, self.turn)
        if card not in self.hands[seat]:
            raise Deviation(f"seat {seat} plays {card} and holds {self.hands[seat]}")
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.turn = (seat + 1) % self.n
        if len(self.trick) < self.n:
            return
        winner = winner_of(self.trick, self.trump)
        self.points[winner] += sum(WORTH[card[0]] for _, card in self.trick)
        self.winners.append(winner)
        self.seen_tricks.append(self.trick)
        self.trick = []
        self.turn = winner
        if self.stock:
            for k in range(self.n):
                drawer = (winner + k) % self.n
                card = self.stock.pop(0)
                self.hands[drawer].append(card)
                self.drawn.append((drawer, card))
        if not any(self.hands.values()):
            self.over = True


def realise(record, winners: list[int]) -> list[Card]:
    """The deck of one shared stock that makes the same deal as the derived order with stocks by role."""
    source = list(record["shuffle"]["source"])
    n, size = record["players"], record["options"].get("hand", 3)
    if record["shuffle"]["stock"] == "shared":
        return source
    mano = (record["dealer"] + 1) % n
    dealt, rest = source[: n * size], source[n * size :]
    if record["options"].get("upcard", "next") == "next":
        front, back, rest = [rest[0]], [], rest[1:]
    else:
        front, back, rest = [], [rest[-1]], rest[:-1]
    rounds = len(source) // n - size
    stock = []
    for r in range(rounds):
        block = rest[r * n : (r + 1) * n]
        first = (winners[r] - mano) % n
        roles = [(first + k) % n for k in range(n)]
        if r == rounds - 1:
            last_drawer = roles.pop()
            for role in roles:
                stock.append(block[role] if role < n - 1 else block[last_drawer])
        else:
            for role in roles:
                stock.append(block[role])
    return dealt + front + stock + back


# -------------------------------------------------------------------------------------------------------- the verdict


def verdict(record, points, faults):
    """Winners and scores of a deal, sides and singles, with the seats that faulted."""
    seats = range(record["players"])
    bad = {seat for seat, _, _ in faults}
    if record["players"] == 3:
        good = [seat for seat in seats if seat not in bad]
        if not good:
            return [], [0] * 3
        top = max(points[seat] for seat in good)
        best = [seat for seat in good if points[seat] == top]
        if len(best) > 1:
            return [], [0 if seat in bad else 1 for seat in seats]
        return best, [3 if seat in best else 0 for seat in seats]
    sides = [[seat for seat in seats if seat % 2 == side] for side in (0, 1)]
    guilty = [any(seat in bad for seat in side) for side in sides]
    total = [sum(points[seat] for seat in side) for side in sides]
    if guilty == [True, True]:
        return [], [0 for _ in seats]
    if guilty[0] or (total[1] > total[0] and not guilty[1]):
        won = 1
    elif guilty[1] or total[0] > total[1]:
        won = 0
    else:
        return [], [1 for _ in seats]
    return sides[won], [2 if seat in sides[won] else 0 for seat in seats]


# ------------------------------------------------------------------------------------------------- hashes and shuffle


def canonical(value) -> bytes:
    """The JSON that hashes are taken of."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def hash_of(record) -> str:
    """The chain over the start of the deal and each action."""
    h = hashlib.sha256(canonical({key: record[key] for key in ("variant", "players", "options", "dealer", "deck")}))
    for action in record["actions"]:
        h = hashlib.sha256(h.digest() + canonical(action))
    return h.hexdigest()


def joined(*fields) -> bytes:
    """Fields with their lengths before them."""
    out = b""
    for field in fields:
        text = field if isinstance(field, bytes) else str(field).encode()
        out += len(text).to_bytes(4, "big") + text
    return out


def practice_key(seed, record) -> bytes:
    """K of a record that a practice season or an arena with this seed dealt."""
    secret = hashlib.sha256(joined("carico/practice/1", seed)).digest()
    master = hmac.new(bytes(32), joined(secret), hashlib.sha256).digest()
    game = f"{record['variant']}-{record['players']}"
    message = joined("carico/deck/1", game, record["deal_set"], record["deal"], record["attempt"])
    return hmac.new(master, message, hashlib.sha256).digest()


def shuffled(key: bytes, pack: list[Card]) -> list[Card]:
    """The pack in the order that K gives it."""
    words: list[int] = []
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


# -------------------------------------------------------------------------------------------------- the whole record


def check(record) -> Table:
    """Play a record again from its fields and compare everything it claims; raise Deviation at the first difference."""
    expect("format", record["format"], "carico.deal/1")
    expect("cards of the deck", sorted(record["deck"]), sorted(pack_of(record)))
    expect("stock law", record["shuffle"]["stock"], "shared" if record["options"].get("open") else "role")
    table = Table(record)
    taken = {seat: after for seat, _, after in reversed(record["outcome"]["faults"])}
    expected_stand_in = []
    for position, (seat, kind, *arguments) in enumerate(record["actions"]):
        expect("kind of action", kind, "play")
        (card,) = arguments
        if seat in taken and position >= taken[seat]:
            expected_stand_in.append(position)
            weakest = max(table.hands[seat], key=lambda c: (RANKS.index(c[0]), -SUITS.index(c[1])))
            expect(f"the stand-in's card at {position}", card, weakest)
        table.play(seat, card)
    expect("the deal is over", True, table.over)
    expect("stand_in", record["stand_in"], expected_stand_in)
    outcome = record["outcome"]
    expect("termination", outcome["termination"], "COMPLETED")
    expect("card points", outcome["card_points"], table.points)
    expect("all card points", 120, sum(table.points))
    winners, scores = verdict(record, table.points, outcome["faults"])
    expect("winners", outcome["winners"], winners)
    expect("scores", outcome["scores"], scores)
    expect("deck from source", record["deck"], realise(record, table.winners))
    source = shuffled(bytes.fromhex(record["shuffle"]["key"]), pack_of(record))
    expect("source from key", record["shuffle"]["source"], source)
    expect("hash", record["hash"], hash_of(record))
    check_clock(record)
    return table


def check_clock(record):
    """Every row of `clock` follows from the row before it of the same seat, and no row overdraws the bank."""
    control, rows = record["time_control"], record["clock"]
    if control is None:
        expect("clock rows", rows, [])
        return
    expect("clock rows", len(rows), len(record["actions"]))
    bank = [control["bank_ms"]] * record["players"]
    for position, ((seat, *_), row) in enumerate(zip(record["actions"], rows, strict=True)):
        if position in record["stand_in"]:
            expect(f"the stand-in's row {position}", row, [0, 0, bank[seat]])
            continue
        used, credit, left = row
        charged = max(0, used - credit)
        if charged > bank[seat]:
            raise Deviation(f"row {position}: {charged} ms out of a bank of {bank[seat]} ms, and no flag fell")
        if not 0 <= credit <= control["lag_credit_ms"]:
            raise Deviation(f"row {position}: a credit of {credit} ms")
        bank[seat] += control["increment_ms"] - charged
        expect(f"bank left at {position}", left, bank[seat])
