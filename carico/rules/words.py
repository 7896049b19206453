"""The rules of a game in words, as this engine plays them: made from its own tables, options included."""

import json
from collections.abc import Iterator

from carico.rules.cards import CARDS, DECK_POINTS, POINTS, RANKS
from carico.rules.chiamata_scores import PENALTY
from carico.rules.exchange import TAKEN_WITH
from carico.rules.game import Game
from carico.rules.options import WON


def rules_text(game: Game) -> str:
    """The rules of this game with these options, as plain text of short paragraphs; it ends with a newline."""
    lines = [f"{game.name}{_options(game)}"]
    for title, paragraph in _paragraphs(game):
        lines += ["", title, *(f"  {sentence}" for sentence in paragraph)]
    return "\n".join(lines) + "\n"


def _paragraphs(game: Game) -> Iterator[tuple[str, list[str]]]:
    yield "Cards", _cards(game)
    yield "Seats", _seats(game)
    yield "Deal", _deal(game)
    if game.auction is not None:
        yield "Auction and call", _auction(game)
    yield "Tricks", _tricks(game)
    if game.draw_rounds:
        yield "Drawing", _drawing(game)
    if game.exchange_margin is not None:
        yield "Exchange", _exchange(game)
    yield "Who sees what", _knowledge(game)
    yield "Result", _result(game)
    yield "Fault", _fault(game)
    if game.match is not None:
        yield "Match", _match(game)


def _options(game: Game) -> str:
    return "".join(f", {key} = {json.dumps(value)}" for key, value in game.options.items())


def _cards(game: Game) -> list[str]:
    ranks = sorted({card & 15 for card in game.pack})
    counting = [f"{RANKS[rank]} {POINTS[rank]}" for rank in ranks if POINTS[rank]]
    every = {suit << 4 | rank for suit in range(4) for rank in ranks}
    out = [str(CARDS[card]) for card in sorted(every - {*game.pack})]
    without = f" without {', '.join(out)}" if out else ""
    return [
        f"{len(game.pack)} cards{without}: suits C D S B, none better than another, and in each from strong to weak",
        f"{' '.join(RANKS[rank] for rank in ranks)}.",
        f"Card points: {', '.join(counting)}, all others 0; {DECK_POINTS} in the pack. Rank decides, not points.",
    ]


def _seats(game: Game) -> list[str]:
    direction = f"{game.players} seats, 0 to {game.players - 1}; seat s+1 plays after seat s and sits on its right."
    if game.auction is not None:
        sides = "The caller and the holder of the called card play against the others."
    elif len(game.sides) == 2 and game.players > 2:
        sides = f"Two sides: {' and '.join('+'.join(map(str, side)) for side in game.sides)}."
    else:
        sides = "Everybody plays alone."
    return [direction, sides]


def _deal(game: Game) -> list[str]:
    way = "a hand at a time" if game.by_packet else "one card at a time"
    told = [f"{game.hand} cards each, {way}, to the seat after the dealer (mano) first and to the dealer last."]
    if game.has_upcard:
        which = "The last card of the pack" if game.upcard_last else "The next card"
        told.append(f"{which} is turned face up and lies under the stock: its suit is trumps for the whole deal.")
    elif game.auction is None:
        told.append("Nothing is turned up, and no suit is trumps.")
    else:
        told.append("Nothing is turned up: trumps are named by the call.")
    return told


def _auction(game: Game) -> list[str]:
    told = ["Mano speaks first, then in seat order whoever has not passed; a pass is final."]
    if game.auction == "points":
        told.append(f"A bid is a number of card points from {WON} to {DECK_POINTS}, higher than the one before.")
        called = "names any card, also one it holds: its suit is trumps"
    else:
        told.append("A bid is a rank, weaker than the one before (any for the first).")
        told.append(f"After the 2 a bid is the 2 at so many card points, {WON + 1} to {DECK_POINTS}, always more.")
        called = "names a suit: that is trumps, and its card of the rank bid is called, also one it holds"
    told.append(f"It ends when one is left, or at once at {DECK_POINTS}. Nobody bids against himself.")
    if game.forced_last:
        told.append("When all others have passed without a bid, the last has to bid.")
    else:
        told.append("When all pass the deal is passed out: no score.")
    told.append(f"The highest bidder, the caller, {called}.")
    told.append("The holder of the called card is the partner; nobody else is told before it is played.")
    return told


def _tricks(game: Game) -> list[str]:
    first = "The caller" if game.caller_leads else "Mano"
    trumps = game.has_upcard or game.auction is not None
    wins = "The highest trump wins the trick, else the highest card" if trumps else "The highest card"
    return [
        f"{game.tricks} tricks. {first} leads the first, the winner of a trick the next.",
        "Any card may be played: there is no duty to follow suit, to trump or to beat.",
        f"{wins} of the suit led{'' if trumps else ' wins the trick'}.",
    ]


def _drawing(game: Game) -> list[str]:
    told = [f"After each of the first {game.draw_rounds} tricks everybody draws a card, the winner first."]
    if game.has_upcard:
        told.append("In the last of these rounds the last to draw takes the upcard.")
    if game.stock == "role":
        told.append(
            "Each seat has its own cards of the stock, whoever wins the tricks: for a single deal the same game."
        )
    told.append(f"Then the last {game.hand} tricks are played from the hands, to the last card.")
    return told


def _exchange(game: Game) -> list[str]:
    margin, most = game.exchange_margin, game.exchange_max
    assert margin is not None
    last = game.draw_rounds - margin
    if last < 1 or game.hand == 1:
        return ["There is no moment for one with these options."]
    told = [
        f"After each of tricks 1 to {last}, before anybody draws, its winner may put a card in place of the upcard and",
        "take that into the hand:",
    ]
    takes: dict[str, list[str]] = {}
    for card in (card for card in game.pack if card >> 4 == 0):
        if TAKEN_WITH[card] in game.pack:
            takes.setdefault(RANKS[TAKEN_WITH[card] & 15], []).append(RANKS[card & 15])
    told += [f"the {taker} of trumps for {', '.join(upcards)}." for taker, upcards in takes.items()]
    if margin:
        told.append(
            f"After trick {last + 1} it is too late, though the upcard still lies there (exchange_margin {margin})."
        )
    told.append("Several in one go are allowed." if most is None else f"At most {most} after one trick.")
    told.append(
        "The winner is asked whenever the upcard, the plays and the stock leave it possible, whatever it holds;"
    )
    told.append("a card that it plays instead of an answer declines.")
    return told


def _knowledge(game: Game) -> list[str]:
    if game.open:
        return ["All hands and the stock lie face up."]
    public = ["plays", "tricks"]
    public += ["the upcard and who drew it"] if game.has_upcard else []
    public += ["exchanges with both cards"] if game.exchange_margin is not None else []
    public += ["the auction and the called card"] if game.auction is not None else []
    public += ["how many cards are left in the stock"] if game.draw_rounds else []
    told = [f"Public: {', '.join(public)}.", "Hands and drawn cards are not."]
    if game.partners == "start":
        told.append("Partners see each other's hands all the time.")
    elif game.partners == "last3":
        told.append("Partners see each other's hands once the stock is used up.")
    return told


def _result(game: Game) -> list[str]:
    if game.auction is not None:
        return _chiamata_result(game)
    if len(game.sides) == 2:
        tie = f"{DECK_POINTS // 2}-{DECK_POINTS // 2}"
        return [f"More card points win: {WON} suffice. Scores 2 and 0; {tie} is a tie, 1 each."]
    n = len(game.sides)
    return [f"Most card points win. Scores {n} and 0; where the top is shared nobody wins, 1 each."]


def _chiamata_result(game: Game) -> list[str]:
    tie = "counts for nobody" if game.draw_at_60 else "is a failure"
    told = [
        f"The caller's side has to make {WON} card points, or those bid. 60-60 {tie}.",
        "Made: caller +2, partner +1, the others -1 each; alone +4 and -1 each. Failed: all signs turned.",
    ]
    if game.capot > 1:
        told.append(f"Times {game.capot} where one side has all {DECK_POINTS}.")
    for least, factor in game.multipliers:
        told.append(f"Times {factor} from a target of {least} on; of several the greatest.")
    return told


def _fault(game: Game) -> list[str]:
    stand_in = ["plays its weakest card"]
    if game.exchange_margin is not None:
        stand_in = ["declines", *stand_in]
    if game.auction is not None:
        stand_in = ["passes where it may", "calls the first suit or card", *stand_in]
    told = [
        "An illegal answer, a fallen flag, too long an absence or a broken protocol hands the seat to a stand-in,",
        f"which plays on to the last card: it {' and '.join(filter(None, (', '.join(stand_in[:-1]), stand_in[-1])))}.",
    ]
    if game.auction is not None:
        return [*told, f"The scores stand as played, and a seat at fault is charged {PENALTY} outside them."]
    if len(game.sides) == 2:
        return [*told, "Whatever the cards say, its side has 0 and the other 2; both at fault have 0."]
    return [*told, "It has 0 whatever the cards say; the best of the others wins, and of a shared top each has 1."]


def _match(game: Game) -> list[str]:
    form = game.match
    assert form is not None
    if form.wins is None:
        return [f"{form.most_deals} deals; the deal moves one seat to the right each time."]
    return [
        f"Who first wins {form.wins} deals wins the match; after {form.most_deals} deals it is over in any case.",
        "Ties count for nobody; the deal moves one seat to the right each time.",
    ]
