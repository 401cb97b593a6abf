"""The web app as somebody uses it: finds things by their names, and notices what went wrong."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from tests.conftest import Person, Server
from tests.tools.axe import violations
from tests.tools.chromium import Page

# An element that can be seen and used, by the name that a screen reader says.
_FIND = """
(name, selector) => [...(document.querySelector('dialog[open]') ?? document)
  .querySelectorAll(selector.replaceAll('dialog ', ''))].filter(e => e.checkVisibility()
  && !e.disabled).find(e => (e.ariaLabel || e.innerText || e.labels?.[0]?.innerText
  || e.placeholder || '').trim() === name)
"""
_USABLE = "button, a, [role=menuitem], input, textarea, select, summary"
_EVERY_RULE = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']"
# What a theme can change.
CONTRAST = "['color-contrast']"
# A page that is still loading moves what was aimed at.
CLICKS = 5
_BAD = {"error", "warning", "assert"}


class App:
    """One tab on one server."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.url = page, server.url
        self._cookies: dict[str, dict[str, str]] = {}
        self._reader: Person | None = None
        self._is_new = True
        self._is_network_changed = False
        for domain in ("Runtime", "Log"):
            page.send(f"{domain}.enable")

    def reset(self) -> None:
        """Nobody is signed in, nothing is stored, nothing was noticed."""
        self._reader = None
        self._is_new = True
        self.page.send("Network.clearBrowserCookies")
        self.resize(1280, 860)
        self._show_theme(dark=False)
        self.page.events.clear()

    def sign_in(self, person: Person) -> None:
        """Without the form, which has tests of its own, and once: sign-ins are limited."""
        if person.email not in self._cookies:
            body = {"email": person.email, "password": person.password}
            reply = httpx2.post(f"{self.url}/v3/auth/login", json=body)
            assert reply.status_code == 200, reply.text
            self._cookies[person.email] = dict(reply.cookies)
        for name, value in self._cookies[person.email].items():
            self.page.send("Network.setCookie", name=name, value=value, url=self.url)

    def go(self, path: str) -> None:
        if self._is_new:
            self._begin(self.url + path)
        else:
            self.page.open(self.url + path)
        self.wait("document.querySelector('main, [role=alert], form')")

    def _begin(self, url: str) -> None:
        """The page before it is there until then: what it still stores or reports is left out."""
        clearing = self.page.send(
            "Page.addScriptToEvaluateOnNewDocument", source="localStorage.clear()"
        )
        loader = self.page.send("Page.navigate", url=url)["loaderId"]
        self.page.wait_until_loaded()
        self.page.send("Page.removeScriptToEvaluateOnNewDocument", **clearing)
        events = self.page.events
        loaders = [event["params"].get("frame", {}).get("loaderId") for event in events]
        del events[: loaders.index(loader)]
        self._is_new = False

    def open_for(self, person: Person) -> None:
        """Loaded once for all that follow each other and only read."""
        if self._reader is not person:
            self.reset()
            self.sign_in(person)
            self.go("/dashboard")
            self._reader = person
        self.set_dark(False)
        self.page.events.clear()

    def turn_to(self, path: str, words: str) -> None:
        """To another page until its words and all the rest are there. Words that were there already
        would not say that it is: then it is loaded anew."""
        shown_before = self.page.is_true(f"document.body.innerText.includes({json.dumps(words)})")
        (self.go if shown_before else self.move)(path)
        self.see(words)
        # In the place of what is still loading; and code has its colours a moment later.
        self.wait("!document.querySelector('main .animate-pulse, pre code:not(:has(span))')")
        self.settle()

    def move(self, path: str) -> None:
        """To another page without loading the app anew, as a link inside it does."""
        self.page.run(
            f"history.pushState(null, '', {json.dumps(path)});"
            " dispatchEvent(new PopStateEvent('popstate'))"
        )
        self.wait(f"location.pathname + location.search === {json.dumps(path)}")

    def wait(self, condition: str) -> None:
        self.page.wait(condition)

    def see(self, text: str) -> None:
        self.wait(f"document.body.innerText.includes({json.dumps(text)})")

    def see_no_more(self, text: str) -> None:
        self.wait(f"!document.body.innerText.includes({json.dumps(text)})")

    def _named(self, name: str, selector: str) -> str:
        """In the dialog, where one is open."""
        found = f"({_FIND})({json.dumps(name)}, {json.dumps(selector)})"
        self.wait(found)
        return found

    def click(self, name: str, selector: str = _USABLE) -> None:
        """With the mouse, where the element is."""
        for _ in range(CLICKS):
            found = self._named(name, selector)
            self.settle()
            # What was found a moment ago may be on its way out.
            if not self.page.is_true(
                f"(window.wanted = {found}) && (wanted.setAttribute('data-wanted', ''),"
                " window.missed = true,"
                " wanted.addEventListener('click', () => { missed = false }, true), true)"
            ):
                continue
            self.page.click("[data-wanted]")
            # On another page nothing is known of it: then it was not missed.
            if not self.page.is_true("window.missed && wanted.isConnected"):
                break
            self.page.is_true("wanted.removeAttribute('data-wanted')")
        self.page.is_true("window.wanted?.removeAttribute('data-wanted')")

    def fill(self, name: str, text: str) -> None:
        """What was in the field is replaced."""
        found = self._named(name, "input, textarea")
        self.settle()
        self.page.run(f"{found}.focus(); document.activeElement.select?.()")
        self.page.send("Input.insertText", text=text)

    def type(self, text: str) -> None:
        self.page.send("Input.insertText", text=text)

    def press(self, key: str, modifiers: int = 0) -> None:
        """One key; Ctrl is 2, Shift is 8."""
        self.settle()
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9}
        code = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = "\r" if key == "Enter" else key if len(key) == 1 and not modifiers & 2 else ""
        event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.page.send("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
        self.page.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def choose_files(self, selector: str, *paths: Path) -> None:
        found = f"document.querySelector({json.dumps(selector)})"
        field = self.page.send("Runtime.evaluate", expression=found)["result"]["objectId"]
        files = [str(path) for path in paths]
        self.page.send("DOM.setFileInputFiles", objectId=field, files=files)

    def evaluate(self, script: str) -> Any:
        """The value, once a promise of it is kept."""
        done = self.page.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def resize(self, width: int, height: int) -> None:
        self.page.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def set_dark(self, dark: bool) -> None:
        self._show_theme(dark=dark)
        self.settle()

    def _show_theme(self, *, dark: bool) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.page.send("Emulation.setEmulatedMedia", features=[scheme, still])

    def settle(self) -> None:
        """Until what was asked for is painted, and what follows from it is in its place."""
        self.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def set_offline(self, offline: bool) -> None:
        self._set_network(offline=offline, latency=0)

    @contextmanager
    def latency(self, ms: int) -> Iterator[None]:
        """Every request that is made meanwhile takes so long."""
        self._set_network(offline=False, latency=ms)
        try:
            yield
        finally:
            self._set_network(offline=False, latency=0)

    def _set_network(self, *, offline: bool, latency: int) -> None:
        is_changed = offline or latency > 0
        if not is_changed and not self._is_network_changed:
            return
        self.page.send("Network.enable")
        self.page.send(
            "Network.emulateNetworkConditions",
            offline=offline,
            latency=latency,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )
        self._is_network_changed = is_changed
        if not is_changed:
            self.page.send("Network.disable")

    @contextmanager
    def noting_requests(self) -> Iterator[None]:
        """Those to our own server are among the events too."""
        self.page.send("Network.enable")
        try:
            yield
        finally:
            self.page.send("Network.disable")

    def check_accessible(self, rules: str = _EVERY_RULE) -> None:
        """axe finds nothing serious on what is shown now."""
        found = [
            said
            for impact, said in violations(self.page, f"runOnly: {rules}")
            if impact in ("serious", "critical")
        ]
        assert not found, found

    def problems(self) -> list[str]:
        """Console errors and warnings, exceptions, and requests to anywhere else."""
        self.page.run("1")
        return [problem for event in self.page.events if (problem := self._problem(event))]

    def excuse(self, words: str) -> None:
        """Leave out problems that come of what was just done."""
        self.page.run("1")
        self.page.events[:] = [
            event for event in self.page.events if words not in (self._problem(event) or "")
        ]

    def _problem(self, event: dict[str, Any]) -> str | None:
        params = event["params"]
        match event["method"]:
            case "Runtime.consoleAPICalled" if params["type"] in _BAD:
                return " ".join(str(arg.get("value", arg)) for arg in params["args"])
            case "Runtime.exceptionThrown":
                return str(params["exceptionDetails"])
            case "Log.entryAdded" if params["entry"]["level"] in _BAD:
                return f"{params['entry']['text']} {params['entry'].get('url', '')}"
            case "Network.requestWillBeSent" if not self._is_ours(params["request"]["url"]):
                return f"a request to {params['request']['url']}"
        return None

    def _is_ours(self, url: str) -> bool:
        # The browser shows a PDF with an extension of its own.
        own = ("data", "blob", "chrome-extension")
        return urlsplit(url).scheme in own or url.startswith(self.url)
