"""Sessions over HTTP: opened, filled, read, closed, deleted; their sources may be deleted."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from remem.core.answers.ask import ask
from remem.core.answers.reply import AskRequest
from remem.core.errors import Forbidden
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.sessions.manage import (
    delete_inactive_sessions,
    get_session,
    list_sessions,
    open_session,
)
from remem.core.sessions.model import NewSession, SessionChoice
from tests.conftest import Person
from tests.surfaces.rest.people import MakePerson
from tests.surfaces.rest.rows import change, rows_of

pytestmark = pytest.mark.anyio


def start(person: Person, **fields: Any) -> dict[str, Any]:
    reply = person.post("/api/sessions", fields)
    assert reply.status_code == 201, reply.text
    return reply.json()


def add_turn(person: Person, session: str, content: str, **fields: Any) -> httpx2.Response:
    body = {"role": "user", "content": content, **fields}
    return person.post(f"/api/sessions/{session}/turns", body)


def read(person: Person, session: str, **params: Any) -> dict[str, Any]:
    reply = person.http.get(f"/api/sessions/{session}", params=params)
    assert reply.status_code == 200, reply.text
    return reply.json()


def remember(person: Person, content: str, **fields: Any) -> str:
    reply = person.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


def test_turns_have_what_was_recalled_and_used(user: Person) -> None:
    memory = remember(user, "The kettle stands on the blue shelf.")
    document = user.save("The whole recipe of the lemon cake.")["id"]
    session = start(user, agent="claude", project="kitchen")
    assert session["project"] == "kitchen" and session["turnCount"] == 0
    reply = add_turn(user, session["id"], "Where is the kettle?", recalled=[memory, document])
    assert reply.status_code == 201, reply.text
    add_turn(user, session["id"], "On the blue shelf.", role="assistant", used=[memory])
    detail = read(user, session["id"])
    assert [turn["role"] for turn in detail["turns"]] == ["user", "assistant"]
    assert detail["turns"][0]["recalled"] == [memory, document]
    assert detail["turns"][1]["used"] == [memory]
    assert detail["title"] == "Where is the kettle?"
    assert detail["turnCount"] == 2


def test_a_session_is_opened_again_by_its_key_until_it_is_closed(user: Person) -> None:
    key = str(uuid4())
    first = start(user, key=key)
    again = user.post("/api/sessions", {"key": key})
    assert again.status_code == 200 and again.json()["id"] == first["id"]
    closed = user.post(f"/api/sessions/{first['id']}/close", {})
    assert closed.status_code == 200 and closed.json()["closedAt"]
    assert user.post(f"/api/sessions/{first['id']}/close", {}).json() == closed.json()
    refused = add_turn(user, first["id"], "One more.")
    assert refused.status_code == 409 and refused.json()["code"] == "session_closed"
    assert start(user, key=key)["id"] != first["id"]


def test_sessions_are_listed_newest_first_page_by_page(user: Person) -> None:
    created = [start(user, agent=f"agent{n % 2}", project="a.b")["id"] for n in range(5)]
    user.post(f"/api/sessions/{created[0]}/close", {})

    def listed(**params: Any) -> dict[str, Any]:
        return user.http.get("/api/sessions", params=params).json()

    first = listed(limit=2, project="a.*")
    assert first["total"] == 5
    rest = listed(limit=10, project="a.*", cursor=first["next_cursor"])
    ids = [session["id"] for session in first["sessions"] + rest["sessions"]]
    assert ids == created[::-1]
    assert {session["id"] for session in listed(open=False)["sessions"]} == {created[0]}
    assert {session["id"] for session in listed(agent="agent1")["sessions"]} == set(created[1::2])


def test_turns_are_paged_in_their_order(user: Person) -> None:
    session = start(user)["id"]
    for number in range(5):
        assert add_turn(user, session, f"Line {number}.").status_code == 201
    first = read(user, session, limit=3)
    rest = read(user, session, limit=3, cursor=first["next_cursor"])
    contents = [turn["content"] for turn in first["turns"] + rest["turns"]]
    assert contents == [f"Line {number}." for number in range(5)]
    assert rest["next_cursor"] is None


def test_a_memory_refers_to_the_session_it_was_saved_in(user: Person) -> None:
    session, other = start(user)["id"], start(user)["id"]
    memory = remember(user, "Ada plays the cello on Sundays.", sessionId=session)
    remember(user, "The train to Lyon leaves at nine.", sessionId=other)
    listed = user.http.get("/api/memories", params={"session_id": session}).json()
    assert [entry["id"] for entry in listed["memories"]] == [memory]
    assert listed["memories"][0]["sessionId"] == session
    refused = user.http.get("/api/memories", params={"session_id": session, "q": "cello"})
    assert refused.status_code == 400
    assert user.http.delete(f"/api/sessions/{session}").status_code == 204
    remaining = user.http.get(f"/api/memories/{memory}").json()
    assert remaining["sessionId"] is None and remaining["content"].startswith("Ada")


@pytest.mark.parametrize("how", ["soft", "hard"])
async def test_a_deleted_memory_erases_the_text_of_its_turns(
    how: str, user: Person, ports: Ports
) -> None:
    memory = remember(user, "The safe opens with the marigold song.")
    session = start(user)["id"]
    add_turn(user, session, "How does it open?", recalled=[memory])
    add_turn(user, session, "With the marigold song.", role="assistant", used=[memory])
    reply = user.http.delete(f"/api/memories/{memory}", params={"hard": how == "hard"})
    assert reply.status_code == 204
    question, answer = read(user, session)["turns"]
    assert question["content"] == "How does it open?" and not question["erased"]
    assert answer["content"] == "" and answer["erased"]
    turns = (await rows_of(ports, user.tenant_id))["turns"]
    assert "marigold" not in str(turns)


async def test_a_deleted_document_erases_the_text_of_its_turns(user: Person, ports: Ports) -> None:
    document = user.save("The garden gate is painted heliotrope.")["id"]
    chunk = user.http.get(f"/v3/documents/{document}").json()["chunks"][0]["memory_id"]
    session = start(user)["id"]
    add_turn(user, session, "Painted heliotrope.", role="assistant", used=[chunk])
    assert user.http.delete(f"/v3/documents/{document}").status_code == 204
    assert read(user, session)["turns"][0]["erased"]
    assert "heliotrope" not in str((await rows_of(ports, user.tenant_id))["turns"])


def test_a_turn_may_refer_only_to_existing_items(user: Person) -> None:
    session = start(user)["id"]
    reply = add_turn(user, session, "Hello.", used=[str(uuid4())])
    assert reply.status_code == 404
    assert read(user, session)["turns"] == []
    assert add_turn(user, session, "x" * 20_001).status_code == 400
    assert add_turn(user, session, "Hello.", role="narrator").status_code == 400


def test_another_member_of_an_organization_sees_no_sessions(make_person: MakePerson) -> None:
    user, friend = make_person(), make_person()
    id = user.post("/v3/organizations", {"name": "Both"}).json()["id"]
    user.post(f"/v3/organizations/{id}/members", {"email": friend.email, "role": "admin"})

    def headers(person: Person) -> dict[str, str]:
        body = {"name": "org", "scopes": ["read", "write"], "organization_id": id}
        return {"Authorization": f"Bearer {person.post('/v3/api-keys', body).json()['key']}"}

    own_headers, friend_headers = headers(user), headers(friend)
    session = user.http.post("/api/sessions", json={"title": "Mine"}, headers=own_headers).json()
    address = f"/api/sessions/{session['id']}"
    assert user.http.get(address, headers=own_headers).status_code == 200
    assert friend.http.get(address, headers=friend_headers).status_code == 404
    assert friend.http.get("/api/sessions", headers=friend_headers).json()["total"] == 0
    assert friend.http.delete(address, headers=friend_headers).status_code == 404


async def test_a_full_session_refuses_turns(user: Person, ports: Ports) -> None:
    session = start(user)["id"]
    await change(
        ports,
        user.tenant_id,
        "INSERT INTO turns (tenant_id, id, session_id, role, content)"
        " SELECT $1, gen_random_uuid(), $2, 'user', 'said' FROM generate_series(1, 2000)",
        UUID(user.tenant_id),
        UUID(session),
    )
    refused = add_turn(user, session, "One more.")
    assert refused.status_code == 409 and refused.json()["code"] == "session_full"


def test_a_program_records_with_a_key(user: Person) -> None:
    body = {"key": str(uuid4()), "agent": "mcp", "recorded": True}
    first, again = user.post("/api/sessions", body), user.post("/api/sessions", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["recorded"] and again.json()["id"] == first.json()["id"]


async def test_with_recording_off_only_explicit_sessions_are_kept(
    ports: Ports, scope: Scope
) -> None:
    not_recording = replace(ports, records_sessions=False)
    with pytest.raises(Forbidden):
        await open_session(not_recording, scope, NewSession(is_recorded=True))
    assert (await ask(not_recording, scope, AskRequest("Where is the ladder?"))).session_id is None
    session, _ = await open_session(not_recording, scope, NewSession())
    reply = await ask(not_recording, scope, AskRequest("Where is it?", session_id=session.id))
    assert reply.session_id == session.id
    assert (await get_session(not_recording, scope, session.id)).turn_count == 2


async def test_recorded_sessions_are_erased_after_days_of_inactivity(
    ports: Ports, scope: Scope
) -> None:
    manual, _ = await open_session(ports, scope, NewSession())
    old, _ = await open_session(ports, scope, NewSession(is_recorded=True))
    new, _ = await open_session(ports, scope, NewSession(is_recorded=True))
    await change(
        ports,
        str(scope.tenant_id),
        "UPDATE sessions SET updated_at = now() - interval '200 days' WHERE id = ANY($1)",
        [manual.id, old.id],
    )
    assert await delete_inactive_sessions(ports, scope) == 1
    remaining = await list_sessions(ports, scope, SessionChoice(), None, 10)
    assert {session.id for session in remaining.sessions} == {manual.id, new.id}
