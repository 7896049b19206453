"""Where a referee is: HOST:PORT, or unix:PATH."""

import ipaddress
import re
from typing import Final

_HOST: Final = re.compile(r"(?:dns:///|ipv4:|ipv6:)?(\[[0-9a-fA-F:.]+\]|[^:/\s]+):[0-9]{1,5}")


def is_address(text: str) -> bool:
    """Whether the text is an address of a referee, by its form."""
    return text.startswith("unix:") or _HOST.fullmatch(text) is not None


def is_local(address: str) -> bool:
    """Whether what is sent there stays on this machine: a unix socket or a loopback address."""
    if address.startswith("unix:"):
        return True
    found = _HOST.fullmatch(address)
    host = found[1].strip("[]") if found else ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
