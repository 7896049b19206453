"""Sees the trick on the table and no further: takes points as cheaply as it can, else gives as little as it can."""

from carico import Action, Bot, Card, View


class Greedy(Bot):
    """What a beginner plays after an evening."""

    def act(self, view: View) -> Card | Action:
        """The cheapest card that takes points, if there are any on the table, else the cheapest card.

        It passes where it may, and never exchanges.
        """
        if not view.plays:
            return view.legal[0]

        def cost(card: Card) -> tuple[int, bool, int]:
            return card.points, card.suit == view.trump, card.strength

        taking = [card for card in view.plays if view.takes(card)]
        if view.table_points and taking and not self.partner_leads(view):
            return min(taking, key=cost)
        return min(view.plays, key=cost)

    @staticmethod
    def partner_leads(view: View) -> bool:
        """Whether the trick would fall to a partner as it lies."""
        return view.table_winner in view.partners
