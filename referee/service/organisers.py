"""The door for organisers: they order matches, await them, take results over, and register bots."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from carico.codec import (
    BadMessage,
    duration,
    fault_message,
    milliseconds,
    read_game,
    read_time_control,
    set_duration,
    write_action,
)
from carico.v1 import organisers_pb2 as pb
from carico.v1 import organisers_pb2_grpc
from referee import PROTOCOL, VERSION
from referee.match.machine import Match, State
from referee.match.spec import MatchSpec, Seat
from referee.service.door import Context, Door
from referee.service.errors import Reason, Refused, refusal
from referee.service.hall import Hall
from referee.store.accounts import AccountError, BadName, check_name
from referee.store.log import LogTaken, LogUnavailable

LONGEST_WAIT_S: Final = 30

MOST_MATCHES: Final = 1_000
"""Most matches that one call may name."""

MOST_RUNNING: Final = 10_000
"""Most matches that one referee runs at once."""

logger = logging.getLogger("carico.referee")

_In = TypeVar("_In")
_Out = TypeVar("_Out")
_Method = Callable[["OrganisersServicer", _In, Context], Awaitable[_Out]]


def _for_organisers(method: _Method[_In, _Out]) -> _Method[_In, _Out]:
    """Lets only organisers in, and tells errors by the catalogue."""

    async def guarded(self: "OrganisersServicer", request: _In, context: Context) -> _Out:
        try:
            self.door.organiser(context)
            return await method(self, request, context)
        except Refused as refused:
            why = refused
        except (AccountError, LogUnavailable) as error:
            why = refusal(error)
        except LogTaken:
            self._hall.journal.stop()
            why = Refused(Reason.CLOSING)
        except Exception:
            logger.exception("%s failed", method.__name__)
            why = Refused(Reason.INTERNAL)
        self._hall.counts.refusals["organisers", why.reason.value] += 1
        return await why.abort(context)

    return guarded


class OrganisersServicer(organisers_pb2_grpc.OrganisersServiceServicer):
    """See the contract for what each call promises."""

    def __init__(self, hall: Hall, door: Door) -> None:
        self.door = door
        self._hall = hall

    @_for_organisers
    async def GetReferee(  # noqa: N802, D102
        self, request: pb.GetRefereeRequest, context: Context
    ) -> pb.GetRefereeResponse:
        return pb.GetRefereeResponse(version=VERSION, incarnation=self._hall.log.incarnation, protocol=PROTOCOL)

    @_for_organisers
    async def RegisterBot(  # noqa: N802, D102
        self, request: pb.RegisterBotRequest, context: Context
    ) -> pb.RegisterBotResponse:
        check_name("bot", request.bot)
        check_name("owner", request.owner)
        return pb.RegisterBotResponse(token=await self.door.accounts.register(request.bot, request.owner))

    @_for_organisers
    async def RenewToken(  # noqa: N802, D102
        self, request: pb.RenewTokenRequest, context: Context
    ) -> pb.RenewTokenResponse:
        token = await self.door.accounts.renew(request.bot)
        connection = self._hall.guests[request.bot].connection
        if connection is not None:
            connection.close(Refused(Reason.BAD_TOKEN))
        return pb.RenewTokenResponse(token=token)

    @_for_organisers
    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:  # noqa: N802, D102
        wanted = set(request.bots)
        response = pb.ListBotsResponse()
        for account in await self.door.accounts.all():
            if wanted and account.bot not in wanted:
                continue
            guests = self._hall.guests
            guest = guests[account.bot]
            version = guests.version_of(account.bot)
            status = response.bots.add(bot=account.bot, owner=account.owner, version=version)
            status.connected = guest.connection is not None
            if version and not status.connected:
                status.away.CopyFrom(duration(guests.away_ms(account.bot, version)))
            status.frozen_versions.extend(await self.door.accounts.frozen(account.bot))
            status.open_matches = len(guest.tables)
        return response

    @_for_organisers
    async def StartMatches(  # noqa: N802, D102
        self, request: pb.StartMatchesRequest, context: Context
    ) -> pb.StartMatchesResponse:
        _not_too_many(len(request.matches))
        if self._hall.running() + len(request.matches) > MOST_RUNNING:
            raise Refused(Reason.TOO_MANY, text=f"this referee runs at most {MOST_RUNNING} matches at once")
        specs = [_read_spec(message) for message in request.matches]
        return pb.StartMatchesResponse(started=await self._hall.start(specs))

    @_for_organisers
    async def AwaitMatches(  # noqa: N802, D102
        self, request: pb.AwaitMatchesRequest, context: Context
    ) -> pb.AwaitMatchesResponse:
        _not_too_many(len(request.ids))
        await self._hall.wait(request.ids, min(milliseconds(request.wait) / 1000, LONGEST_WAIT_S))
        unknown = [id_ for id_ in request.ids if self._hall.match(id_) is None]
        released = await self._hall.log.released(unknown)
        response = pb.AwaitMatchesResponse()
        for id_ in request.ids:
            state = response.matches.add(id=id_)
            match = self._hall.match(id_)
            if match is None:
                state.status = pb.MATCH_STATUS_RELEASED if id_ in released else pb.MATCH_STATUS_UNKNOWN
            elif not self._hall.finished(id_):
                state.status = pb.MATCH_STATUS_RUNNING
            else:
                ended = match.state is State.ENDED
                state.status = pb.MATCH_STATUS_ENDED if ended else pb.MATCH_STATUS_VOID
                _write_result(match, state.result)
        return response

    @_for_organisers
    async def AbortMatches(  # noqa: N802, D102
        self, request: pb.AbortMatchesRequest, context: Context
    ) -> pb.AbortMatchesResponse:
        _not_too_many(len(request.ids))
        return pb.AbortMatchesResponse(aborted=self._hall.abort(request.ids, request.reason[:200] or "ABORTED"))

    @_for_organisers
    async def ListEndedMatches(  # noqa: N802, D102
        self, request: pb.ListEndedMatchesRequest, context: Context
    ) -> pb.ListEndedMatchesResponse:
        return pb.ListEndedMatchesResponse(ids=self._hall.ended()[:MOST_MATCHES])

    @_for_organisers
    async def ReleaseMatches(  # noqa: N802, D102
        self, request: pb.ReleaseMatchesRequest, context: Context
    ) -> pb.ReleaseMatchesResponse:
        _not_too_many(len(request.ids))
        if request.counted:
            for bot, version, build in sorted(self._hall.builds(request.ids)):
                await self.door.accounts.freeze(bot, version, build)
        await self._hall.release(request.ids)
        return pb.ReleaseMatchesResponse()


def _not_too_many(count: int) -> None:
    if count > MOST_MATCHES:
        raise Refused(Reason.TOO_MANY, text=f"name at most {MOST_MATCHES} matches in one call")


def _read_spec(message: pb.MatchSpec) -> MatchSpec:
    """A match as it was ordered, with a handle of its own. Raises Refused for anything that is not playable."""

    def bad(text: str) -> Refused:
        return Refused(Reason.BAD_MATCH, id=message.id[:200], text=text)

    try:
        game = read_game(message.game)
        terms = read_time_control(message.time_control)
    except BadMessage as error:
        raise bad(str(error)) from error
    if not 1 <= len(message.id) <= 200:
        raise bad("an id has 1 to 200 characters")
    if len(message.seats) != game.players:
        raise bad(f"{game.name} has {game.players} seats, but {len(message.seats)} are given")
    if message.dealer >= game.players:
        raise bad(f"dealer {message.dealer} is no seat of {game.name}")
    deals = 1 if game.match is None else game.match.most_deals
    if len(message.more_sources) != deals - 1:
        raise bad(f"{deals} deals may be played, but {1 + len(message.more_sources)} packs are given")
    pack = sorted(game.pack)
    if any(sorted(source) != pack for source in (message.source, *message.more_sources)):
        raise bad(f"the source is not the pack of {game.name}")
    try:
        for seat in message.seats:
            check_name("bot", seat.bot)
            check_name("version", seat.version)
    except BadName as error:
        raise bad(str(error)) from error
    seats = tuple(Seat(seat.bot, seat.version) for seat in message.seats)
    if len({(seat.bot, seat.version) for seat in seats}) != len({seat.bot for seat in seats}):
        raise bad("two versions of one bot can't meet: a bot has one stream")
    handle = secrets.token_hex(8)
    more = tuple(message.more_sources)
    return MatchSpec(message.id, handle, game, message.dealer, message.source, seats, terms, more)


def _write_result(match: Match, result: pb.MatchResult) -> None:
    result.match = match.spec.handle
    result.void_reason = match.void_reason or ""
    for played in match.deals:
        deal = result.deals.add()
        stand_in = set(played.stand_in)
        taken_in = zip(played.deal.actions, played.clock, strict=True)
        for place, ((seat, action), (used, credit, left)) in enumerate(taken_in):
            taken = deal.actions.add(seat=seat)
            write_action(action, taken.action)
            if place in stand_in:
                taken.stand_in = True
            if used:
                set_duration(taken.used, used)
            if credit:
                set_duration(taken.credit, credit)
            set_duration(taken.bank_left, left)
        for fault in played.faults.values():
            deal.faults.append(fault_message(fault, played.fault_details[fault.seat]))
