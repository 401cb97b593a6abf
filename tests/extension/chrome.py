"""The extension in a real Chromium: its worker, its pages, and clicks on its icon."""

import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.conftest import Person, Server
from tests.tools.axe import violations
from tests.tools.chromium import Browser, Page
from tests.tools.waiting import until

BUILT = Path(__file__).parents[2] / "extension" / "dist" / "chrome-mv3"
ID = "hpdgedappealfgkaohfkahbjgjmdacil"
FLAGS = (
    "--enable-unsafe-extension-debugging",
    "--ignore-certificate-errors",
    f"--disable-extensions-except={BUILT}",
    f"--load-extension={BUILT}",
)


class Chrome:
    """One browser with the extension, shared by the tests."""

    person: Person

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        # Without a tab the browser would end. This one shows a file of the extension, from which
        # its background can be asked without a page of its own being built.
        self._kept: set[str] = set()
        self.home = self._keep(f"chrome-extension://{ID}/manifest.json")

    def _keep(self, url: str) -> Page:
        """A tab that stays."""
        page, target = self.visit(url)
        self._kept.add(target)
        return page

    def worker(self) -> Page:
        """Started by a message where the browser has put it to sleep."""
        found = until(lambda: self.browser.targets("service_worker"))
        return self.browser.attach(found[0]["targetId"])

    def own_page(self, name: str) -> Page:
        return self.visit(f"chrome-extension://{ID}/{name}")[0]

    def tell(self, page: Page, **request: Any) -> Any:
        """The answer of the background to one of the extension's own pages."""
        answer = evaluate(page, f"chrome.runtime.sendMessage({json.dumps(request)})")
        assert answer, request
        return answer

    def visit(self, url: str) -> tuple[Page, str]:
        """A new tab on a page, and the id of its target."""
        target = self.browser.send("Target.createTarget", url=url)["targetId"]
        page = self.browser.attach(target)
        page.wait_until_loaded()
        return page, target

    def click_icon(self, url: str) -> Page:
        """As a person does: it grants the tab, and opens the popup, which is returned."""
        popup = self.browser.attach(self._open_popup(url))
        popup.wait("document.querySelector('main:not([aria-busy])')")
        return popup

    def grant(self, url: str) -> None:
        """A click on the icon, for its permission alone: nobody waits until the page is read."""
        self._open_popup(url)
        self.close_popups()

    def _open_popup(self, url: str) -> str:
        self.close_popups()
        self.browser.send("Extensions.triggerAction", id=ID, targetId=self._tab_target(url))
        return until(self._popups)[0]["targetId"]

    def choose_menu(self, url: str, info: dict[str, str]) -> None:
        """Native menus are out of reach; this is the event that the browser sends."""
        given = {"menuItemId": "save-to-memory", "pageUrl": url, "editable": False, **info}
        self._dispatch("contextMenus.onClicked", url, given)

    def press_shortcut(self, url: str, command: str) -> None:
        self._dispatch("commands.onCommand", url, command)

    def _dispatch(self, event: str, url: str, first: object) -> None:
        script = f"""(async () => {{
            const tabs = await chrome.tabs.query({{}});
            const tab = tabs.find(tab => (tab.url ?? '').startsWith({json.dumps(url)}));
            chrome.{event}.dispatch({json.dumps(first)}, tab);
            return !!tab }})()"""
        assert evaluate(self.worker(), script), f"no tab at {url} that was granted"

    def allow_hosts(self, hosts: list[str]) -> None:
        """The person's answer to the question of the browser, which no protocol reaches: given on
        the browser's own page, so that a request is not asked about again; a file of that page
        will do."""
        for host in hosts:
            allow = f"chrome.developerPrivate.addHostPermission('{ID}', 'https://{host}/*')"
            evaluate(self._of_the_browser, f"{allow}.then(() => true)")

    @cached_property
    def _of_the_browser(self) -> Page:
        return self._keep("chrome://extensions/strings.m.js")

    def close_popups(self) -> None:
        for target in self._popups():
            self.browser.send("Target.closeTarget", targetId=target["targetId"])
        until(lambda: not self._popups())

    def _popups(self) -> list[dict[str, Any]]:
        pages = self.browser.targets("page") + self.browser.targets("other")
        return [target for target in pages if "popup.html" in target["url"]]

    def _tab_target(self, url: str) -> str:
        tabs = until(
            lambda: [tab for tab in self.browser.targets("tab") if tab["url"].startswith(url)]
        )
        return tabs[-1]["targetId"]

    def page_at(self, start: str) -> Page:
        """A window that the extension opened."""
        found = until(
            lambda: [one for one in self.browser.targets("page") if one["url"].startswith(start)]
        )
        return self.browser.attach(found[0]["targetId"])

    def close(self, page: Page) -> None:
        page.send("Page.close")

    def close_tabs(self) -> None:
        """All but those that are kept, also those that the extension opened."""
        for target in self.browser.targets("page"):
            if target["targetId"] not in self._kept:
                self.browser.send("Target.closeTarget", targetId=target["targetId"])

    def sign_in(self, server: Server, person: Person) -> None:
        """By the page that the installation opens: address, Connect, sign in, Allow."""
        options = self.own_page("options.html")
        options.wait("document.querySelector('#base, .notice')")
        if options.is_true("document.body.innerText.includes('Sign out')"):
            sign_out(options)
        fill(options, "#base", server.url)
        click(options, "Connect")
        window = self.page_at(f"{server.url}/oauth/authorize")
        sign_in_window(window, person)
        options.wait("document.body.innerText.includes('Sign out')")
        self.person = person
        self.close(options)


def sign_out(options: Page) -> None:
    """Until it is done: a form that stands there while a server does not answer goes with it."""
    click(options, "Sign out")
    options.wait("!document.body.innerText.includes('Sign out')")


def sign_in_window(window: Page, person: Person, pause: Callable[[], None] = lambda: None) -> None:
    """Sign in where it is asked for, and allow it; `pause` is called before that."""
    window.wait("document.querySelector('form')")
    if window.is_true("document.querySelector('input[type=password]')"):
        window.fill("input[type=email]", person.email)
        window.fill("input[type=password]", person.password)
        window.run("document.querySelector('input[type=password]').form.requestSubmit()")
        window.wait("document.querySelector('[value=allow]')")
    pause()
    window.run("document.querySelector('[value=allow]').click()")


def evaluate(page: Page, script: str) -> Any:
    """The value, once a promise of it is kept."""
    done = page.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
    assert "exceptionDetails" not in done, done
    return done["result"].get("value")


def inside(page: Page, host: str, script: str) -> Any:
    """The value of a function's body, whose `root` is the closed shadow root of an element of ours.
    Only the protocol can look into it; nothing where there is no such element."""
    page.send("DOM.enable")
    document = page.send("DOM.getDocument", depth=0)["root"]["nodeId"]
    found = page.send("DOM.querySelector", nodeId=document, selector=host)
    element = page.send("DOM.describeNode", nodeId=found.get("nodeId", 0)).get("node", {})
    if not element.get("shadowRoots"):
        return None
    root = element["shadowRoots"][0]["backendNodeId"]
    node = page.send("DOM.resolveNode", backendNodeId=root)
    if "object" not in node:
        return None
    body = f"async function () {{ const root = this; {script} }}"
    done = page.send(
        "Runtime.callFunctionOn",
        objectId=node["object"]["objectId"],
        functionDeclaration=body,
        awaitPromise=True,
        returnByValue=True,
        userGesture=True,
    )
    return done.get("result", {}).get("value")


def wait_for_panel(page: Page) -> None:
    """Until it can be used: not in the moment in which it appears."""
    until(lambda: inside(page, "remem-panel", "return !!root.querySelector('[data-state=ready]')"))


def click(page: Page, name: str) -> None:
    found = (
        "[...document.querySelectorAll('button, a, label, summary')]"
        f".find(e => (e.ariaLabel || e.innerText).trim() === {json.dumps(name)} && !e.disabled)"
    )
    page.wait(found)
    # A permission can only be asked for within a click, and the protocol can say that it is one.
    page.send("Runtime.evaluate", expression=f"{found}.click()", userGesture=True)


def wait_until_shown(page: Page) -> None:
    """A large page is busy for a while after it has loaded."""
    assert evaluate(
        page, "new Promise(done => requestAnimationFrame(() => setTimeout(done, 0, 1)))"
    )


def fill(page: Page, selector: str, text: str) -> None:
    page.wait(f"document.querySelector({json.dumps(selector)})")
    page.run(f"(e => {{ e.focus(); e.select() }})(document.querySelector({json.dumps(selector)}))")
    page.send("Input.insertText", text=text)


def see(page: Page, text: str) -> None:
    page.wait(f"document.body.innerText.includes({json.dumps(text)})")


def check_accessible(page: Page) -> None:
    """axe finds nothing at all. A page of an extension runs only its own scripts, so the protocol
    brings it in."""
    assert not (found := violations(page)), found
