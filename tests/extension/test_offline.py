"""Without the server: saved things wait, survive the worker, and are saved once."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.conftest import Person, Server, start_server, stop_server
from tests.extension import pages
from tests.extension.chrome import Chrome, click, evaluate, fill, see
from tests.extension.sites import Sites
from tests.extension.test_waiting import badge
from tests.tools.folders import new_folder
from tests.tools.waiting import until


@pytest.fixture
def own_server(chrome: Chrome, owner: Person, server: Server) -> Iterator[tuple[Path, Server]]:
    """One that can be stopped; afterwards the extension is connected to the shared one again."""
    folder = new_folder()
    running = start_server(folder, module="tests.tools.quick_passwords")
    connect_with_key(chrome, running.url, running.owner_key)
    yield folder, running
    connect_with_key(chrome, server.url, owner.key)
    shutil.rmtree(folder, ignore_errors=True)


def connect_with_key(chrome: Chrome, url: str, key: str) -> None:
    """By a pairing code, as the page Connect makes it."""
    options = chrome.own_page("options.html")
    options.wait("document.querySelector('form, .notice')")
    if "Sign out" in options.text:
        click(options, "Sign out")
    click(options, "Use a key or pairing code instead")
    fill(options, "#code", f"{url}#{key}")
    click(options, "Connect")
    see(options, f"Connected to {url}")
    chrome.close(options)


def test_offline_then_saved_once(
    chrome: Chrome, owner: Person, sites: Sites, own_server: tuple[Path, Server]
) -> None:
    folder, running = own_server
    stop_server(running)
    url = sites.put("news.example/offline", pages.article("Offline"))
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    click(popup, "Save to Memory")
    see(popup, "Waiting for the server: 1")
    chrome.close_popups()
    assert badge(chrome) == "1"
    kill_worker(chrome)
    options = chrome.own_page("options.html")
    see(options, "Offline")
    again = start_server(
        folder, module="tests.tools.quick_passwords", port=int(running.url.rsplit(":", 1)[1])
    )
    # What the alarm does every minute; two at once must not save it twice.
    retry = "chrome.runtime.sendMessage({type: 'queue', action: 'retry'})"
    answers = evaluate(options, f"Promise.all([{retry}, {retry}])")
    assert [answer["value"]["queue"] for answer in answers] == [[], []]
    assert badge(chrome) == ""
    http = httpx2.Client(base_url=again.url, headers={"Authorization": f"Bearer {again.owner_key}"})
    found = http.get("/v3/documents").json()["documents"]
    assert [one["title"] for one in found] == ["Offline"]
    chrome.close(options)
    chrome.close(page)
    stop_server(again)


def kill_worker(chrome: Chrome) -> None:
    """As the browser does after half a minute without an event."""
    before = chrome.browser.targets("service_worker")[0]["targetId"]
    page = chrome.own_page("options.html")
    page.send("ServiceWorker.enable")
    page.send("ServiceWorker.stopAllWorkers")
    until(
        lambda: (
            before
            not in [target["targetId"] for target in chrome.browser.targets("service_worker")]
        )
    )
    chrome.close(page)
