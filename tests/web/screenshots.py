"""Write a screenshot of every page of the web app, light, dark and phone: `make screenshots`."""

import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import httpx2

from tests.conftest import Person, start_server, stop_server
from tests.tools.chromium import open_page
from tests.web.app import App
from tests.web.sample_data import SAMPLES, fill

LOOKS = {"light": (1280, 860, False), "dark": (1280, 860, True), "phone": (390, 844, False)}
SIGNED_OUT = {"welcome": "/", "login": "/login", "register": "/register"}
# Pages of a user who has saved nothing yet, and a page that does not exist.
NEW_USER = {
    "first": "/dashboard",
    "empty-library": "/library",
    "empty-search": "/search?q=boat",
    "empty-graph": "/graph",
    "empty-memories": "/memories",
    "missing": "/memory/01900000-0000-7000-8000-000000000000",
}
QUESTION = "when is the next meeting with Maria?"
# Graph layouts, fonts and fades need a moment after the text is shown.
SETTLE_S = 2.0


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    server = start_server(Path(tempfile.mkdtemp(prefix="remem-screenshots-")))
    try:
        with open_page() as page:
            app = App(page, server)
            _write(app, folder, SIGNED_OUT)
            _sign_up(app, "grace@example.org", "Grace Hopper")
            _write(app, folder, NEW_USER)
            app.reset()
            _write(app, folder, _pages(app))
    finally:
        stop_server(server)


def _write(app: App, folder: Path, pages: dict[str, str]) -> None:
    for name, path in pages.items():
        for look, (width, height, dark) in LOOKS.items():
            app.resize(width, height)
            app.set_dark(dark)
            app.go(path)
            time.sleep(SETTLE_S)
            picture = app.page.screenshot(width, height, dark=dark)
            (folder / f"{name}-{look}.png").write_bytes(picture)
            print(folder / f"{name}-{look}.png", flush=True)


def _sign_up(app: App, email: str, name: str) -> httpx2.Client:
    """Register an account and sign in, in the browser and with the returned client."""
    http = httpx2.Client(base_url=app.url, timeout=60)
    body = {"email": email, "password": "correct horse", "name": name}
    http.headers["X-CSRF-Token"] = http.post("/v3/auth/register", json=body).json()["csrf_token"]
    app.sign_in(Person(http, "", email, body["password"], "", ""))
    return http


def _pages(app: App) -> dict[str, str]:
    """Sign in a user with sample data and return the pages by name."""
    with closing(_sign_up(app, "ada@example.org", "Ada Lovelace")) as http:
        ids = fill(http)
        memories = http.get("/api/memories", params={"q": "Maria"}).json()["memories"]
        body = {"question": "Who is Maria?", "agent": "web"}
        session = http.post("/api/agent/ask", json=body).json()["sessionId"]
        for question in (QUESTION, "And where?", "What is my blood type?"):
            next_body = {**body, "question": question, "sessionId": session}
            http.post("/api/agent/ask", json=next_body)
    first = ids[SAMPLES["documents"][0]["title"]]
    return {
        "home": "/dashboard",
        "search": f"/search?q={quote(QUESTION)}",
        "ask": f"/ask?session={session}",
        "library": "/library",
        "document": f"/memory/{first}",
        "memories": "/memories",
        "memory": f"/memories/{memories[0]['id']}",
        "graph": "/graph",
        "timeline": "/timeline",
        "projects": "/projects",
        "project": "/projects/harbour",
        "settings": "/settings",
        "connect": "/connect",
        "activity": "/activity",
        "evolution": "/evolution",
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
