"""Does anything legal, by chance alone. Whoever does not beat it has a mistake."""

from carico import Action, Bot, Card, View


class RandomBot(Bot):
    """Chance alone."""

    def act(self, view: View) -> Card | Action:
        """Any legal action, each with the same chance; in an auction it passes or bids, half and half.

        There are so many bids that it would hardly ever pass otherwise, and the auction would run to 120.
        """
        chance = self.chance(view)
        if view.phase != "auction":
            return chance.choice(view.legal)
        kind = chance.choice(sorted({action.kind for action in view.legal}))
        return chance.choice([action for action in view.legal if action.kind == kind])
