"""Does anything legal, each with the same chance. Whoever does not beat it has a mistake."""

from carico import Action, Bot, Card, View


class RandomBot(Bot):
    """Chance alone."""

    def act(self, view: View) -> Card | Action:
        """Any legal action."""
        return self.chance(view).choice(view.legal)
