"""A real browser, driven by its own protocol."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.tools.waiting import until

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The same engine without a window around it, a fifth less work; it has no extensions.
_BARE_NAMES = ("chromium-headless-shell", "chrome-headless-shell")
# In a kiosk the browser does not lay out its own bars at every load, a third of its work. Neither
# does it start a process ahead of the next page, nor keep the page that was left.
_FLAGS = (
    "--kiosk --headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    " --disable-background-networking --disable-component-update --disable-dev-shm-usage"
    " --disable-field-trial-config --disable-breakpad --disable-domain-reliability"
    " --disable-features=SpareRendererForSitePerProcess,BackForwardCache"
    " --remote-debugging-port=0"
).split()
TIMEOUT_S = 60


class Page:
    """One tab."""

    def __init__(self, socket: ClientConnection, session: str) -> None:
        self._socket, self._session = socket, session
        self._ids = itertools.count(1_000)
        # What the browser reports of its own accord: console lines, requests, exceptions.
        self.events: list[dict[str, Any]] = []
        self.send("Page.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        return _send(self._socket, next(self._ids), method, params, self._session, self.events)

    def open(self, url: str) -> None:
        """Until the page is there; one that fails to load, a refused frame say, is there too."""
        self.send("Page.navigate", url=url)
        self.wait_until_loaded()

    def wait_until_loaded(self) -> None:
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script: str) -> Any:
        done = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def wait(self, condition: str) -> None:
        """Until a condition is true on whatever page is there by then."""
        until(
            lambda: self.is_true(condition),
            deadline_s=TIMEOUT_S,
            what=lambda: f"{condition}; {self.url}: {self.text}",
        )

    def is_true(self, condition: str) -> bool:
        """A page on its way out cannot be asked; the next one can."""
        done = self.send("Runtime.evaluate", expression=f"!!({condition})", returnByValue=True)
        return done.get("result", {}).get("value") is True

    def fill(self, selector: str, value: str) -> None:
        """By the keyboard, as a person does."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.send("Input.insertText", text=value)

    def click(self, selector: str) -> None:
        where = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send(
                "Input.dispatchMouseEvent",
                type=kind,
                x=where[0],
                y=where[1],
                button="left",
                clickCount=1,
            )

    @property
    def url(self) -> str:
        return self.run("location.href")

    @property
    def text(self) -> str:
        return self.run("document.body ? document.body.innerText : ''")

    def look(self, width: int, height: int, *, dark: bool = False) -> bytes:
        """The page as a picture."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        return base64.b64decode(self.send("Page.captureScreenshot")["data"])


class Browser:
    """The whole browser: its tabs, and what has no tab, such as an extension's worker."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        return _send(self._socket, next(self._ids), method, params, None, self.events)

    def targets(self, kind: str) -> list[dict[str, Any]]:
        wanted = [{"type": kind, "exclude": False}]
        return self.send("Target.getTargets", filter=wanted)["targetInfos"]

    def attach(self, target: str) -> Page:
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self._socket, session)

    def new_page(self) -> Page:
        return self.attach(self.send("Target.createTarget", url="about:blank")["targetId"])


@contextmanager
def open_browser(*flags: str, names: tuple[str, ...] = _NAMES) -> Iterator[Browser]:
    """The first of these programs that is here."""
    folder = Path(tempfile.mkdtemp(prefix="remem-chromium-"))
    command = [_program(names), *_FLAGS, *flags, f"--user-data-dir={folder}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with connect(
            _address(folder, process), max_size=None, proxy=None, ping_interval=None
        ) as socket:
            browser = Browser(socket)
            yield browser
            browser.send("Browser.close")
    finally:
        process.terminate()
        process.wait(TIMEOUT_S)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def open_page(*flags: str) -> Iterator[Page]:
    with open_bare_browser(*flags) as browser:
        yield browser.new_page()


def open_bare_browser(*flags: str) -> AbstractContextManager[Browser]:
    """For pages alone, without extensions."""
    return open_browser(*flags, names=_BARE_NAMES + _NAMES)


def _program(names: tuple[str, ...]) -> str:
    given = os.environ.get("CHROMIUM")
    found = given or next((path for name in names if (path := shutil.which(name))), None)
    if not found:
        pytest.fail("No Chromium here: apt-get install chromium, or name one in CHROMIUM.")
    return found


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """Where it listens, which it writes into its folder."""
    body = folder / "DevToolsActivePort"
    ends = time.monotonic() + TIMEOUT_S
    while not (body.exists() and len(body.read_text().splitlines()) == 2):
        assert process.poll() is None, f"{process.args[0]} ended with {process.returncode}"
        assert time.monotonic() < ends, f"{process.args[0]} did not start"
        time.sleep(0.05)
    port, path = body.read_text().splitlines()
    return f"ws://127.0.0.1:{port}{path}"


def _send(
    socket: ClientConnection,
    id: int,
    method: str,
    params: dict[str, Any],
    session: str | None = None,
    events: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    message: dict[str, Any] = {"id": id, "method": method, "params": params}
    if session:
        message["sessionId"] = session
    socket.send(json.dumps(message))
    while True:
        body = json.loads(socket.recv(TIMEOUT_S))
        if body.get("id") == id:
            return body.get("result", {})
        if events is not None and "method" in body:
            events.append(body)
