"""Two bots for the bench of the first card: whichever first sees that a card was played says so.

A seat sees a card of another only when the referee has accepted it. They write a line into the pipe that the
environment names, and play any card.
"""

import os

from benches.names import PIPE
from carico import Action, Bot, Card, View


class Witness(Bot):
    """Tells of the first card it sees."""

    told = False

    def act(self, view: View) -> Card | Action:
        """Its first legal card."""
        if not Witness.told and (view.table or view.tricks):
            Witness.told = True
            handle = os.open(os.environ[PIPE], os.O_WRONLY)
            os.write(handle, b"played\n")
            os.close(handle)
        return view.legal[0]


class Other(Witness):
    """The same, under another name."""
