"""A deal as text that people read and write, for golden files and reports of mistakes; and back.

    game: brisca-2
    options: {}
    dealer: 0
    source: 6D 6C ... QB

    hands: 1 6D 2B 5C; 0 6C AD AB
    upcard: 5B
     1: 1 6D, 0 AD > 0 takes 11; 0 exchange 7B for 5B; draws: 0 KC, 1 4C

A line is a trick: who played what, who takes it and its card points, what was said before the draw, and who drew what.
At Chiamata ``auction: 1 bid K; 2 pass; ...; 1 call B`` stands where the upcard would. A deal that is over ends with its
contract, card points, winners, scores and realised deck. Seats stand in the order in which they act or draw.
"""

import json
import re
from collections import deque
from collections.abc import Iterator

from carico.rules.actions import EXCHANGE, PLAY, Action, named, parse_action
from carico.rules.cards import card_name, parse_card
from carico.rules.deal import Deal
from carico.rules.errors import BadNotation, RulesError
from carico.rules.game import game
from carico.rules.outcome import Contract, outcome

HEAD = ("game", "options", "dealer", "source")


def deal_text(deal: Deal) -> str:
    """The deal so far, each of its actions included."""
    what, now = deal.game, Deal(deal.game, deal.dealer, deal.source)
    told = [f"game: {what.name}", f"options: {json.dumps(dict(what.options), separators=(',', ':'))}"]
    told += [f"dealer: {deal.dealer}", f"source: {_names(deal.source)}", ""]
    in_turn = [(deal.dealer + k) % what.players for k in range(1, what.players + 1)]
    told.append("hands: " + "; ".join(f"{seat} {_names(now.hands[seat])}" for seat in in_turn))
    if what.has_upcard:
        told.append(f"upcard: {card_name(now.upcard)}")
    told += _lines(deal, now)
    return "\n".join(told + (_end(deal) if deal.over else [])) + "\n"


def parse_deal(text: str) -> Deal:
    """The deal that a text tells of: its head and its actions are read, all else follows from them.

    Lines that begin with ``#`` are skipped. Raises BadNotation, with the line where it can be named.
    """
    head = dict(re.findall(r"^(\w+): (.*)$", text, re.MULTILINE))
    try:
        source = bytes(map(parse_card, head["source"].split()))
        deal = Deal(game(head["game"], json.loads(head["options"])), int(head["dealer"]), source)
    except KeyError as error:
        raise BadNotation(f"no line begins with {error.args[0]}: a deal needs {', '.join(HEAD)}") from error
    except (TypeError, ValueError) as error:
        raise BadNotation(str(error)) from error
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _take(deal, line)
        except RulesError as error:
            raise BadNotation(f"line {number}: {error}") from error
    return deal


def _lines(deal: Deal, now: Deal) -> Iterator[str]:
    """The auction and the tricks; ``now`` is the deal before its first action, and goes along."""
    acts = deque(deal.actions)
    if deal.game.auction is not None:
        said = []
        while acts and acts[0][1] >> 8 != PLAY:
            said.append(f"{acts[0][0]} {named(acts[0][1], deal.game.auction)}")
            now.apply(acts.popleft()[1])
        yield f"auction: {'; '.join(said) or '-'}"
    tricks = 0
    while acts:
        tricks += 1
        yield f"{tricks:2}: {_trick(deal, now, acts)}"


def _trick(deal: Deal, now: Deal, acts: deque[tuple[int, int]]) -> str:
    """One trick and what follows it up to the next; takes its actions off ``acts``."""
    plays: list[str] = []
    points, stock = sum(now.card_points), now.rounds_left
    while acts and len(plays) < deal.game.players:
        plays.append(f"{now.to_act} {card_name(acts[0][1])}")
        now.apply(acts.popleft()[1])
    if len(plays) < deal.game.players:
        return ", ".join(plays)
    after = [f"{now.leader} takes {sum(now.card_points) - points}"]
    while acts and acts[0][1] >> 8 != PLAY:
        after.append(_beside(now, *acts[0]))
        now.apply(acts.popleft()[1])
    if now.phase == "exchange" and (acts or deal.phase != "exchange"):
        now.apply(Action.DECLINE)  # nobody said so, but there was a draw
    if now.rounds_left < stock:
        after.append(f"draws: {_drawn(now)}")
    return f"{', '.join(plays)} > {'; '.join(after)}"


def _beside(now: Deal, seat: int, action: int) -> str:
    words = f"{seat} {named(action)}"
    return f"{words} for {card_name(now.upcard)}" if action >> 8 == EXCHANGE else words


def _drawn(now: Deal) -> str:
    """What everybody drew just now, the winner of the trick first."""
    in_turn = [(now.leader + k) % now.game.players for k in range(now.game.players)]
    return ", ".join(f"{seat} {card_name(now.hands[seat][-1])}" for seat in in_turn)


def _end(deal: Deal) -> list[str]:
    end = outcome(deal)
    told = [f"contract: {_contract(end.contract)}"] if end.contract is not None else []
    told += [f"card points: {_numbers(end.card_points)}", f"winners: {_numbers(end.winners)}"]
    return [*told, f"scores: {_numbers(end.scores)}", f"deck: {_names(deal.realised())}"]


def _contract(contract: Contract) -> str:
    if contract.caller is None:
        return "passed out"
    partner = "alone" if contract.partner is None else f"with {contract.partner}"
    return f"{contract.caller} {partner}, called {contract.called}, target {contract.target}"


def _take(deal: Deal, line: str) -> None:
    """Takes the actions of one line, if it has any."""
    auction = re.fullmatch("auction: (.*)", line)
    trick = re.fullmatch(r" ?\d+: (.*)", line)
    if auction:
        _act(deal, [] if auction[1] == "-" else auction[1].split("; "))
    elif trick:
        plays, _, after = trick[1].partition(" > ")
        _act(deal, plays.split(", "))
        _act(
            deal, [text.partition(" for ")[0] for text in after.split("; ") if re.match(r"\d (exchange|decline)", text)]
        )
        if deal.phase == "exchange" and "draws: " in after and len(deal.legal()) == 1:
            deal.apply(Action.DECLINE)


def _act(deal: Deal, acts: list[str]) -> None:
    for text in acts:
        seat, _, what = text.partition(" ")
        if seat != str(deal.to_act):
            raise BadNotation(f"{text!r}: it is seat {deal.to_act}'s turn")
        deal.apply(parse_action(what))


def _names(cards: bytes | list[int]) -> str:
    return " ".join(map(card_name, cards))


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers)) or "-"
