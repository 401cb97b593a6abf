"""The installed app opens without a connection, and what was read is still there."""

import json
import plistlib
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest

from remem.core.time import new_id
from tests.conftest import Person, Server, start_server, stop_server
from tests.tools.chromium import Page, open_page
from tests.tools.waiting import until
from tests.web.app import CONTRAST, App

BOX = "Write, or paste text, an address or a picture"
CTRL = 2
NOTE = "The ferry to Norderney leaves at 9:40."
CONTROLLED = "navigator.serviceWorker.controller"
SHARE = """(() => {
  const form = document.createElement('form');
  Object.assign(form, {method: 'post', action: '/share', enctype: 'multipart/form-data'});
  for (const [name, value] of Object.entries(VALUES)) {
    const field = document.createElement('input');
    Object.assign(field, {name, value});
    form.append(field);
  }
  const field = document.createElement('input');
  const chosen = new DataTransfer();
  chosen.items.add(new File(['Sold out until June.'], 'notice.txt', {type: 'text/plain'}));
  Object.assign(field, {type: 'file', name: 'files', files: chosen.files});
  form.append(field);
  document.body.append(form);
  form.submit();
})()"""


def sign_up(server: Server) -> Person:
    http = httpx2.Client(base_url=server.url, timeout=60)
    body = {"email": f"{new_id()}@example.org", "password": "correct horse"}
    account = http.post("/v3/auth/register", json=body).json()
    http.headers["X-CSRF-Token"] = account["csrf_token"]
    return Person(
        http, "", body["email"], body["password"], account["user_id"], account["organization_id"]
    )


def text(token: dict[str, dict[str, str]]) -> str:
    return token["Value"]["string"]


def titles(person: Person) -> list[str]:
    return [line["title"] for line in person.http.get("/v3/documents").json()["documents"]]


@pytest.fixture
def own_server(data_dir: Path) -> Iterator[list[Server]]:
    """A server that a test may stop and start again at its address."""
    servers = [start_server(data_dir)]
    yield servers
    stop_server(servers[-1])


@pytest.fixture
def own_page() -> Iterator[Page]:
    """The page of the other tests asks for everything through a proxy, which always answers."""
    with open_page() as page:
        yield page


def test_the_app_opens_without_a_connection(own_server: list[Server], own_page: Page) -> None:
    server = own_server[0]
    app, person = App(own_page, server), sign_up(server)
    app.sign_in(person)
    saved = person.http.post("/v3/memory", json={"content": NOTE}).json()
    app.go("/dashboard")
    app.wait(CONTROLLED)
    app.go(f"/memory/{saved['id']}")
    app.see(NOTE)
    stop_server(server)

    app.go(f"/memory/{saved['id']}")
    app.see(NOTE)
    app.go("/dashboard")
    app.fill(BOX, "Bring the blue bag.")
    app.press("Enter", CTRL)
    app.wait("document.querySelector('ul[aria-label=\"Not saved yet\"] li')")
    app.see("Bring the blue bag.")

    port = urlsplit(server.url).port or 0
    own_server.append(start_server(server.data_dir, port=port))
    app.go("/dashboard")
    until(lambda: sorted(titles(person)) == ["Bring the blue bag.", NOTE])
    app.wait("!document.querySelector('ul[aria-label=\"Not saved yet\"]')")

    # Nothing of this person is left for the next one.
    app.evaluate(
        "fetch('/v3/auth/logout', {method: 'POST', headers: {'X-CSRF-Token': "
        "document.cookie.match(/remem_csrf=([^;]+)/)[1]}}).then(r => r.status)"
    )
    app.go("/dashboard")
    app.wait("location.pathname === '/login'")
    names = app.evaluate("caches.keys()")
    assert [name for name in names if not name.startswith("remem-app/")] == []
    assert app.evaluate("caches.match('/v3/whoami').then(reply => !reply)")
    stop_server(own_server[-1])
    app.go("/dashboard")
    app.wait("location.pathname === '/login'")
    assert NOTE not in app.page.text


def test_the_language_is_kept_without_a_connection(
    own_server: list[Server], own_page: Page
) -> None:
    """The first page is loaded before the service worker could keep the catalogue."""
    server = own_server[0]
    app, person = App(own_page, server), sign_up(server)
    app.set_language("de")
    app.sign_in(person)
    app.go("/dashboard")
    app.wait(CONTROLLED)
    kept = "caches.keys().then(async names => (await Promise.all(names.map(async name =>"
    kept += " (await (await caches.open(name)).keys()).map(r => r.url)))).flat())"
    until(lambda: any("/de-" in url for url in app.evaluate(kept)))
    app.go("/dashboard")
    app.see("Speichere deine erste Notiz")
    stop_server(server)
    app.go("/dashboard")
    app.see("Bibliothek")


def test_what_another_app_shares_is_saved_when_the_user_says_so(
    app: App, signed_in: Person
) -> None:
    app.go("/dashboard")
    app.wait(CONTROLLED)
    shared = {"title": "Ferry", "text": "Timetable", "url": "https://ferry.example/times"}
    app.page.run(SHARE.replace("VALUES", json.dumps(shared)))
    app.wait("location.pathname === '/share'")
    app.see("notice.txt")
    assert app.evaluate("document.querySelector('main textarea').value") == (
        "Ferry\n\nTimetable\n\nhttps://ferry.example/times"
    )
    app.resize(390, 844)
    app.check_accessible()
    app.set_dark(True)
    app.check_accessible(CONTRAST)
    app.set_dark(False)
    assert titles(signed_in) == []
    app.click("Save")
    app.wait("location.pathname === '/dashboard'")
    until(lambda: sorted(titles(signed_in)) == ["Ferry", "Sold out until June."])
    app.go("/share")
    app.see("Nothing is waiting here")


def test_the_manifest_and_its_icons(server: Server) -> None:
    http = httpx2.Client(base_url=server.url)
    reply = http.get("/manifest.webmanifest")
    assert reply.headers["Content-Type"] == "application/manifest+json"
    manifest = reply.json()
    assert (manifest["start_url"], manifest["display"]) == ("./dashboard", "standalone")
    for icon in manifest["icons"]:
        picture = http.get(urljoin("/manifest.webmanifest", icon["src"]))
        assert picture.headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            size = "x".join(map(str, struct.unpack(">II", picture.content[16:24])))
            assert size == icon["sizes"]
    page = http.get("/dashboard").text
    for link in re.findall(r'rel="(?:manifest|apple-touch-icon)" href="([^"]+)"', page):
        assert http.get(link).status_code == 200
    # Without the service worker nothing is taken: any site could send this form.
    assert http.post("/share", data={"text": NOTE}).headers["Location"] == "/share"


def test_the_worker_keeps_files_that_exist_and_changes_with_the_build(server: Server) -> None:
    http = httpx2.Client(base_url=server.url)
    reply = http.get("/sw.js")
    assert reply.headers["Cache-Control"] == "no-cache"
    assert "default-src 'self'" in reply.headers["Content-Security-Policy"]
    build, files = (json.loads(line.split(" = ")[1][:-1]) for line in reply.text.split("\n")[:2])
    assert re.fullmatch(r"[0-9a-f]{16}", build)
    assert {http.get(f"/{path}").status_code for path in files} == {200}
    used = re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css))"', http.get("/dashboard").text)
    assert set(used) <= {f"/{path}" for path in files}


def test_the_shortcut_saves_with_a_key_of_its_own(app: App, signed_in: Person) -> None:
    app.go("/connect")
    app.page.run(
        "URL.createObjectURL = blob => { blob.text().then(t => { window.file = t }); return '#'; }"
    )
    app.click("Download the iOS shortcut")
    app.wait("window.file")
    shortcut = plistlib.loads(app.evaluate("window.file").encode())
    request = shortcut["WFWorkflowActions"][0]["WFWorkflowActionParameters"]
    items = request["WFHTTPHeaders"]["Value"]["WFDictionaryFieldValueItems"]
    headers = {
        item["WFKey"]["Value"]["string"]: item["WFValue"]["Value"]["string"] for item in items
    }
    reply = httpx2.post(request["WFURL"], headers=headers, json={"content": NOTE})
    assert reply.status_code == 201
    assert httpx2.get(f"{app.url}/v3/documents", headers=headers).status_code == 403
    assert titles(signed_in) == [NOTE]
