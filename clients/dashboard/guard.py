"""What stands before every page: who may ask, how often, for what; and the headers that keep a page to itself."""

import hashlib
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clients.dashboard.limits import Gate

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LONGEST_PATH: Final = 2_000
TAGGED: Final = ("text/html", "application/json", "text/csv", "application/jsonl")


class Guard:
    """Lets in what only reads, from addresses within their limits; with ``hosts``, only under one of these names.

    A page of another site that has its name point here would else read a dashboard that only this machine may see.
    """

    def __init__(self, app: ASGIApp, gate: Gate, hosts: frozenset[str] | None) -> None:
        self._app, self._gate, self._hosts = app, gate, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent = _Headed(send, Headers(scope=scope).get("if-none-match", ""))
        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, sent)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Only GET and HEAD are answered here.\n", 405, {"Allow": "GET, HEAD"})
        host = Headers(scope=scope).get("host", "")
        if self._hosts is not None and _bare(host) not in self._hosts:
            return PlainTextResponse("This dashboard is not known by that name.\n", 421)
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_PATH:
            return PlainTextResponse("That address is too long.\n", 414)
        client = scope.get("client")
        if not self._gate.request(client[0] if client else ""):
            return PlainTextResponse("Too many requests from this address.\n", 429, {"Retry-After": "5"})
        return None


class _Headed:
    """Adds the headers; gives whole answers a tag, and sends them not again to who has them."""

    def __init__(self, send: Send, known: str) -> None:
        self._send = send
        self._known = known
        self._start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-cache")
            kind = headers.get("content-type", "").partition(";")[0]
            if message["status"] == 200 and kind in TAGGED:
                self._start = message
                return
        elif self._start is not None:
            start, self._start = self._start, None
            if not message.get("more_body"):
                tag = f'W/"{hashlib.sha256(message.get("body", b"")).hexdigest()[:20]}"'
                headers = MutableHeaders(scope=start)
                headers["ETag"] = tag
                if tag in (one.strip() for one in self._known.split(",")):
                    start["status"] = 304
                    del headers["Content-Length"]
                    message = {"type": "http.response.body", "body": b""}
            await self._send(start)
        await self._send(message)


def _bare(host: str) -> str:
    """A Host header's name without its port, brackets off."""
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    return name.strip("[]").lower()
