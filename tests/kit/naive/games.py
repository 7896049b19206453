"""The eleven games: packs, hands, sides, and the options that each of them has."""

RANKS = ["A", "3", "K", "Q", "J", "9", "8", "7", "6", "5", "4", "2"]
SUITS = ["C", "D", "S", "B"]
WORTH = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0, "6": 0, "5": 0, "4": 0, "2": 0}

PACK_SIZE = {
    "briscola-2": 40,
    "briscola-3": 39,
    "briscola-4": 40,
    "briscola-6": 36,
    "briscolone-2": 40,
    "chiamata-5": 40,
    "brisca-2": 40,
    "brisca-3": 36,
    "brisca-4": 40,
    "brisca-5": 40,
    "brisca-6": 36,
}
HAND = {"briscola": 3, "briscolone": 5, "chiamata": 8, "brisca": 3}

# In the order of the record; the defaults of `hand` and `pack` are those of the game.
OPTION_ORDER = [
    "hand",
    "deal",
    "upcard",
    "exchange_margin",
    "exchange_max",
    "auction",
    "forced_last",
    "chiamata_lead",
    "tie60",
    "capot",
    "multipliers",
    "open",
    "partners",
    "pack",
    "missing",
    "match",
]
DEFAULTS = {
    "deal": "single",
    "upcard": "next",
    "exchange_margin": 1,
    "exchange_max": None,
    "auction": "rank",
    "forced_last": False,
    "chiamata_lead": "mano",
    "tie60": "loss",
    "capot": 2,
    "multipliers": [],
    "open": False,
    "partners": "none",
    "missing": "2C",
    "match": None,
}


def name_of(record):
    """The game as in `--game`."""
    return f"{record['variant']}-{record['players']}"


def option(record, key):
    """The value of an option, its default where the record has none."""
    if key in record["options"]:
        return record["options"][key]
    if key == "hand":
        return HAND[record["variant"]]
    if key == "pack":
        return PACK_SIZE[name_of(record)]
    return DEFAULTS[key]


def pack_of(record):
    """The cards of the game in the pack's order, which is where a shuffle starts."""
    size = option(record, "pack")
    out = [] if size == 48 else ["9", "8"]
    if size == 36:
        out.append("2")
    missing = option(record, "missing") if size == 39 else None
    return [rank + suit for suit in SUITS for rank in RANKS if rank not in out and rank + suit != missing]


def has_upcard(record):
    """Whether a card is turned up to name trumps."""
    return record["variant"] in {"briscola", "brisca"}


def draw_rounds(record):
    """How often everybody draws: D."""
    return len(pack_of(record)) // record["players"] - option(record, "hand")


def two_sides(record):
    """Two, four and six seats play as two sides; three and five as single players (Chiamata is a case of its own)."""
    return record["players"] % 2 == 0


def mano_of(record):
    """The seat on the dealer's right."""
    return (record["dealer"] + 1) % record["players"]


def from_seat(record, first):
    """All seats in playing order, from one of them."""
    return [(first + k) % record["players"] for k in range(record["players"])]


def weakest(hand):
    """The stand-in's card: lowest in rank, then last of C D S B kept, so the first suit goes."""
    return max(hand, key=lambda card: (RANKS.index(card[0]), -SUITS.index(card[1])))
