"""A deal as lines for people: plain where they go to a file, with the suits in colour on a terminal."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from rich.text import Text

from carico.rules.actions import Action
from carico.rules.cards import Card
from carico.rules.chiamata import ChiamataDeal
from carico.rules.deal import Deal
from carico.rules.outcome import Outcome, Termination, outcome
from carico.rules.retelling import Eyes, Hands, Told, TrickTold, all_hands, retell
from clients.cli.chosen_deal import Chosen
from clients.cli.plain_text import plain

SUIT_STYLES: Final = {"C": "red", "D": "yellow", "S": "cyan", "B": "green"}
SUIT_NAMES: Final = {"C": "cups", "D": "coins", "S": "swords", "B": "batons"}
LONGEST_NAME: Final = 14
"""Characters of a bot's name beside its cards; the head has all of it."""


def replay_lines(chosen: Chosen, eyes: Eyes = all_hands, seat: int | None = None) -> Iterator[Text]:
    """The deal of this record, as these eyes see it; ``seat`` is whose they are, if they are one seat's."""
    yield from _Page(chosen, eyes, seat).lines()


class _Page:
    def __init__(self, chosen: Chosen, eyes: Eyes, seat: int | None) -> None:
        self._chosen, self._deal, self._seat = chosen, chosen.deal, seat
        self._eyes = eyes
        self._told = retell(chosen.deal, eyes)
        record = chosen.record
        bots = [str(one["bot"]) for one in record["seats"]] if record else []
        self._names = [plain(bot) for bot in bots] or [""] * self._deal.game.players
        self._wide = min(LONGEST_NAME, max(map(len, self._names)))
        self._clock: Sequence[Sequence[int]] = record["clock"] if record else ()
        self._stand_in = frozenset(record["stand_in"] if record else ())
        self._faults = {fault.after: [f for f in chosen.faults if f.after == fault.after] for fault in chosen.faults}

    def lines(self) -> Iterator[Text]:
        yield from self._head()
        if self._deal.game.auction is not None:
            yield from self._auction()
        for trick in self._told.tricks:
            yield from self._trick(trick)
        yield Text()
        yield from self._end()

    def _head(self) -> Iterator[Text]:
        record, game = self._chosen.record, self._deal.game
        always = {"deal_set", "seating"} if record and record["fixture"] is None else {"deal_set", "seating", "fixture"}
        options = "".join(f", {key} = {_json(value)}" for key, value in game.options.items())
        yield Text(f"{game.name}{options}", "bold")
        if record:
            season = [] if record["season"] is None else [f"season {plain(record['season'])}"]
            place = [f"{key} {record[name]}" for key, name in _PLACE if record[name] or name in always]
            yield Text(f"line {self._chosen.line}: {', '.join(season + place)}", "dim")
        for seat in range(game.players):
            told = Text(f"  seat {seat}")
            if record:
                one = record["seats"][seat]
                told.append(f"  {plain(one['bot'])} {plain(one['version'])}", "bold")
                told.append(f" of {plain(one['owner'])}", "dim")
            told.append(", deals" if seat == self._deal.dealer else "")
            told.append(", your eyes" if seat == self._seat else "")
            yield told
        if self._told.upcard is not None:
            trumps = SUIT_NAMES[self._told.upcard.suit]
            yield Text.assemble("  upcard ", _card(self._told.upcard), f": {trumps} are trumps")

    def _auction(self) -> Iterator[Text]:
        yield Text()
        yield Text("auction", "bold")
        if not self._told.auction:
            yield Text("  nobody has spoken")
        yield from self._dealt(self._told.hands)
        for told in self._told.auction:
            yield from self._faults_before(told.position)
            yield Text.assemble("  ", self._who(told.seat), "  ", *_said(told.action), *self._marks(told.position))
        deal = self._deal
        if isinstance(deal, ChiamataDeal) and deal.partner >= 0 and self._eyes is all_hands:
            yield Text(f"  {self._called(deal)}, seat {deal.partner} is the partner", "dim")
        elif isinstance(deal, ChiamataDeal) and deal.trump >= 0 and deal.target:
            alone = ", who holds it: alone" if self._eyes is all_hands else ""
            yield Text(f"  {self._called(deal)}{alone}", "dim")

    def _called(self, deal: ChiamataDeal) -> str:
        return f"target {deal.target}; seat {deal.caller} calls"

    def _dealt(self, hands: Hands) -> Iterator[Text]:
        for seat in self._in_turn():
            if seat in hands:
                yield Text.assemble("  ", self._who(seat), "  ", _cards(hands[seat]))

    def _in_turn(self) -> Iterable[int]:
        players = self._deal.game.players
        return [(self._deal.dealer + k) % players for k in range(1, players + 1)]

    def _trick(self, trick: TrickTold) -> Iterator[Text]:
        yield Text()
        title = Text.assemble((f"trick {trick.number}", "bold"))
        if trick.stock:
            title.append(f"   stock {trick.stock}")
        if trick.upcard is not None:
            title.append(", upcard ").append_text(_card(trick.upcard))
        yield title
        widest = max((3 * len(hand) - 1 for hand in trick.hands.values()), default=0)
        for told in trick.plays:
            yield from self._faults_before(told.position)
            yield self._play(told, trick, widest)
        for told in trick.after:
            yield from self._faults_before(told.position)
            yield Text.assemble("  ", self._who(told.seat), "  ", *_beside(told), *self._marks(told.position))
        if trick.draws:
            told_draws = [Text.assemble(f"{seat}: ", _card(card)) for seat, card in trick.draws]
            yield Text("  draws: ").append_text(Text(", ").join(told_draws))
        if trick.winner is not None:
            yield Text(f"  card points: {self._points(trick.card_points)}", "dim")

    def _play(self, told: Told, trick: TrickTold, widest: int) -> Text:
        assert isinstance(told.action, Card)
        hand = trick.hands.get(told.seat, ())
        held = _cards(hand)
        held.append(" " * (widest - held.cell_len))
        parts: list[Any] = ["  ", self._who(told.seat), "  ", held, "  " if widest else "", _card(told.action, "bold")]
        if told.seat == trick.winner:
            parts.append((f"  takes {trick.points}", "bold"))
        deal = self._deal
        if isinstance(deal, ChiamataDeal) and told.action == deal.called:
            parts.append("  the called card")
        return Text.assemble(*parts, *self._marks(told.position))

    def _marks(self, position: int) -> Iterator[tuple[str, str]]:
        """The stand-in, and the time used; of other seats no seat knows these while the deal lasts."""
        if self._seat not in (None, self._deal.actions[position][0]):
            return
        if position in self._stand_in:
            yield "  stand-in", "red"
        elif position < len(self._clock):
            yield f"  {self._clock[position][0] / 1000:.3f} s", "dim"

    def _faults_before(self, position: int) -> Iterator[Text]:
        for fault in self._faults.get(position, ()):
            if self._seat not in (None, fault.seat):
                continue
            yield Text(f"  ! seat {fault.seat} {self._names[fault.seat]}: {fault.reason}; the stand-in plays on", "red")

    def _who(self, seat: int) -> str:
        name = self._names[seat]
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}~"
        return f"{seat} {short:<{self._wide}}".rstrip() if not self._wide else f"{seat} {short:<{self._wide}}"

    def _points(self, points: Sequence[int]) -> str:
        sides = self._deal.game.sides
        if len(sides) == 2:
            return ", ".join(f"{'+'.join(map(str, side))}: {sum(points[seat] for seat in side)}" for side in sides)
        return ", ".join(f"{seat}: {captured}" for seat, captured in enumerate(points))

    def _end(self) -> Iterator[Text]:
        reason = self._chosen.record.get("reason") if self._chosen.record else None
        if reason is not None:
            yield Text(f"void, does not count: {plain(str(reason))}", "red")
        if not self._deal.over:
            deal = self._deal
            yield Text(f"the deal is not over: {deal.count} actions so far, seat {deal.to_act} is to act", "bold")
            return
        end = outcome(self._deal, self._chosen.faults)
        yield Text("result", "bold")
        for seat in range(self._deal.game.players):
            told = f"  {self._who(seat)}  {end.card_points[seat]:>3} card points, score {end.scores[seat]}"
            penalty = f", penalty {end.penalties[seat]}" if end.penalties and end.penalties[seat] else ""
            fault = "".join(f", at fault: {fault.reason}" for fault in end.faults if fault.seat == seat)
            won = ", won" if seat in end.winners else ""
            yield Text(f"{told}{penalty}{fault}{won}", "bold" if won else "")
        yield from (Text(f"  {line}") for line in _summary(self._deal, end))


_PLACE: Final = (
    ("fixture", "fixture"),
    ("deal set", "deal_set"),
    ("seating", "seating"),
    ("deal", "deal"),
    ("attempt", "attempt"),
)


def _summary(deal: Deal, end: Outcome) -> Iterator[str]:
    if end.termination is Termination.PASSED_OUT:
        yield "passed out: nobody bid"
    elif end.contract is not None and end.contract.caller is not None:
        caller, partner = end.contract.caller, end.contract.partner
        side = {caller, caller if partner is None else partner}
        got = sum(end.card_points[seat] for seat in side)
        who = f"seat {caller} alone" if partner is None else f"seats {caller} and {partner}"
        result = "made it" if got >= (end.contract.target or 0) else "did not make it"
        yield f"{end.contract.called} called, target {end.contract.target}: {who} have {got} and {result}"
    elif not end.winners:
        yield "a tie" if not end.faults else "nobody won"
    elif len(deal.game.sides) == 2 and deal.game.players > 2:
        sides = [sum(end.card_points[seat] for seat in side) for side in deal.game.sides]
        yield f"sides: {sides[0]} to {sides[1]}"


def _said(action: Card | Action) -> list[Any]:
    if isinstance(action, Action) and action.kind == "call":
        what = _card(action.card) if action.card is not None else Text(SUIT_NAMES[action.suit or "C"])
        return ["calls ", what]
    return [str(action)]


def _beside(told: Told) -> list[Any]:
    if told.taken is None:
        return ["no exchange"]
    assert isinstance(told.action, Action)
    assert told.action.card is not None
    return ["exchange ", _card(told.action.card), " for ", _card(told.taken)]


def _cards(cards: Sequence[Card]) -> Text:
    return Text(" ").join(map(_card, cards))


def _card(card: Card | None, more: str = "") -> Text:
    return Text("?") if card is None else Text(str(card), f"{more} {SUIT_STYLES[card.suit]}".strip())


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
