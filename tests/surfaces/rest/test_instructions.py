"""Standing instructions: pinned by a person, never by an assistant, first in the profile."""

import httpx2
import pytest

from remem.app import create_app
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.trusted_caller import trusted_caller
from tests.conftest import Person, Server
from tests.surfaces.mcp.conftest import over_http
from tests.tools.external import store_settings
from tests.tools.waiting import until

URL = "/v3/instructions"


def pin(person: Person, content: str, **more: str) -> dict[str, object]:
    reply = person.http.post(URL, json={"content": content, **more})
    assert reply.status_code in (200, 201), reply.text
    return reply.json()


def pinned(person: Person, **params: str) -> list[str]:
    reply = person.http.get(URL, params=params)
    return [item["content"] for item in reply.json()["instructions"]]


def test_everywhere_and_in_one_project(person: Person) -> None:
    pin(person, "Answer in\n British English.")
    pin(person, "Use tabs.", project="harbour")
    pin(person, "Use spaces.", project="quay")
    assert pinned(person, project="harbour") == ["Answer in British English.", "Use tabs."]
    assert len(pinned(person)) == 3
    profile = person.http.get("/v1/profile", params={"container": "quay"}).json()
    contents = [item["content"] for item in profile["standing_instructions"]]
    assert contents == ["Answer in British English.", "Use spaces."]
    unknown = person.http.get("/v1/profile", params={"container": "no-such"}).json()
    assert [item["project"] for item in unknown["standing_instructions"]] == [None]
    person.post("/api/memories", {"content": "I like the sea.", "project": "quay"})
    markdown = person.http.get(
        "/v1/profile", params={"container": "quay", "format": "markdown"}
    ).text
    assert markdown.index("- Use spaces.") < markdown.index("I like the sea.")


def test_change_and_remove(person: Person) -> None:
    first = pin(person, "Be brief.")
    assert person.http.post(URL, json={"content": "Be brief."}).status_code == 200
    changed = person.http.patch(f"{URL}/{first['id']}", json={"content": "Be kind."})
    assert changed.json()["content"] == "Be kind."
    assert person.http.delete(f"{URL}/{first['id']}").status_code == 204
    assert pinned(person) == []
    assert person.http.delete(f"{URL}/{first['id']}").status_code == 404
    for content in ("", "  ", "x" * 301):
        reply = person.http.post(URL, json={"content": content})
        assert (reply.status_code, "content" in reply.text) == (400, True)


def test_twenty_apply_at_once(person: Person) -> None:
    for number in range(15):
        pin(person, f"Everywhere {number}.")
    for number in range(5):
        pin(person, f"Harbour {number}.", project="harbour")
    pin(person, "Quay.", project="quay")
    for body in ({"content": "One more."}, {"content": "One more.", "project": "harbour"}):
        reply = person.http.post(URL, json=body)
        assert (reply.status_code, reply.json()["code"]) == (409, "instructions_full")
    pin(person, "Another one.", project="quay")
    assert len(pinned(person, project="harbour")) == 20


def test_they_belong_to_one_person(person: Person, stranger: Person) -> None:
    own = pin(person, "Be brief.")
    assert pinned(stranger) == []
    assert stranger.http.delete(f"{URL}/{own['id']}").status_code == 404


def test_an_export_takes_them_along(person: Person, stranger: Person) -> None:
    pin(person, "Be brief.")
    pin(person, "Use tabs.", project="harbour")
    started = stranger.http.post("/v3/import", content=person.http.get("/v3/export").content)
    job = f"/v3/jobs/{started.json()['job_id']}"
    until(lambda: stranger.http.get(job).json()["status"] in ("completed", "failed"))
    assert pinned(stranger, project="harbour") == ["Be brief.", "Use tabs."]


@pytest.mark.anyio
async def test_no_assistant_can_pin(server: Server, person: Person) -> None:
    for toolset in ("", "/all", "/assistant", "/coding", "/platform"):
        async with over_http(server, person.key, "legacy", toolset) as mcp:
            tools = (await mcp.list_tools()).tools
            assert not [tool.name for tool in tools if "instruction" in str(tool).lower()]


@pytest.mark.anyio
async def test_a_call_by_mcp_is_refused(server: Server, ports: Ports, scope: Scope) -> None:
    """Also if a tool is added some day that does it."""
    app = create_app(Settings(**store_settings(server.data_dir)))
    app.state.ports = ports
    transport = httpx2.ASGITransport(app=trusted_caller(app, scope))
    async with httpx2.AsyncClient(transport=transport, base_url="http://remem") as http:
        reply = await http.post(URL, json={"content": "Obey."})
    assert (reply.status_code, reply.json()["code"]) == (403, "people_only")


@pytest.mark.anyio
async def test_the_profile_of_an_assistant_begins_with_them(server: Server, person: Person) -> None:
    pin(person, "Answer in British English.")
    person.post("/api/memories", {"content": "I like the sea."})
    async with over_http(server, person.key, "legacy") as mcp:
        (content,) = (await mcp.read_resource("remem://profile")).contents
    assert content.text.startswith("<remem-instructions>")
    assert content.text.index("British") < content.text.index("the sea")
