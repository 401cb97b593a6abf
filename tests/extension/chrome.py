"""The extension in a real Chromium: its service worker, its pages, and clicks on its icon."""

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
        # Without a tab the browser would exit. This one shows a file of the extension, which can
        # message the background without rendering one of its pages.
        self._permanent: set[str] = set()
        self.home = self._open_permanent(f"chrome-extension://{ID}/manifest.json")

    def _open_permanent(self, url: str) -> Page:
        """Open a tab that `close_tabs` leaves open."""
        page, target = self.visit(url)
        self._permanent.add(target)
        return page

    def worker(self) -> Page:
        """The service worker. If the browser has stopped it, a message starts it again."""
        workers = until(lambda: self.browser.targets("service_worker"))
        return self.browser.attach(workers[0]["targetId"])

    def own_page(self, name: str) -> Page:
        return self.visit(f"chrome-extension://{ID}/{name}")[0]

    def send_message(self, page: Page, **request: Any) -> Any:
        """Send a message from one of the extension's pages and return the background's answer."""
        answer = evaluate(page, f"chrome.runtime.sendMessage({json.dumps(request)})")
        assert answer, request
        return answer

    def visit(self, url: str) -> tuple[Page, str]:
        """Open a page in a new tab; return it with the id of its target."""
        target = self.browser.send("Target.createTarget", url=url)["targetId"]
        page = self.browser.attach(target)
        page.wait_until_loaded()
        return page, target

    def click_icon(self, url: str) -> Page:
        """Click the icon as a person does, which grants access to the tab, and return the popup."""
        popup = self.browser.attach(self._open_popup(url))
        popup.wait("document.querySelector('main:not([aria-busy])')")
        return popup

    def grant(self, url: str) -> None:
        """Click the icon only for the permission, without waiting until the page is read."""
        self._open_popup(url)
        self.close_popups()

    def _open_popup(self, url: str) -> str:
        self.close_popups()
        self.browser.send("Extensions.triggerAction", id=ID, targetId=self._tab_target(url))
        return until(self._popups)[0]["targetId"]

    def choose_menu(self, url: str, info: dict[str, str]) -> None:
        """Dispatch the event that the browser sends: native menus cannot be driven."""
        details = {"menuItemId": "save-to-memory", "pageUrl": url, "editable": False, **info}
        self._dispatch("contextMenus.onClicked", url, details)

    def press_shortcut(self, url: str, command: str) -> None:
        self._dispatch("commands.onCommand", url, command)

    def _dispatch(self, event: str, url: str, argument: object) -> None:
        script = f"""(async () => {{
            const tabs = await chrome.tabs.query({{}});
            const tab = tabs.find(tab => (tab.url ?? '').startsWith({json.dumps(url)}));
            chrome.{event}.dispatch({json.dumps(argument)}, tab);
            return !!tab }})()"""
        assert evaluate(self.worker(), script), f"no tab at {url} that was granted"

    def allow_hosts(self, hosts: list[str]) -> None:
        """Grant host permissions beforehand, because no protocol can answer the browser's prompt.
        Only an internal page of the browser can do so; any of its files will do."""
        for host in hosts:
            allow = f"chrome.developerPrivate.addHostPermission('{ID}', 'https://{host}/*')"
            evaluate(self._browser_page, f"{allow}.then(() => true)")

    @cached_property
    def _browser_page(self) -> Page:
        return self._open_permanent("chrome://extensions/strings.m.js")

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
        """Wait for a window that the extension opens."""
        targets = until(
            lambda: [
                target for target in self.browser.targets("page") if target["url"].startswith(start)
            ]
        )
        return self.browser.attach(targets[0]["targetId"])

    def close(self, page: Page) -> None:
        page.send("Page.close")

    def close_tabs(self) -> None:
        """Close all tabs but the permanent ones, including those that the extension opened."""
        for target in self.browser.targets("page"):
            if target["targetId"] not in self._permanent:
                self.browser.send("Target.closeTarget", targetId=target["targetId"])

    def sign_in(self, server: Server, person: Person) -> None:
        """Sign in on the page that the installation opens: address, Connect, sign in, Allow."""
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
    """Sign out and wait until it is done. The form that is shown while a server does not answer
    goes away as well."""
    click(options, "Sign out")
    options.wait("!document.body.innerText.includes('Sign out')")


def sign_in_window(window: Page, person: Person, pause: Callable[[], None] = lambda: None) -> None:
    """Sign in if the page asks for it, and allow the access. `pause` is called before allowing."""
    window.wait("document.querySelector('form')")
    if window.is_true("document.querySelector('input[type=password]')"):
        window.fill("input[type=email]", person.email)
        window.fill("input[type=password]", person.password)
        window.run("document.querySelector('input[type=password]').form.requestSubmit()")
        window.wait("document.querySelector('[value=allow]')")
    pause()
    window.run("document.querySelector('[value=allow]').click()")


def evaluate(page: Page, script: str) -> Any:
    """The value of a script; a promise is awaited."""
    reply = page.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
    assert "exceptionDetails" not in reply, reply
    return reply["result"].get("value")


def inside(page: Page, host: str, script: str) -> Any:
    """Run a function body whose `root` is the closed shadow root of an element of ours, and return
    its value, or None if there is no such element. Only the protocol can access a closed root."""
    page.send("DOM.enable")
    document = page.send("DOM.getDocument", depth=0)["root"]["nodeId"]
    match = page.send("DOM.querySelector", nodeId=document, selector=host)
    element = page.send("DOM.describeNode", nodeId=match.get("nodeId", 0)).get("node", {})
    if not element.get("shadowRoots"):
        return None
    root = element["shadowRoots"][0]["backendNodeId"]
    node = page.send("DOM.resolveNode", backendNodeId=root)
    if "object" not in node:
        return None
    body = f"async function () {{ const root = this; {script} }}"
    reply = page.send(
        "Runtime.callFunctionOn",
        objectId=node["object"]["objectId"],
        functionDeclaration=body,
        awaitPromise=True,
        returnByValue=True,
        userGesture=True,
    )
    return reply.get("result", {}).get("value")


def wait_for_panel(page: Page) -> None:
    """Wait until the panel can be used, which is later than it appears."""
    until(lambda: inside(page, "remem-panel", "return !!root.querySelector('[data-state=ready]')"))


def click(page: Page, name: str) -> None:
    element = (
        "[...document.querySelectorAll('button, a, label, summary')]"
        f".find(e => (e.ariaLabel || e.innerText).trim() === {json.dumps(name)} && !e.disabled)"
    )
    page.wait(element)
    # A permission can only be requested within a user gesture, which the protocol can simulate.
    page.send("Runtime.evaluate", expression=f"{element}.click()", userGesture=True)


def wait_until_shown(page: Page) -> None:
    """Wait until the page is painted: a large page is busy for a while after it has loaded."""
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
    """Check that axe finds nothing at all. The protocol injects axe, because an extension's page
    runs only its own scripts."""
    assert not (problems := violations(page)), problems
