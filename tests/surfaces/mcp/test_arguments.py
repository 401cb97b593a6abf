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
