"""The reception: bots come and go, and what they say reaches the matches."""

import time
from typing import Final

from carico.codec import read_action
from carico.v1 import bots_pb2
from referee.match.events import Answered, Broke, Joined, Left
from referee.service.connection import FRAME_LIMIT, Connection
from referee.service.counts import Counts
from referee.service.course import Course
from referee.service.errors import Reason, Refused
from referee.service.guests import Guests
from referee.service.pulse import Pulse
from referee.service.table import Table

FLOOD_PAUSE_S: Final = 10
"""How long a flooder is kept out."""


class Reception:
    """Lets bots in and out, and takes their frames."""

    def __init__(self, guests: Guests, course: Course, pulse: Pulse, counts: Counts) -> None:
        self._guests = guests
        self._course = course
        self._pulse = pulse
        self._counts = counts

    def admit(self, bot: str) -> None:
        """Raises Refused where the bot is kept out for flooding."""
        wait = self._guests[bot].shut_out_until - time.monotonic()
        if wait > 0:
            raise Refused(Reason.FLOOD, seconds=int(wait) + 1)

    def welcome(self, connection: Connection) -> None:
        """A bot is here: it gets the full state of its matches. An older stream of the same bot is closed."""
        bot = connection.account.bot
        guest = self._guests[bot]
        if guest.connection is not None:
            old = guest.connection
            self.goodbye(old)
            old.close(Refused(Reason.REPLACED))
        guest.connection = connection
        self._counts.connections += 1
        for end in guest.ends.values():
            connection.frame().ends.append(end)
        for table in list(guest.tables.values()):
            if table.match.spec.version_of(bot) == connection.version:
                table.sit(connection)
                self._course.feed(table, Joined(bot), greeted=connection)

    def goodbye(self, connection: Connection) -> None:
        """A bot's stream is gone."""
        bot = connection.account.bot
        guest = self._guests[bot]
        if guest.connection is not connection:
            return
        guest.leave()
        self._counts.connections -= 1
        for table in list(guest.tables.values()):
            table.rise(connection)
            self._course.feed(table, Left(bot))

    def receive(self, connection: Connection, frame: bots_pb2.PlayRequest) -> None:
        """Takes a frame from a bot. Nonsense costs patience; a bot that uses it up is put out and pays."""
        read_at = time.perf_counter()
        answers, seen_ends = frame.answers, frame.seen_ends
        if len(answers) + len(seen_ends) > FRAME_LIMIT:
            self._put_out(connection, f"sent a frame of more than {FRAME_LIMIT} messages")
            return
        useful = False
        guest = self._guests[connection.account.bot]
        for handle in seen_ends:
            useful |= guest.ends.pop(handle, None) is not None
        tables, lag = guest.tables, self._pulse.lag_ms
        for answer in answers:
            table, seat = tables.get(answer.match), answer.seat
            if table is not None and seat < len(table.present) and table.present[seat] is connection:
                event = Answered(seat, answer.number, read_action(answer.action), lag)
                self._course.feed(table, event, connection, None, read_at)
            else:
                self._refuse(connection, table, answer)
            if connection.patience < 0:
                break
        if not useful and not answers:
            connection.patience -= 1
        if connection.patience < 0:
            self._put_out(connection, "sent too many messages that answer nothing")

    def break_off(self, connection: Connection, detail: str) -> None:
        """A bot broke the protocol: it loses its open deals, and its stream is closed by the caller."""
        for table in list(self._guests[connection.account.bot].tables.values()):
            self._course.feed(table, Broke(connection.account.bot, detail))

    def _refuse(self, connection: Connection, table: Table | None, answer: bots_pb2.Answer) -> None:
        """An answer for a seat that is not this connection's."""
        if table is None or connection not in table.present:
            connection.answered_in_vain()
            connection.notice("UNKNOWN_MATCH", "no match with this handle is open for you", answer.match[:64])
        else:
            connection.patience -= 1
            detail = f"answered for seat {answer.seat}, which is not its own"
            self._course.feed(table, Broke(connection.account.bot, detail))

    def _put_out(self, connection: Connection, detail: str) -> None:
        if connection.closing is not None:
            return
        self._guests[connection.account.bot].shut_out_until = time.monotonic() + FLOOD_PAUSE_S
        self.break_off(connection, detail)
        connection.close(Refused(Reason.FLOOD, seconds=FLOOD_PAUSE_S))
