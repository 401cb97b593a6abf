"""Write screenshots of the extension's popup, panel and pages: part of `make screenshots`."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2

from tests.conftest import Person, Server, start_server, stop_server
from tests.extension import pages
from tests.extension.chrome import FLAGS, Chrome, click, fill, inside, see
from tests.extension.chrome import sign_in_window as sign_in
from tests.extension.sites import Sites, serve_sites
from tests.tools.chromium import Page, open_browser
from tests.tools.waiting import until

LOOKS = {"light": (900, 700, False), "dark": (900, 700, True), "phone": (390, 760, False)}
PANEL_LOOKS = {"light": (640, 440, False), "dark": (640, 440, True), "phone": (390, 760, False)}
POPUP_WIDTH = 320
# True when fonts and fades have settled. Endless animations, such as a spinner, do not count.
STILL = """document.getAnimations().every(one =>
    one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Infinity)"""
FACTS = (
    "The dentist moved to Friday at nine.",
    "The dentist is at Harbour Street 12, second floor.",
    "Maria recommends the dentist Dr. Okafor, who also works on Saturdays.",
)
SHOWN = "return !/Searching/.test(root.querySelector('.panel').innerText)"
QUESTION = "When do I see the dentist, and where?"
CHAT = """<!doctype html><html lang="en"><head><title>A chat</title><meta name="viewport"
 content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body style="font: 15px system-ui; margin: 0 auto; max-width: 640px; padding: 0 16px">
<p>How can I help you today?</p><form style="position: fixed; bottom: 32px; left: 50%;
 transform: translateX(-50%); width: min(640px, 90vw)"><textarea aria-label="Prompt" rows="3"
 style="width: 100%; box-sizing: border-box; font: inherit; padding: 12px; border-radius: 16px">
</textarea></form></body></html>"""


class Camera:
    """Writes screenshots into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def take(self, name: str, page: Page) -> None:
        """Write a page, light, dark and on a phone."""
        for look, (width, height, dark) in LOOKS.items():
            page.screenshot(width, height, dark=dark)
            page.wait(STILL)
            self._write(f"{name}-{look}", page.screenshot(width, height, dark=dark))

    def take_popup(self, name: str, popup: Page) -> None:
        """Write a popup, as large as its content, as the browser shows it."""
        for look in ("light", "dark"):
            height = popup.run("document.querySelector('main').scrollHeight")
            popup.screenshot(POPUP_WIDTH, height, dark=look == "dark")
            popup.wait(STILL)
            height = popup.run("document.querySelector('main').scrollHeight")
            self._write(
                f"{name}-{look}", popup.screenshot(POPUP_WIDTH, height, dark=look == "dark")
            )

    def _write(self, name: str, picture: bytes) -> None:
        path = self.folder / f"extension-{name}.png"
        path.write_bytes(picture)
        print(path, flush=True)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with _start() as (server, chrome, sites):
        camera = Camera(folder)
        person = _register(server)
        url = sites.put("news.example/rivers", pages.ARTICLE)
        _first_steps(camera, chrome, server, person, url)
        _popups(camera, chrome, sites, url)
        _panel(camera, chrome, person, sites)
        _ended(camera, chrome, server, person, url)
        _without_server(camera, chrome, server, url)


@contextmanager
def _start() -> Iterator[tuple[Server, Chrome, Sites]]:
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="remem-screenshots-"))
        sites = stack.enter_context(serve_sites(folder))
        server = start_server(folder)
        stack.callback(stop_server, server)
        chrome = Chrome(stack.enter_context(open_browser(*FLAGS, sites.rules())))
        yield server, chrome, sites


def _register(server: Server) -> Person:
    http = httpx2.Client(base_url=server.url, timeout=60)
    body = {"email": "ada@example.org", "password": "correct horse", "name": "Ada Lovelace"}
    account = http.post("/v3/auth/register", json=body).json()
    http.headers["X-CSRF-Token"] = account["csrf_token"]
    for fact in FACTS:
        http.post("/api/memories", json={"content": fact})
    return Person(http, "", body["email"], body["password"], "", "")


def _first_steps(camera: Camera, chrome: Chrome, server: Server, person: Person, url: str) -> None:
    page, _ = chrome.visit(url)
    camera.take_popup("popup-signed-out", chrome.click_icon(url))
    welcome = chrome.own_page("welcome.html")
    welcome.wait("document.querySelector('#base')")
    camera.take("welcome", welcome)
    fill(welcome, "#base", "http://127.0.0.1:9")
    click(welcome, "Connect")
    welcome.wait("document.querySelector('.notice.bad')")
    camera.take("welcome-unreachable", welcome)
    fill(welcome, "#base", server.url)
    click(welcome, "Connect")
    window = chrome.page_at(f"{server.url}/oauth/authorize")
    window.wait("document.querySelector('form')")
    camera.take("sign-in", window)
    sign_in(window, person, pause=lambda: camera.take("allow", window))
    welcome.wait("document.body.innerText.includes('Connected to')")
    fill(welcome, "input[aria-label]", "The boat is painted blue every May")
    click(welcome, "Save to Memory")
    welcome.wait("document.querySelectorAll('.step.done').length > 1")
    camera.take("welcome-done", welcome)
    options = chrome.own_page("options.html")
    see(options, "Sign out")
    camera.take("options", options)
    for shown in (welcome, options, page):
        chrome.close(shown)


def _popups(camera: Camera, chrome: Chrome, sites: Sites, url: str) -> None:
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    camera.take_popup("popup", popup)
    fill(popup, "#query", "dentist")
    popup.wait("document.querySelector('.results')")
    camera.take_popup("popup-search", popup)
    click(popup, "Save to Memory")
    see(popup, "Saved")
    camera.take_popup("popup-saved", popup)
    chrome.close(page)
    lines = "".join(f"<p>Line {n} of the long roll of the mill.</p>" for n in range(4_000))
    long = sites.put("news.example/long", f"<title>A long roll</title><article>{lines}</article>")
    page, _ = chrome.visit(long)
    popup = chrome.click_icon(long)
    see(popup, "Only the first ")
    camera.take_popup("popup-cut", popup)
    chrome.close(page)
    page, _ = chrome.visit("chrome://version/")
    camera.take_popup("popup-unreadable", chrome.click_icon("chrome://version/"))
    chrome.close(page)


def _panel(camera: Camera, chrome: Chrome, person: Person, sites: Sites) -> None:
    url = sites.put("chatgpt.com/new", CHAT)
    page, _ = chrome.visit(url)
    page.screenshot(900, 700)
    chrome.grant(url)
    for name, text in (("panel", QUESTION), ("panel-empty", "zzz")):
        page.send("Page.bringToFront")
        page.run("document.querySelector('textarea').value = ''")
        page.run("document.querySelector('textarea').focus()")
        page.send("Input.insertText", text=text)
        for look, (width, height, dark) in PANEL_LOOKS.items():
            page.screenshot(width, height, dark=dark)
            page.run("document.querySelector('textarea').focus()")
            chrome.press_shortcut(url, "insert-memory")
            until(lambda: inside(page, "remem-panel", SHOWN))
            page.wait(STILL)
            camera._write(f"{name}-{look}", page.screenshot(width, height, dark=dark))
    chrome.close(page)


def _ended(camera: Camera, chrome: Chrome, server: Server, person: Person, url: str) -> None:
    for grant in person.http.get("/v3/grants").json()["grants"]:
        person.http.delete(f"/v3/grants/{grant['id']}")
    options = chrome.own_page("options.html")
    chrome.send_message(options, type="check")
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    see(popup, "Your sign-in has ended.")
    camera.take_popup("popup-ended", popup)
    chrome.close(page)
    options.open(options.url)
    see(options, "Your sign-in has ended.")
    camera.take("options-ended", options)
    chrome.close(options)
    chrome.sign_in(server, person)


def _without_server(camera: Camera, chrome: Chrome, server: Server, url: str) -> None:
    stop_server(server)
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    fill(popup, "#title", "Rivers, once more")
    click(popup, "Save to Memory")
    see(popup, "Waiting for the server")
    fill(popup, "#query", "dentist")
    popup.wait("document.querySelector('.search .notice')")
    camera.take_popup("popup-waiting", popup)
    options = chrome.own_page("options.html")
    see(options, "Rivers, once more")
    camera.take("options-waiting", options)
    chrome.close(options)
    chrome.close(page)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
