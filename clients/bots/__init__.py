"""House bots: worked examples of rising strength, each on one screen, importing nothing but ``carico``.

Beside it they import what two of them share: ``bidding`` and ``worlds``. docs/house-bots.md says how strong they are.
"""

from typing import Final

HOUSE_BOTS: Final = {
    "random": "clients.bots.random_bot:RandomBot",
    "greedy": "clients.bots.greedy:Greedy",
    "careful": "clients.bots.careful:Careful",
    "counter": "clients.bots.counter:Counter",
}
"""Name -> module and class, in order of strength. All are version 1, and each is its own owner."""
