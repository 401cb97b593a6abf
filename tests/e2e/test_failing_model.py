"""While a configured language model fails, nothing is superseded, in whatever way something is
saved: over REST, MCP, as a document, a file or an import."""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from remem.bootstrap import open_ports
from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.settings import Settings
from tests.conftest import Person, Server, new_person, start_server, stop_server
from tests.core.test_failing_model import UNKNOWN_ID, hanging
from tests.surfaces.mcp.conftest import call_tool, over_http
from tests.tools.external import store_settings
from tests.tools.llm import PATH, by_prompt, completion, model
from tests.tools.site import Page, Site, hang_up, page
from tests.transfer.stores import import_lines, wait_for_jobs

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

# Of each pair, the second replaces the first where no model is configured.
PAIRS = [
    ("My manager is Ana.", "My manager is Ben."),
    ("I live in Paris.", "I moved to Berlin."),
    ("Our printer toner is HP 26A.", "Our printer toner is HP 59X now."),
    ("My dentist is Dr. Amsel.", "My dentist is now Dr. Wirth."),
    ("The service Kirin is deployed with GitLab.", "The service Kirin is deployed with Jenkins."),
    ("I prefer light mode.", "I prefer dark mode now."),
    ("The treasurer of the chess club is Ole.", "The treasurer of the chess club is Mia."),
    ("My phone number is 555-0101.", "My phone number is 555-0199."),
]
RELATE = b"Known statements:"
SAID = [text for pair in PAIRS for text in pair]


class Ways:
    """One user and every way in which they can save a statement."""

    def __init__(self, server: Server, person: Person) -> None:
        self._server, self._person = server, person

    async def save(self, text: str) -> None:
        self._post("/api/memories", {"content": text})

    async def save_deferred(self, text: str) -> None:
        self._post("/api/memories", {"content": text, "defer": True})

    async def save_document(self, text: str) -> None:
        self._post("/v3/memory", {"content": text, "metadata": {"role": "user"}})

    async def save_document_later(self, text: str) -> None:
        self._post("/v3/memory?async=true", {"content": text, "metadata": {"role": "user"}})

    async def save_in_container(self, text: str) -> None:
        self._post("/v1/documents", {"content": text, "metadata": {"role": "user"}})

    async def upload(self, text: str) -> None:
        form = {"metadata": json.dumps({"role": "user"})}
        reply = self._person.http.post(
            "/v3/documents/upload", files={"file": ("note.txt", text.encode())}, data=form
        )
        assert reply.is_success, reply.text

    async def save_by_tool(self, text: str) -> None:
        await self._call("/coding", "save_memory", {"content": text})

    async def create_by_tool(self, text: str) -> None:
        await self._call("/platform", "memories.create", {"content": text})

    async def save_document_by_tool(self, text: str) -> None:
        await self._call("/assistant", "memory", {"content": text})

    async def import_memory(self, text: str) -> None:
        record = {"id": text, "memory": text, "user_id": "anna"}
        job = import_lines(self._person, [json.dumps([record])])
        assert job["status"] == "completed", job

    async def _call(self, toolset: str, tool: str, arguments: dict[str, Any]) -> None:
        async with over_http(self._server, self._person.key, "2026-07-28", toolset) as client:
            await call_tool(client, tool, arguments)

    def _post(self, path: str, body: dict[str, Any]) -> None:
        reply = self._person.post(path, body)
        assert reply.is_success, reply.text


WAYS = (
    Ways.save, Ways.save_deferred, Ways.save_document, Ways.save_document_later,
    Ways.save_in_container, Ways.upload, Ways.save_by_tool, Ways.create_by_tool,
    Ways.save_document_by_tool, Ways.import_memory,
)  # fmt: skip


def always(answer: Page) -> Callable[[Site, str], Page]:
    return lambda site, other_id: answer


def for_relations(failure: Page) -> Callable[[Site, str], Page]:
    """Fail when asked for relations; other failures would pause the model before that."""

    def failing(site: Site, other_id: str) -> Page:
        def answer(request: BaseHTTPRequestHandler) -> None:
            asks_relations = RELATE in site.requests[-1].body
            (failure if asks_relations else completion(""))(request)

        return answer

    return failing


def update_all(*ids: str, offered: bool = False) -> Callable[[Site, str], Page]:
    """Say that the memories with these ids are replaced, and those that were asked about if
    `offered`. "other" is a memory of another tenant."""

    def failing(site: Site, other_id: str) -> Page:
        def decide(prompt: str) -> Any:
            named = [other_id if id == "other" else id for id in ids]
            if offered:
                named += re.findall(r"^([0-9a-f-]{36})", prompt, re.MULTILINE)
            relations = [{"id": id, "action": "update", "confidence": 0.99} for id in named]
            return {"relations": relations}

        return by_prompt(decide, site)

    return failing


Failure = Callable[[Site, str], Page]

# After these, the model is asked again at once.
ANSWERS: dict[str, Failure] = {
    "a foreign id": update_all(UNKNOWN_ID),
    "an id of another tenant": update_all("other"),
    "an id of another tenant among others": update_all("other", offered=True),
    "no id": update_all("", "null", "1"),
    "garbage": always(completion("Sure! I replaced everything.")),
    "half JSON": always(completion('{"relations": [{"id": "')),
    "an empty answer": always(completion("")),
    "an empty object": always(completion({})),
}
# These pause the model, so each needs a server of its own.
OUTAGES: dict[str, Failure] = {
    "an empty body": for_relations(page(b"")),
    "a cut body": for_relations(page(b'{"choices": [', Content_Type="application/json")),
    "401": for_relations(page(b"", 401)),
    "500": for_relations(page(b"", 500)),
    "429": for_relations(page(b"", 429, Retry_After="600")),
    "no reply": for_relations(hang_up),
    "no end": lambda site, other_id: hanging(site),
}


@pytest.fixture
def site() -> Iterator[Site]:
    with model(completion("")) as site:
        yield site


@pytest.fixture
def server_with_model(site: Site, data_dir: Path) -> Iterator[Server]:
    server = start_server(
        data_dir,
        REMEM_LLM_PROVIDER="openai",
        REMEM_LLM_URL=f"{site.url}/v1",
        REMEM_LLM_KEY="a key of the tests",
        REMEM_DISTIL="true",
    )
    yield server
    stop_server(server)


@pytest.mark.parametrize(
    "failures",
    [ANSWERS, *({name: failure} for name, failure in OUTAGES.items())],
    ids=["an answer", *OUTAGES],
)
async def test_nothing_is_superseded_in_any_way_of_saving(
    server_with_model: Server, site: Site, failures: dict[str, Failure]
) -> None:
    async with open_ports(Settings(**store_settings(server_with_model.data_dir))) as ports:
        for name, failure in failures.items():
            site.requests.clear()
            with registered(server_with_model) as person, registered(server_with_model) as other:
                other_id = other.post("/api/memories", {"content": "I live in Paris."}).json()["id"]
                site.pages[PATH] = failure(site, other_id)
                # Each save waits for a model that does not answer.
                texts = SAID[:6] if name == "no end" else SAID
                ways = await save_all(Ways(server_with_model, person), texts, seed=name)
                await wait_for_jobs(ports, person.tenant_id)
                for tenant in (person, other):
                    assert not await superseded(ports, tenant), f"{name}: {ways}"
            if name != "no end":
                assert any(RELATE in request.body for request in site.requests), name


@contextmanager
def registered(server: Server) -> Iterator[Person]:
    person = new_person(server)
    yield person
    person.http.close()


async def save_all(user: Ways, texts: Sequence[str], seed: str) -> list[str]:
    """Save every text in a random way; returns the ways."""
    ways = random.Random(seed).choices(WAYS, k=len(texts))
    for text, save in zip(texts, ways, strict=True):
        await save(user, text)
    return [way.__name__ for way in ways]


async def superseded(ports: Ports, person: Person) -> list[str]:
    async with ports.db.transaction(Bound(tenant_id=UUID(person.tenant_id))) as tx:
        rows = await tx.fetch(
            "SELECT content FROM memories WHERE state <> 'active' OR NOT is_current"
        )
    return [row["content"] for row in rows]
