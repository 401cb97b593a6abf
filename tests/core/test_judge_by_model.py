"""Memories with a language model beside them: used where it is right, the rules elsewhere."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from remem.adapters.llm.openai import OpenAILlm
from remem.core.documents.distil import distil_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.judgements import Passage
from remem.core.memories.derive import derive_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.core.memories import contents, events, save
from tests.tools.llm import PATH, by_prompt, completion, model, with_llm
from tests.tools.site import Page, Site, page

pytestmark = pytest.mark.anyio
SAID = datetime(2023, 5, 8, tzinfo=UTC)
TALK = Passage("Hi! I moved to Berlin last week with 2 cats. I live by the sea.", 10, "Ann", SAID)


@asynccontextmanager
async def with_model(ports: Ports, *pages: Page) -> AsyncIterator[tuple[Ports, Site]]:
    with model(*pages) as site:
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", waits_s=())
        yield with_llm(ports, llm), site
        await llm.close()


def stated(quote: str, statement: str, **fields: Any) -> dict[str, Any]:
    return {
        "quote": quote,
        "statement": statement,
        "category": "episode",
        "confidence": 0.9,
        **fields,
    }


async def distilled(ports: Ports, *answers: dict[str, Any]) -> list[str]:
    async with with_model(ports, completion({"statements": list(answers)})) as (asked, _):
        return [one.content for one in await asked.judge.distil([TALK])]


async def test_what_the_model_quotes_is_kept_with_its_place(ports: Ports) -> None:
    quote = "I moved to Berlin last week with 2 cats."
    reply = completion({"statements": [stated(quote, "Ann moved to Berlin with 2 cats.")]})
    async with with_model(ports, reply) as (asked, site):
        [one] = await asked.judge.distil([TALK])
    assert (one.content, one.category) == ("Ann moved to Berlin with 2 cats.", "episode")
    assert TALK.text[one.start - 10 : one.end - 10] == quote
    assert one.occurred_at == datetime(2023, 5, 1, tzinfo=UTC)
    assert b"<text>" in site.asked[0].body


async def test_what_does_not_stand_in_the_text_is_dropped(ports: Ports) -> None:
    assert await distilled(ports, stated("I moved to Rome.", "Ann moved to Rome.")) == []
    grown = stated("I moved to Berlin last week with 2 cats.", "Ann moved there with 7 cats.")
    assert await distilled(ports, grown) == []
    sure = stated("I live by the sea.", "Ann lives by the sea.", confidence=7)
    assert await distilled(ports, sure) == []
    dated = stated("I moved to Berlin last week with 2 cats.", "Ann moved before 8 May 2023.")
    assert await distilled(ports, dated) == ["Ann moved before 8 May 2023."]


BY_RULES = [
    "I moved to Berlin last week with 2 cats.",
    "I live by the sea.",
]


@pytest.mark.parametrize(
    "reply",
    [
        page(b"", 500),
        page(b"", 401),
        completion(""),
        completion(None, refusal="No."),
        completion({"statements": [{"quote": "x"}]}),
        completion({"statements": [stated("a", "b", category="gossip")]}),
    ],
)
async def test_without_an_answer_the_rules_distil(ports: Ports, reply: Page) -> None:
    async with with_model(ports, reply) as (asked, _):
        assert [one.content for one in await asked.judge.distil([TALK])] == BY_RULES


async def test_what_was_recalled_is_never_shown_to_the_model(ports: Ports) -> None:
    text = "I live by the sea.\n\n[1] Secret trip (2026-01-02)\nAnn went to Rome."
    async with with_model(ports, completion({"statements": []})) as (asked, site):
        await asked.judge.distil([Passage(text, 0, "Ann", SAID)])
    assert b"by the sea" in site.asked[0].body
    assert b"Secret" not in site.asked[0].body and b"Rome" not in site.asked[0].body


async def test_a_document_is_distilled_by_the_model(ports: Ports, scope: Scope) -> None:
    quote = "I moved to Berlin in May 2020."
    reply = completion({"statements": [stated(quote, "The user moved to Berlin in May 2020.")]})
    async with with_model(ports, reply) as (asked, _):
        draft = Draft(content=f"{quote} I own a boat.", content_type="note", index_only=False)
        document = (await ingest(replace(ports, distils=False), scope, draft)).document
        await distil_document(asked, scope, document.id)
    assert await contents(ports, scope) == ["The user moved to Berlin in May 2020."]


def says(action: str, id: str | None = None) -> Callable[[str], Any]:
    """Says of every known statement that it is this; or of an id of its own making."""

    def decide(prompt: str) -> Any:
        ids = [id] if id else re.findall(r"^([0-9a-f-]{36}): ", prompt, re.MULTILINE)
        return {"relations": [{"id": one, "action": action, "confidence": 0.9} for one in ids]}

    return decide


async def test_the_model_says_what_a_statement_is_to_known_ones(ports: Ports, scope: Scope) -> None:
    old = await save(ports, scope, "The office plant is a fern.")
    async with with_model(ports) as (asked, site):
        site.pages[PATH] = by_prompt(says("update"), site)
        new = await save(asked, scope, "The office plant is a tall fern from Peru.")
    assert (new.status, new.superseded) == ("updated", (old.memory.id,))
    told_of = [
        data["relations"]
        for name, data in await events(ports, scope, new.memory.id)
        if name == "update"
    ]
    assert told_of[0][0]["reasons"] == ["by the language model"]


@pytest.mark.parametrize("id", ["01a1de1c-956f-7085-bf97-6217bd76e0f7", "no id at all"])
async def test_an_id_that_was_not_offered_counts_for_nothing(
    ports: Ports, scope: Scope, id: str
) -> None:
    await save(ports, scope, "The office plant is a fern.")
    async with with_model(ports) as (asked, site):
        site.pages[PATH] = by_prompt(says("noop", id), site)
        again = await save(asked, scope, "The office plant is a fern!")
        other = await save(asked, scope, "Bob plays chess on Sundays.")
    assert (again.status, other.status) == ("duplicate", "saved")


async def test_without_an_answer_the_rules_relate(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The office plant is a fern.")
    async with with_model(ports, page(b"", 500)) as (asked, site):
        assert (await save(asked, scope, "The office plant is a fern!")).status == "duplicate"
        assert site.asked


async def test_the_model_takes_a_memory_apart(ports: Ports, scope: Scope) -> None:
    whole = (await save(ports, scope, "Ann, a nurse, must call Bob by 3 March 2096.")).memory
    facts = [
        {"quote": "Ann, a nurse", "statement": "Ann is a nurse."},
        {
            "quote": "must call Bob by 3 March 2096",
            "statement": "Ann must call Bob by 3 March 2096.",
        },
        {"quote": "Bob is rich", "statement": "Bob is rich."},
    ]
    async with with_model(ports, completion({"facts": facts}), completion({"relations": []})) as (
        asked,
        _,
    ):
        derived = await derive_memory(asked, scope, whole.id)
    assert [one.content for one in derived.facts] == [facts[0]["statement"], facts[1]["statement"]]
    assert [one.due_at for one in derived.foresight] == [
        datetime(2096, 3, 3, 23, 59, 59, tzinfo=UTC)
    ]


async def test_without_an_answer_the_rules_derive(ports: Ports, scope: Scope) -> None:
    whole = (await save(ports, scope, "Bo plays chess. Cy speaks Basque.")).memory
    async with with_model(ports, completion({"facts": []}), page(b"", 500)) as (asked, _):
        derived = await derive_memory(asked, scope, whole.id)
    assert [one.content for one in derived.facts] == ["Bo plays chess.", "Cy speaks Basque."]
