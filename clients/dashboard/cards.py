"""The cards, drawn for this project: a sprite of SVG symbols for each of two packs, crisp at any size.

``italian`` has cups, coins, swords and batons, with jack, knight and king; ``french`` has hearts, diamonds, spades and
clubs in their places, with jack, queen and king. A symbol's id is the card's notation; ``back`` is the back.
"""

from functools import cache
from typing import Final

from carico.rules.cards import RANKS, SUITS

PACKS: Final = ("italian", "french")
WIDTH, HEIGHT = 100, 160

PAPER: Final = "#fffdf6"
EDGE: Final = "#c9c0aa"
INK: Final = "#2b2722"
GOLD: Final = "#d8a32a"
SKIN: Final = "#efcfa8"

COLOURS: Final = {
    "italian": {"C": "#b0342c", "D": "#b8801a", "S": "#2f5f94", "B": "#4c7434"},
    "french": {"C": "#c22f37", "D": "#c22f37", "S": INK, "B": INK},
}

PIPS: Final = {
    ("italian", "C"): (
        '<path d="M-8-9H8C8-1 5 3 1.6 3.8V6.6H5.5L6.5 10H-6.5L-5.5 6.6H-1.6V3.8C-5 3-8-1-8-9Z" fill="#b0342c"/>'
        '<ellipse cy="-9" rx="8" ry="2" fill="#d8a32a"/><ellipse cy="-9" rx="5.6" ry="1.1" fill="#7c1f1a"/>'
        '<path d="M-6.4-2.6C-3-1 3-1 6.4-2.6" fill="none" stroke="#d8a32a" stroke-width="1.3"/>'
    ),
    ("italian", "D"): (
        '<circle r="10" fill="#d8a32a"/><circle r="8.2" fill="none" stroke="#8a5f0e" stroke-width=".9"/>'
        '<path d="M0-6.6 1.7-1.7 6.6 0 1.7 1.7 0 6.6-1.7 1.7-6.6 0-1.7-1.7Z" fill="#b0342c"/>'
        '<path d="M0-6.6 1.7-1.7 6.6 0 1.7 1.7 0 6.6-1.7 1.7-6.6 0-1.7-1.7Z" fill="#2f5f94" '
        'transform="rotate(45) scale(.72)"/><circle r="1.9" fill="#fffdf6"/>'
    ),
    ("italian", "S"): (
        '<path d="M0-12 2.1-8.6V4.4H-2.1V-8.6Z" fill="#2f5f94"/><path d="M0-12V4.4H-2.1V-8.6Z" fill="#7ba3cc"/>'
        '<path d="M-6.4 3.6H6.4V6H-6.4Z" fill="#d8a32a"/><path d="M-1.2 6H1.2V9.6H-1.2Z" fill="#8a2a22"/>'
        '<circle cy="10.6" r="1.9" fill="#d8a32a"/>'
    ),
    ("italian", "B"): (
        '<path d="M-1.7 11.5-3.7-7C-3.7-10.8-2-12 0-12S3.7-10.8 3.7-7L1.7 11.5Z" fill="#75491f"/>'
        '<path d="M-1.7 11.5-3.7-7C-3.7-10.8-2-12 0-12L-.3 11.5Z" fill="#a9733c"/>'
        '<path d="M-3.5-5.4C-1-4.2 1-4.2 3.5-5.4L3.2-2.6C1-1.4-1-1.4-3.2-2.6Z M-2.7 3C-1 4 1 4 2.7 3L2.4 5.8C1 6.8-1 '
        '6.8-2.4 5.8Z" fill="#4c7434"/><ellipse cx="1.2" cy="-8.6" rx="1.2" ry="1.5" fill="#4e2f12"/>'
        '<ellipse cx="-.9" cy=".8" rx=".8" ry="1.1" fill="#4e2f12"/>'
    ),
    (
        "french",
        "C",
    ): '<path d="M0 10C-4 5.4-10 1.6-10-4-10-8.4-7-10.4-4.6-10.4-2.4-10.4-.7-9 0-7 .7-9 2.4-10.4 4.6-10.4 '
    '7-10.4 10-8.4 10-4 10 1.6 4 5.4 0 10Z" fill="#c22f37"/>',
    ("french", "D"): '<path d="M0-11.5C2.2-7 5-3.4 8.4 0 5 3.4 2.2 7 0 11.5-2.2 7-5 3.4-8.4 0-5-3.4-2.2-7 0-11.5Z" '
    'fill="#c22f37"/>',
    (
        "french",
        "S",
    ): '<path d="M0-11C4-6.4 9.6-3 9.6 2.4 9.6 5.6 7.4 7.2 5.2 7.2 3.2 7.2 1.6 6.2.9 4.6 1.1 7.4 2 9.6 3.6 '
    "11H-3.6C-2 9.6-1.1 7.4-.9 4.6-1.6 6.2-3.2 7.2-5.2 7.2-7.4 7.2-9.6 5.6-9.6 2.4-9.6-3-4-6.4 0-11Z"
    '" fill="#2b2722"/>',
    (
        "french",
        "B",
    ): '<path d="M.9 3.6C1.1 6.8 2 9.4 3.6 11H-3.6C-2 9.4-1.1 6.8-.9 3.6-2 5.4-3.4 6.2-5.2 6.2A4.7 4.7 0 1 '
    '1-3.7-2.9 4.7 4.7 0 1 1 3.7-2.9 4.7 4.7 0 1 1 5.2 6.2C3.4 6.2 2 5.4.9 3.6Z" fill="#2b2722"/>',
}
"""A suit's mark around the origin, about 20 by 24."""

PLACES: Final = {
    "2": ((50, 48), (50, 112)),
    "3": ((50, 40), (50, 80), (50, 120)),
    "4": ((34, 48), (66, 48), (34, 112), (66, 112)),
    "5": ((34, 46), (66, 46), (50, 80), (34, 114), (66, 114)),
    "6": ((34, 42), (66, 42), (34, 80), (66, 80), (34, 118), (66, 118)),
    "7": ((34, 42), (66, 42), (50, 61), (34, 80), (66, 80), (34, 118), (66, 118)),
    "8": ((34, 38), (66, 38), (34, 66), (66, 66), (34, 94), (66, 94), (34, 122), (66, 122)),
    "9": ((34, 38), (66, 38), (34, 66), (66, 66), (50, 80), (34, 94), (66, 94), (34, 122), (66, 122)),
}

SCALE: Final = {"2": 1.7, "3": 1.5, "4": 1.45, "5": 1.4, "6": 1.3, "7": 1.2, "8": 1.0, "9": 0.95}

CROWN: Final = f'<path d="M34 57 32 37 41.5 46 50 33 58.5 46 68 37 66 57Z" fill="{GOLD}"/>'
FACE: Final = (
    f'<circle cx="50" cy="66" r="15" fill="{SKIN}"/><circle cx="44.6" cy="64.4" r="1.5" fill="{INK}"/>'
    f'<circle cx="55.4" cy="64.4" r="1.5" fill="{INK}"/>'
)
KING: Final = (
    '<path d="M19 152C19 106 30 90 50 88 70 90 81 106 81 152Z" fill="{colour}"/>'
    '<path d="M43 152 46 90H54L57 152Z" fill="#fffdf6"/>'
    f'<path d="M45 104H55M44.4 116H55.6M43.8 128H56.2M43.2 140H56.8" stroke="{GOLD}" stroke-width="2.4"/>'
    f"{FACE}"
    '<path d="M35.4 68C36 86 44 92 50 93 56 92 64 86 64.6 68 61 74 56 73 50 73S39 74 35.4 68Z" fill="#8b8378"/>'
    f"{CROWN}"
)
JACK: Final = (
    '<path d="M24 152C24 108 34 92 50 89 66 92 76 108 76 152Z" fill="{colour}"/>'
    '<path d="M50 89C42 91 36 98 33 108L50 124 67 108C64 98 58 91 50 89Z" fill="#fffdf6"/>'
    f'<circle cx="50" cy="132" r="2" fill="{GOLD}"/><circle cx="50" cy="143" r="2" fill="{GOLD}"/>'
    f"{FACE}"
    '<path d="M33 60C31 44 44 38 54 40 66 42 70 50 68 58 58 53 44 53 33 60Z" fill="{colour}"/>'
    f'<path d="M40 45C32 36 24 34 17 37 25 39 30 44 34 53Z" fill="{GOLD}"/>'
)
KNIGHT: Final = (
    '<path d="M36 152C37 128 42 116 51 104L43 110C37 113 29 113 27 105 26 99 30 95 35 89L49 70 46 54 57 63C76 68 82 98 '
    '80 152Z" fill="{colour}"/>'
    '<path d="M57 63C76 68 82 98 80 152H71C73 112 70 84 55 70Z" fill="#fffdf6"/>'
    f'<path d="M33 92 45 103M49 71 54 95" stroke="{GOLD}" stroke-width="2.6" fill="none"/>'
    f'<circle cx="48.6" cy="81" r="2" fill="{PAPER}"/>'
)
QUEEN: Final = (
    '<path d="M20 152C22 110 32 92 50 89 68 92 78 110 80 152Z" fill="{colour}"/>'
    '<path d="M50 89C44 100 44 112 50 122 56 112 56 100 50 89Z" fill="#fffdf6"/>'
    '<path d="M33 92C27 78 30 52 50 50 70 52 73 78 67 92 62 84 64 72 62 62H38C36 72 38 84 33 92Z" fill="#7a5230"/>'
    f'{FACE}<path d="M38 56 37 43 44 49 50 40 56 49 63 43 62 56Z" fill="{GOLD}"/>'
)


@cache
def sprite(pack: str) -> str:
    """The whole pack as one SVG file of symbols. Raises KeyError for a pack that is not in PACKS."""
    marks = COLOURS[pack]
    cards = "".join(_symbol(pack, rank, suit) for suit in marks for rank in RANKS)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{cards}{_back()}{_suits(pack)}</svg>\n'


def _symbol(pack: str, rank: str, suit: str) -> str:
    return (
        f'<symbol id="{rank}{suit}" viewBox="0 0 {WIDTH} {HEIGHT}">{_paper()}{_inside(pack, rank, suit)}'
        f'{_corner(pack, rank, suit)}<g transform="rotate(180 50 80)">{_corner(pack, rank, suit)}</g></symbol>'
    )


def _paper() -> str:
    return f'<rect x="1" y="1" width="98" height="158" rx="9" fill="{PAPER}" stroke="{EDGE}" stroke-width="1.5"/>'


def _mark(pack: str, suit: str, x: float, y: float, scale: float, turn: int = 0) -> str:
    turned = f" rotate({turn})" if turn else ""
    return f'<g transform="translate({x} {y}) scale({scale}){turned}">{PIPS[pack, suit]}</g>'


def _corner(pack: str, rank: str, suit: str) -> str:
    colour = COLOURS[pack][suit]
    return (
        f'<text x="12.5" y="22" font-family="Georgia, \'DejaVu Serif\', serif" font-size="20" font-weight="700" '
        f'text-anchor="middle" fill="{colour}">{rank}</text>{_mark(pack, suit, 13, 35, 0.68)}'
    )


def _inside(pack: str, rank: str, suit: str) -> str:
    if rank == "A":
        return _mark(pack, suit, 50, 80, 2.9 if pack == "italian" else 2.5)
    if rank in PLACES:
        return "".join(
            _mark(pack, suit, x, y, SCALE[rank], 180 if pack == "french" and y > 82 else 0) for x, y in PLACES[rank]
        )
    figure = {"K": KING, "J": JACK, "Q": KNIGHT if pack == "italian" else QUEEN}[rank]
    drawn = figure.replace("{colour}", COLOURS[pack][suit])
    return (
        f'<g transform="translate(7 7) scale(.86)"><path d="M2 8H98V152H2Z" fill="none"/>{drawn}</g>'
        f"{_mark(pack, suit, 82, 36, 0.95)}"
    )


def _back() -> str:
    lines = "".join(
        f'<path d="M{x} 8 {x + 42} 152M{x + 42} 8 {x} 152" stroke="#d9c7ae" stroke-width="1" opacity=".55"/>'
        for x in range(8, 52, 7)
    )
    return (
        f'<symbol id="back" viewBox="0 0 {WIDTH} {HEIGHT}">{_paper()}'
        f'<rect x="7" y="7" width="86" height="146" rx="5" fill="#7c2d1c"/>{lines}'
        '<rect x="7" y="7" width="86" height="146" rx="5" fill="none" stroke="#d9c7ae" stroke-width="2"/></symbol>'
    )


def _suits(pack: str) -> str:
    return "".join(f'<symbol id="{suit}" viewBox="-12 -13 24 26">{PIPS[pack, suit]}</symbol>' for suit in SUITS)
