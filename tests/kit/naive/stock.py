"""Stocks by role: the realised deck from the derived order, and back."""

from tests.kit.naive.games import draw_rounds, has_upcard, mano_of, option


def stock_law(record):
    """One shared stock where it lies face up, else stocks by role."""
    return "shared" if option(record, "open") else "role"


def _parts(record, cards):
    """A pack cut into (dealt cards, upcard or None, stock)."""
    dealt = record["players"] * option(record, "hand")
    head, rest = list(cards[:dealt]), list(cards[dealt:])
    if not has_upcard(record):
        return head, [], rest
    return head, [rest.pop(0 if option(record, "upcard") == "next" else -1)], rest


def _whole(record, head, upcard, stock):
    return head + upcard + stock if option(record, "upcard") == "next" else head + stock + upcard


def _places(record, winners):
    """For each card of the stock in the order of drawing, its place in the derived stock."""
    n = record["players"]
    rounds = draw_rounds(record)
    places = []
    for r in range(rounds):
        first = (winners[r] - mano_of(record)) % n
        roles = [(first + k) % n for k in range(n)]
        if has_upcard(record) and r == rounds - 1:
            last_drawer = roles.pop()
            roles = [role if role < n - 1 else last_drawer for role in roles]
        places += [r * n + role for role in roles]
    return places


def realised(record, source, winners):
    """The deck of one shared stock that makes the same deal as the derived order with stocks by role."""
    if stock_law(record) == "shared":
        return list(source)
    head, upcard, stock = _parts(record, source)
    return _whole(record, head, upcard, [stock[place] for place in _places(record, winners)])


def derived(record, deck, winners):
    """The order from which stocks by role give this deck to these winners of tricks."""
    if stock_law(record) == "shared":
        return list(deck)
    head, upcard, drawn = _parts(record, deck)
    stock = [None] * len(drawn)
    for place, card in zip(_places(record, winners), drawn, strict=True):
        stock[place] = card
    return _whole(record, head, upcard, stock)
