"""The exchange of Brisca: which card takes the upcard, and when."""

from tests.kit.naive.games import draw_rounds, option


def takers(hand, upcard):
    """The cards of a hand that may take the upcard: the seven an honour, nine or eight, the two a seven or lower."""
    rank, trump = upcard
    if rank in "A3KQJ98":
        wanted = "7" + trump
    elif rank in "7654":
        wanted = "2" + trump
    else:
        return []
    return [wanted] if wanted in hand else []


def open_after(record, trick):
    """Whether the window after the trick of this number, from 1, is one in which an exchange is allowed."""
    margin = option(record, "exchange_margin")
    return record["variant"] == "brisca" and margin is not None and trick <= draw_rounds(record) - margin
