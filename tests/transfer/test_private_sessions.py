"""Sessions are private: an export has only the caller's own, an import adds none to others."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import Person, Server
from tests.surfaces.rest.people import MakePerson, Organization, call, make_key
from tests.transfer.stores import export_lines, import_lines, of_kind, parse_lines, with_footer


@pytest.fixture
def members(server: Server, make_person: MakePerson) -> Iterator[tuple[Person, Person]]:
    """The owner of an organization and a member who may read and write."""
    owner, member = make_person(), make_person()
    organization_id = owner.post("/v3/organizations", {"name": "Acme"}).json()["id"]
    assert Organization(organization_id, owner).add(member).status_code == 201
    owner_key = make_key(owner, ["read", "write", "admin"], organization_id=organization_id)["key"]
    member_key = make_key(member, ["read", "write"], organization_id=organization_id)["key"]
    with call(server.url, owner_key) as owner_http, call(server.url, member_key) as member_http:
        yield (
            Person(owner_http, owner_key, owner.email, "", owner.user_id, organization_id),
            Person(member_http, member_key, member.email, "", member.user_id, organization_id),
        )


def create_session(person: Person, word: str) -> str:
    """Create a session with a turn, a memory that was saved in it, and a signal."""
    session = person.post("/api/sessions", {"title": f"Title {word}"}).json()["id"]
    turn = {"role": "user", "content": f"Turn {word}"}
    assert person.post(f"/api/sessions/{session}/turns", turn).status_code == 201
    memory = {"content": f"The {word} ferry leaves at nine.", "sessionId": session}
    saved = person.post("/api/memories", memory)
    assert saved.status_code == 201, saved.text
    signal = {"type": "helpful", "ids": [saved.json()["id"]], "query": f"Query {word}"}
    assert person.post("/api/evolve/signals", {**signal, "sessionId": session}).status_code == 201
    return session


def test_an_export_carries_the_callers_own_sessions_alone(members: tuple[Person, Person]) -> None:
    sessions = [
        create_session(person, word) for person, word in zip(members, ("zinc", "lead"), strict=True)
    ]
    for person, own, other in zip(members, ("zinc", "lead"), ("lead", "zinc"), strict=True):
        lines = export_lines(person)
        titles = [row["title"] for row in of_kind(lines, "session")]
        assert titles == [f"Title {own}"]
        assert [row["content"] for row in of_kind(lines, "turn")] == [f"Turn {own}"]
        assert f"Turn {other}" not in "".join(lines) and f"Query {other}" not in "".join(lines)
        session_ids = {row["session_id"] for row in of_kind(lines, "memory")}
        assert session_ids == {None, sessions[0] if own == "zinc" else sessions[1]}
        assert json.loads(lines[0])["counts"] == json.loads(lines[-1])["counts"] | {
            kind: 0 for kind, count in json.loads(lines[0])["counts"].items() if not count
        }


def test_signals_of_another_member_are_not_listed(members: tuple[Person, Person]) -> None:
    create_session(members[0], "zinc")
    listed = members[1].http.get("/api/evolve/signals").json()["signals"]
    assert [signal for signal in listed if signal["query"]] == []
    own = members[0].http.get("/api/evolve/signals").json()["signals"]
    assert [signal["query"] for signal in own if signal["query"]] == ["Query zinc"]


def forged(lines: list[str], **replaced: str) -> list[str]:
    """The lines of sessions and turns with new ids and the given fields."""
    ids: dict[str, str] = {}

    def line(entry: dict[str, Any]) -> str:
        row = {**entry["row"], "id": str(uuid4())}
        ids[entry["row"]["id"]] = row["id"]
        row |= {name: value for name, value in replaced.items() if name in row}
        if "session_id" not in replaced and row.get("session_id"):
            row["session_id"] = ids[row["session_id"]]
        return json.dumps({"kind": entry["kind"], "row": row}, separators=(",", ":")) + "\n"

    kinds = ("turn",) if "session_id" in replaced else ("session", "turn")
    forged_lines = [line(value) for value in parse_lines(lines) if value["kind"] in kinds]
    return with_footer([lines[0], *forged_lines, lines[-1]])


def test_imported_sessions_belong_to_the_importer(members: tuple[Person, Person]) -> None:
    owner, member = members
    create_session(owner, "zinc")
    job = import_lines(owner, forged(export_lines(owner), user_id=member.user_id))
    assert job["status"] == "completed", job
    assert member.http.get("/api/sessions").json()["total"] == 0
    assert owner.http.get("/api/sessions").json()["total"] == 2


def test_an_import_adds_no_turn_to_the_session_of_another(
    members: tuple[Person, Person],
) -> None:
    owner, member = members
    create_session(owner, "zinc")
    private = create_session(member, "lead")
    job = import_lines(owner, forged(export_lines(owner), session_id=private))
    assert job["status"] == "failed" and private in job["error"], job
    turns = member.http.get(f"/api/sessions/{private}").json()["turns"]
    assert [turn["content"] for turn in turns] == ["Turn lead"]


def test_importing_an_organizations_export_into_it_changes_nothing(
    members: tuple[Person, Person],
) -> None:
    """Memories that others saved in their sessions have no session in the export."""
    owner, member = members
    member.save("The pilot boards at six.")
    create_session(member, "lead")
    job = import_lines(owner, export_lines(owner))
    assert job["status"] == "completed" and job["problems"] == [], job
