"""Parameters of the commands that serve: where they listen, with which certificate, and where their admin socket is."""

from pathlib import Path
from typing import Annotated

import typer

from clients.cli.failure import BadUsage

ListenOption = Annotated[
    str, typer.Option("--listen", metavar="HOST:PORT", help="Where it listens; port 0 for a free one.")
]
TlsCertificateOption = Annotated[
    Path | None, typer.Option("--tls-cert", metavar="FILE", help="Certificate chain, PEM. Needed off 127.0.0.1.")
]
TlsKeyOption = Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="Its private key, PEM.")]
RefereeAuthoritiesOption = Annotated[
    Path | None,
    typer.Option("--tls-ca", metavar="FILE", help="Speak TLS to the referee, with the authorities in this PEM file."),
]
AdminOption = Annotated[
    Path | None,
    typer.Option(
        "--admin", metavar="PATH", help="Serve gRPC reflection, channelz and health at a unix socket made there."
    ),
]


def key_and_chain(certificate: Path | None, key: Path | None) -> tuple[bytes, bytes] | None:
    """The private key and the chain, None where neither is given. Raises BadUsage."""
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise BadUsage("--tls-cert and --tls-key belong together: give both")
    try:
        return key.read_bytes(), certificate.read_bytes()
    except OSError as error:
        raise BadUsage(f"{error.filename}: cannot read it: {error.strerror}") from error


def authorities(file: Path | None) -> bytes | None:
    """The PEM file of ``--tls-ca``, None where it is not given. Raises BadUsage."""
    try:
        return None if file is None else file.read_bytes()
    except OSError as error:
        raise BadUsage(f"{file}: cannot read it: {error.strerror}") from error
