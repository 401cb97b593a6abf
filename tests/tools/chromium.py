"""A real Chromium, driven by the DevTools protocol."""

import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.tools.waiting import until

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The same engine without a browser window: a fifth less work, but no extensions.
_BARE_NAMES = ("chromium-headless-shell", "chrome-headless-shell")
# In kiosk mode the browser does not lay out its own toolbars at every load, a third of its work. It
# also starts no spare process for the next page and keeps no previous page in memory.
_FLAGS = (
    "--kiosk --headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    " --disable-background-networking --disable-component-update --disable-dev-shm-usage"
    " --disable-field-trial-config --disable-breakpad --disable-domain-reliability"
    " --disable-features=SpareRendererForSitePerProcess,BackForwardCache"
    " --remote-debugging-port=0"
).split()
TIMEOUT_S = 120


class Page:
    """One tab."""

    def __init__(self, socket: ClientConnection, session: str) -> None:
        self._socket, self._session = socket, session
        self._ids = itertools.count(1_000)
        # Events that the browser sends unasked: console lines, requests, exceptions.
        self.events: list[dict[str, Any]] = []
        self.send("Page.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        return _send(self._socket, next(self._ids), method, params, self._session, self.events)

    def open(self, url: str) -> None:
        """Load a page and wait for it. A page that fails to load, such as a refused frame, counts
        as loaded."""
        self.send("Page.navigate", url=url)
        self.wait_until_loaded()

    def wait_until_loaded(self) -> None:
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script: str) -> Any:
        reply = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until the condition is true, on whatever page is shown by then."""
        until(
            lambda: self.is_true(condition),
            deadline_s=TIMEOUT_S,
            what=lambda: f"{condition}; {self.url}: {self.text}",
        )

    def is_true(self, condition: str) -> bool:
        """False as well while the browser is leaving a page, which cannot run a script then."""
        reply = self.send("Runtime.evaluate", expression=f"!!({condition})", returnByValue=True)
        return reply.get("result", {}).get("value") is True

    def fill(self, selector: str, value: str) -> None:
        """Type a value with the keyboard, as a person does."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.send("Input.insertText", text=value)

    def click(self, selector: str) -> None:
        position = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send(
                "Input.dispatchMouseEvent",
                type=kind,
                x=position[0],
                y=position[1],
                button="left",
                clickCount=1,
            )

    @property
    def url(self) -> str:
        return self.run("location.href")

    @property
    def text(self) -> str:
        return self.run("document.body ? document.body.innerText : ''")

    def screenshot(self, width: int, height: int, *, dark: bool = False) -> bytes:
        """The page as a PNG."""
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
    """The whole browser: its tabs, and targets without a tab, such as an extension's worker."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        return _send(self._socket, next(self._ids), method, params, None, self.events)

    def targets(self, kind: str) -> list[dict[str, Any]]:
        only_kind = [{"type": kind, "exclude": False}]
        return self.send("Target.getTargets", filter=only_kind)["targetInfos"]

    def attach(self, target: str) -> Page:
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self._socket, session)

    def new_page(self) -> Page:
        return self.attach(self.send("Target.createTarget", url="about:blank")["targetId"])


@contextmanager
def open_browser(*flags: str, names: tuple[str, ...] = _NAMES) -> Iterator[Browser]:
    """Start the first of these programs that is installed."""
    folder = Path(tempfile.mkdtemp(prefix="remem-chromium-"))
    command = [_program(names), *_FLAGS, *flags, f"--user-data-dir={folder}", "about:blank"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        with connect(
            _address(folder, process), max_size=None, proxy=None, ping_interval=None
        ) as socket:
            browser = Browser(socket)
            yield browser
            browser.send("Browser.close")
    finally:
        end_group(process)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def open_page(*flags: str) -> Iterator[Page]:
    with open_bare_browser(*flags) as browser:
        yield browser.new_page()


def open_bare_browser(*flags: str) -> AbstractContextManager[Browser]:
    """Open a browser for plain pages, without extensions."""
    return open_browser(*flags, names=_BARE_NAMES + _NAMES)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program with all that it started: a packaged browser may be a script that starts it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait(TIMEOUT_S)


def _program(names: tuple[str, ...]) -> str:
    chosen = os.environ.get("CHROMIUM")
    program = chosen or next((path for name in names if (path := shutil.which(name))), None)
    if not program:
        pytest.fail("No Chromium here: apt-get install chromium, or name one in CHROMIUM.")
    return program


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """The address that the browser listens at, which it writes into its profile folder."""
    port_file = folder / "DevToolsActivePort"
    deadline = time.monotonic() + TIMEOUT_S
    while not (port_file.exists() and len(port_file.read_text().splitlines()) == 2):
        assert process.poll() is None, f"{process.args[0]} ended with {process.returncode}"
        assert time.monotonic() < deadline, f"{process.args[0]} did not start"
        time.sleep(0.05)
    port, path = port_file.read_text().splitlines()
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
