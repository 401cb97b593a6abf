"""Without the server, or after it moved: saves wait in the queue and are sent once."""

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
def forwarder(chrome: Chrome, owner: Person, server: Server) -> Iterator[Forwarder]:
    """The proxy through which the extension reaches the server; stopping it simulates an outage."""
    forwarder = Forwarder(server.url)
    options = chrome.own_page("options.html")
    sign_out(options)
    pair(options, forwarder.url, owner.key)
    chrome.close(options)
    yield forwarder
    forwarder.stop()


def pair(options: Page, url: str, key: str) -> None:
    """Connect with a pairing code, as the page Connect makes it."""
    click(options, "Use a key or pairing code instead")
    fill(options, "#code", f"{url}#{key}")
    click(options, "Connect")
    see(options, f"Connected to {url}")


def save_while_down(chrome: Chrome, url: str) -> None:
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    click(popup, "Save to Memory")
    see(popup, "Your server does not answer. Check that it is running. Waiting for the server: 1.")
    # The notice is shown only once.
    assert popup.text.count("Waiting for the server") == 1
    chrome.close_popups()
    assert badge(chrome) == "1"


def titles(owner: Person) -> list[str]:
    listed = owner.http.get("/v3/documents", params={"limit": 100}).json()["documents"]
    return [document["title"] for document in listed]


def test_offline_then_saved_once(
    chrome: Chrome, owner: Person, sites: Sites, forwarder: Forwarder
) -> None:
    url = sites.put("news.example/offline", pages.article("Offline"))
    page, _ = chrome.visit(url)
    forwarder.stop()
    save_while_down(chrome, url)
    kill_worker(chrome)
    options = chrome.own_page("options.html")
    see(options, "Offline")
    forwarder.start()
    # The alarm does this every minute; two concurrent retries must not save it twice.
    retry = "chrome.runtime.sendMessage({type: 'queue', action: 'retry'})"
    answers = evaluate(options, f"Promise.all([{retry}, {retry}])")
    assert [answer["value"]["queue"] for answer in answers] == [[], []]
    assert badge(chrome) == ""
    assert titles(owner).count("Offline") == 1
    chrome.close(options)
    chrome.close(page)


def test_a_server_that_moved(
    chrome: Chrome, owner: Person, sites: Sites, forwarder: Forwarder
) -> None:
    """The settings report that nothing answers and accept the new address; the queue is sent."""
    url = sites.put("news.example/moved", pages.article("Moved"))
    page, _ = chrome.visit(url)
    former_url = forwarder.url
    forwarder.move()
    save_while_down(chrome, url)
    options = chrome.own_page("options.html")
    see(options, f"Nothing answers at {former_url}")
    pair(options, forwarder.url, owner.key)
    until(lambda: badge(chrome) == "")
    assert titles(owner).count("Moved") == 1
    chrome.close(options)
    chrome.close(page)


def kill_worker(chrome: Chrome) -> None:
    """Stop the service worker, as the browser does after 30 s without an event."""
    page = chrome.own_page("options.html")
    page.send("ServiceWorker.enable")

    def stop() -> bool:
        page.send("ServiceWorker.stopAllWorkers")
        return '"runningStatus": "stopped"' in json.dumps(page.events)

    until(stop)
    chrome.close(page)
