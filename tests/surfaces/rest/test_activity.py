"""The audit trail filtered by subject, actor and time; and previews of imports."""

import json

from tests.conftest import Person
from tests.surfaces.rest.problems import assert_problem


def test_the_audit_trail_is_filtered_by_subject_actor_and_time(
    person: Person, stranger: Person
) -> None:
    saved = person.save("The ferry leaves at noon.", index_only=True)
    person.post("/v3/projects", {"name": "Boats"})

    def kinds(**params: str) -> set[str]:
        events = person.http.get("/api/events", params=params).json()["events"]
        return {event["subjectKind"] for event in events}

    assert {"document", "project"} <= kinds()
    assert kinds(kind="document") == {"document"}
    assert kinds(kind="document", subject=saved["id"], actor="key") == {"document"}
    assert kinds(actor="grant") == set()
    assert "document" not in kinds(actor="user")
    assert kinds(since="2100-01-01T00:00:00Z") == set()
    assert kinds(until="2000-01-01T00:00:00Z") == set()
    reply = stranger.http.get("/api/events", params={"subject": saved["id"]})
    assert reply.status_code == 404


def test_an_event_names_its_subject(person: Person, stranger: Person) -> None:
    saved = person.save("The ferry leaves at noon.", title="Ferry", index_only=True)
    memory = person.post("/api/memories", {"content": "Ada owns a boat."}).json()
    person.post("/api/sessions", {"agent": "claude", "title": "Plans"})

    def names() -> set[str | None]:
        events = person.http.get("/api/events", params={"limit": 100}).json()["events"]
        assert {event["actorName"] for event in events if event["actor"].startswith("key:")} != {
            None
        }
        return {event["subjectName"] for event in events}

    assert {"Ferry", "Ada owns a boat.", "Plans"} <= names()
    stranger.post("/api/memories", {"content": "Bert owns a bicycle."})
    assert "Bert owns a bicycle." not in names()
    person.http.delete(f"/v3/documents/{saved['id']}", params={"undo": True})
    person.http.delete(f"/api/memories/{memory['id']}")
    assert not {"Ferry", "Ada owns a boat."} & names()


def test_a_preview_counts_what_an_import_would_add_and_stores_nothing(
    person: Person, stranger: Person
) -> None:
    person.save("The ferry leaves at noon.", title="Ferry", index_only=True)
    lines = person.http.get("/v3/export").content
    preview = stranger.http.post("/v3/import/preview", content=lines).json()
    assert (preview["origin"], preview["counts"]["document"], preview["more"]) == (
        "remem",
        1,
        False,
    )
    assert {"kind": "document", "label": "Ferry"} in preview["examples"]
    assert stranger.http.get("/v3/documents").json()["total"] == 0
    assert stranger.http.get("/v3/jobs").json()["jobs"] == []
    bookmarks = (
        "title,url,time_added,tags,status\nSea,https://example.org/sea,1700000000,sea,unread\n"
    )
    pocket = person.http.post("/v3/import/preview", content=bookmarks.encode()).json()
    assert (pocket["origin"], pocket["counts"]) == ("pocket", {"bookmark": 1})
    wrong = person.http.post("/v3/import/preview", content=json.dumps({"a": 1}).encode())
    assert_problem(wrong, 400, "unknown_file", "not a supported format")
