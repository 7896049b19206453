"""Addresses of a Redis server, as redis-py, Celery and people read them."""

from typing import Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

SCHEMES: Final = ("redis", "rediss", "unix")
FORMS: Final = "redis://HOST:PORT/0, rediss://HOST:PORT/0 or unix:///PATH/TO/SOCKET"


def check(url: str) -> None:
    """Raises ValueError for an address that is none of FORMS."""
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not (parts.path if parts.scheme == "unix" else parts.hostname):
        raise ValueError(f"{shown(url)!r} is no address of a Redis server: give {FORMS}")


def shown(url: str) -> str:
    """The address without its password, for messages and logs."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    query = "&".join(field for field in parts.query.split("&") if not field.startswith(("password=", "username=")))
    return f"{parts.scheme}://{place}{parts.path}" + (f"?{query}" if query else "")


def broker_url(url: str) -> str:
    """The address of the same server and database as Celery takes it for its broker.

    A unix socket becomes ``redis+socket:///path?virtual_host=0``; the others are the same. Raises ValueError for an
    address that is none of FORMS.
    """
    check(url)
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    query = parse_qs(parts.query)
    user = query.get("username", [unquote(parts.username or "")])[0]
    password = query.get("password", [unquote(parts.password or "")])[0]
    account = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user or password else ""
    return f"redis+socket://{account}{parts.path}?virtual_host={query.get('db', ['0'])[0]}"
