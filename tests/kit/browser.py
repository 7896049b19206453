"""A real browser for tests: Chromium from the system, told what to do through a pipe. No driver is needed."""

import base64
import contextlib
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
NONE_HERE = "there is no Chromium here (Debian: apt-get install chromium)"

FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--mute-audio",
    "--hide-scrollbars",
)


LAUNCH = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 50) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads what it is told from 3 and answers on 4."""


class BrowserError(Exception):
    """The browser said no, or did not say anything in time."""


class Browser:
    """A headless Chromium; all of its processes end with ``close``."""

    def __init__(self, seconds: float = 30.0) -> None:
        assert CHROMIUM is not None, NONE_HERE
        self._seconds = seconds
        self._ids = itertools.count(1)
        self._rest = b""
        self._profile = tempfile.TemporaryDirectory(prefix="carico-browser-", ignore_cleanup_errors=True)
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        command = [sys.executable, "-I", "-S", "-c", LAUNCH, str(theirs_in), str(theirs_out), CHROMIUM]
        self._process = subprocess.Popen(
            [*command, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out = ours_in, ours_out
        self.pages: dict[str, Page] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def page(self, width: int = 1280, height: int = 900, *, dark: bool = False, javascript: bool = True) -> "Page":
        """A new page of this size, with nothing from the others."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.size(width, height)
        page.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )
        if not javascript:
            page.call("Emulation.setScriptExecutionDisabled", value=True)
        return page

    def call(self, method: str, session: str | None = None, **arguments: Any) -> dict[str, Any]:
        """What the browser answers. Raises BrowserError."""
        number = next(self._ids)
        told = {"id": number, "method": method, "params": arguments}
        if session is not None:
            told["sessionId"] = session
        os.write(self._out, json.dumps(told).encode() + b"\0")
        end = time.monotonic() + self._seconds
        while True:
            found = self._take(end)
            if found is None:
                raise BrowserError(f"{method}: no answer in {self._seconds} s")
            if found.get("id") == number:
                if "error" in found:
                    raise BrowserError(f"{method}: {found['error']['message']}")
                return dict(found["result"])

    def listen(self, seconds: float) -> None:
        """Takes what the browser tells by itself for so long, or until it has told something."""
        self._take(time.monotonic() + seconds)

    def close(self) -> None:
        """Ends it."""
        with contextlib.suppress(BrowserError, OSError):
            self.call("Browser.close")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, 9)
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()

    def _take(self, end: float) -> dict[str, Any] | None:
        """The next message, None where none comes in time. What pages tell by themselves is noted there, too."""
        while b"\0" not in self._rest:
            if not select.select([self._in], [], [], max(0.0, end - time.monotonic()))[0]:
                return None
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise BrowserError("the browser has gone")
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        if found.get("sessionId") in self.pages and "method" in found:
            self.pages[found["sessionId"]].told(found["method"], found["params"])
        return found


class Page:
    """A page. ``errors`` has what the console complained of, and what could not be loaded."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.errors: list[str] = []
        self._browser, self._session = browser, session
        self._loads = 0

    def call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """See ``Browser.call``."""
        return self._browser.call(method, self._session, **arguments)

    def told(self, method: str, said: dict[str, Any]) -> None:
        """Notes what the browser tells by itself."""
        if method == "Page.loadEventFired":
            self._loads += 1
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(said["exceptionDetails"])[:500])
        elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
            self.errors.append(f"{said['entry']['text']} {said['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
            self.errors.append(json.dumps(said["args"])[:500])

    def size(self, width: int, height: int) -> None:
        """Makes it so large; below 600 it is a telephone."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def go(self, url: str, seconds: float = 20.0) -> None:
        """Goes there, and returns when it is loaded."""
        before = self._loads
        answer = self.call("Page.navigate", url=url)
        if answer.get("errorText"):
            raise BrowserError(f"{url}: {answer['errorText']}")
        end = time.monotonic() + seconds
        while self._loads == before:
            if time.monotonic() > end:
                raise BrowserError(f"{url}: not loaded in {seconds} s")
            self._browser.listen(0.2)

    def js(self, expression: str) -> Any:
        """The value of an expression; of a promise, what it comes to."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    def wait(self, expression: str, seconds: float = 20.0) -> Any:
        """Returns the value once it is true."""
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(BrowserError):
                if found := self.js(expression):
                    return found
            if time.monotonic() > end:
                raise BrowserError(f"waited {seconds} s in vain until {expression}")
            self._browser.listen(0.05)

    def press(self, key: str) -> None:
        """Presses a key and lets it go."""
        code = {" ": "Space"}.get(key, key)
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code,
                text=" " if kind == "keyDown" and key == " " else "",
            )

    def picture(self, file: Path, *, most: int = 4_000) -> None:
        """The whole page as a PNG, down to so many pixels."""
        box = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": box["width"], "height": min(box["height"], most), "scale": 1}
        found = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(found["data"]))


def axe_script() -> str | None:
    """The accessibility checker axe-core, where it is installed."""
    from importlib.util import find_spec

    found = find_spec("axe_playwright_python")
    folders = [Path(place) for place in (found.submodule_search_locations or [])] if found else []
    scripts: Iterator[Path] = (script for folder in folders for script in folder.glob("axe*.js"))
    script = next(scripts, None)
    return None if script is None else script.read_text("utf-8")
