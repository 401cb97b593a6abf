"""The check-up: each number counts exactly what it says, its list shows it, and a fix is undone."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest

from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id, now
from tests.conftest import Person, Server
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio


NOWHERE = "01900000-0000-7000-8000-000000000000"


def scope_of(person: Person) -> Scope:
    return Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id), actor="test")


def remember(person: Person, content: str, **fields: Any) -> str:
    reply = person.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


def save(person: Person, content: str, **fields: Any) -> str:
    """A document of which no memories are distilled."""
    return person.save(content, index_only=True, **fields)["id"]


def numbers(person: Person) -> dict[str, int]:
    reply = person.http.get("/v3/checkup")
    assert reply.status_code == 200, reply.text
    return {finding["kind"]: finding["count"] for finding in reply.json()["findings"]}


def listed(person: Person, kind: str, **params: Any) -> list[dict[str, Any]]:
    reply = person.http.get(f"/v3/checkup/{kind}", params=params)
    assert reply.status_code == 200, reply.text
    return reply.json()["items"]


def fix(person: Person, kind: str) -> list[dict[str, Any]]:
    keys = [item["key"] for item in listed(person, kind)]
    reply = person.post(f"/v3/checkup/{kind}/fix", {"keys": keys}).json()
    assert reply["failed"] == 0, reply
    return reply["results"]


def undo(person: Person, results: list[dict[str, Any]]) -> None:
    reply = person.post("/v3/checkup/undo", {"undo": [result["undo"] for result in results]})
    assert reply.json()["failed"] == 0, reply.text


async def run_sql(ports: Ports, person: Person, sql: str, *values: object) -> None:
    async with ports.db.transaction(scope_of(person)) as tx:
        await tx.execute(sql, *values)


def test_an_empty_store_has_nothing_to_do(person: Person) -> None:
    assert numbers(person) == {}
    remember(person, "The ferry leaves at nine.")
    person.save("The harbour office opens at eight and closes at four on weekdays.")
    assert numbers(person) == {}


async def test_memories_that_say_the_same_are_merged(person: Person, ports: Ports) -> None:
    # Saved as something else: what is saved twice, or with another number, is related at once.
    texts = {
        "Ivo has a kite.": "The ferry to Zor leaves at 9.",
        "Ada has a canoe.": "the ferry to “Zor”  leaves at 9",
        "Eva has a loom.": "The ferry to Zor leaves at 19.",
        "Jo has a cello.": "The ferry to Zor leaves at -9.",
        "Uma has a goat.": "The ferry to Zor leaves at 9?",
    }
    first, copy, *others = ids = [remember(person, text) for text in texts]
    elsewhere = remember(person, "The ferry to Zor leaves at 9.", project="elsewhere")
    for id, text in zip(ids, texts.values(), strict=True):
        change = "UPDATE memories SET content = $3 WHERE tenant_id = $1 AND id = $2"
        await run_sql(ports, person, change, UUID(id), text)
    others.append(elsewhere)
    assert numbers(person) == {"duplicates": 1}
    [item] = listed(person, "duplicates")
    assert (item["id"], item["other_id"], item["subject"]) == (copy, first, "memory")
    results = fix(person, "duplicates")
    assert numbers(person) == {}
    assert all(person.http.get(f"/api/memories/{id}").json()["state"] == "active" for id in others)
    undo(person, results)
    # Whoever undoes a merge says that these are two.
    assert person.http.get(f"/api/memories/{copy}").json()["state"] == "active"
    assert numbers(person) == {}


LETTER = (
    "Dear Ms Zorb, thank you for your letter about the allotment by the canal. The committee has"
    " read it with pleasure. {0} We look forward to seeing you at the summer feast in the"
    " orchard. With kind regards, the committee of the allotment society."
)


def test_documents_that_differ_by_a_slip_are_duplicates(person: Person) -> None:
    kept = save(person, LETTER.format("Your plot is the one beside the old pump."))
    copy = save(person, LETTER.format("Your plot is the one besides the old pump."))
    # The same form, filled in for others.
    save(person, LETTER.format("Your plot is number 17 and costs 40 crowns."))
    save(person, LETTER.format("Your plot is number 18 and costs 40 crowns."))
    save(person, LETTER.format("Sadly there is no plot left; we shall write again in spring, when"))
    assert numbers(person) == {"duplicates": 1}
    [item] = listed(person, "duplicates")
    assert (item["id"], item["other_id"], item["subject"]) == (copy, kept, "document")
    results = fix(person, "duplicates")
    assert numbers(person) == {}
    assert [item["id"] for item in person.http.get("/v3/trash").json()["documents"]] == [copy]
    undo(person, results)
    until(lambda: numbers(person) == {"duplicates": 1})


async def link(ports: Ports, person: Person, a: str, b: str, relation: str) -> None:
    await run_sql(
        ports, person,
        "INSERT INTO links (tenant_id, id, from_kind, from_id, to_kind, to_id, relation)"
        " VALUES ($1, $2, 'memory', $3, 'memory', $4, $5)",
        new_id(), UUID(a), UUID(b), relation,
    )  # fmt: skip


async def test_of_contradicting_memories_the_newer_stays(person: Person, ports: Ports) -> None:
    texts = ("Zorin lives in Oslo.", "Zorin paints boats.", "Anna bakes rye.", "Ole fishes cod.")
    older, newer, third, fourth = (remember(person, text) for text in texts)
    await link(ports, person, newer, older, "contradicts")
    await link(ports, person, fourth, third, "related")
    await link(ports, person, fourth, newer, "contradicts")
    person.http.delete(f"/api/memories/{fourth}")
    assert numbers(person) == {"contradictions": 1}
    [item] = listed(person, "contradictions")
    assert (item["id"], item["other_id"]) == (older, newer)
    results = fix(person, "contradictions")
    assert numbers(person) == {}
    outdated = person.http.get(f"/api/memories/{older}").json()
    assert (outdated["state"], outdated["replacedBy"]["id"]) == ("superseded", newer)
    undo(person, results)
    assert person.http.get(f"/api/memories/{older}").json()["state"] == "active"
    assert numbers(person) == {"contradictions": 1}


async def test_memories_whose_document_is_gone(person: Person, ports: Ports) -> None:
    document = save(person, "The miller writes about wheat and wind.")
    ids = [
        remember(person, text)
        for text in ("The mill grinds on Mondays.", "The mill has two wheels.", "I own a mill.")
    ]
    derived = (
        "UPDATE memories SET source = 'distil', document_id = $3 WHERE tenant_id = $1 AND id = $2"
    )
    await run_sql(ports, person, derived, UUID(ids[0]), UUID(document))
    await run_sql(ports, person, derived, UUID(ids[1]), None)
    assert numbers(person) == {"lost_sources": 1}
    assert [item["id"] for item in listed(person, "lost_sources")] == [ids[1]]
    results = fix(person, "lost_sources")
    assert numbers(person) == {}
    undo(person, results)
    assert numbers(person) == {"lost_sources": 1}


async def test_memories_that_nobody_recalled(person: Person, ports: Ports) -> None:
    unused, read, rated, fresh, due = (
        remember(person, text)
        for text in ("Ivo has a kite.", "Ada has a canoe.", "Eva has a loom.", "Jo has a cello.",
                     "Pay the harbour dues.")
    )  # fmt: skip
    old, later = now() - timedelta(days=100), now() + timedelta(days=300)
    age = "UPDATE memories SET created_at = $3, stated_at = NULL WHERE tenant_id = $1 AND id = $2"
    for id in (unused, read, rated, due):
        await run_sql(ports, person, age, UUID(id), old)
    person.http.get(f"/api/memories/{read}")
    person.post(f"/api/memories/{rated}/feedback", {"type": "helpful"})
    when = "UPDATE memories SET due_at = $3 WHERE tenant_id = $1 AND id = $2"
    await run_sql(ports, person, when, UUID(due), later)
    assert numbers(person) == {"never_recalled": 1}
    assert [item["id"] for item in listed(person, "never_recalled")] == [unused]
    results = fix(person, "never_recalled")
    assert numbers(person) == {}
    undo(person, results)
    assert numbers(person) == {"never_recalled": 1}
    assert fresh


async def test_what_has_no_vector_is_embedded(person: Person, ports: Ports) -> None:
    document = save(person, "The lighthouse keeper counts the gulls each evening.")
    refused = save(person, "The harbour pilot counts the seals each morning.")
    memory = remember(person, "The keeper likes gulls.")
    bare = "UPDATE chunks SET embedded_with = NULL WHERE tenant_id = $1 AND document_id = $2"
    await run_sql(ports, person, bare, UUID(document))
    # The model refused it: embedding it again would change nothing.
    await run_sql(
        ports, person,
        "UPDATE chunks SET embedded_hash = NULL WHERE tenant_id = $1 AND document_id = $2",
        UUID(refused),
    )  # fmt: skip
    await run_sql(
        ports, person,
        "UPDATE memories SET embedded_with = NULL WHERE tenant_id = $1 AND id = $2", UUID(memory),
    )  # fmt: skip
    assert numbers(person) == {"without_vectors": 2}
    assert {item["id"] for item in listed(person, "without_vectors")} == {document, memory}
    fix(person, "without_vectors")
    until(lambda: numbers(person) == {})


async def test_assistants_that_stopped_saving(person: Person, ports: Ports) -> None:
    def saved(agent: str, *days_ago: int) -> list[tuple[str, int]]:
        return [(agent, days) for days in days_ago]

    project = person.http.get("/v3/projects").json()["projects"][0]["id"]
    rows = (
        saved("stopped", *range(12, 30, 2))
        + saved("daily", *range(20))
        + saved("weekly", *range(8, 80, 7))
        + saved("tried-once", 15, 16)
        + saved("given-up", *range(90, 120, 2))
    )
    for agent, days in rows:
        await run_sql(
            ports, person,
            "INSERT INTO sessions (tenant_id, id, project_id, user_id, agent, created_at,"
            " updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)",
            new_id(), UUID(project), UUID(person.user_id), agent, now() - timedelta(days=days),
        )  # fmt: skip
    assert numbers(person) == {"capture_gaps": 1}
    [item] = listed(person, "capture_gaps")
    assert (item["id"], item["is_fixable"]) == ("stopped", False)
    assert "every 2 days" in item["detail"]


async def test_documents_in_languages_that_the_model_does_not_read(
    person: Person, ports: Ports
) -> None:
    def save_in(language: str) -> str:
        text = f"Saved text {new_id()} with a language of its own."
        return save(person, text, metadata={"language": language})

    georgian = save_in("ka")
    save_in("en")
    assert numbers(person) == {"languages": 1}
    [item] = listed(person, "languages")
    assert (item["id"], item["detail"]) == (georgian, "Language: ka")
    reply = person.post("/v3/checkup/languages/fix", {"keys": [item["key"]]})
    assert reply.status_code == 400


SECRETS = (
    "The password of the kitchen radio is hunter2x.",
    "Das WLAN-Passwort lautet Zauberberg7.",
    "パスワードは tanuki88 です。",
    "Deploy with api_key = 9f8a7d6c5b4e.",
    "The server is postgres://ann:s3cret9@db.example/notes.",
)
NO_SECRETS = (
    "The password is stored in the vault.",
    "The token is expired since 2024.",
    "Password policy: ISO27001 as always.",
    "Set password=${DB_PASSWORD1} in the file.",
    "The secret of good bread is patience.",
    "Das Passwort ist geheim und im Tresor.",
)


def test_secrets_are_masked(person: Person) -> None:
    ids = {remember(person, text) for text in SECRETS}
    for text in NO_SECRETS:
        remember(person, text)
    content = "Notes on the move.\n\nNew flat: the door code is unknown. Passwort: Sommer2024x"
    document = save(person, content)
    person.save("Notes on the garden.\n\nThe password of the shed was changed by Ole last week.")
    assert numbers(person)["secrets"] == 6
    items = listed(person, "secrets")
    assert {item["id"] for item in items} == {*ids, document}
    shown = " ".join(item["text"] + item["detail"] for item in items)
    for secret in ("hunter2x", "Zauberberg7", "tanuki88", "9f8a7d6c5b4e", "s3cret9", "Sommer2024x"):
        assert secret not in shown
    results = fix(person, "secrets")
    until(lambda: "secrets" not in numbers(person))
    assert not person.recall("Sommer2024x", mode="fast")
    undo(person, results)
    until(lambda: numbers(person).get("secrets") == 6)


def test_lists_have_pages(person: Person) -> None:
    for text in SECRETS[:3]:
        remember(person, text)
    person.save("Kennwort: Herbst2023x, for the shed by the canal.")
    keys, cursor = [], None
    while True:
        params = {"limit": 2, **({"cursor": cursor} if cursor else {})}
        page = person.http.get("/v3/checkup/secrets", params=params).json()
        keys += [item["key"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(keys) == len(set(keys)) == 4


def test_nobody_sees_the_findings_of_others(person: Person, stranger: Person) -> None:
    remember(person, SECRETS[0])
    [item] = listed(person, "secrets")
    assert numbers(stranger) == {}
    assert listed(stranger, "secrets") == []
    reply = stranger.post("/v3/checkup/secrets/fix", {"keys": [item["key"]]}).json()
    assert reply["failed"] == 1
    assert numbers(person) == {"secrets": 1}


@pytest.mark.parametrize("key", ["x", "memory:x", f"cat:{NOWHERE}", NOWHERE])
def test_a_wrong_key_is_an_error_of_its_own(person: Person, key: str) -> None:
    for kind in ("duplicates", "contradictions", "never_recalled", "capture_gaps", "secrets"):
        [result] = person.post(f"/v3/checkup/{kind}/fix", {"keys": [key]}).json()["results"]
        assert result["error"], kind


@pytest.fixture
def operator(server: Server) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    with httpx2.Client(base_url=server.url, headers=headers, timeout=60) as http:
        yield http


async def test_only_the_operator_is_told_of_backups(
    person: Person, operator: httpx2.Client, ports: Ports, scope: Scope
) -> None:
    def kinds(http: httpx2.Client) -> set[str]:
        return {finding["kind"] for finding in http.get("/v3/checkup").json()["findings"]}

    async def record(days: int) -> None:
        async with ports.db.transaction(scope) as tx:
            await tx.system.execute("DELETE FROM backups")
            await tx.system.execute(
                "INSERT INTO backups (made_at, bytes)"
                " VALUES (now() - make_interval(days => $1), 1)",
                days,
            )

    await record(5)
    assert "backups" in kinds(operator)
    assert "backups" not in kinds(person.http)
    assert person.post("/v3/checkup/backups/fix", {"keys": ["backups"]}).status_code == 403
    reply = operator.post("/v3/checkup/backups/fix", json={"keys": ["backups"]}).json()
    assert reply["failed"] == 0
    until(lambda: "backups" not in kinds(operator))
    await record(1)
    assert "backups" not in kinds(operator)


@pytest.mark.parametrize("kind", ["secrets", "never_recalled", "lost_sources", "contradictions"])
def test_a_cursor_of_no_page_is_refused_by_its_name(person: Person, kind: str) -> None:
    reply = person.http.get(f"/v3/checkup/{kind}", params={"cursor": "0" * 100})
    assert reply.status_code == 400
    assert reply.json()["details"] == {"field": "cursor"}


def test_a_fix_without_an_action_is_refused_by_the_name_of_its_finding(person: Person) -> None:
    reply = person.post("/v3/checkup/languages/fix", {"keys": ["a key"]})
    assert reply.status_code == 400
    assert reply.json()["details"] == {"field": "finding"}
