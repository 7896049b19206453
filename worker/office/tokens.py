"""Whether a token is the organiser's: the referee knows, and is asked with the caller's own token.

The office holds no token and no hash of one that it did not see: accounts have one room, the referee's.
"""

import hashlib
import hmac
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Final

import grpc
import grpc.aio

from carico.v1 import organisers_pb2, organisers_pb2_grpc
from worker.office.errors import Reason, Refused

BELIEVED_S: Final = 10.0
"""How long a token that was right is believed without asking again."""

REMEMBERED: Final = 16
"""Most tokens of which it is remembered that they were right."""

WRONG: Final = 10
"""Most wrong tokens that an address may show within WRONG_S; then the referee is not asked on its behalf."""

WRONG_S: Final = 60.0

ADDRESSES: Final = 1_000
"""Most addresses whose wrong tokens are counted; of more, the latest."""

CALL_S: Final = 5.0


class Tokens:
    """Knows organisers' tokens by asking the referee. For one event loop; ``now`` are seconds that only rise."""

    def __init__(self, channel: grpc.aio.Channel, now: Callable[[], float] = time.monotonic) -> None:
        self._stub: Any = organisers_pb2_grpc.OrganisersServiceStub(channel)
        self._now = now
        self._right: OrderedDict[bytes, float] = OrderedDict()
        """By SHA-256 of the token: when the referee last said so."""
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    async def check(self, token: str, address: str) -> None:
        """Returns where it is the organiser's. Raises Refused, also where an address has been wrong too often.

        A token that was right before is never held up by what others at its address tried.
        """
        hashed = hashlib.sha256(token.encode()).digest()
        known = self._known(hashed)
        if known is not None and self._now() - self._right[known] < BELIEVED_S:
            return
        if known is None:
            self._not_too_often(address)
        try:
            await self._call("GetReferee", organisers_pb2.GetRefereeRequest(), token)
        except Refused as refused:
            if refused.reason is Reason.NOT_ORGANISER:
                if known is not None:
                    del self._right[known]
                self._note_wrong(address)
            raise
        self._right[hashed] = self._now()
        self._right.move_to_end(hashed)
        while len(self._right) > REMEMBERED:
            self._right.popitem(last=False)

    async def owners(self, token: str) -> dict[str, str]:
        """Who registered each bot, by its name. Raises Refused."""
        response = await self._call("ListBots", organisers_pb2.ListBotsRequest(), token)
        return {bot.bot: bot.owner for bot in response.bots}

    async def _call(self, method: str, request: object, token: str) -> Any:
        try:
            metadata = (("authorization", f"Bearer {token}"),)
            return await getattr(self._stub, method)(request, metadata=metadata, timeout=CALL_S)
        except grpc.aio.AioRpcError as error:
            if error.code() in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
                raise Refused(Reason.NOT_ORGANISER) from None
            raise Refused(Reason.REFEREE_DOWN) from error
        except (ValueError, TypeError):  # characters that no metadata may hold: no token has them
            raise Refused(Reason.NOT_ORGANISER) from None

    def _known(self, hashed: bytes) -> bytes | None:
        found = None
        for right in self._right:
            if hmac.compare_digest(right, hashed):
                found = right
        return found

    def _not_too_often(self, address: str) -> None:
        times = self._wrong.get(address, deque())
        while times and self._now() - times[0] > WRONG_S:
            times.popleft()
        if len(times) >= WRONG:
            raise Refused(Reason.TOO_SOON, seconds=int(WRONG_S - (self._now() - times[0])) + 1)

    def _note_wrong(self, address: str) -> None:
        self._wrong.setdefault(address, deque(maxlen=WRONG)).append(self._now())
        self._wrong.move_to_end(address)
        while len(self._wrong) > ADDRESSES:
            self._wrong.popitem(last=False)
