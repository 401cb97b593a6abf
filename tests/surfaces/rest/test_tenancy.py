"""Tenant isolation: every route is tried with the ids and texts of other tenants."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, cycle, islice, product, takewhile
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest

from remem.core.graph.link import add_links
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import Person, Server
from tests.surfaces.oauth.protocol import Browser, new_client
from tests.surfaces.rest.calls import Operation, Slot, Values, plain, required
from tests.surfaces.rest.people import MakePerson, call
from tests.surfaces.rest.rows import Rows, ids_in, is_id, rows_of
from tests.tools.waiting import until, until_async

pytestmark = pytest.mark.anyio

# Routes that return a result for each id, or leave out what has one of them.
RESULT_PER_ID = ("POST /v3/documents/bulk", "POST /api/memories/batch-get", "POST /api/prompt")
# A split needs an alias, or a memory that mentions the entity; tests/surfaces/rest/test_entities.py
# tries it with the ids of others. A delivery needs an address of its channel, and names no item.
TRIED_ELSEWHERE = ("POST /v3/entities/{id}/split", "POST /v3/deliveries")
SEARCHES = ("/ask", "/recall", "/search", "/arena")
# Fields that must be valid for this or later calls to work, and that identify no item.
MUST_BE_VALID = ("email", "current_password", "new_password", "keep_grants", "keep", "provider")
# It is connected without a credential, and not called until a resource is chosen.
PROVIDER = "github"
# How many items of other kinds than the expected one are sent in each slot, taking turns, so that
# each is sent in about six slots; and how many when the other tenant has none of the expected kind.
MAX_OF_OTHER_KINDS = 6
MAX_OF_ANY_KIND = 18


@dataclass(frozen=True)
class World:
    """The data of one person: names, secrets, and all rows in the database."""

    owner: Person
    rows: list[Rows]
    names: dict[str, str]
    secrets: set[str]
    account: dict[str, Any]

    @cached_property
    def newest(self) -> dict[str, str]:
        """The ids in the newest row of each table, by their place (tenant.table.column)."""
        return {
            f"{number}.{table}.{column}": value
            for number, tables in enumerate(self.rows)
            for table, rows in tables.items()
            for column, value in max(rows, key=_age, default={}).items()
            if is_id(value)
        }

    @cached_property
    def by_place(self) -> dict[str, str]:
        """References by their place: the newest ids, all ids of some tables, and the names."""
        tables = (
            "documents",
            "memories",
            "sessions",
            "feeds",
            "consolidations",
            "connections",
            "standing_instructions",
            "calendars",
            "deliveries",
            "entities",
            "entity_edits",
        )
        ids = {place: id for table in tables for place, id in self._all_of(table).items()}
        return {**self.newest, **ids, **self.names}

    def _all_of(self, table: str) -> dict[str, str]:
        """The ids of all rows, because some calls delete the row that they are sent."""
        return {
            f"{number}.{table}.{index}": row["id"]
            for number, tables in enumerate(self.rows)
            for index, row in enumerate(sorted(tables[table], key=_age))
        }

    @cached_property
    def references(self) -> list[str]:
        return list(dict.fromkeys(self.by_place.values()))

    @cached_property
    def one_of_each(self) -> list[str]:
        """The id of one row of each table."""
        own = (id for place, id in self.newest.items() if place.endswith(".id"))
        return list(dict.fromkeys(own))

    @cached_property
    def ids(self) -> set[str]:
        return ids_in(self.rows)

    @property
    def words(self) -> set[str]:
        return self.secrets | set(self.names.values())

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The table of every id and every project name."""
        tables = chain.from_iterable(tables.items() for tables in self.rows)
        by_id = {row["id"]: table for table, rows in tables for row in rows if "id" in row}
        projects = {name: "projects" for place, name in self.names.items() if "." in place}
        return {**by_id, **projects}

    def of_kind(self, kind: str) -> list[str]:
        return [value for value in self.references if self.kinds.get(value) == kind]

    def counterpart(self, value: str, other: "World") -> str:
        """The reference that has the same place in the other world."""
        return other.by_place[next(place for place, own in self.by_place.items() if own == value)]


def _age(row: dict[str, Any]) -> str:
    return str(row.get("created_at", "")) + str(row.get("id", ""))


async def _create_world(ports: Ports, person: Person, friend: Person, folders: Path) -> World:
    """Create one of everything that the API can create, each with a secret word in it."""
    secret, name = f"secret{new_id().hex}", f"plans-{new_id().hex}"
    tenants = [person.tenant_id, _make_organization(person, friend, secret)]
    project = person.post("/v3/projects", {"name": f"The {name}", "description": secret}).json()
    # A spare project, because two endpoints delete one.
    spare = person.post("/v3/projects", {"name": f"Spare {name}"}).json()
    for content in ("first", "second"):
        _save(person, f"{content} {secret}", secret, project_id=project["id"])
    for number in range(3):
        person.save(f"spare {number} {secret}", content_type="text")
    _copy_a_page(person, secret)
    _mark_passages(person, secret)
    deleted = person.save(f"deleted {secret}")["id"]
    assert person.http.delete(f"/v3/documents/{deleted}?undo=true").status_code == 204
    _remember(person, secret, project["slug"])
    await _contradict(ports, person)
    _record_sessions(person, secret)
    _add_feeds(person, secret)
    _pin_instructions(person, secret)
    _make_calendars(person, secret)
    _make_deliveries(person, secret)
    _rename_people(person, secret)
    _connect(person, secret, folders)
    _evolve(person, secret)
    job = person.post("/v3/memory?async=true", {"content": f"{secret} later"}).json()
    person.post("/v3/auth/login", {"email": person.email, "password": person.password})
    # Two keys, because two endpoints delete one.
    key, _ = (person.post("/v3/api-keys", {"name": secret, "scopes": ["read"]}) for _ in range(2))
    _authorize_client(person, secret)
    until(lambda: _document(person, job["id"])["status"] == "done")
    account = person.http.get("/v3/account").json()
    rows = [await _wait_for_rows(ports, tenant) for tenant in tenants]
    names = {
        "project.name": f"The {name}",
        "project.slug": project["slug"],
        "spare.slug": spare["slug"],
        "api_key": key.json()["id"],
    }
    return World(person, rows, names, {secret, person.email}, account)


def _make_organization(person: Person, friend: Person, secret: str) -> str:
    id = person.post("/v3/organizations", {"name": secret}).json()["id"]
    person.post(f"/v3/organizations/{id}/members", {"email": friend.email, "role": "member"})
    key = {"name": secret, "scopes": ["write"], "organization_id": id}
    raw = person.post("/v3/api-keys", key).json()["key"]
    headers = {"Authorization": f"Bearer {raw}"}
    saved = person.http.post("/v3/memory", json={"content": secret}, headers=headers)
    assert saved.status_code == 201, saved.text
    return id


def _authorize_client(person: Person, secret: str) -> None:
    url = str(person.http.base_url).rstrip("/")
    with call(url) as http:
        client = new_client(http, client_name=secret)
        browser = Browser(http, url)
        browser.sign_in(client.authorization_params(), email=person.email, password=person.password)
        client.tokens(browser)


def _save(person: Person, content: str, secret: str, **fields: Any) -> None:
    extra = {"title": secret, "tags": [secret], "metadata": {secret: secret}}
    person.save(content, source_url=f"https://example.org/{secret}", **extra, **fields)


def _copy_a_page(person: Person, secret: str) -> None:
    """Keep a copy with each saved page, because some calls delete one."""
    for document in person.http.get("/v3/documents", params={"limit": 100}).json()["documents"]:
        if document["source_url"]:
            file = ("page.html", f"<p>{secret}</p>".encode())
            reply = person.http.post(f"/v3/documents/{document['id']}/copy", files={"file": file})
            assert reply.status_code == 200, reply.text


def _mark_passages(person: Person, secret: str) -> None:
    """Mark two passages of each document, because some calls remove one."""
    for document in person.http.get("/v3/documents", params={"limit": 100}).json()["documents"]:
        for number in range(2):
            body = {"quote": f"{number} {document['id']} {secret}", "keep": True, "note": secret}
            reply = person.post(f"/v3/documents/{document['id']}/highlights", body)
            assert reply.status_code == 201, reply.text


def _remember(person: Person, secret: str, project: str) -> None:
    """Save unrelated memories, one of them with a version."""
    statements = (
        "Payroll closes on Friday",
        "Cats sleep a lot",
        "The bridge is shut",
        "Tea is hot",
    )
    extra = {"title": secret, "tags": [secret], "context": {secret: secret}}
    for target, statement in product((project, None), statements):
        # The text differs by project, because an archive merges equal memories of two projects.
        content = f"{statement} {'there' if target else 'here'}, {secret}."
        body = {"content": content, "project": target, **extra}
        reply = person.post("/api/memories", body)
        assert reply.status_code == 201, reply.text
    change = {"content": f"Tea is cold, {secret}."}
    reply = person.http.put(f"/api/memories/{reply.json()['id']}", json=change)
    assert reply.status_code == 200, reply.text


async def _contradict(ports: Ports, person: Person) -> None:
    """Let two memories contradict each other, as only distilling does."""
    memories = person.http.get("/api/memories", params={"limit": 100}).json()["memories"]
    newer, older = (
        UUID(next(memory["id"] for memory in memories if text in memory["content"]))
        for text in ("Payroll", "Cats")
    )
    scope = Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id), actor="test")
    async with ports.db.transaction(scope) as tx:
        await add_links(tx, [Link(MEMORY, newer, MEMORY, older, "contradicts", 0.7)])


def _record_sessions(person: Person, secret: str) -> None:
    """Record several sessions, because one is closed and one deleted."""
    for number in range(3):
        body = {"agent": secret, "title": secret, "key": f"{secret}{number}"}
        id = person.post("/api/sessions", body).json()["id"]
        turn = person.post(f"/api/sessions/{id}/turns", {"role": "user", "content": secret})
        assert turn.status_code == 201, turn.text


def _pin_instructions(person: Person, secret: str) -> None:
    for number in range(2):
        reply = person.post("/v3/instructions", {"content": f"Mind the {secret} {number}."})
        assert reply.status_code == 201, reply.text


def _make_calendars(person: Person, secret: str) -> None:
    for number in range(2):
        reply = person.post("/v3/calendars", {"name": f"{secret} {number}"})
        assert reply.status_code == 201, reply.text


def _make_deliveries(person: Person, secret: str) -> None:
    """They are switched off, so that nothing is sent."""
    for number in range(2):
        body = {"channel": "webhook", "address": f"https://example.org/{secret}{number}"}
        reply = person.post("/v3/deliveries", body)
        assert reply.status_code == 201, reply.text
        person.http.patch(f"/v3/deliveries/{reply.json()['id']}", json={"is_on": False})


def _rename_people(person: Person, secret: str) -> None:
    """Two are renamed, and two are left to be merged."""
    people = {
        "Robert Miller": "painted the house",
        "Anna Weber": "teaches the violin",
        "Clara Stone": "sells old bicycles",
        "David Field": "grows tomatoes",
    }
    for name, does in people.items():
        person.post("/api/memories", {"content": f"{name} {does}, {secret}."})
    listed = person.http.get("/v3/entities", params={"limit": 500}).json()["entities"]
    ids = {item["name"]: item["id"] for item in listed}
    for name in list(people)[:2]:
        body = {"name": f"{name} {secret}"}
        reply = person.http.patch(f"/v3/entities/{ids[name]}", json=body)
        assert reply.status_code == 200, reply.text


def _add_feeds(person: Person, secret: str) -> None:
    for number in range(2):
        reply = person.post("/api/feeds", {"url": f"https://example.org/{secret}/{number}"})
        assert reply.status_code == 201, reply.text


def _connect(person: Person, secret: str, folders: Path) -> None:
    """Connect two folders, because the newest is disconnected, and a service that has webhooks.
    Syncs are rare, so that nothing changes later."""
    assert person.post(f"/v3/connectors/{PROVIDER}/connect", {}).status_code == 201
    assert person.post(f"/v3/connectors/{PROVIDER}/device", {}).status_code == 200
    for number in range(2):
        folder = folders / f"{secret}{number}"
        folder.mkdir(parents=True)
        (folder / f"{secret}.md").write_text(f"connected {number} {secret}")
        body = {"fields": {"path": str(folder)}, "interval_s": 604_800}
        reply = person.post("/v3/connectors/folder/connect", body)
        assert reply.status_code == 201, reply.text


def _evolve(person: Person, secret: str) -> None:
    """Read memories often, so that they are promoted, and send a usage signal."""
    memories = person.http.get("/api/memories", params={"limit": 2}).json()["memories"]
    for memory in memories * 5:
        person.http.get(f"/api/memories/{memory['id']}")
    signal = {"type": "used", "query": secret, "ids": [memories[0]["id"]]}
    assert person.post("/api/evolve/signals", signal).status_code == 201
    assert person.post("/api/evolve/run", {}).status_code == 200
    actions = person.http.get("/api/evolve/actions").json()["actions"]
    assert [action["action"] for action in actions] == ["promote", "promote"]


def _document(person: Person, id: str) -> dict[str, Any]:
    return person.http.get(f"/v3/documents/{id}").json()


async def _wait_for_rows(ports: Ports, tenant_id: str) -> Rows:
    """The tenant's rows, as soon as all its jobs are completed."""

    async def rows_when_settled() -> Rows | None:
        rows = await rows_of(ports, tenant_id)
        assert all(job["status"] != "failed" for job in rows["jobs"])
        return rows if all(job["status"] == "completed" for job in rows["jobs"]) else None

    return await until_async(rows_when_settled)


@dataclass
class Visit:
    """The requests of a stranger; each reply is checked for data of other tenants.

    A reply may contain what was sent with it or saved before. So the references come from two other
    worlds: those of `referenced` are sent where an item is identified, and those of `quoted` where
    any text is accepted.
    """

    own: World
    referenced: World
    quoted: World
    newcomer: Person
    saved_texts: set[str] = field(default_factory=set)
    # Paths of routes with the references that worked there; related routes often take the same.
    working: list[tuple[str, str]] = field(default_factory=list)

    @cached_property
    def of_any_kind(self) -> Iterator[str]:
        """Foreign references in a cycle: each use continues where the last one stopped."""
        return cycle(self.referenced.references)

    @cached_property
    def of_each_table(self) -> Iterator[str]:
        return cycle(self.quoted.one_of_each)

    @cached_property
    def words(self) -> set[str]:
        return {word for world in (self.referenced, self.quoted) for word in world.words}

    @cached_property
    def ids(self) -> set[str]:
        return self.referenced.ids | self.quoted.ids

    def send(self, operation: Operation, values: Values) -> httpx2.Response:
        reply = operation.send(self.own.owner.http, values)
        content = f"{reply.headers} {reply.text}"
        found = {word for word in self.words if word in content} | (self.ids & ids_in(content))
        sent = {str(value) for value in values.values()}
        leaked = found - sent - self.saved_texts
        assert not leaked, f"{_case(operation, values)} revealed {leaked}: {content}"
        return reply

    def find_working(self, operation: Operation) -> Values:
        """The values of a call that succeeds, so that a later refusal is due to the foreign id.

        Only the stranger's own references are tried; without one that works, the route would not
        be covered.
        """
        replies = []
        for values in _own_calls(operation, self):
            reply = self.send(operation, values)
            replies.append(f"{reply.status_code} {reply.text[:100]}")
            if reply.is_success or not operation.slots:
                self.working += [
                    (operation.path, values[slot]) for slot in values if slot.is_reference
                ]
                return values
        raise AssertionError(f"{operation} never worked for its owner: {replies[-5:]}")


@pytest.fixture
async def visit(make_person: MakePerson, ports: Ports, server: Server) -> Visit:
    own, referenced, quoted = [
        await _create_world(ports, make_person(), make_person(), server.folders) for _ in range(3)
    ]
    return Visit(own, referenced, quoted, make_person())


async def test_foreign_ids_and_texts_reveal_and_change_nothing(
    visit: Visit, ports: Ports, guarded: list[Operation]
) -> None:
    for operation in _in_order(guarded):
        working_values = visit.find_working(operation)
        _send_foreign_ids(visit, operation, working_values)
        _send_foreign_texts(visit, operation, working_values)
    for world in (visit.referenced, visit.quoted):
        await _assert_unchanged(ports, world)


def _send_foreign_ids(visit: Visit, operation: Operation, working_values: Values) -> None:
    for foreign in _by_reference(operation, working_values, visit):
        values = {**working_values, **_fresh_texts(working_values), **foreign}
        reply = visit.send(operation, values)
        outcome = f"{_case(operation, values)}: {reply.status_code} {reply.text}"
        if str(operation) in RESULT_PER_ID:
            assert not _affected_ids(reply) & set(foreign.values()), outcome
            continue
        assert reply.status_code == 404, outcome
        assert reply.json()["code"] == "not_found", outcome


def _affected_ids(reply: httpx2.Response) -> set[str]:
    """The ids that the reply reports as found."""
    assert reply.status_code == 200, reply.text
    body = reply.json()
    results = [*body.get("results", ()), *body.get("memories", ())]
    return {result["id"] for result in results if result.get("code") != "not_found"}


def _send_foreign_texts(visit: Visit, operation: Operation, working_values: Values) -> None:
    for foreign in _by_text(operation, visit):
        values = {**working_values, **_fresh_texts(working_values), **foreign}
        visit.saved_texts |= set(foreign.values())
        reply = visit.send(operation, values)
        outcome = f"{_case(operation, values)}: {reply.status_code} {reply.text}"
        assert reply.status_code not in (401, 403), outcome
        assert reply.status_code < 500, outcome


async def _assert_unchanged(ports: Ports, world: World) -> None:
    after = [await rows_of(ports, rows["tenants"][0]["id"]) for rows in world.rows]
    assert _without_last_use(after) == _without_last_use(world.rows)
    assert world.owner.http.get("/v3/account").json() == world.account


def _without_last_use(world: list[Rows]) -> list[Rows]:
    """Without the times of last use, which are recorded late, for the owner's own calls too."""
    return [
        {
            **rows,
            **{
                table: [{**row, "last_used_at": None} for row in rows[table]]
                for table in ("api_keys", "sign_ins")
            },
        }
        for rows in world
    ]


def _case(operation: Operation, values: Values) -> str:
    return f"{operation} with { {slot.name: value for slot, value in values.items()} }"


def _in_order(operations: list[Operation]) -> list[Operation]:
    """Sessions first, because a changed password ends them all. Searches before saves, and the
    samples last, because every search would go through all that was saved."""
    tried = (operation for operation in operations if str(operation) not in TRIED_ELSEWHERE)
    return sorted(tried, key=_position)


def _position(operation: Operation) -> int:
    if operation.path == "/v3/samples":
        return 3
    if operation.path.startswith("/v3/auth/sessions"):
        return 0
    return 1 if operation.method == "GET" or operation.path.endswith(SEARCHES) else 2


def _own_calls(operation: Operation, visit: Visit) -> Iterator[dict[Slot, Any]]:
    password = visit.own.owner.password
    values = (visit.newcomer.email, password, password, True, True, PROVIDER)
    valid = dict(zip(MUST_BE_VALID, values, strict=True))
    overridden = {slot: valid[slot.name] for slot in operation.slots if slot.name in valid}
    reference_slots = [slot for slot in operation.slots if slot.required and slot.is_reference]
    firsts = [slot for slot in reference_slots if not slot.position]
    others = required(operation)
    for chosen in product(_likely_references(operation, visit), repeat=len(firsts)):
        values = {**others, **dict(zip(firsts, chosen, strict=True))}
        values |= {
            slot: _following_reference(values, slot, visit.own)
            for slot in reference_slots
            if slot.position
        }
        if overridden:
            yield {**values, **overridden}
        yield values


def _likely_references(operation: Operation, visit: Visit) -> list[str]:
    """Own references, most likely first: those that worked for the most similar paths, and those
    of the kinds that the path is named after."""
    near = sorted(
        visit.working, key=lambda pair: len(_common_parts(pair[0], operation.path)), reverse=True
    )
    working = [value for _, value in near if value in visit.own.references]
    parts = operation.path.replace("-", "_").split("/")
    same_kind = chain.from_iterable(visit.own.of_kind(part) for part in reversed(parts))
    return list(dict.fromkeys([*working[:2], *same_kind, *working, *visit.own.references]))


def _common_parts(path: str, other: str) -> list[str]:
    """The parts with which both paths begin."""
    pairs = zip(path.split("/"), other.split("/"), strict=False)
    return [part for part, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]


def _following_reference(values: Values, slot: Slot, own: World) -> str:
    """The reference that follows the first item of the list, among all own references."""
    first = next(value for key, value in values.items() if key.keys == (*slot.keys[:-1], 0))
    return own.references[(own.references.index(first) + slot.position) % len(own.references)]


def _fresh_texts(working_values: Values) -> dict[Slot, Any]:
    """Text not sent before, so that no reply is about a duplicate."""
    free = [
        slot for slot in working_values if slot.kind in ("string", "file") and not slot.is_reference
    ]
    return {slot: plain(slot) for slot in free if slot.name not in MUST_BE_VALID}


def _by_reference(
    operation: Operation, working_values: Values, visit: Visit
) -> Iterator[dict[Slot, str]]:
    """Each slot that only identifies an item, with each foreign item of its kind, each foreign name
    and some foreign items of other kinds; then all these slots at once."""
    reference_slots = [slot for slot in operation.slots if slot.is_reference]
    for slot in reference_slots:
        for value in _foreign_references(slot, working_values, visit):
            if (slot.kind != "uuid" and slot.name != "short") or is_id(value):
                yield {slot: value}
    if used := [
        slot
        for slot in reference_slots
        if slot in working_values and slot.name not in MUST_BE_VALID
    ]:
        yield {slot: visit.own.counterpart(working_values[slot], visit.referenced) for slot in used}


def _foreign_references(slot: Slot, working_values: Values, visit: Visit) -> list[str]:
    own, foreign = visit.own, visit.referenced
    kind = own.kinds.get(working_values.get(slot, ""), f"{slot.name.removesuffix('_id')}s")
    same = foreign.of_kind(kind)
    others = islice(visit.of_any_kind, MAX_OF_OTHER_KINDS if same else MAX_OF_ANY_KIND)
    return list(dict.fromkeys([*same, *foreign.names.values(), *others]))


def _by_text(operation: Operation, visit: Visit) -> Iterator[dict[Slot, str]]:
    """Each slot for free text, which may be looked up as a name, with every foreign name; and some
    of them with a foreign id, each of a different table."""
    free = [slot for slot in operation.slots if slot.kind == "string" and not slot.is_reference]
    text_slots = [slot for slot in free if slot.name not in MUST_BE_VALID]
    for slot, name in product(text_slots, visit.quoted.names.values()):
        yield {slot: name}
    ids = islice(visit.of_each_table, MAX_OF_OTHER_KINDS)
    for slot, id in zip(cycle(text_slots), ids, strict=False):
        yield {slot: id}
