"""What a hand promises at Chiamata, suit by suit: how the better house bots bid and call."""

from carico import Action, View

RANKS = "A3KQJ9876542"


def bid(view: View) -> Action:
    """The lowest bid that the best suit promises to make; else a pass, or the lowest bid where it has to bid."""
    bids = [action for action in view.legal if isinstance(action, Action)]
    for made in bids:
        if made.points and max(promise(view, suit, made.rank or RANKS) for suit in "CDSB") >= made.points:
            return made
    return bids[0]


def call(view: View) -> Action:
    """The suit that promises most with its card of the rank bid; in an auction by points, the card that does."""
    calls = [action for action in view.legal if isinstance(action, Action)]
    ranks = [said.action.rank for said in view.auction if said.action.rank]
    return max(calls, key=lambda made: promise(view, made.suit or "", made.card.rank if made.card else ranks[-1] or ""))


def promise(view: View, suit: str, ranks: str) -> float:
    """The card points that caller and partner make, on average, with these trumps and the best of these ranks called.

    The two factors fit thousands of deals between careful bots; cards of other suits made no difference there. A card
    of our own is not to be called: nobody would be our partner.
    """
    trumps = [card for card in view.hand if card.suit == suit]
    called = [12 - RANKS.index(rank) for rank in ranks if rank not in {card.rank for card in trumps}]
    return 17 + 1.6 * sum(card.strength for card in trumps) + 1.3 * max(called) if called else 0.0
