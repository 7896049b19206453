"""Plays any card, each with the same chance. Whoever does not beat it has a mistake."""

from carico import Bot, Card, View


class RandomBot(Bot):
    """Chance alone."""

    def act(self, view: View) -> Card:
        """Any legal card."""
        return self.chance(view).choice(view.legal)
