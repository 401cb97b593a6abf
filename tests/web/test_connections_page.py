"""The page of connections: a folder, a repository, an account and a feed, click by click."""

import hmac
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.conftest import READABLE_HOST, Person, Server
from tests.tools.github import REPOSITORY, TOKEN, FakeGitHub
from tests.tools.site import Site, page, serving
from tests.web.app import CONTRAST, App

PAGE = "/settings/connections"
PAGE_WITH_FEED = (
    b'<!doctype html><html><head><link rel="alternate" type="application/rss+xml"'
    b' href="/feed.xml"></head></html>'
)
FEED = (
    b"<rss version='2.0'><channel><title>Harbour news</title>"
    b"<item><guid>1</guid><title>The bridge opens</title></item>"
    b"<item><guid>2</guid><title>Rain on Monday</title></item></channel></rss>"
)


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site(host=READABLE_HOST)) as site:
        yield site


def notes(server: Server, person: Person) -> Path:
    folder = server.folders / person.user_id
    folder.mkdir(parents=True)
    (folder / "kettle.md").write_text("The kettle stands on the shelf.")
    (folder / "bakery.md").write_text("The bakery closes on Monday.")
    (folder / "empty.md").touch()
    return folder


def documents(person: Person) -> list[str]:
    listed = person.http.get("/v3/documents").json()["documents"]
    return sorted(document["title"] for document in listed)


def test_a_folder_is_connected_watched_paused_and_erased(
    app: App, signed_in: Person, server: Server
) -> None:
    folder = notes(server, signed_in)
    app.go("/settings")
    app.click("Manage connections")
    app.see("Add a connection")
    app.check_accessible()
    app.click("Connect Folder")
    app.fill("Path", "/etc")
    app.click("Continue")
    app.see("is not in a folder of REMEM_FOLDERS")
    app.fill("Path", str(folder))
    app.click("Continue")
    app.see("3 items")
    app.check_accessible()
    assert documents(signed_in) == []
    app.click("Connect", "button[type=submit]")
    app.see("2 items")
    app.see("Up to date")
    app.click("1 item skipped: see why")
    app.see("it is empty")
    app.check_accessible()
    app.set_dark(True)
    app.check_accessible(CONTRAST)
    app.set_dark(False)
    (folder / "ferry.md").write_text("The ferry leaves at seven.")
    app.click(f"Sync {folder} now")
    app.see("3 items")
    app.click(f"Pause {folder}")
    app.click(f"Resume {folder}")
    app.click(f"Disconnect {folder}")
    app.click("Erase the 3 documents; what you saved or changed yourself stays", "label")
    app.click("Disconnect and erase")
    app.see_no_more(str(folder))
    assert documents(signed_in) == []
    # The browser logs that the server refused the first folder.
    app.page.events.clear()


def test_a_public_repository_is_connected_by_name_and_its_choice_is_changed(
    app: App, signed_in: Person, github: FakeGitHub
) -> None:
    github.write("README", "The kettle stands on the shelf.")
    app.go(PAGE)
    app.click("Connect GitHub")
    app.fill("Repositories", REPOSITORY)
    app.press("Enter")
    app.see("README.md")
    app.click("Connect", "button[type=submit]")
    app.see("Up to date")
    app.see("1 item")
    assert documents(signed_in) == ["README.md"]
    app.click("Choose what to read from public repositories")
    app.fill("Repositories", "")
    app.click("Save")
    app.see("Nothing chosen")


def test_an_account_is_connected_by_signing_in_at_its_service(
    app: App, signed_in: Person, github: FakeGitHub
) -> None:
    """The browser is redirected to the service, which consents at once, and back. Its answer is
    accepted once: the service worker must not request it a second time."""
    app.go(PAGE)
    app.wait("navigator.serviceWorker.controller")
    app.click("Connect GitHub")
    app.click("Sign in with GitHub")
    app.see("The account is connected")
    app.see("octo")
    app.click("Choose what to read from octo")
    app.click(REPOSITORY, "label")
    app.click("Save")
    app.see("Up to date")
    app.page.events.clear()


def test_a_feed_is_connected_on_a_phone(app: App, signed_in: Person, site: Site) -> None:
    site.pages["/"] = page(PAGE_WITH_FEED)
    site.pages["/feed.xml"] = page(FEED)
    app.resize(390, 844)
    app.go(PAGE)
    app.click("Connect Feed")
    app.fill("Address", f"{site.url}/")
    app.click("Continue")
    app.see("Harbour news")
    app.see("2 items")
    app.click("Connect", "button[type=submit]")
    app.see("Up to date")
    assert documents(signed_in) == ["Rain on Monday", "The bridge opens"]
    app.check_accessible()
    assert app.page.run("document.documentElement.scrollWidth <= innerWidth")


def test_a_revoked_token_says_what_to_do(app: App, signed_in: Person, github: FakeGitHub) -> None:
    github.write("README", "The kettle stands on the shelf.")
    body = {"fields": {"token": TOKEN}, "chosen": [REPOSITORY]}
    signed_in.post("/v3/connectors/github/connect", body)
    app.go(PAGE)
    app.see("Up to date")
    github.token = None
    # After the user's click the page polls often; otherwise it polls only twice a minute.
    app.click("Sync octo now")
    app.see("Sign-in needed")
    app.see("make a new one under Settings")
    app.click("Connect again")
    app.see("Connect octo again")


def test_a_code_is_shown_and_waited_for(app: App, signed_in: Person, github: FakeGitHub) -> None:
    app.go(PAGE)
    app.click("Connect GitHub")
    app.click("Sign in with a code")
    app.see("WDJB-MJHT")
    app.see("Waiting for you to allow access there")
    app.check_accessible()
    assert signed_in.http.get("/v3/connections").json()["connections"] == []
    github.typed.add("device-xyzzy")
    app.see("octo is connected")
    app.see("Nothing chosen")


def test_a_webhook_is_shown_once_and_its_calls_are_accepted(
    app: App, signed_in: Person, github: FakeGitHub
) -> None:
    github.write("README", "The kettle stands on the shelf.")
    body = {"fields": {}, "chosen": [REPOSITORY]}
    signed_in.post("/v3/connectors/github/connect", body)
    app.go(PAGE)
    app.see("Up to date")
    app.click("Webhook of public repositories")
    app.click("Create an address")
    app.see("They are shown only now")
    app.check_accessible()
    url, secret = app.page.run("[...document.querySelectorAll('dialog pre')].map(e => e.innerText)")
    signature = "sha256=" + hmac.new(secret.encode(), b"{}", "sha256").hexdigest()
    headers = {"X-Hub-Signature-256": signature, "X-GitHub-Delivery": "1"}
    assert httpx2.post(url, content=b"{}", headers=headers).status_code == 202
    assert httpx2.post(url, content=b"{ }", headers=headers).status_code == 404
    app.click("Done")
    app.see_no_more(secret)


def test_an_account_that_was_signed_out_keeps_its_choice(
    app: App, signed_in: Person, github: FakeGitHub
) -> None:
    github.write("README", "The kettle stands on the shelf.")
    body = {"fields": {"token": TOKEN}, "chosen": [REPOSITORY]}
    connection = signed_in.post("/v3/connectors/github/connect", body).json()
    github.token = None
    signed_in.post(f"/v3/connections/{connection['id']}/sync", {})
    app.go(PAGE)
    app.see("Sign-in needed")
    github.token = TOKEN
    app.click("Connect again")
    app.fill("Token", TOKEN)
    app.click("Continue")
    app.see("README.md")
    app.click("Connect", "button[type=submit]")
    app.see("Up to date")
    connections = signed_in.http.get("/v3/connections").json()["connections"]
    assert [connection["chosen"] for connection in connections] == [[REPOSITORY]]


def test_an_empty_feed_says_that_nothing_was_found(app: App, signed_in: Person, site: Site) -> None:
    site.pages["/feed.xml"] = page(
        b"<rss version='2.0'><channel><title>Quiet</title></channel></rss>"
    )
    app.go(PAGE)
    app.click("Connect Feed")
    app.fill("Address", f"{site.url}/feed.xml")
    app.click("Continue")
    app.see("nothing to read was found yet")
    app.click("Connect", "button[type=submit]")
    app.see("Nothing was found there")
