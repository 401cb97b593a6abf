"""Drive the web app as a user does: find elements by their names and record errors."""

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
from tests.tools.waiting import until

# Find a visible, enabled element by its accessible name.
_FIND = """
(name, selector) => [...(document.querySelector('dialog[open]') ?? document)
  .querySelectorAll(selector.replaceAll('dialog ', ''))].filter(e => e.checkVisibility()
  && !e.disabled).find(e => (e.ariaLabel || e.innerText || e.labels?.[0]?.innerText
  || e.placeholder || '').trim() === name)
"""
_USABLE = "button, a, [role=menuitem], input, textarea, select, summary"
_EVERY_RULE = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']"
# The only rule whose result depends on the theme.
CONTRAST = "['color-contrast']"
# A page that is still loading may move the element before the click arrives.
CLICK_ATTEMPTS = 5
_BAD = {"error", "warning", "assert"}


class App:
    """One tab on one server."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.url = page, server.url
        self._cookies: dict[str, dict[str, str]] = {}
        self._reader: Person | None = None
        self._is_new = True
        self._is_network_changed = False
        self._language: str | None = None
        for domain in ("Runtime", "Log"):
            page.send(f"{domain}.enable")

    def reset(self) -> None:
        """Sign out, clear the storage and forget recorded events."""
        self._reader = None
        self._is_new = True
        self.page.send("Network.clearBrowserCookies")
        self.resize(1280, 860)
        self._show_theme(dark=False)
        if self._language:
            self.set_language("")
        self.page.events.clear()

    def set_language(self, tag: str) -> None:
        """The language of the browser from the next page on; without a tag, its own."""
        self._language = tag
        agent = self.page.send("Browser.getVersion")["userAgent"]
        self.page.send("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=tag)
        self.page.send("Emulation.setLocaleOverride", locale=tag)

    def sign_in(self, person: Person) -> None:
        """Sign in without the form, which has its own tests, and reuse the cookies: sign-ins are
        rate-limited."""
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
        """Load the first page of a test. Whatever the previous page stores or reports until then is
        discarded."""
        clearing = self.page.send(
            "Page.addScriptToEvaluateOnNewDocument", source="localStorage.clear()"
        )
        loader = until(lambda: self._load(url))
        self.page.send("Page.removeScriptToEvaluateOnNewDocument", **clearing)
        del self.page.events[: self._loaders().index(loader)]
        self._is_new = False

    def _load(self, url: str) -> str | None:
        """Load a page and return its id, or None if the previous page is still shown or has loaded
        another one, as it does when it notices that someone else has signed in."""
        loader = self.page.send("Page.navigate", url=url)["loaderId"]
        self.page.wait_until_loaded()
        return loader if loader in self._loaders() else None

    def _loaders(self) -> list[str | None]:
        return [event["params"].get("frame", {}).get("loaderId") for event in self.page.events]

    def open_for(self, person: Person) -> None:
        """Load the app once for consecutive tests that only read."""
        if self._reader is not person:
            self.reset()
            self.sign_in(person)
            self.go("/dashboard")
            self._reader = person
        self.set_dark(False)
        self.page.events.clear()

    def show_page(self, path: str, words: str) -> None:
        """Go to another page and wait until it is complete. If its words are already shown, they
        cannot prove that the page has changed, so it is reloaded."""
        shown_before = self.page.is_true(f"document.body.innerText.includes({json.dumps(words)})")
        (self.go if shown_before else self.navigate)(path)
        self.see(words)
        # Wait for the placeholders to go; code is coloured a moment later.
        self.wait("!document.querySelector('main .animate-pulse, pre code:not(:has(span))')")
        self.settle()

    def navigate(self, path: str) -> None:
        """Go to another page without reloading the app, as a link inside it does."""
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
        """A script that finds the element, in the open dialog if there is one."""
        script = f"({_FIND})({json.dumps(name)}, {json.dumps(selector)})"
        self.wait(script)
        return script

    def click(self, name: str, selector: str = _USABLE) -> None:
        """Click an element with the mouse."""
        for _ in range(CLICK_ATTEMPTS):
            element = self._named(name, selector)
            self.settle()
            # The element may have been removed in the meantime.
            if not self.page.is_true(
                f"(window.wanted = {element}) && (wanted.setAttribute('data-wanted', ''),"
                " window.missed = true,"
                " wanted.addEventListener('click', () => { missed = false }, true), true)"
            ):
                continue
            self.page.click("[data-wanted]")
            # After a navigation `missed` is undefined: then the click has arrived.
            if not self.page.is_true("window.missed && wanted.isConnected"):
                break
            self.page.is_true("wanted.removeAttribute('data-wanted')")
        self.page.is_true("window.wanted?.removeAttribute('data-wanted')")

    def fill(self, name: str, text: str) -> None:
        """Replace the content of a field."""
        field = self._named(name, "input, textarea")
        self.settle()
        self.page.run(f"{field}.focus(); document.activeElement.select?.()")
        self.page.send("Input.insertText", text=text)

    def type(self, text: str) -> None:
        self.page.send("Input.insertText", text=text)

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press one key. `modifiers` is a sum: Ctrl is 2, Shift is 8."""
        self.settle()
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9}
        code = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = "\r" if key == "Enter" else key if len(key) == 1 and not modifiers & 2 else ""
        event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.page.send("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
        self.page.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def choose_files(self, selector: str, *paths: Path) -> None:
        script = f"document.querySelector({json.dumps(selector)})"
        field = self.page.send("Runtime.evaluate", expression=script)["result"]["objectId"]
        files = [str(path) for path in paths]
        self.page.send("DOM.setFileInputFiles", objectId=field, files=files)

    def evaluate(self, script: str) -> Any:
        """The value of a script; a promise is awaited."""
        reply = self.page.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

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
        reduced_motion = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.page.send("Emulation.setEmulatedMedia", features=[scheme, reduced_motion])

    def settle(self) -> None:
        """Wait until the page has painted two frames, so that it has its final layout."""
        self.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def set_offline(self, offline: bool) -> None:
        self._set_network(offline=offline, latency=0)

    @contextmanager
    def latency(self, ms: int) -> Iterator[None]:
        """Delay every request by so many milliseconds."""
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
    def recording_requests(self) -> Iterator[None]:
        """Record requests to our own server as events, too."""
        self.page.send("Network.enable")
        try:
            yield
        finally:
            self.page.send("Network.disable")

    def check_accessible(self, rules: str = _EVERY_RULE) -> None:
        """Check that axe finds nothing serious on the page as it is shown now."""
        serious = [
            description
            for impact, description in violations(self.page, f"runOnly: {rules}")
            if impact in ("serious", "critical")
        ]
        assert not serious, serious

    def problems(self) -> list[str]:
        """Console errors and warnings, exceptions, and requests to other servers."""
        self.page.run("1")
        return [problem for event in self.page.events if (problem := self._problem(event))]

    def ignore_problems(self, words: str) -> None:
        """Drop recorded problems that contain these words: the test has caused them."""
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
        # The browser shows a PDF with a built-in extension.
        local_schemes = ("data", "blob", "chrome-extension")
        return urlsplit(url).scheme in local_schemes or url.startswith(self.url)
