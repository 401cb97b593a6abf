"""Without the server, or with one that moved: saved things wait and are saved once."""

import json
from collections.abc import Iterator

import pytest

from tests.conftest import Person, Server
from tests.extension import pages
from tests.extension.chrome import Chrome, click, evaluate, fill, see, sign_out
from tests.extension.sites import Sites
from tests.extension.test_waiting import badge
from tests.tools.chromium import Page
from tests.tools.forwarder import Forwarder
from tests.tools.waiting import until


@pytest.fixture
def port(chrome: Chrome, owner: Person, server: Server) -> Iterator[Forwarder]:
    """In front of the server, which is down while it is closed; the extension uses it."""
    port = Forwarder(server.url)
    options = chrome.own_page("options.html")
    sign_out(options)
    pair(options, port.url, owner.key)
    chrome.close(options)
    yield port
    port.stop()


def pair(options: Page, url: str, key: str) -> None:
    """By a pairing code, as the page Connect makes it."""
    click(options, "Use a key or pairing code instead")
    fill(options, "#code", f"{url}#{key}")
    click(options, "Connect")
    see(options, f"Connected to {url}")


def save_while_down(chrome: Chrome, url: str) -> None:
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    click(popup, "Save to Memory")
    see(popup, "Your server does not answer. Waiting for the server: 1.")
    # Said once.
    assert popup.text.count("Waiting for the server") == 1
    chrome.close_popups()
    assert badge(chrome) == "1"


def titles(owner: Person) -> list[str]:
    listed = owner.http.get("/v3/documents", params={"limit": 100}).json()["documents"]
    return [one["title"] for one in listed]


def test_offline_then_saved_once(
    chrome: Chrome, owner: Person, sites: Sites, port: Forwarder
) -> None:
    url = sites.put("news.example/offline", pages.article("Offline"))
    page, _ = chrome.visit(url)
    port.stop()
    save_while_down(chrome, url)
    kill_worker(chrome)
    options = chrome.own_page("options.html")
    see(options, "Offline")
    port.start()
    # What the alarm does every minute; two at once must not save it twice.
    retry = "chrome.runtime.sendMessage({type: 'queue', action: 'retry'})"
    answers = evaluate(options, f"Promise.all([{retry}, {retry}])")
    assert [answer["value"]["queue"] for answer in answers] == [[], []]
    assert badge(chrome) == ""
    assert titles(owner).count("Offline") == 1
    chrome.close(options)
    chrome.close(page)


def test_a_server_that_moved(chrome: Chrome, owner: Person, sites: Sites, port: Forwarder) -> None:
    """The settings say that nothing answers, and take the new address; then what waits is sent."""
    url = sites.put("news.example/moved", pages.article("Moved"))
    page, _ = chrome.visit(url)
    former = port.url
    port.move()
    save_while_down(chrome, url)
    options = chrome.own_page("options.html")
    see(options, f"Nothing answers at {former}")
    pair(options, port.url, owner.key)
    until(lambda: badge(chrome) == "")
    assert titles(owner).count("Moved") == 1
    chrome.close(options)
    chrome.close(page)


def kill_worker(chrome: Chrome) -> None:
    """As the browser does after half a minute without an event."""
    page = chrome.own_page("options.html")
    page.send("ServiceWorker.enable")

    def stop() -> bool:
        page.send("ServiceWorker.stopAllWorkers")
        return '"runningStatus": "stopped"' in json.dumps(page.events)

    until(stop)
    chrome.close(page)
