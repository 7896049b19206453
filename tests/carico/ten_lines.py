from carico import Bot, Card, View


class MyBot(Bot):
    def act(self, view: View) -> Card:
        taking = [card for card in view.plays if view.takes(card)]
        if view.table_points and taking:
            return min(taking, key=lambda card: card.points)
        return min(view.plays, key=lambda card: card.points)
