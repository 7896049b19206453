"""Certificates of one's own, for servers on this machine."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def certificate(directory: Path, name: str) -> tuple[bytes, bytes]:
    """A key and a certificate that signs itself, for 127.0.0.1. Skips where there is no openssl."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("there is no openssl on this machine")
    key, chain = directory / f"{name}.key", directory / f"{name}.pem"
    subprocess.run(
        [
            *(program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", str(key), "-out", str(chain), "-days", "2", "-subj", "/CN=carico"),
            *("-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"),
        ],
        check=True,
        capture_output=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    return key.read_bytes(), chain.read_bytes()
