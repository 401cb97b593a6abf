"""The time from an empty server and a fresh browser profile to the first page saved and found."""

import argparse
import importlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
# Imported by name: the type checker covers bench/ and src/, but not tests/.
SERVERS = importlib.import_module("tests.conftest")
CHROMIUM = importlib.import_module("tests.tools.chromium")
CHROME = importlib.import_module("tests.extension.chrome")
SITES = importlib.import_module("tests.extension.sites")
PAGES = importlib.import_module("tests.extension.pages")

EMAIL, PASSWORD = "ada@example.org", "correct horse battery"
SENTENCE = "salmon return to the rapids"
LIMIT_S = 60


class Steps:
    """The duration of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="not used: nothing is read")
    parser.parse_args()
    if not CHROME.BUILT.is_dir():
        sys.exit("Run `make extension` first.")
    steps = Steps()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as name, ExitStack() as stack:
        with steps.timed("start the server, with an empty folder"):
            server = SERVERS.start_server(Path(name))
        stack.callback(SERVERS.stop_server, server)
        sites = stack.enter_context(SITES.serve_sites(Path(tempfile.mkdtemp(dir=name))))
        url = sites.put("news.example/rivers", PAGES.ARTICLE)
        with steps.timed("open a fresh profile, with the extension"):
            opened = CHROMIUM.open_browser(*CHROME.FLAGS, sites.rules())
            chrome = CHROME.Chrome(stack.enter_context(opened))
            welcome = chrome.page_at(f"chrome-extension://{CHROME.ID}/welcome.html")
        is_found = use(steps, chrome, welcome, server.url, url)
    report(steps, is_found)


def use(steps: Steps, chrome: Any, welcome: Any, base: str, url: str) -> bool:
    """Act as a person without an account; return whether the page is found in the end."""
    with steps.timed("make an account in the web app"):
        web = chrome.browser.new_page()
        web.open(f"{base}/register")
        make_account(web)
    with steps.timed("connect: address, sign-in window, Allow"):
        CHROME.fill(welcome, "#base", base)
        CHROME.click(welcome, "Connect")
        account = SERVERS.Person(None, "", EMAIL, PASSWORD, "", "")
        CHROME.sign_in_window(chrome.page_at(f"{base}/oauth/authorize"), account)
        CHROME.see(welcome, "Connected to")
    chrome.visit(url)
    with steps.timed("click the icon, read the page"):
        popup = chrome.click_icon(url)
        popup.wait("document.querySelector('#title')?.value")
    with steps.timed("save it"):
        CHROME.click(popup, "Save to Memory")
        CHROME.see(popup, "Saved")
    with steps.timed("find it again in the popup"):
        CHROME.fill(popup, "#query", SENTENCE)
        popup.wait("document.querySelector('.results')")
    return "Rivers of the north" in popup.run("document.querySelector('.results').innerText")


def make_account(web: Any) -> None:
    web.wait("document.querySelector('input[type=password]')")
    web.fill("input[type=email]", EMAIL)
    web.fill("input[type=password]", PASSWORD)
    web.run("document.querySelector('input[type=password]').form.requestSubmit()")
    web.wait("location.pathname !== '/register'")


def report(steps: Steps, is_found: bool) -> None:
    for name, seconds in steps.seconds.items():
        print(f"{seconds:7.1f} s  {name}")
    total = sum(steps.seconds.values())
    print(f"{total:7.1f} s  in all; the page was {'found' if is_found else 'NOT found'}")
    figures = {
        "bench": "first_save",
        "steps": {name: round(seconds, 1) for name, seconds in steps.seconds.items()},
        "total_s": round(total, 1),
        "limit_s": LIMIT_S,
        "found": is_found,
    }
    print(json.dumps(figures))
    if not is_found or total > LIMIT_S:
        sys.exit(1)


if __name__ == "__main__":
    main()
