"""Sessions are a person's own: an export carries nobody else's, and an import plants none."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import Person, Server
from tests.surfaces.rest.people import MakePerson, Organization, call, make_key
from tests.transfer.stores import bring_in, give_out, of_kind, rows, sealed


@pytest.fixture
def members(server: Server, make_person: MakePerson) -> Iterator[tuple[Person, Person]]:
    """The owner of an organization and a member who may read and write."""
    owner, member = make_person(), make_person()
    made = owner.post("/v3/organizations", {"name": "Acme"}).json()["id"]
    assert Organization(made, owner).add(member).status_code == 201
    owner_key = make_key(owner, ["read", "write", "admin"], organization_id=made)["key"]
    member_key = make_key(member, ["read", "write"], organization_id=made)["key"]
    with call(server.url, owner_key) as one, call(server.url, member_key) as two:
        yield (
            Person(one, owner_key, owner.email, "", owner.user_id, made),
            Person(two, member_key, member.email, "", member.user_id, made),
        )


def talk(person: Person, words: str) -> str:
    """A session with a turn, and a memory that was saved in it."""
    session = person.post("/api/sessions", {"title": f"Title {words}"}).json()["id"]
    turn = {"role": "user", "content": f"Turn {words}"}
    assert person.post(f"/api/sessions/{session}/turns", turn).status_code == 201
    memory = {"content": f"The {words} ferry leaves at nine.", "sessionId": session}
    saved = person.post("/api/memories", memory)
    assert saved.status_code == 201, saved.text
    signal = {"type": "helpful", "ids": [saved.json()["id"]], "query": f"Query {words}"}
    assert person.post("/api/evolve/signals", {**signal, "sessionId": session}).status_code == 201
    return session


def test_an_export_carries_the_callers_own_sessions_alone(members: tuple[Person, Person]) -> None:
    sessions = [
        talk(person, words) for person, words in zip(members, ("zinc", "lead"), strict=True)
    ]
    for person, own, other in zip(members, ("zinc", "lead"), ("lead", "zinc"), strict=True):
        lines = give_out(person)
        titles = [row["title"] for row in of_kind(lines, "session")]
        assert titles == [f"Title {own}"]
        assert [row["content"] for row in of_kind(lines, "turn")] == [f"Turn {own}"]
        assert f"Turn {other}" not in "".join(lines) and f"Query {other}" not in "".join(lines)
        of_memories = {row["session_id"] for row in of_kind(lines, "memory")}
        assert of_memories == {None, sessions[0] if own == "zinc" else sessions[1]}
        assert json.loads(lines[0])["counts"] == json.loads(lines[-1])["counts"] | {
            kind: 0 for kind, count in json.loads(lines[0])["counts"].items() if not count
        }


def test_signals_of_another_member_are_not_listed(members: tuple[Person, Person]) -> None:
    talk(members[0], "zinc")
    listed = members[1].http.get("/api/evolve/signals").json()["signals"]
    assert [one for one in listed if one["query"]] == []
    own = members[0].http.get("/api/evolve/signals").json()["signals"]
    assert [one["query"] for one in own if one["query"]] == ["Query zinc"]


def forged(lines: list[str], **replaced: str) -> list[str]:
    """The lines of sessions and turns as others, with these fields."""
    ids: dict[str, str] = {}

    def line(one: dict[str, Any]) -> str:
        row = {**one["row"], "id": str(uuid4())}
        ids[one["row"]["id"]] = row["id"]
        row |= {name: value for name, value in replaced.items() if name in row}
        if "session_id" not in replaced and row.get("session_id"):
            row["session_id"] = ids[row["session_id"]]
        return json.dumps({"kind": one["kind"], "row": row}, separators=(",", ":")) + "\n"

    chosen = ("turn",) if "session_id" in replaced else ("session", "turn")
    taken = [line(one) for one in rows(lines) if one["kind"] in chosen]
    return sealed([lines[0], *taken, lines[-1]])


def test_an_import_owns_what_it_brings(members: tuple[Person, Person]) -> None:
    owner, member = members
    talk(owner, "zinc")
    job = bring_in(owner, forged(give_out(owner), user_id=member.user_id))
    assert job["status"] == "completed", job
    assert member.http.get("/api/sessions").json()["total"] == 0
    assert owner.http.get("/api/sessions").json()["total"] == 2


def test_an_import_puts_no_turn_into_the_session_of_another(
    members: tuple[Person, Person],
) -> None:
    owner, member = members
    talk(owner, "zinc")
    private = talk(member, "lead")
    job = bring_in(owner, forged(give_out(owner), session_id=private))
    assert job["status"] == "failed" and private in job["error"], job
    turns = member.http.get(f"/api/sessions/{private}").json()["turns"]
    assert [turn["content"] for turn in turns] == ["Turn lead"]


def test_the_file_of_an_organization_changes_nothing_there(
    members: tuple[Person, Person],
) -> None:
    """What others saved in their sessions names none in it."""
    owner, member = members
    member.save("The pilot boards at six.")
    talk(member, "lead")
    job = bring_in(owner, give_out(owner))
    assert job["status"] == "completed" and job["problems"] == [], job
