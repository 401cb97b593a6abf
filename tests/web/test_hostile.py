"""Saved texts, names and links must not run scripts, redirect, or act on behalf of the reader."""

import json
from pathlib import Path

import pytest

from tests.conftest import Person
from tests.tools.waiting import until
from tests.web.app import App

RUNS = (
    "<img src=x onerror=window.ran=1><svg onload=window.ran=1></svg><script>window.ran=1</script>"
)
TEXT = f"""# {RUNS}

[runs](javascript:window.ran=1) [data](data:text/html,<script>window.ran=1</script>)
[tab](java\tscript:window.ran=1) <a href="javascript:window.ran=1">raw</a> {RUNS}

![signs out](/v3/auth/logout) ![everything](/v3/export) ![link](/open/abc)

<iframe src="/settings"></iframe><form action="/v3/auth/logout" method="post"></form>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">

```html" onload="window.ran=1
{RUNS}
```
"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=1">
<script>window.ran=1; document.title='ran'</script><text>Harbour plan</text></svg>"""


def test_names_and_texts_do_not_run(app: App, signed_in: Person) -> None:
    project = signed_in.post("/v3/projects", {"name": RUNS[:150], "slug": "hostile"}).json()
    saved = signed_in.save(
        TEXT, title=RUNS, tags=["<b onclick=ran=1>"], project_id=project["id"],
        content_type="markdown", metadata={"language": '"><script>', "author": RUNS},
        source_url="https://example.org/%22onmouseover=window.ran=1",
    )  # fmt: skip
    signed_in.post("/api/memories", {"content": f"I like {RUNS}.", "tags": [RUNS[:40]]})
    with app.recording_requests():
        for path in (
            f"/memory/{saved['id']}", f"/memory/{saved['id']}?edit=1", "/library", "/dashboard",
            "/memories", "/graph", "/timeline", "/projects/hostile", "/activity",
            "/search?q=harbour", f"/search?q={RUNS[:40]}",
        ):  # fmt: skip
            app.go(path)
            app.settle()
            assert not app.evaluate("Boolean(window.ran)"), path
            assert not app.evaluate(
                "document.querySelectorAll('main iframe, main form[action]').length"
            )
    urls = [
        event["params"]["request"]["url"]
        for event in app.page.events
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert urls
    assert not [url for url in urls if "/open/" in url or "/v3/export" in url or "logout" in url]
    app.go("/dashboard")
    app.see("About you")


def test_an_uploaded_picture_with_a_script_is_only_a_picture(
    app: App, signed_in: Person, tmp_path: Path
) -> None:
    path = tmp_path / "<img src=x onerror=ran=1>.svg"
    path.write_text(SVG)
    with path.open("rb") as file:
        saved = signed_in.http.post("/v3/documents/upload", files={"file": file}).json()
    id = saved["id"]
    until(lambda: signed_in.http.get(f"/v3/documents/{id}").json()["status"] in ("done", "failed"))
    app.go(f"/memory/{id}")
    app.settle()
    assert not app.evaluate("Boolean(window.ran)")
    reply = signed_in.http.get(f"/v3/documents/{id}/original", params={"inline": True})
    assert reply.headers["Content-Disposition"].startswith("attachment")
    assert reply.headers["Content-Security-Policy"] == "sandbox"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "address", ["//evil.example", "/\\evil.example", "/%09/evil.example", "https://evil.example"]
)
def test_signing_in_redirects_to_no_other_site(app: App, signed_in: Person, address: str) -> None:
    app.go(f"/login?next={address}")
    app.wait("location.pathname !== '/login'")
    assert app.evaluate("location.origin") == app.url


def test_ids_of_another_user_in_an_address_show_nothing(
    app: App, sampled: tuple[Person, dict[str, str]], signed_in: Person
) -> None:
    person, ids = sampled
    memory = person.http.get("/api/memories", params={"limit": 1}).json()["memories"][0]
    for path in (
        f"/memory/{ids['Sourdough, third attempt']}",
        f"/memories/{memory['id']}",
        "/projects/harbour",
        f"/graph?node={ids['Sourdough, third attempt']}",
    ):
        app.go(path)
        app.settle()
        assert "Sourdough" not in app.page.text and memory["content"] not in app.page.text, path
    # The browser logs each refusal.
    app.page.events.clear()


def test_a_foreign_page_cannot_act_for_the_reader(app: App, signed_in: Person) -> None:
    """Without the page's CSRF token, the cookie alone changes nothing."""
    app.go("/dashboard")
    status = app.evaluate(
        "fetch('/v3/memory', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({content: 'forged'})}).then(r => r.status)"
    )
    assert status == 403
    assert signed_in.http.get("/v3/documents").json()["total"] == 0
    app.page.events.clear()


def test_a_request_to_another_server_is_recorded(app: App) -> None:
    """Every test relies on this. The page used here has no Content-Security-Policy."""
    app.page.open(f"{app.url}/health")
    for url in ("http://localhost/pixel.gif", "https://evil.example/pixel.gif"):
        app.page.events.clear()
        failing = f"Object.assign(new Image(), {{src: {json.dumps(url)}, onerror: done}})"
        app.evaluate(f"new Promise(done => {failing}).then(() => true)")
        assert [problem for problem in app.problems() if problem.startswith("a request to")]
    app.page.events.clear()
