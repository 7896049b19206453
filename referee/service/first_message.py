"""Calls that send one request: they wait for it in the lobby, too.

gRPC in Python waits for a request for as long as the caller likes, and counts the call as one that is served.
"""

import inspect
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from referee.service.door import Context
from referee.service.errors import Reason, Refused
from referee.service.lobby import Lobby

_Handler = Any
"""grpc.RpcMethodHandler, which its stubs know without its fields."""


class FirstMessage(grpc.aio.ServerInterceptor):
    """Reads the request of a call within the lobby's time; a call without one is refused."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[_Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> _Handler:
        """Puts the reading of its request in front of a handler that takes one; others are left as they are."""
        handler = await continuation(handler_call_details)
        if handler is None or handler.request_streaming:
            return handler
        make = grpc.stream_stream_rpc_method_handler if handler.response_streaming else _one_response
        method = handler.unary_stream if handler.response_streaming else handler.unary_unary
        return make(
            self._reading(method),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _reading(self, method: Callable[[Any, Context], Any]) -> Callable[[Any, Context], Awaitable[Any]]:
        if inspect.isasyncgenfunction(method):

            async def behaviour(_: Any, context: Context) -> Any:
                async with aclosing(method(await self._request(context), context)) as responses:
                    async for response in responses:
                        await context.write(response)
        else:

            async def behaviour(_: Any, context: Context) -> Any:
                return await method(await self._request(context), context)

        return behaviour

    async def _request(self, context: Context) -> Any:
        try:
            request = await self._lobby.first(context.read())
        except TimeoutError:
            request = grpc.aio.EOF
        except DecodeError:
            await Refused(Reason.GARBAGE).abort(context)
        if request is grpc.aio.EOF:
            await Refused(Reason.NO_REQUEST).abort(context)
        return request


_one_response = grpc.stream_unary_rpc_method_handler
