"""The season's file that ``carico season init`` writes: every field, explained."""

from collections.abc import Iterable
from typing import Final

from worker.tournament.season import Entry

HOUSE: Final = (Entry("random", "1"), Entry("greedy", "1"))
"""The entrants of a template that was asked for without any."""

_HEAD: Final = """\
# A season of carico. Check and register it with `carico season create`, begin with `carico season start`.

# The season's id: 1 to 40 letters, digits, dots, dashes or underscores.
name = "{name}"

# What is played: variant-players.
game = "{game}"

# "open": a bot that comes after the start meets each other entrant once. "closed": nobody comes in.
entry = "open"

# In games of two sides an entrant plays all seats of its side: "fixed". That is one bot, and its process sees the hands
# of all these seats. "rotating", for four players: each seat is an entrant of its own, and partners change until
# everybody had every other.
pairs = "fixed"

# How often every entrant meets every other, 1 to 100. At tables of three or more that comes out even for some numbers
# of entrants only, and two bots of one owner never sit at one: `carico season plan` shows the schedule and its balance.
legs = 2

# Deal sets in each fixture, 1 to 100000. On each the entrants play the same deck from every place of the table.
deal_sets = 25

# How many deal sets a worker plays and commits at once, 1 to 10000: small shows results sooner, great costs less.
chunk = 5

# A practice season: the same seed gives the same decks. Leave it out for decks that nobody can foretell.
# seed = 7

# How long an absent entrant is waited for when its fixture is due; then it loses it by walkover.
no_show = "60s"

# Options of the game that differ from its rules, "null" for none.
[options]
# hand = 5

# The clock of a seat. Lengths of time are a whole number and its unit: ms, s, m or h.
[time_control]
bank = "60s"          # at the start of a deal, for all its actions, 1s to 24h
increment = "100ms"   # added with each action, 0s to 1h
action_limit = "5s"   # the most for one action, 50ms to 1h
lag_credit = "0s"     # the most that measured lag gives back on an action, 0s to 10s
grace = "20s"         # without a connection for longer, the seat is played by the stand-in, 0s to 1h

# The entrants, in the order of the schedule; each bot was registered with `carico bot register`.
"""


def template(name: str = "my-season", game: str = "briscola-2", entries: Iterable[Entry] = HOUSE) -> str:
    """The text of a season's file with every field and what it means; ``read_season`` takes it as it is."""
    entrants = (f'[[entrant]]\nbot = "{entry.bot}"\nversion = "{entry.version}"\n' for entry in entries)
    return _HEAD.format(name=name, game=game) + "\n".join(entrants)
