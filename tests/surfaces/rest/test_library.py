"""Lists, counts and previews for the pages of the web app."""

import base64
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from remem.core.documents.distil import distil_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem
from tests.surfaces.rest.rows import change

pytestmark = pytest.mark.anyio

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
CAT = "I adopted a grey cat named Miso from the shelter in Porto."
TITLES = ["Zebra", "apple", "Mango | pie", "banana"]


@pytest.fixture
def library(person: Person) -> list[dict[str, Any]]:
    return [
        person.save(f"{title} {'grows in the garden. ' * number}", title=title, tags=[f"t{number}"])
        for number, title in enumerate(TITLES, start=1)
    ]


def titles(person: Person, **params: Any) -> list[str]:
    """List page by page, so that every position of the order is tested."""
    collected: list[str] = []
    cursor = None
    while True:
        params |= {"limit": 1, **({"cursor": cursor} if cursor else {})}
        page = person.http.get("/v3/documents", params=params).json()
        collected += [document["title"] for document in page["documents"]]
        cursor = page["next_cursor"]
        if cursor is None:
            return collected


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("created", ["Zebra", "apple", "Mango | pie", "banana"]),
        ("updated", ["Zebra", "apple", "Mango | pie", "banana"]),
        ("title", ["apple", "banana", "Mango | pie", "Zebra"]),
        ("size", ["Zebra", "apple", "Mango | pie", "banana"]),
    ],
)
def test_the_library_is_sorted_and_paged_both_ways(
    person: Person, library: list[dict[str, Any]], sort: str, expected: list[str]
) -> None:
    assert titles(person, sort=sort, order="asc") == expected
    assert titles(person, sort=sort, order="desc") == expected[::-1]


def test_the_library_is_filtered(person: Person, library: list[dict[str, Any]]) -> None:
    assert titles(person, title="AN") == ["banana", "Mango | pie"]
    assert titles(person, tags=["T2"]) == ["apple"]
    assert titles(person, content_type=["pdf"]) == []
    assert len(titles(person, status="done")) == 4
    later = (datetime.now(UTC) + timedelta(minutes=1)).isoformat()
    assert titles(person, created_after=later) == []
    page = person.http.get("/v3/documents", params={"title": "an", "limit": 1}).json()
    assert page["total"] == 2
    assert page["documents"][0]["tags"] == ["t4"]
    assert page["documents"][0]["size_bytes"] > 50


def test_a_cursor_of_another_order_is_refused(
    person: Person, library: list[dict[str, Any]]
) -> None:
    params = {"limit": 1, "sort": "title"}
    cursor = person.http.get("/v3/documents", params=params).json()["next_cursor"]
    reply = person.http.get("/v3/documents", params={"cursor": cursor})
    assert_problem(reply, 400, "invalid", "cursor")


def test_tags_are_counted_whatever_their_case(person: Person, stranger: Person) -> None:
    person.save("One about sailing.", tags=["Sea", "boats"], index_only=True)
    person.save("Two about sailing.", tags=["sea"], index_only=True)
    person.post("/api/memories", {"content": "The boat is blue.", "tags": ["boats"]})
    tags = person.http.get("/v3/tags").json()["tags"]
    counts = {tag["tag"].lower(): (tag["documents"], tag["memories"]) for tag in tags}
    assert counts["sea"] == (2, 0)
    assert counts["boats"] == (1, 1)
    assert stranger.http.get("/v3/tags").json() == {"tags": []}


async def test_days_are_counted_in_the_callers_time_zone(
    person: Person, stranger: Person, ports: Ports
) -> None:
    person.save("A walk by the lake.")
    moment = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    await change(ports, person.tenant_id, "UPDATE documents SET created_at = $1", moment)
    body = {"content": "The tax return.", "dueAt": "2026-03-02T09:00:00Z"}
    assert person.post("/api/memories", body).status_code == 201

    def documents_of(caller: Person, day: str, zone: str) -> list[int]:
        params = {"days": 2, "until": day, "timezone": zone}
        days = caller.http.get("/v3/stats/daily", params=params).json()["days"]
        assert [entry["day"] for entry in days] == ["2026-03-01", "2026-03-02"]
        return [entry["documents"] for entry in days] + [entry["due"] for entry in days]

    assert documents_of(person, "2026-03-02", "UTC") == [1, 0, 0, 1]
    assert documents_of(person, "2026-03-02", "Europe/Berlin") == [0, 1, 0, 1]
    assert documents_of(stranger, "2026-03-02", "UTC") == [0, 0, 0, 0]
    assert len(person.http.get("/v3/stats/daily").json()["days"]) == 84
    wrong = person.http.get("/v3/stats/daily", params={"timezone": "Mars/Base"})
    assert_problem(wrong, 400, "invalid", "timezone")


def test_a_project_is_pinned_and_counted(person: Person) -> None:
    person.post("/v3/projects", {"name": "Garden", "slug": "home.garden"})
    person.save("Tulips go in before the frost.", project="home.garden")
    person.post("/api/memories", {"content": "The hose is green.", "project": "home.garden"})
    changed = person.http.patch("/v3/projects/home.garden", json={"pinned": True}).json()
    assert (changed["pinned"], changed["parent"]) == (True, "home")
    assert changed["document_count"] == 1 and changed["memory_count"] >= 1
    listed = person.http.get("/v3/projects").json()["projects"]
    assert {project["slug"]: project["pinned"] for project in listed}["home.garden"] is True
    renamed = person.http.patch("/v3/projects/home.garden", json={"name": "The garden"}).json()
    assert renamed["pinned"] is True


async def distil(person: Person, ports: Ports, text: str) -> str:
    saved = person.save(text)
    scope = Scope(UUID(person.tenant_id), UUID(person.user_id))
    await distil_document(ports, scope, UUID(saved["id"]))
    return saved["id"]


async def test_the_memories_of_a_document_refer_to_their_sentence(
    person: Person, stranger: Person, ports: Ports
) -> None:
    params: dict[str, Any] = {"document_id": await distil(person, ports, CAT)}
    (memory,) = person.http.get("/api/memories", params=params).json()["memories"]
    evidence = memory["evidence"]
    assert evidence["document_id"] == params["document_id"]
    assert memory["content"] in CAT[evidence["start"] : evidence["end"]]
    other = {"document_id": person.save("Nothing in particular happened here today.")["id"]}
    assert person.http.get("/api/memories", params=other).json()["total"] == 0
    assert stranger.http.get("/api/memories", params=params).status_code == 404


async def test_the_review_queue_has_unreviewed_memories(person: Person, ports: Ports) -> None:
    person.post("/api/memories", {"content": "Said by a person, so it needs no review."})
    await distil(person, ports, CAT)
    await distil(person, ports, "I moved to Lisbon with my sister Ines in May 2024.")
    pending = {"review": "pending"}
    waiting = person.http.get("/api/memories", params=pending).json()
    assert waiting["total"] == len(waiting["memories"]) == 2
    assert all(memory["source"] == "distil" for memory in waiting["memories"])
    first, second = (memory["id"] for memory in waiting["memories"])
    person.post(f"/api/memories/{first}/lifecycle", {"review": "accept"})
    remaining = person.http.get("/api/memories", params=pending).json()
    assert [memory["id"] for memory in remaining["memories"]] == [second]
    person.post(f"/api/memories/{second}/lifecycle", {"review": "decline"})
    assert person.http.get("/api/memories", params=pending).json()["total"] == 0


def test_the_review_queue_can_be_limited_to_what_matters(person: Person, ports: Ports) -> None:
    def infer(content: str, **fields: Any) -> str:
        context = {"review": "pending"}
        reply = person.post("/api/memories", {"content": content, "context": context, **fields})
        return reply.json()["id"]

    asked = [
        infer("Compost pickup on 3 March 2099.", confidence=0.6),
        infer("The tiles are green.", confidence=0.6, speaker="Ines"),
        infer("Who trains well sleeps well.", confidence=0.9, category="insight"),
    ]
    infer("The ferry leaves on 3 March 2099.", confidence=0.9)
    infer("The bakery is blue.", confidence=0.6)
    infer("The tower has 90 steps.", confidence=0.6, speaker="Page: Towers")
    unsure = person.http.get("/api/memories", params={"review": "unsure"}).json()["memories"]
    assert [memory["id"] for memory in unsure] == asked[::-1]
    assert person.http.get("/api/memories", params={"review": "pending"}).json()["total"] == 6


def test_pictures_are_inline_and_pages_are_downloads(person: Person, stranger: Person) -> None:
    def upload(name: str, content: bytes) -> str:
        reply = person.http.post("/v3/documents/upload", files={"file": (name, content)})
        return f"/v3/documents/{reply.json()['id']}/original?inline=true"

    picture = person.http.get(path := upload("dot.png", PIXEL))
    assert picture.content == PIXEL
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.headers["Content-Disposition"].startswith("inline")
    assert "sandbox" in picture.headers["Content-Security-Policy"]
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    assert (
        person.http.get(path.partition("?")[0]).headers["Content-Disposition"][:10] == "attachment"
    )
    assert stranger.http.get(path).status_code == 404
    page = person.http.get(upload("a.html", b"<h1>Hi</h1><script>alert(1)</script> there"))
    assert page.headers["Content-Disposition"].startswith("attachment")
    svg = person.http.get(
        upload("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><text>x</text></svg>")
    )
    assert svg.headers["Content-Disposition"].startswith("attachment")
