"""A bot that thinks for a while in one line, as most do."""

import time

from carico import Bot, Card, View

THINKS_S = 0.06


class Ponderer(Bot):
    """Nothing else happens while it thinks."""

    def act(self, view: View) -> Card:
        time.sleep(THINKS_S)
        return view.legal[0]
