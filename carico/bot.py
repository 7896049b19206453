"""A bot: what its author writes."""

import hashlib
import random
from collections.abc import Awaitable

from carico.rules.actions import Action
from carico.rules.cards import Card
from carico.rules.view import View


class Bot:
    """One seat of one deal. Write a subclass with ``act``; that is all there is to do.

    A new object is made, without arguments, for each deal and seat, so what you keep on ``self`` is about this deal and
    this seat only. A bot that has both seats of a side, or plays many matches at once, has as many objects.
    """

    seed: bytes = b""
    """The bot's own seed, the same in all its deals; it is set before the first ``act``."""

    def act(self, view: View) -> Card | Action | Awaitable[Card | Action]:
        """The card to play, or what else is asked: one of ``view.legal``. May be ``async``; other matches go on.

        It is called once for each ask. An exception, or an answer that is not legal, loses the deal.
        """
        raise NotImplementedError(f"{type(self).__name__} has no act(self, view)")

    def chance(self, view: View) -> random.Random:
        """Chance that repeats: the generator depends on ``seed`` and on what the view says, and on nothing else.

        The same seed and the same view give the same numbers, in whatever order matches are played.
        """
        key = hashlib.blake2b(view.digest(), key=self.seed[:64], digest_size=32)
        return random.Random(int.from_bytes(key.digest(), "big"))
