"""Deals as text: the head of a golden file and its plays are read, everything else is worked out and compared.

A trick reads ``number: seat card, seat card > winner takes card points; draws: seat card, ...``.
"""

import json
import re

from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.outcome import outcome
from tests.kit.deals import codes, names


def retold(text: str) -> str:
    """The golden text as this version tells it, from its comment, its head and the cards played."""
    lines = text.splitlines()
    head = dict(line.split(": ", 1) for line in lines if re.match("game|options|dealer|source", line))
    tricks = [re.findall(r"(\d) (\S\S)", line.split(" > ")[0]) for line in lines if re.match(r" ?\d+: ", line)]
    what = game(head["game"], json.loads(head["options"]))
    deal = Deal(what, int(head["dealer"]), codes(head["source"]))
    told = [line for line in lines if line.startswith("#")]
    told += [f"game: {what.name}", f"options: {json.dumps(dict(what.options), separators=(',', ':'))}"]
    told += [f"dealer: {deal.dealer}", f"source: {' '.join(names(deal.source))}", ""]
    in_turn = _in_turn(deal, deal.to_act)
    told += ["hands: " + "; ".join(f"{seat} {' '.join(names(deal.hands[seat]))}" for seat in in_turn)]
    told += [f"upcard: {names([deal.upcard])[0]}"]
    told += [f"{number:2}: {_trick(deal, plays)}" for number, plays in enumerate(tricks, 1)]
    end = outcome(deal)
    told += [f"card points: {_list(end.card_points)}", f"winners: {_list(end.winners)}"]
    told += [f"scores: {_list(end.scores)}", f"deck: {' '.join(names(deal.realised()))}"]
    return "\n".join(told) + "\n"


def _trick(deal: Deal, plays: list[tuple[str, str]]) -> str:
    points, stock = sum(deal.card_points), deal.stock
    told = []
    for _, card in plays:
        told.append(f"{deal.to_act} {card}")
        deal.apply(codes(card)[0])
    winner = deal.leader
    line = f"{', '.join(told)} > {winner} takes {sum(deal.card_points) - points}"
    if stock:
        drawn = (f"{seat} {names(deal.hands[seat][-1:])[0]}" for seat in _in_turn(deal, winner))
        line += f"; draws: {', '.join(drawn)}"
    return line


def _in_turn(deal: Deal, first: int) -> list[int]:
    return [(first + k) % deal.game.players for k in range(deal.game.players)]


def _list(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers)) or "-"
