"""Nobody sees or changes what is another's: every route is tried with another's ids and words."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, cycle, islice, product, takewhile
from pathlib import Path
from typing import Any

import httpx2
import pytest

from remem.core.ports import Ports
from remem.core.time import new_id
from tests.conftest import Person, Server
from tests.surfaces.oauth.protocol import Browser, new_client
from tests.surfaces.rest.calls import Operation, Slot, Values, plain, required
from tests.surfaces.rest.people import MakePerson, call
from tests.surfaces.rest.rows import Rows, ids_in, is_id, rows_of
from tests.tools.waiting import until, until_so

pytestmark = pytest.mark.anyio

# What answers for each id on its own.
BY_ID = ("POST /v3/documents/bulk",)
SEARCHES = ("/ask", "/recall", "/search", "/arena")
# What must be right for a call to work, or for those that follow it, and that names no thing.
MUST_BE_RIGHT = ("email", "current_password", "new_password", "keep_grants", "provider")
# It is connected without a credential, and asked nothing until something of it is chosen.
PROVIDER = "github"
# Of another's things that are not of the kind a place takes: so many are sent there, by turns, so
# that each of them is sent to half a dozen places. More where nothing is of its kind.
OF_OTHER_KINDS = 6
OF_ANY_KIND = 18


@dataclass(frozen=True)
class World:
    """Somebody's things: what each is called, what is secret, and how all stand in the database."""

    owner: Person
    rows: list[Rows]
    names: dict[str, str]
    secrets: set[str]
    account: dict[str, Any]

    @cached_property
    def newest(self) -> dict[str, str]:
        """The ids in the newest row of each table, by where they stand."""
        return {
            f"{number}.{table}.{column}": value
            for number, tables in enumerate(self.rows)
            for table, rows in tables.items()
            for column, value in max(rows, key=_age, default={}).items()
            if is_id(value)
        }

    @cached_property
    def things(self) -> dict[str, str]:
        """The ids in the newest row of each table, by where they stand; then names."""
        several = ("documents", "memories", "sessions", "feeds", "consolidations", "connections")
        every = {place: id for table in several for place, id in self._all_of(table).items()}
        return {**self.newest, **every, **self.names}

    def _all_of(self, table: str) -> dict[str, str]:
        """Every row, because some calls take theirs away from those that follow."""
        return {
            f"{number}.{table}.{place}": row["id"]
            for number, tables in enumerate(self.rows)
            for place, row in enumerate(sorted(tables[table], key=_age))
        }

    @cached_property
    def references(self) -> list[str]:
        return list(dict.fromkeys(self.things.values()))

    @cached_property
    def one_of_each(self) -> list[str]:
        """A row of each table, by its own id."""
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
        """The table of everything that has an id or a name of its own."""
        tables = chain.from_iterable(tables.items() for tables in self.rows)
        by_id = {row["id"]: table for table, rows in tables for row in rows if "id" in row}
        projects = {one: "projects" for place, one in self.names.items() if "." in place}
        return {**by_id, **projects}

    def of_kind(self, kind: str) -> list[str]:
        return [one for one in self.references if self.kinds.get(one) == kind]

    def counterpart(self, value: str, other: "World") -> str:
        """What stands in the other's world where this stands here."""
        return other.things[next(place for place, one in self.things.items() if one == value)]


def _age(row: dict[str, Any]) -> str:
    return str(row.get("created_at", "")) + str(row.get("id", ""))


async def _furnish(ports: Ports, person: Person, friend: Person, folders: Path) -> World:
    """Have one of everything that the API can make, with a secret word in all of it."""
    secret, name = f"secret{new_id().hex}", f"plans-{new_id().hex}"
    tenants = [person.tenant_id, _make_organization(person, friend, secret)]
    project = person.post("/v3/projects", {"name": f"The {name}", "description": secret}).json()
    # Another, because two endpoints take one away.
    spare = person.post("/v3/projects", {"name": f"Spare {name}"}).json()
    for content in ("first", "second"):
        _save(person, f"{content} {secret}", secret, project_id=project["id"])
    for number in range(3):
        person.save(f"spare {number} {secret}", content_type="text")
    deleted = person.save(f"deleted {secret}")["id"]
    assert person.http.delete(f"/v3/documents/{deleted}?undo=true").status_code == 204
    _remember(person, secret, project["slug"])
    _talk(person, secret)
    _follow(person, secret)
    _connect(person, secret, folders)
    _evolve(person, secret)
    job = person.post("/v3/memory?async=true", {"content": f"{secret} later"}).json()
    person.post("/v3/auth/login", {"email": person.email, "password": person.password})
    # Two of them, because two endpoints take one away.
    key, _ = (person.post("/v3/api-keys", {"name": secret, "scopes": ["read"]}) for _ in range(2))
    _let_a_client_in(person, secret)
    until(lambda: _document(person, job["id"])["status"] == "done")
    account = person.http.get("/v3/account").json()
    rows = [await _settled(ports, tenant) for tenant in tenants]
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


def _let_a_client_in(person: Person, secret: str) -> None:
    url = str(person.http.base_url).rstrip("/")
    with call(url) as http:
        client = new_client(http, client_name=secret)
        browser = Browser(http, url)
        browser.sign_in(client.ask(), email=person.email, password=person.password)
        client.tokens(browser)


def _save(person: Person, content: str, secret: str, **fields: Any) -> None:
    extra = {"title": secret, "tags": [secret], "metadata": {secret: secret}}
    person.save(content, source_url=f"https://example.org/{secret}", **extra, **fields)


def _remember(person: Person, secret: str, project: str) -> None:
    """Memories that have nothing to do with each other, one of them with a version."""
    said = ("Payroll closes on Friday", "Cats sleep a lot", "The bridge is shut", "Tea is hot")
    extra = {"title": secret, "tags": [secret], "context": {secret: secret}}
    for where, one in product((project, None), said):
        # Said differently in each, because an archive makes one of what two projects have.
        content = f"{one} {'there' if where else 'here'}, {secret}."
        body = {"content": content, "project": where, **extra}
        reply = person.post("/api/memories", body)
        assert reply.status_code == 201, reply.text
    change = {"content": f"Tea is cold, {secret}."}
    reply = person.http.put(f"/api/memories/{reply.json()['id']}", json=change)
    assert reply.status_code == 200, reply.text


def _talk(person: Person, secret: str) -> None:
    """Several sessions, because one is closed and one deleted."""
    for number in range(3):
        body = {"agent": secret, "title": secret, "key": f"{secret}{number}"}
        id = person.post("/api/sessions", body).json()["id"]
        said = person.post(f"/api/sessions/{id}/turns", {"role": "user", "content": secret})
        assert said.status_code == 201, said.text


def _follow(person: Person, secret: str) -> None:
    for number in range(2):
        made = person.post("/api/feeds", {"url": f"https://example.org/{secret}/{number}"})
        assert made.status_code == 201, made.text


def _connect(person: Person, secret: str, folders: Path) -> None:
    """Two folders, because one is disconnected; rarely synced, so that nothing changes later. The
    newest is disconnected, and the other service is the one that can call."""
    assert person.post(f"/v3/connectors/{PROVIDER}/connect", {}).status_code == 201
    assert person.post(f"/v3/connectors/{PROVIDER}/device", {}).status_code == 200
    for number in range(2):
        folder = folders / f"{secret}{number}"
        folder.mkdir(parents=True)
        (folder / f"{secret}.md").write_text(f"connected {number} {secret}")
        body = {"fields": {"path": str(folder)}, "interval_s": 604_800}
        made = person.post("/v3/connectors/folder/connect", body)
        assert made.status_code == 201, made.text


def _evolve(person: Person, secret: str) -> None:
    """A memory that is read often is promoted, and what was used is signalled."""
    found = person.http.get("/api/memories", params={"limit": 2}).json()["memories"]
    for memory in found * 5:
        person.http.get(f"/api/memories/{memory['id']}")
    signal = {"type": "used", "query": secret, "ids": [found[0]["id"]]}
    assert person.post("/api/evolve/signals", signal).status_code == 201
    assert person.post("/api/evolve/run", {}).status_code == 200
    actions = person.http.get("/api/evolve/actions").json()["actions"]
    assert [one["action"] for one in actions] == ["promote", "promote"]


def _document(person: Person, id: str) -> dict[str, Any]:
    return person.http.get(f"/v3/documents/{id}").json()


async def _settled(ports: Ports, tenant_id: str) -> Rows:
    """The tenant's rows once no job of theirs is under way."""

    async def rows_when_settled() -> Rows | None:
        rows = await rows_of(ports, tenant_id)
        assert all(job["status"] != "failed" for job in rows["jobs"])
        return rows if all(job["status"] == "completed" for job in rows["jobs"]) else None

    return await until_so(rows_when_settled)


@dataclass
class Visit:
    """A stranger's requests, each watched for what is not theirs to see.

    A reply may give back what was sent, and what they saved of it before. So it is two others whose
    things are sent: of the one, where a thing is named, and of the other, where any text may stand.
    """

    own: World
    named: World
    said: World
    newcomer: Person
    left_here: set[str] = field(default_factory=set)
    # Things that opened a route, with its path; the next one is often opened by the same.
    worked: list[tuple[str, str]] = field(default_factory=list)

    @cached_property
    def of_any_kind(self) -> Iterator[str]:
        """Another's things, again and again: each caller goes on where the last one stopped."""
        return cycle(self.named.references)

    @cached_property
    def of_each_table(self) -> Iterator[str]:
        return cycle(self.said.one_of_each)

    @cached_property
    def words(self) -> set[str]:
        return {one for world in (self.named, self.said) for one in world.words}

    @cached_property
    def ids(self) -> set[str]:
        return self.named.ids | self.said.ids

    def send(self, operation: Operation, values: Values) -> httpx2.Response:
        reply = operation.send(self.own.owner.http, values)
        seen = f"{reply.headers} {reply.text}"
        known = {one for one in self.words if one in seen} | (self.ids & ids_in(seen))
        sent = {str(value) for value in values.values()}
        leaked = known - sent - self.left_here
        assert not leaked, f"{_case(operation, values)} told {leaked}: {seen}"
        return reply

    def find_working(self, operation: Operation) -> Values:
        """A call that succeeds, so that a refusal is about whose thing was asked for.

        It is looked for among the stranger's own things; a route which none of them opens would
        not be covered.
        """
        replies = []
        for values in _own_calls(operation, self):
            reply = self.send(operation, values)
            replies.append(f"{reply.status_code} {reply.text[:100]}")
            if reply.is_success or not operation.slots:
                self.worked += [(operation.path, values[slot]) for slot in values if slot.refers]
                return values
        raise AssertionError(f"{operation} never worked for its owner: {replies[-5:]}")


@pytest.fixture
async def visit(make_person: MakePerson, ports: Ports, server: Server) -> Visit:
    own, named, said = [
        await _furnish(ports, make_person(), make_person(), server.folders) for _ in range(3)
    ]
    return Visit(own, named, said, make_person())


async def test_a_stranger_finds_nothing_by_anothers_ids_and_words(
    visit: Visit, ports: Ports, guarded: list[Operation]
) -> None:
    for operation in _in_order(guarded):
        works = visit.find_working(operation)
        _send_anothers_ids(visit, operation, works)
        _send_anothers_words(visit, operation, works)
    for world in (visit.named, visit.said):
        await _assert_unchanged(ports, world)


def _send_anothers_ids(visit: Visit, operation: Operation, works: Values) -> None:
    for foreign in _by_reference(operation, works, visit):
        values = {**works, **_fresh(works), **foreign}
        reply = visit.send(operation, values)
        outcome = f"{_case(operation, values)}: {reply.status_code} {reply.text}"
        if str(operation) in BY_ID:
            assert not _done(reply) & set(foreign.values()), outcome
            continue
        assert reply.status_code == 404, outcome
        assert reply.json()["code"] == "not_found", outcome


def _done(reply: httpx2.Response) -> set[str]:
    """The ids something was done to."""
    assert reply.status_code == 200, reply.text
    return {one["id"] for one in reply.json()["results"] if one["code"] != "not_found"}


def _send_anothers_words(visit: Visit, operation: Operation, works: Values) -> None:
    for foreign in _by_text(operation, visit):
        values = {**works, **_fresh(works), **foreign}
        visit.left_here |= set(foreign.values())
        reply = visit.send(operation, values)
        outcome = f"{_case(operation, values)}: {reply.status_code} {reply.text}"
        assert reply.status_code not in (401, 403), outcome
        assert reply.status_code < 500, outcome


async def _assert_unchanged(ports: Ports, world: World) -> None:
    after = [await rows_of(ports, rows["tenants"][0]["id"]) for rows in world.rows]
    assert _but_for_use(after) == _but_for_use(world.rows)
    assert world.owner.http.get("/v3/account").json() == world.account


def _but_for_use(world: list[Rows]) -> list[Rows]:
    """When a key was used is noted a little later; their owner's own calls are."""
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
    """A password that is changed ends every session, so sessions go before it. What searches comes
    before what saves, and the samples come last: it would go through all of that each time."""
    return sorted(operations, key=_turn)


def _turn(operation: Operation) -> int:
    if operation.path == "/v3/samples":
        return 3
    if operation.path.startswith("/v3/auth/sessions"):
        return 0
    return 1 if operation.method == "GET" or operation.path.endswith(SEARCHES) else 2


def _own_calls(operation: Operation, visit: Visit) -> Iterator[dict[Slot, Any]]:
    password = visit.own.owner.password
    values = (visit.newcomer.email, password, password, True, PROVIDER)
    right = dict(zip(MUST_BE_RIGHT, values, strict=True))
    named = {slot: right[slot.name] for slot in operation.slots if slot.name in right}
    refers = [slot for slot in operation.slots if slot.required and slot.refers]
    firsts = [slot for slot in refers if not slot.again]
    others = required(operation)
    for chosen in product(_likely(operation, visit), repeat=len(firsts)):
        values = {**others, **dict(zip(firsts, chosen, strict=True))}
        values |= {slot: _next_to(values, slot, visit.own) for slot in refers if slot.again}
        if named:
            yield {**values, **named}
        yield values


def _likely(operation: Operation, visit: Visit) -> list[str]:
    """Own things, first those of the kind that the path is named after, then those that opened what
    stands nearest to this route."""
    near = sorted(visit.worked, key=lambda one: len(_shared(one[0], operation.path)), reverse=True)
    worked = [value for _, value in near if value in visit.own.references]
    parts = operation.path.replace("-", "_").split("/")
    named = chain.from_iterable(visit.own.of_kind(part) for part in reversed(parts))
    return list(dict.fromkeys([*worked[:2], *named, *worked, *visit.own.references]))


def _shared(path: str, other: str) -> list[str]:
    """The parts with which both paths begin."""
    pairs = zip(path.split("/"), other.split("/"), strict=False)
    return [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]


def _next_to(values: Values, slot: Slot, own: World) -> str:
    """What stands behind the first thing of a list, among all there are."""
    first = next(value for one, value in values.items() if one.keys == (*slot.keys[:-1], 0))
    return own.references[(own.references.index(first) + slot.again) % len(own.references)]


def _fresh(works: Values) -> dict[Slot, Any]:
    """Text not sent before, so that no reply is about a duplicate."""
    free = [slot for slot in works if slot.kind in ("string", "file") and not slot.refers]
    return {slot: plain(slot) for slot in free if slot.name not in MUST_BE_RIGHT}


def _by_reference(operation: Operation, works: Values, visit: Visit) -> Iterator[dict[Slot, str]]:
    """Each place that can only name a thing with each of the other's of its kind, with each of
    their names and with some things of other kinds; then all places at once."""
    refers = [slot for slot in operation.slots if slot.refers]
    for slot in refers:
        for value in _foreign(slot, works, visit):
            if (slot.kind != "uuid" and slot.name != "short") or is_id(value):
                yield {slot: value}
    if used := [slot for slot in refers if slot in works and slot.name not in MUST_BE_RIGHT]:
        yield {slot: visit.own.counterpart(works[slot], visit.named) for slot in used}


def _foreign(slot: Slot, works: Values, visit: Visit) -> list[str]:
    own, theirs = visit.own, visit.named
    kind = own.kinds.get(works.get(slot, ""), f"{slot.name.removesuffix('_id')}s")
    same = theirs.of_kind(kind)
    others = islice(visit.of_any_kind, OF_OTHER_KINDS if same else OF_ANY_KIND)
    return list(dict.fromkeys([*same, *theirs.names.values(), *others]))


def _by_text(operation: Operation, visit: Visit) -> Iterator[dict[Slot, str]]:
    """Each place for any text, which may be looked up as a name: with every name of the other's,
    and with some of the ids, of another table each."""
    free = [slot for slot in operation.slots if slot.kind == "string" and not slot.refers]
    places = [slot for slot in free if slot.name not in MUST_BE_RIGHT]
    for slot, name in product(places, visit.said.names.values()):
        yield {slot: name}
    some = islice(visit.of_each_table, OF_OTHER_KINDS)
    for slot, id in zip(cycle(places), some, strict=False):
        yield {slot: id}
