"""Expansions, summaries and variants of a language model, used if the text supports them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from remem.adapters.llm.openai import OpenAILlm
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Document, Draft
from remem.core.documents.read import get_document
from remem.core.documents.sum_up import sum_up_document
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from tests.core.memories import save
from tests.tools.llm import by_prompt, completion, model, with_llm
from tests.tools.site import Page, Site, hang_up, page

pytestmark = pytest.mark.anyio

FAILURES = {
    "refusal": completion(None, refusal="No."),
    "another shape": completion({"wrong": 1}),
    "empty": completion(""),
    "401": page(b"", 401),
    "429": page(b"", 429),
    "500": page(b"", 500),
    "no answer": hang_up,
}
WELL = (
    "The well behind the chapel was dug in 1874 by the brothers Aebi. It is 31 metres deep and"
    " was closed in 1962, when the village laid its first pipes. Every spring the pump is painted"
    " green, and the children of the village are shown how water was drawn. The chapel keeps the"
    " old bucket, and the chain hangs in the sacristy, where the keys of the well are kept too. "
    "Nobody has fallen into it since the wall was raised."
)


@asynccontextmanager
async def with_model(ports: Ports, *pages: Page) -> AsyncIterator[tuple[Ports, Site]]:
    with model(*pages) as site:
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", waits_s=(), timeout_s=20)
        yield with_llm(ports, llm), site
        await llm.close()


async def expanded(ports: Ports, content: str, text: str) -> str | None:
    async with with_model(ports, completion({"text": text})) as (model_ports, _):
        return await model_ports.judge.expand(content)


async def test_an_expansion_must_say_the_same_in_more_words(ports: Ports) -> None:
    body = "The k8s cluster has 3 nodes"
    more = "The Kubernetes (k8s) cluster has 3 nodes, that is machines"
    assert await expanded(ports, body, more) == more
    assert await expanded(ports, body, "The Kubernetes cluster has 4 nodes") is None
    assert await expanded(ports, body, "Bananas are yellow and 3 8") is None
    assert await expanded(ports, body, body) is None


async def test_a_memory_is_saved_with_its_expansion(ports: Ports, scope: Scope) -> None:
    def decide(prompt: str) -> Any:
        if "a search would find" in prompt:
            return {"text": "Gregor moved the pg replica: the PostgreSQL standby database"}
        return {"relations": []}

    with model() as site:
        site.pages["/v1/chat/completions"] = by_prompt(decide, site)
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", waits_s=())
        saved = await save(with_llm(ports, llm), scope, "Gregor moved the pg replica")
        await llm.close()
    assert saved.memory.expanded and "standby" in saved.memory.expanded
    assert saved.memory.content == "Gregor moved the pg replica"


@pytest.mark.parametrize("reply", FAILURES.values(), ids=FAILURES)
async def test_everything_is_saved_when_the_model_fails(
    ports: Ports, scope: Scope, reply: Page
) -> None:
    async with with_model(ports, reply) as (model_ports, site):
        saved = await save(model_ports, scope, "The ferry to Elba takes an hour")
        document = (
            await ingest(model_ports, scope, Draft(content=WELL, content_type="text"))
        ).document
        await sum_up_document(model_ports, scope, document.id)
        page = await recall(model_ports, scope, Query("well behind the chapel", variants=True))
    assert site.requests
    assert (saved.status, saved.memory.expanded) == ("saved", None)
    stored = (await get_document(ports, scope, document.id)).document
    assert (stored.summary, stored.metadata.get("topics")) == (document.summary, None)
    assert [result.document.document_id for result in page.results] == [document.id]


async def test_a_summary_must_be_about_the_text(ports: Ports, scope: Scope) -> None:
    document = (await ingest(ports, scope, Draft(content=WELL, content_type="text"))).document
    good = "The well behind the chapel, dug in 1874, is 31 metres deep and was closed in 1962."
    cases = [
        ("Buy shares in our company today for quick wins!", document.summary),
        ("The well behind the chapel was dug in 1999.", document.summary),
        (good, good),
    ]
    for offered, expected in cases:
        reply = completion({"summary": offered, "topics": ["Aebi", "bitcoin", "the village"]})
        async with with_model(ports, reply) as (model_ports, _):
            await sum_up_document(model_ports, scope, document.id)
        assert (await get_document(ports, scope, document.id)).document.summary == expected
    stored = (await get_document(ports, scope, document.id)).document
    assert stored.metadata["topics"] == ["Aebi", "the village"]


async def test_a_summary_in_other_words_does_not_discard_the_rest(
    ports: Ports, scope: Scope
) -> None:
    document = (await ingest(ports, scope, Draft(content=WELL, content_type="text"))).document
    reply = completion(
        {
            "summary": "An account of how people once fetched drinking supplies from deep below.",
            "topics": ["Aebi", "bitcoin"],
            "category": "Article",
            "sentiment": "positive",
            "author": "the brothers Aebi",
            "published_on": "1962-05-31",
        }
    )
    async with with_model(ports, reply) as (model_ports, _):
        await sum_up_document(model_ports, scope, document.id)
    stored = (await get_document(ports, scope, document.id)).document
    assert stored.summary == document.summary
    assert stored.tags == ["Aebi"]
    expected = {
        "topics": ["Aebi"],
        "category": "article",
        "sentiment": "positive",
        "author": "the brothers Aebi",
        "published_at": "1962-05-31",
    }
    assert stored.metadata.items() >= expected.items()


ARTICLE = f"By Marlene Aebi, 4 May 2019\n\n{WELL}"


async def described(ports: Ports, scope: Scope, draft: Draft, **fields: Any) -> Document:
    document = (await ingest(ports, scope, draft)).document
    summary = "The well behind the chapel is 31 metres deep."
    reply = completion({"summary": summary, "topics": ["the village"], **fields})
    async with with_model(ports, reply) as (model_ports, _):
        await sum_up_document(model_ports, scope, document.id)
    stored = (await get_document(ports, scope, document.id)).document
    assert stored.summary == summary
    return stored


async def test_the_model_adds_tags_and_metadata(ports: Ports, scope: Scope) -> None:
    draft = Draft(content=WELL, content_type="text")
    fields = {"category": "article", "sentiment": "positive", "author": "the brothers Aebi"}
    document = await described(ports, scope, draft, published_on="1962-05-31", **fields)
    assert document.tags == ["the village"]
    assert document.metadata.items() >= (fields | {"published_at": "1962-05-31"}).items()


async def test_invented_values_are_dropped_and_given_ones_are_kept(
    ports: Ports, scope: Scope
) -> None:
    draft = Draft(
        content=ARTICLE, content_type="text", tags=["water"], metadata={"category": "email"}
    )
    invented = {"category": "gossip", "sentiment": "rude", "author": "Ada", "published_on": "soon"}
    document = await described(ports, scope, draft, **invented)
    known = {"author": "Marlene Aebi", "published_at": "2019-05-04", "category": "email"}
    assert (document.tags, document.metadata | known) == (["water"], document.metadata)
    assert "sentiment" not in document.metadata
    other = Draft(content=f"{WELL} Again.", content_type="text", metadata={"category": "email"})
    document = await described(ports, scope, other, category="article", published_on="1999-05-31")
    assert (document.metadata["category"], document.metadata.get("published_at")) == ("email", None)


async def test_variants_find_other_words_and_are_only_used_on_request(
    ports: Ports, scope: Scope
) -> None:
    await ingest(
        ports, scope, Draft(content="The automobile needs new brakes.", content_type="text")
    )
    reply = completion({"queries": ["automobile brakes", "", "x" * 900, "CAR"]})
    async with with_model(ports, reply) as (model_ports, site):
        await recall(model_ports, scope, Query("car", mode="fast"))
        assert site.requests == []
        page = await recall(model_ports, scope, Query("car", mode="fast", variants=True))
        assert len(site.requests) == 1
    assert [result.document.title for result in page.results] == [
        "The automobile needs new brakes."
    ]
    assert json.loads(site.requests[0].body)["model"] == "tiny"
