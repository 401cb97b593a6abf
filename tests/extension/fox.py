"""The extension in a real Firefox: its popup, its menu, its shortcuts, and its pages."""

import json
from itertools import count
from pathlib import Path
from typing import Any

from tests.conftest import Person, Server
from tests.tools.firefox import Firefox, look_for
from tests.tools.waiting import until

BUILT = Path(__file__).parents[2] / "extension" / "dist" / "firefox-mv3"
ENTER = "\ue007"
# The popup is not a tab, so a script of the browser itself has to run in the popup's process.
_IN_POPUP = """
const find = () => [...document.querySelectorAll('browser.webextension-popup-browser')].at(-1);
const browser = find();
if (!browser) return null;
const { messageManager } = browser;
// An earlier script may answer late, so each answer names its script.
const name = `remem-test-${args[1]}`;
// A timer of the page would end with the page; this one survives a navigation.
const script = `(async () => { const { document } = content; let value = null;
  const { setTimeout } = ChromeUtils.importESModule('resource://gre/modules/Timer.sys.mjs');
  try { value = await (async () => { ${args[0]} })() } catch (error) { value = null }
  sendAsyncMessage('${name}', value) })()`;
return await new Promise(resolve => {
  const end = Date.now() + args[2];
  const done = ({ data }) => { messageManager.removeMessageListener(name, done);
    clearInterval(looking); resolve(data) };
  // A popup that is closed in the meantime, or moved into another process, answers nothing.
  const looking = setInterval(() => { if (find() !== browser || Date.now() > end
    || browser.messageManager !== messageManager) done({ data: null }) }, 50);
  messageManager.addMessageListener(name, done);
  messageManager.loadFrameScript('data:,' + encodeURIComponent(script), false);
})"""
_EXTENSION = "const { extension } = WebExtensionPolicy.getByID(args[0]);"


_numbers = count()


class Fox:
    """One browser with the extension."""

    def __init__(self, firefox: Firefox) -> None:
        self.firefox = firefox
        self.id = firefox.install(BUILT)
        self._close_welcome()
        name = "return WebExtensionPolicy.getByID(args[0]).mozExtensionHostname"
        self.origin = f"moz-extension://{firefox.run(name, self.id, chrome=True)}"

    def _close_welcome(self) -> None:
        """Close the page that the installation opens: it has the focus and would get shortcuts."""
        until(
            lambda: self.firefox.run(
                "const tab = gBrowser.tabs.find(t => /welcome/.test("
                "t.linkedBrowser.currentURI.spec)); if (tab) gBrowser.removeTab(tab); return !!tab",
                chrome=True,
            )
        )

    def open_options(self) -> None:
        # The same page may be open already; the number distinguishes the new one.
        self.firefox.open(f"{self.origin}/options.html?{next(_numbers)}")
        self.firefox.wait("document.querySelector('h1')")

    def show(self, url: str) -> None:
        """Open a file in a built-in viewer, in which no script can run, and wait until it loads."""
        self.firefox.send("Marionette:SetContext", {"value": "content"})
        self.firefox.send("WebDriver:Navigate", {"url": url})
        current = "return gBrowser.selectedBrowser.currentURI.spec"
        until(lambda: self.firefox.run(current, chrome=True) == url)
        busy = "return gBrowser.selectedTab.hasAttribute('busy')"
        until(lambda: not self.firefox.run(busy, chrome=True))

    def hosts(self) -> set[str]:
        """The host patterns that the extension may access."""
        script = f"{_EXTENSION} return extension.allowedOrigins.patterns.map(p => p.pattern)"
        patterns = self.firefox.run(script, self.id, chrome=True)
        return {pattern for pattern in patterns if not pattern.startswith("moz-extension:")}

    def send_message(self, **request: Any) -> Any:
        """Send a message from the open page of the extension and return the background's answer."""
        script = "return await window.browser.runtime.sendMessage(args[0])"
        return self.firefox.run(script, request)

    def sign_in(self, server: Server, person: Person) -> None:
        """Sign in as a person does: address, Connect, sign in, Allow."""
        self.open_options()
        options = self.firefox.window()
        self.fill("#base", server.url)
        self.firefox.run("document.querySelector('#base').form.requestSubmit()")
        until(lambda: self.firefox.switch_to_page(f"{server.url}/oauth/authorize"))
        window = self.firefox.window()
        self.firefox.wait("document.querySelector('form')")
        if self.firefox.is_true("document.querySelector('input[type=password]')"):
            self.fill("input[type=email]", person.email)
            self.fill("input[type=password]", person.password)
            self.firefox.run("document.querySelector('input[type=password]').form.requestSubmit()")
            self.firefox.wait("document.querySelector('[value=allow]')")
        # The click closes the window before the script could return.
        self.firefox.run("setTimeout(() => document.querySelector('[value=allow]').click(), 0)")
        until(lambda: window not in self.firefox.windows())
        self.firefox.switch_to(options)
        self.firefox.wait("document.body.innerText.includes('Sign out')")

    def connect_with_key(self, url: str, key: str) -> None:
        self.open_options()
        answer = self.send_message(type="sign-in", base=url, key=key)
        assert answer["ok"], answer

    def fill(self, selector: str, text: str) -> None:
        """Fill a field by script: in a headless browser, a window that the extension opened gets no
        key events."""
        self.firefox.wait(f"document.querySelector('{selector}')")
        self.firefox.run(f"{_FILL}; fill(document.querySelector(args[0]), args[1])", selector, text)

    def press_shortcut(self, letter: str) -> None:
        """Trigger the browser's own shortcut, which grants access to the tab as for a person."""
        self.firefox.run(
            "document.querySelector(`keyset[id^=ext-keyset] key[key=${args[0]}]`).doCommand()",
            letter,
            chrome=True,
        )

    def choose_menu(self, **info: str) -> None:
        """Grant access to the tab and dispatch the event, as the browser does: native menus cannot
        be driven."""
        self.firefox.run(
            f"{_EXTENSION} await extension.wakeupBackground?.();"
            "extension.tabManager.addActiveTabPermission(gBrowser.selectedTab);"
            "extension.emit('webext-menu-menuitem-click', args[1], gBrowser.selectedTab)",
            self.id,
            {"menuItemId": "save-to-memory", "editable": False, "modifiers": [], **info},
            chrome=True,
        )

    def click_icon(self) -> None:
        """Open the popup as a click does, which grants access to the tab."""
        self.firefox.run(
            "const { ExtensionParent } = ChromeUtils.importESModule("
            "'resource://gre/modules/ExtensionParent.sys.mjs');"
            f"{_EXTENSION} await extension.wakeupBackground?.();"
            "ExtensionParent.apiManager.global.browserActionFor(extension).openPopup(window)",
            self.id,
            chrome=True,
        )
        self.wait_in_popup("return !!document.querySelector('main:not([aria-busy])')")

    def in_popup(self, script: str, deadline_ms: int = 5_000) -> Any:
        """The value of a script in the popup; None as well if it does not answer in time."""
        return self.firefox.run(_IN_POPUP, script, next(_numbers), deadline_ms, chrome=True)

    def wait_in_popup(self, script: str) -> None:
        looking = look_for(script, "content.document")
        until(lambda: self.in_popup(looking))

    def see_in_popup(self, text: str) -> None:
        self.wait_in_popup(f"return document.body.innerText.includes({json.dumps(text)})")

    def click_in_popup(self, name: str) -> None:
        """Click a button as a user gesture: only then may a permission be requested."""
        find = f"[...document.querySelectorAll('button')].find(e => e.innerText === '{name}')"
        self.wait_in_popup(f"return !!{find} && !{find}.disabled")
        # The click counts once, although its answer may be late and the script be sent again.
        number = next(_numbers)
        click = (
            f"const root = document.documentElement; if (root.dataset.clicked === '{number}')"
            f" return true; const e = {find}; root.dataset.clicked = '{number}';"
            "const end = content.windowUtils.setHandlingUserInput(true);"
            "try { e.click() } finally { end.destruct() } return true"
        )
        # A popup that is being moved into another process misses the click; a closed one got it.
        until(lambda: self.in_popup(click) or not self.has_popup())

    def close_popup(self) -> None:
        self.firefox.run(
            "for (const panel of document.querySelectorAll('panel')) panel.hidePopup?.()",
            chrome=True,
        )
        until(lambda: not self.has_popup())

    def has_popup(self) -> bool:
        script = "return !!document.querySelector('browser.webextension-popup-browser')"
        return self.firefox.run(script, chrome=True)

    def close_tabs(self) -> None:
        """Close all tabs but the current one."""
        script = "gBrowser.removeAllTabsBut(gBrowser.selectedTab, {animate: false})"
        self.firefox.run(script, chrome=True)
        (remaining,) = until(lambda: len(windows := self.firefox.windows()) == 1 and windows)
        self.firefox.switch_to(remaining)

    def badge(self) -> str:
        return self.firefox.run(
            "const { ExtensionParent } = ChromeUtils.importESModule("
            f"'resource://gre/modules/ExtensionParent.sys.mjs'); {_EXTENSION}"
            "const action = ExtensionParent.apiManager.global.browserActionFor(extension).action;"
            "return action.getProperty(gBrowser.selectedTab, 'badgeText') ?? ''",
            self.id,
            chrome=True,
        )

    def wait_for_panel(self) -> None:
        ready = "return !!root.querySelector('[data-state=ready]')"
        self.firefox.wait_inside("remem-panel", ready)


_FILL = """const fill = (field, text) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    set.call(field, text); field.dispatchEvent(new Event('input', { bubbles: true })) }"""
