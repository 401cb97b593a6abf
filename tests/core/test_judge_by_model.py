"""Judgements of a language model: used when its answer is valid; otherwise the rules decide."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from remem.adapters.llm.openai import OpenAILlm
from remem.core.documents.distil import distil_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.judgements import Passage
from remem.core.judges.by_rules import RulesJudge
from remem.core.memories import save as saving
from remem.core.memories.browse import get_memory
from remem.core.memories.derive import derive_memory
from remem.core.memories.process import relate_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.core.memories import contents, events, save
from tests.tools.llm import PATH, by_prompt, completion, model, with_llm
from tests.tools.site import Page, Site, page

pytestmark = pytest.mark.anyio
SAID_AT = datetime(2023, 5, 8, tzinfo=UTC)
DAY = timedelta(days=1)
TALK = Passage(
    "Hi! I moved to Berlin last week with 2 cats. I live by the sea.", 10, "Ann", SAID_AT
)


@asynccontextmanager
async def with_model(ports: Ports, *pages: Page) -> AsyncIterator[tuple[Ports, Site]]:
    with model(*pages) as site:
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", waits_s=())
        yield with_llm(ports, llm), site
        await llm.close()


def statement_of_model(quote: str, statement: str, **fields: Any) -> dict[str, Any]:
    return {
        "quote": quote,
        "statement": statement,
        "category": "episode",
        "confidence": 0.9,
        **fields,
    }


async def distilled(ports: Ports, *answers: dict[str, Any]) -> list[str]:
    async with with_model(ports, completion({"statements": list(answers)})) as (model_ports, _):
        return [statement.content for statement in await model_ports.judge.distil([TALK])]


async def test_a_statement_of_the_model_has_the_offsets_of_its_quote(ports: Ports) -> None:
    quote = "I moved to Berlin last week with 2 cats."
    reply = completion(
        {"statements": [statement_of_model(quote, "Ann moved to Berlin with 2 cats.")]}
    )
    async with with_model(ports, reply) as (model_ports, site):
        [statement] = await model_ports.judge.distil([TALK])
    assert (statement.content, statement.category) == (
        "Ann moved to Berlin with 2 cats.",
        "episode",
    )
    assert TALK.text[statement.start - 10 : statement.end - 10] == quote
    assert statement.occurred_at == datetime(2023, 5, 1, tzinfo=UTC)
    assert b"<text>" in site.requests[0].body


async def test_statements_that_the_text_does_not_support_are_dropped(ports: Ports) -> None:
    assert (
        await distilled(ports, statement_of_model("I moved to Rome.", "Ann moved to Rome.")) == []
    )
    changed_number = statement_of_model(
        "I moved to Berlin last week with 2 cats.", "Ann moved there with 7 cats."
    )
    assert await distilled(ports, changed_number) == []
    invalid_confidence = statement_of_model(
        "I live by the sea.", "Ann lives by the sea.", confidence=7
    )
    assert await distilled(ports, invalid_confidence) == []
    added_date = statement_of_model(
        "I moved to Berlin last week with 2 cats.", "Ann moved before 8 May 2023."
    )
    assert await distilled(ports, added_date) == ["Ann moved before 8 May 2023."]


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
        completion({"statements": [statement_of_model("a", "b", category="gossip")]}),
    ],
)
async def test_the_rules_distil_when_the_model_fails(ports: Ports, reply: Page) -> None:
    async with with_model(ports, reply) as (model_ports, _):
        assert [
            statement.content for statement in await model_ports.judge.distil([TALK])
        ] == BY_RULES


async def test_recalled_text_is_never_sent_to_the_model(ports: Ports) -> None:
    text = "I live by the sea.\n\n[1] Secret trip (2026-01-02)\nAnn went to Rome."
    async with with_model(ports, completion({"statements": []})) as (model_ports, site):
        await model_ports.judge.distil([Passage(text, 0, "Ann", SAID_AT)])
    assert b"by the sea" in site.requests[0].body
    assert b"Secret" not in site.requests[0].body and b"Rome" not in site.requests[0].body


async def test_a_document_is_distilled_by_the_model(ports: Ports, scope: Scope) -> None:
    quote = "I moved to Berlin in May 2020."
    reply = completion(
        {"statements": [statement_of_model(quote, "The user moved to Berlin in May 2020.")]}
    )
    async with with_model(ports, reply) as (model_ports, _):
        draft = Draft(content=f"{quote} I own a boat.", content_type="note", index_only=False)
        document = (await ingest(replace(ports, distils=False), scope, draft)).document
        await distil_document(model_ports, scope, document.id)
    assert await contents(ports, scope) == ["The user moved to Berlin in May 2020."]


def relate_all_as(action: str, id: str | None = None) -> Callable[[str], Any]:
    """Answer with `action` for every known memory in the prompt, or for `id` alone."""

    def decide(prompt: str) -> Any:
        ids = [id] if id else re.findall(r"^([0-9a-f-]{36})", prompt, re.MULTILINE)
        return {
            "relations": [{"id": known_id, "action": action, "confidence": 0.9} for known_id in ids]
        }

    return decide


async def test_the_model_relates_a_statement_to_known_memories(ports: Ports, scope: Scope) -> None:
    old = await save(ports, scope, "The office plant is a fern.")
    async with with_model(ports) as (model_ports, site):
        site.pages[PATH] = by_prompt(relate_all_as("update"), site)
        new = await save(model_ports, scope, "The office plant is a tall fern from Peru.")
    assert (new.status, new.superseded) == ("updated", (old.memory.id,))
    relations = [
        data["relations"]
        for name, data in await events(ports, scope, new.memory.id)
        if name == "update"
    ]
    assert relations[0][0]["reasons"] == ["by the language model"]


async def test_the_model_relates_a_statement_to_later_ones(ports: Ports, scope: Scope) -> None:
    """The later of two replaces the earlier, and the model says whether."""
    later = await save(ports, scope, "The office plant is a tall fern from Peru.")
    async with with_model(ports) as (model_ports, site):
        site.pages[PATH] = by_prompt(relate_all_as("similar"), site)
        kept = await save(
            model_ports,
            scope,
            "The office plant is a cactus.",
            created_at=later.memory.created_at - DAY,
        )
        assert b"said after the new statement" in site.requests[-1].body
        site.pages[PATH] = by_prompt(relate_all_as("update"), site)
        moment = kept.memory.created_at - DAY
        replaced = await save(model_ports, scope, "The office plant is a fern.", created_at=moment)
    assert kept.memory.is_current and not replaced.memory.is_current
    assert (await get_memory(ports, scope, later.memory.id)).is_current


@pytest.mark.parametrize("id", ["01a1de1c-956f-7085-bf97-6217bd76e0f7", "no id at all"])
async def test_a_relation_to_an_id_that_was_not_offered_is_ignored(
    ports: Ports, scope: Scope, id: str
) -> None:
    await save(ports, scope, "The office plant is a fern.")
    async with with_model(ports) as (model_ports, site):
        site.pages[PATH] = by_prompt(relate_all_as("noop", id), site)
        again = await save(model_ports, scope, "The office plant is a fern!")
        other = await save(model_ports, scope, "Bob plays chess on Sundays.")
    assert (again.status, other.status) == ("duplicate", "saved")


async def test_the_rules_relate_when_the_model_fails(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The office plant is a fern.")
    async with with_model(ports, page(b"", 500)) as (model_ports, site):
        assert (await save(model_ports, scope, "The office plant is a fern!")).status == "duplicate"
        assert site.requests


async def test_the_model_derives_facts_of_a_memory(ports: Ports, scope: Scope) -> None:
    memory = (await save(ports, scope, "Ann, a nurse, must call Bob by 3 March 2096.")).memory
    facts = [
        {"quote": "Ann, a nurse", "statement": "Ann is a nurse."},
        {
            "quote": "must call Bob by 3 March 2096",
            "statement": "Ann must call Bob by 3 March 2096.",
        },
        {"quote": "Bob is rich", "statement": "Bob is rich."},
    ]
    async with with_model(ports, completion({"facts": facts}), completion({"relations": []})) as (
        model_ports,
        _,
    ):
        derived = await derive_memory(model_ports, scope, memory.id)
    assert [fact.content for fact in derived.facts] == [
        facts[0]["statement"],
        facts[1]["statement"],
    ]
    assert [plan.due_at for plan in derived.foresight] == [
        datetime(2096, 3, 3, 23, 59, 59, tzinfo=UTC)
    ]


async def test_the_rules_derive_when_the_model_fails(ports: Ports, scope: Scope) -> None:
    memory = (await save(ports, scope, "Bo plays chess. Cy speaks Basque.")).memory
    async with with_model(ports, completion({"facts": []}), page(b"", 500)) as (model_ports, _):
        derived = await derive_memory(model_ports, scope, memory.id)
    assert [fact.content for fact in derived.facts] == ["Bo plays chess.", "Cy speaks Basque."]


@pytest.mark.parametrize(
    "reply",
    [
        page(b"", 500),
        page(b"", 401),
        completion("no JSON"),
        completion({"relations": [{"id": "no id", "action": "update", "confidence": 1}]}),
    ],
)
async def test_nothing_is_replaced_when_the_model_fails(
    ports: Ports, scope: Scope, reply: Page
) -> None:
    """Without a model configured, the second statement replaces the first."""
    said = ["My manager is Ana.", "My manager is Ben.", "I live in Paris.", "I moved to Berlin."]
    async with with_model(ports, reply) as (model_ports, _):
        statuses = [(await save(model_ports, scope, text)).status for text in said]
    assert statuses == ["saved"] * len(said)
    assert sorted(await contents(ports, scope)) == sorted(said)
    assert (await save(ports, scope, "My manager is Eva.")).status == "updated"


async def test_the_model_is_asked_about_five_memories_at_most(ports: Ports, scope: Scope) -> None:
    asked: list[int] = []

    def decide(prompt: str) -> Any:
        ids = re.findall(r"^([0-9a-f-]{36}): ", prompt, re.MULTILINE)
        asked.append(len(ids))
        return {"relations": []}

    by_rules = replace(ports, reader=None, judge=RulesJudge(ports.analysis))
    for color in ("red", "blue", "green", "white", "black", "yellow", "brown"):
        await save(by_rules, scope, f"The office plant has {color} flowers in a pot.")
    async with with_model(ports) as (model_ports, site):
        site.pages[PATH] = by_prompt(decide, site)
        await save(model_ports, scope, "The office plant has purple flowers in a pot.")
    assert max(asked) == 5


class HangingLlm:
    """A language model that never answers."""

    model = "hanging"

    async def ask(self, prompt: str, shape: type[Any]) -> Any:
        await asyncio.Event().wait()

    async def close(self) -> None:
        return None


async def test_a_model_that_hangs_is_waited_for_by_a_job(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "MODEL_WAIT_S", 0.1)
    old = await save(ports, scope, "My manager is Ana.")
    new = await save(with_llm(ports, HangingLlm()), scope, "My manager is Ben.")
    assert (new.status, new.superseded) == ("saved", ())
    assert new.job_id is not None
    async with with_model(ports) as (model_ports, site):
        site.pages[PATH] = by_prompt(relate_all_as("update"), site)
        await relate_memory(model_ports, scope, new.memory.id)
    assert not (await get_memory(ports, scope, old.memory.id)).is_current
