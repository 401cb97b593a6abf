"""A real Firefox, driven by Marionette: its pages, and the browser around them."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.tools.chromium import end_group
from tests.tools.waiting import until

_NAMES = ("firefox-esr", "firefox")
TIMEOUT_S = 120
LOADING_S = 40
# Disable lookups, updates and telemetry. Any remaining request goes to a proxy address at which
# nothing listens; this machine is reached without the proxy.
_PREFERENCES = {
    "marionette.port": 0,
    "xpinstall.signatures.required": False,
    "extensions.autoDisableScopes": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "extensions.systemAddon.update.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.failover_direct": False,
    "network.dns.disablePrefetch": True,
    "network.trr.mode": 5,
    "dom.push.connection.enabled": False,
    # One process for all pages: starting another one is more work than loading the page.
    "fission.autostart": False,
    "dom.ipc.processCount": 1,
    "dom.ipc.processPrelaunch.enabled": False,
    # Nobody watches: disable animations and the blinking caret.
    "ui.prefersReducedMotion": 1,
    "ui.caretBlinkTime": 0,
    # Do not store anything for a next start: there is none.
    "browser.sessionstore.interval": 3_600_000,
    "browser.cache.disk.enable": False,
    "browser.pagethumbnails.capturing_disabled": True,
    "browser.newtabpage.enabled": False,
    "browser.places.speculativeConnect.enabled": False,
    "browser.urlbar.suggest.searches": False,
}


def look_for(script: str, document: str = "document") -> str:
    """The body of a function that repeats the script until it returns something, for at most a
    second. The page itself polls, because polling from here would be more work."""
    return f"""const look = async (document) => {{ {script} }};
        for (const end = Date.now() + 1_000; Date.now() < end;) {{
            const value = await look({document});
            if (value) return value;
            await new Promise((done) => setTimeout(done, 20)) }}"""


class Firefox:
    """One window. Scripts run in the page, or with `chrome=True` in the browser itself."""

    def __init__(self, connection: socket.socket) -> None:
        self._file = connection.makefile("rwb")
        self._last = 0
        self._read()
        self.send("WebDriver:NewSession", {"acceptInsecureCerts": True, "pageLoadStrategy": "none"})
        self.send("WebDriver:SetTimeouts", {"script": TIMEOUT_S * 1_000})

    def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        self._last += 1
        body = json.dumps([0, self._last, method, params or {}]).encode()
        self._file.write(f"{len(body)}:".encode() + body)
        self._file.flush()
        _, answered, error, result = self._read()
        assert answered == self._last, f"{method}: the answer to another command"
        assert not error, f"{method}: {error}"
        return result

    def _read(self) -> Any:
        length = b""
        while (byte := self._file.read(1)) != b":":
            assert byte, "Firefox ended"
            length += byte
        return json.loads(self._file.read(int(length)))

    def run(
        self, script: str, *args: object, chrome: bool = False, sandbox: str | None = None
    ) -> Any:
        """Run the body of an async function and return its value. In the sandbox `system` it can
        access closed shadow roots."""
        self.send("Marionette:SetContext", {"value": "chrome" if chrome else "content"})
        body = f"""const done = arguments[arguments.length - 1]; const args = arguments;
            (async () => {{ {script} }})().then(
                value => done({{value}}), error => done({{error: String(error)}}));"""
        params = {"script": body, "args": list(args), "newSandbox": True, "sandbox": sandbox}
        result = self.send("WebDriver:ExecuteAsyncScript", params)["value"]
        assert result is not None, "the page went away"
        assert result.get("error") is None, result["error"]
        return result.get("value")

    def install(self, folder: Path) -> str:
        """Install an unsigned extension until the browser exits."""
        return self.send("Addon:Install", {"path": str(folder), "temporary": True})["value"]

    def open(self, url: str) -> None:
        until(lambda: self._opens(url), deadline_s=TIMEOUT_S, what=lambda: url)

    def _opens(self, url: str) -> bool:
        """Navigate and wait. The caller repeats this, because the previous page may have navigated
        elsewhere meanwhile."""
        self.send("Marionette:SetContext", {"value": "content"})
        self.send("WebDriver:Navigate", {"url": url})
        is_loaded = (
            f"location.href.startsWith({json.dumps(url)}) && document.readyState !== 'loading'"
        )
        return any(self._is_soon_true(is_loaded) for _ in range(LOADING_S))

    def window(self) -> str:
        """The handle of the current window or tab."""
        return self.send("WebDriver:GetWindowHandle")["value"]

    def windows(self) -> set[str]:
        return set(self.send("WebDriver:GetWindowHandles"))

    def switch_to(self, window: str) -> None:
        self.send("WebDriver:SwitchToWindow", {"handle": window, "focus": True})

    def switch_to_page(self, start: str) -> bool:
        """Switch to a window whose address starts with `start`, if there is one."""
        for window in self.windows():
            self.switch_to(window)
            if self.is_true(f"location.href.startsWith({json.dumps(start)})"):
                return True
        return False

    def wait(self, condition: str) -> None:
        until(
            lambda: self._is_soon_true(condition),
            deadline_s=TIMEOUT_S,
            what=lambda: condition,
        )

    def is_true(self, condition: str) -> bool:
        return self._evaluates_to_true(f"return !!({condition})")

    def _is_soon_true(self, condition: str) -> bool:
        return self._evaluates_to_true(look_for(f"return !!({condition})"))

    def _evaluates_to_true(self, script: str) -> bool:
        try:
            return bool(self.run(script))
        except AssertionError:
            # The browser is leaving the page, which cannot run a script; the next one can.
            return False

    def inside(self, host: str, script: str) -> Any:
        """Run a function body whose `root` is the closed shadow root of an element; return its
        value."""
        shadow_root = f"document.querySelector('{host}')?.openOrClosedShadowRoot"
        return self.run(
            f"const root = {shadow_root}; if (!root) return; {script}", sandbox="system"
        )

    def wait_inside(self, host: str, script: str) -> Any:
        """The same, but wait until the value is true."""
        shadow_root = f"document.querySelector('{host}')?.openOrClosedShadowRoot"
        polling = look_for(f"const root = {shadow_root}; if (!root) return; {script}")
        return until(lambda: self.run(polling, sandbox="system"))

    def click(self, selector: str) -> None:
        """Click an element with the mouse, as a person does."""
        self.send("Marionette:SetContext", {"value": "content"})
        using = {"using": "css selector", "value": selector}
        element = self.send("WebDriver:FindElement", using)["value"]
        self.send("WebDriver:ElementClick", {"id": next(iter(element.values()))})

    def click_inside(self, host: str, selector: str) -> None:
        """Click an element of a closed shadow root with the mouse."""
        box = self.wait_inside(
            host,
            f"const b = root.querySelector('{selector}')?.getBoundingClientRect();"
            "return b?.width && b.left >= 0 && b.top >= 0 && b.bottom <= innerHeight &&"
            "[Math.round(b.left + b.width / 2), Math.round(b.top + b.height / 2)]",
        )
        self.send("Marionette:SetContext", {"value": "content"})
        moves = [
            {"type": "pointerMove", "x": box[0], "y": box[1], "origin": "viewport"},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": moves}
        self.send("WebDriver:PerformActions", {"actions": [mouse]})

    def type(self, text: str) -> None:
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.send("Marionette:SetContext", {"value": "content"})
        actions = [{"type": "key", "id": "keyboard", "actions": keys}]
        self.send("WebDriver:PerformActions", {"actions": actions})


@contextmanager
def open_firefox(preferences: dict[str, str | int | bool] | None = None) -> Iterator[Firefox]:
    folder = Path(tempfile.mkdtemp(prefix="remem-firefox-"))
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in {**_PREFERENCES, **(preferences or {})}.items()
    ]
    (folder / "user.js").write_text("\n".join(lines))
    command = [
        _program(),
        "--headless",
        "--marionette",
        "--remote-allow-system-access",
        "--no-remote",
    ]
    environment = {**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
    process = subprocess.Popen(
        [*command, "--profile", str(folder)],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        with socket.create_connection(
            ("127.0.0.1", _port(folder, process)), TIMEOUT_S
        ) as connection:
            yield Firefox(connection)
    finally:
        end_group(process)
        shutil.rmtree(folder, ignore_errors=True)


def _program() -> str:
    chosen = os.environ.get("FIREFOX")
    program = chosen or next((path for name in _NAMES if (path := shutil.which(name))), None)
    if not program:
        pytest.fail("No Firefox here: apt-get install firefox-esr, or name one in FIREFOX.")
    return program


def _port(folder: Path, process: subprocess.Popen[bytes]) -> int:
    """The port that the browser listens at, which it writes into its profile folder."""

    def find() -> int | None:
        assert process.poll() is None, f"{_program()} ended with {process.returncode}"
        path = folder / "MarionetteActivePort"
        body = path.read_text() if path.exists() else ""
        match = re.search(r"\d+", body)
        return int(match[0]) if match else None

    return until(find)
