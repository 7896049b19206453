"""A call that is refused: a reason of a catalogue, its gRPC status and its public sentence."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Generic, NoReturn, TypeVar

import grpc
import grpc.aio

R = TypeVar("R", bound=Enum)


class Refusal(Exception, Generic[R]):
    """Ends a call. What is not in the catalogue is never told to a caller."""

    def __init__(self, catalogue: Mapping[R, tuple[grpc.StatusCode, str]], reason: R, facts: Mapping[str, object]):
        """``facts`` fill the sentence of the reason."""
        self.reason = reason
        self.code, sentence = catalogue[reason]
        self.sentence = f"{reason.value}: {sentence.format(**facts)}"
        super().__init__(self.sentence)

    async def abort(self, context: "grpc.aio.ServicerContext[Any, Any]") -> NoReturn:
        """Ends the call with the status and the public sentence."""
        await context.abort(self.code, self.sentence)
        raise AssertionError("abort returned")
