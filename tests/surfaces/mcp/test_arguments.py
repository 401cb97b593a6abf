"""Arguments that tools accept beyond their specifications: filters and short ids."""

import pytest

from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import call_tool, over_http, tool_error
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio
FILLER = "The weather stayed grey for the whole of that week and nobody went outside at all. "


async def test_recall_filters_by_tags_and_times_and_returns_the_passage(
    server: Server, person: Person
) -> None:
    person.save(f"{FILLER * 30}We spend Christmas in Bergen. {FILLER * 2}", tags=["family"])
    async with over_http(server, person.key, "2026-07-28") as client:
        arguments = {"query": "where are we at Christmas?"}
        [result] = (await call_tool(client, "recall", {**arguments, "tags": ["family"]}))["results"]
        assert "Bergen" in result["content"]
        for filters in ({"tags": ["work"]}, {"since": "2999-01-01"}, {"until": "2024-01-01"}):
            assert not (await call_tool(client, "recall", {**arguments, **filters}))["results"]
        assert "created_after" in await tool_error(client, "recall", {**arguments, "since": "soon"})


async def test_recall_shows_no_markdown(server: Server, person: Person) -> None:
    text = "# The build\n\nIt takes *ten* seconds on **Tue**.\n\n- see `my_var_name` = 2*3*4"
    person.save(text, title="Notes on the **build**", content_type="markdown")
    person.save("def build(**options): ...", title="build.py", content_type="code")
    async with over_http(server, person.key, "2026-07-28") as client:
        results = (await call_tool(client, "recall", {"query": "how long does the build take"}))[
            "results"
        ]
        by_title = {result["title"]: result["content"] for result in results}
        plain = "The build\n\nIt takes ten seconds on Tue.\n\nsee my_var_name = 2*3*4"
        assert by_title["Notes on the build"] == plain
        assert by_title.get("build.py") in (None, "def build(**options): ...")
        searched = await call_tool(client, "search", {"query": "how long does the build take"})
        assert "Notes on the build" in [hit["title"] for hit in searched["results"]]


async def test_recall_marks_outdated_results(server: Server, person: Person) -> None:
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
        search = await call_tool(client, "search", {"query": "locker key number"})
        marks = [hit.get("metadata", {}).get("replaced_by", "") for hit in search["results"]]
        assert [mark[:32] for mark in marks] == ["", "The locker key is now number 33."]


async def test_the_times_of_a_memory_are_returned(server: Server, person: Person) -> None:
    body = {"content": "I had a migraine.", "occurredAt": "2026-11-03", "dueAt": "2026-12-15"}
    id = person.post("/api/memories", body).json()["id"]
    times = {"occurred_at": "2026-11-03T00:00:00.000Z", "due_at": "2026-12-15T00:00:00.000Z"}
    async with over_http(server, person.key, "2026-07-28") as client:
        answer = await client.call_tool("recall", {"query": "migraine"})
        assert answer.structured_content["results"][0].items() >= times.items()
        assert "I had a migraine.\n(happened 2026-11-03, due 2026-12-15)" in answer.content[0].text
        [hit] = (await call_tool(client, "search", {"query": "migraine"}))["results"]
        assert hit["metadata"] == times
        page = await call_tool(client, "fetch", {"id": hit["id"]})
        assert page["metadata"].items() >= times.items()
        [resource] = (await client.read_resource(f"remem://memory/{id}")).contents
        assert resource.text.endswith("(happened 2026-11-03, due 2026-12-15)")
        answered = await client.call_tool("agent.ask", {"question": "When did I have a migraine?"})
        assert "On 3 November 2026\n[1] I had a migraine. (happened" in answered.content[0].text


async def test_a_replaced_memory_refers_to_its_replacement(server: Server, person: Person) -> None:
    old = person.post("/api/memories", {"content": "My dentist is Dr. Amsel."}).json()["id"]
    new = person.post("/api/memories", {"content": "My dentist is now Dr. Wirth."}).json()["id"]
    async with over_http(server, person.key, "2026-07-28") as client:
        assert (await call_tool(client, "memories.get", {"id": old}))["replacedBy"]["id"] == new
        page = await call_tool(client, "fetch", {"id": f"memory/{old}"})
        assert page["metadata"]["replaced_by"].startswith("My dentist is now Dr. Wirth. (since ")
        [resource] = (await client.read_resource(f"remem://memory/{old}")).contents
        assert "(Outdated: My dentist is now Dr. Wirth. (since " in resource.text


async def test_short_ids_of_memories(server: Server, person: Person) -> None:
    id = person.post("/api/memories", {"content": "Tea is at four."}).json()["id"]
    document = person.save("No memory at all.")["id"]
    async with over_http(server, person.key, "2026-07-28") as client:
        assert (await call_tool(client, "memories.get", {"id": id[-8:]}))["id"] == id
        arguments = {"id": f"memory/{id[-8:]}", "content": "Tea is at five."}
        changed = await call_tool(client, "update_memory", arguments)
        forgotten = await call_tool(client, "forget_memory", {"id": changed["id"][-8:]})
        assert forgotten == {"id": changed["id"], "status": "forgotten"}
        error = await tool_error(client, "forget_memory", {"id": document[-8:]})
        assert "it is the id of a document" in error
        assert "is not a UUID" in await tool_error(client, "forget_memory", {"id": "tea"})
