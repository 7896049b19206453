"""TLS towards the referee, from the flags ``--tls`` and ``--tls-ca``."""

from pathlib import Path

import grpc

from carico.cannot_play import CannotPlay
from carico.connection import tls_credentials
from clients.cli.failure import BadUsage


def credentials(tls: bool, authorities: Path | None) -> grpc.ChannelCredentials | None:
    """None for plain text, which goes to this machine only. Raises BadUsage for a file that can't be read."""
    if not tls and authorities is None:
        return None
    try:
        return tls_credentials(authorities)
    except CannotPlay as error:
        raise BadUsage(str(error)) from error
