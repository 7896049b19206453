"""What the package makes of a golden deal, in the words of its file."""

from carico.record import outcome_json
from carico.rules.actions import Action, from_json, to_json
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.outcome import Fault, FaultReason
from tests.kit.deals import codes, names


def tricks_and_outcome(deal):
    """(tricks, outcome) as the package finds them, from the derived order; asks on the way what is legal."""
    told = deal.told
    play = Deal(game(deal.game, told["options"]), told["dealer"], codes(told["source"]))
    position, tricks = 0, []
    _ask(deal, 0, play)
    for number, stage in enumerate(deal.stages):
        points, stock, exchanges = sum(play.card_points), play.stock, []
        for row in stage["actions"]:
            seat, action = from_json(row)
            assert seat == play.to_act
            if row[1] == "exchange":
                exchanges.append([seat, row[2], names([play.upcard])[0]])
            play.apply(action)
            position += 1
            _ask(deal, position, play)
        _decline(play)
        if number > 0:
            drawn = stock > 0
            in_turn = [(play.leader + k) % play.game.players for k in range(play.game.players)]
            draws = [[seat, names(play.hands[seat][-1:])[0]] for seat in in_turn] if drawn else []
            tricks.append((play.leader, sum(play.card_points) - points, exchanges, draws))
    faults = [Fault(seat, FaultReason(reason), after) for seat, reason, after in told.get("faults", [])]
    return tricks, outcome_json(play, faults)


def _decline(play):
    """Says the decline for which the next play alone may stand in a record, or that is no action of one."""
    if play.phase == "exchange":
        play.apply(Action.DECLINE)


def _ask(deal, position, play):
    """The package asks in every window; in a record there is one only where an exchange was legal."""
    if play.phase == "exchange" and play.legal() == (Action.DECLINE,):
        play.apply(Action.DECLINE)
    legal, illegal = deal.may(position)
    found = [to_json(0, action, play.game.auction)[1:] for action in play.legal()]
    assert [action for action in legal if action not in found] == []
    assert [action for action in illegal if action in found] == []
