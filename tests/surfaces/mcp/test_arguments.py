"""What tools take beside what their sources describe: filters, and short ids."""

import pytest

from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import over_http, refusal, structured
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio
FILLER = "The weather stayed grey for the whole of that week and nobody went outside at all. "


async def test_recall_takes_tags_and_times_and_shows_what_was_asked_for(
    server: Server, person: Person
) -> None:
    person.save(f"{FILLER * 30}We spend Christmas in Bergen. {FILLER * 2}", tags=["family"])
    async with over_http(server, person.key, "2026-07-28") as client:
        asked = {"query": "where are we at Christmas?"}
        [found] = (await structured(client, "recall", {**asked, "tags": ["family"]}))["results"]
        assert "Bergen" in found["content"]
        for filters in ({"tags": ["work"]}, {"since": "2999-01-01"}, {"until": "2024-01-01"}):
            assert not (await structured(client, "recall", {**asked, **filters}))["results"]
        assert "created_after" in await refusal(client, "recall", {**asked, "since": "soon"})


async def test_recall_says_what_is_outdated(server: Server, person: Person) -> None:
    person.save("The locker key is number 12.")
    until(lambda: "number 12" in person.http.get("/api/memories").text)
    person.save("The locker key is now number 33.")
    until(lambda: "number 33" in person.http.get("/api/memories").text)
    async with over_http(server, person.key, "2026-07-28") as client:
        answer = await client.call_tool("recall", {"query": "which number is the locker key?"})
        newer, old = answer.structured_content["results"]
        assert (newer["content"], "replaced_by" in newer) == (
            "The locker key is now number 33.",
            False,
        )
        assert old["replaced_by"].startswith("The locker key is now number 33. (since ")
        assert "(Outdated: The locker key is now number 33." in answer.content[0].text
        found = await structured(client, "search", {"query": "locker key number"})
        marks = [one.get("metadata", {}).get("replaced_by", "") for one in found["results"]]
        assert [mark[:32] for mark in marks] == ["", "The locker key is now number 33."]


async def test_times_of_a_memory_are_said(server: Server, person: Person) -> None:
    body = {"content": "I had a migraine.", "occurredAt": "2026-11-03", "dueAt": "2026-12-15"}
    id = person.post("/api/memories", body).json()["id"]
    times = {"occurred_at": "2026-11-03T00:00:00.000Z", "due_at": "2026-12-15T00:00:00.000Z"}
    async with over_http(server, person.key, "2026-07-28") as client:
        answer = await client.call_tool("recall", {"query": "migraine"})
        assert answer.structured_content["results"][0].items() >= times.items()
        assert "I had a migraine.\n(happened 2026-11-03, due 2026-12-15)" in answer.content[0].text
        [hit] = (await structured(client, "search", {"query": "migraine"}))["results"]
        assert hit["metadata"] == times
        page = await structured(client, "fetch", {"id": hit["id"]})
        assert page["metadata"].items() >= times.items()
        [shown] = (await client.read_resource(f"remem://memory/{id}")).contents
        assert shown.text.endswith("(happened 2026-11-03, due 2026-12-15)")
        asked = await client.call_tool("agent.ask", {"question": "When did I have a migraine?"})
        assert "On 3 November 2026\n[1] I had a migraine. (happened" in asked.content[0].text


async def test_a_memory_that_was_replaced_says_by_what(server: Server, person: Person) -> None:
    old = person.post("/api/memories", {"content": "My dentist is Dr. Amsel."}).json()["id"]
    new = person.post("/api/memories", {"content": "My dentist is now Dr. Wirth."}).json()["id"]
    async with over_http(server, person.key, "2026-07-28") as client:
        assert (await structured(client, "memories.get", {"id": old}))["replacedBy"]["id"] == new
        page = await structured(client, "fetch", {"id": f"memory/{old}"})
        assert page["metadata"]["replaced_by"].startswith("My dentist is now Dr. Wirth. (since ")
        [shown] = (await client.read_resource(f"remem://memory/{old}")).contents
        assert "(Outdated: My dentist is now Dr. Wirth. (since " in shown.text


async def test_short_ids_of_memories(server: Server, person: Person) -> None:
    id = person.post("/api/memories", {"content": "Tea is at four."}).json()["id"]
    document = person.save("No memory at all.")["id"]
    async with over_http(server, person.key, "2026-07-28") as client:
        assert (await structured(client, "memories.get", {"id": id[-8:]}))["id"] == id
        asked = {"id": f"memory/{id[-8:]}", "content": "Tea is at five."}
        changed = await structured(client, "update_memory", asked)
        gone = await structured(client, "forget_memory", {"id": changed["id"][-8:]})
        assert gone == {"id": changed["id"], "status": "forgotten"}
        said = await refusal(client, "forget_memory", {"id": document[-8:]})
        assert "it is the id of a document" in said
        assert "is not a UUID" in await refusal(client, "forget_memory", {"id": "tea"})
