"""What every gRPC server of a league keeps to: its limits, where it may listen, and with what."""

from typing import Any, Final

import grpc
import grpc.aio

from carico.address import is_local

STREAMS_A_CONNECTION: Final = 64
METADATA_LIMIT: Final = 8 * 1024


class CannotServe(Exception):
    """A server can't start; the text says why and what to do."""


def server_options(message_limit: int) -> tuple[tuple[str, int], ...]:
    """Channel options of a server that takes messages of at most so many bytes."""
    return (
        ("grpc.max_receive_message_length", message_limit),
        ("grpc.max_concurrent_streams", STREAMS_A_CONNECTION),
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.http2.ping_timeout_ms", 5_000),  # without it a peer that vanished is missed only after a minute
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
        ("grpc.server_handshake_timeout_ms", 10_000),  # a connection that says nothing is given up
        ("grpc.max_metadata_size", METADATA_LIMIT),
        ("grpc.so_reuseport", 0),
    )


def check_place(listen: str, tls: tuple[bytes, bytes] | None) -> None:
    """Raises CannotServe where tokens would travel in plain text between machines."""
    if tls is None and not is_local(listen):
        raise CannotServe(
            f"{listen} can be reached from other machines, and tokens would travel in plain text: "
            "give --tls-cert and --tls-key, or listen on 127.0.0.1"
        )


def bind(server: "grpc.aio.Server", listen: str, tls: tuple[bytes, bytes] | None) -> str:
    """Gives a server its door, TLS with (private key, chain) in PEM or plain text. Returns the address, its port named.

    ``listen`` is HOST:PORT, port 0 for a free one, or unix:PATH. Raises CannotServe.
    """
    try:
        if tls is None:
            port = server.add_insecure_port(listen)
        else:
            port = server.add_secure_port(listen, grpc.ssl_server_credentials([tls]))
    except (RuntimeError, ValueError) as error:
        pair = "" if tls is None else ", or the certificate and key no pair in PEM"
        raise CannotServe(f"can't listen on {listen}: is the port taken{pair}? Name another") from error
    return listen if listen.startswith("unix:") else f"{listen.rpartition(':')[0]}:{port}"


def bearer_token(context: "grpc.aio.ServicerContext[Any, Any]") -> str | None:
    """The token of the metadata ``authorization: Bearer TOKEN`` of a call, None where there is none."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
            scheme, _, token = text.partition(" ")
            if scheme.lower() == "bearer" and token:
                return token.strip()
    return None
