"""Sees the trick on the table and no further: takes points as cheaply as it can, else gives as little as it can."""

from carico import Action, Bot, Card, View


class Greedy(Bot):
    """What a beginner plays after an evening."""

    def act(self, view: View) -> Card | Action:
        """The cheapest card that takes points, if there are any on the table, else the cheapest card.

        It bids a rank with four cards of a suit, calls its longest suit, and exchanges whenever it can.
        """
        if view.phase == "auction":
            long = any(self.length(view, suit) >= 4 for suit in "CDSB")
            bids = [action for action in view.legal if isinstance(action, Action) and action.points == 61]
            return bids[0] if bids and long else view.legal[0]
        if view.phase == "call":
            return max(view.legal, key=lambda call: self.length(view, call.suit))
        if view.phase == "exchange":
            return view.legal[-1]

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

    @staticmethod
    def length(view: View, suit: str | None) -> int:
        """How many cards of a suit it holds."""
        return sum(card.suit == suit for card in view.hand)
