"""While a language model is configured and fails, nothing is superseded, in whatever way something
is saved: rules alone keep both statements."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.adapters.llm.openai import OpenAILlm
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Unavailable
from remem.core.evolution.upkeep.consolidate import consolidate
from remem.core.evolution.upkeep.link import link_all
from remem.core.judgements import KnownMemory
from remem.core.judges.checks import offered_relations
from remem.core.judges.prompts import Classification, Classified
from remem.core.memories import save as saving
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.providers import Unlimited
from remem.core.queued import Job
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import AnyTx
from remem.core.transfer.run_import import begin_import
from remem.core.upkeep.reembed import reembed_tenant
from remem.surfaces.worker.jobs import JOBS
from tests.conftest import new_scope
from tests.core.memories import contents, save
from tests.tools.llm import PATH, by_prompt, completion, model, with_llm
from tests.tools.site import Page, Site, hang_up, in_turn, page

pytestmark = pytest.mark.anyio

# Of each pair, the second replaces the first where no model is configured.
PAIRS = [
    ("My manager is Ana.", "My manager is Ben."),
    ("I live in Paris.", "I moved to Berlin."),
    ("Our printer toner is HP 26A.", "Our printer toner is HP 59X now."),
]
SAID = [text for pair in PAIRS for text in pair]
UNKNOWN_ID = "01a1de1c-956f-7085-bf97-6217bd76e0f7"


@dataclass
class CollectedJobs:
    """A queue whose jobs the test runs, in an order of its own."""

    jobs: list[tuple[str, UUID]] = field(default_factory=list)

    async def enqueue(self, tx: AnyTx, job: Job, **_: Any) -> None:
        self.jobs.append((job.name, job.subject_id))


@dataclass(frozen=True)
class World:
    """A tenant, a configured model, and the jobs that nobody has run yet."""

    ports: Ports
    scope: Scope
    queue: CollectedJobs
    folder: Path

    async def run_jobs(self, *, newest_first: bool = False, times: int = 1) -> None:
        while self.queue.jobs:
            waiting, self.queue.jobs[:] = list(self.queue.jobs), []
            for name, id in reversed(waiting) if newest_first else waiting:
                for _ in range(times):
                    await JOBS[name].work(self.ports, self.scope, id)


async def by_save(world: World) -> None:
    for text in SAID:
        await save(world.ports, world.scope, text)


async def in_parallel(world: World) -> None:
    await asyncio.gather(*(save(world.ports, world.scope, text) for text in SAID))


async def by_job_in_reverse(world: World) -> None:
    for text in SAID:
        await save(world.ports, world.scope, text, defer=True)
    await world.run_jobs(newest_first=True)


async def by_repeated_job(world: World) -> None:
    for text in SAID:
        await save(world.ports, world.scope, text, defer=True)
    await world.run_jobs(times=2)


async def with_earlier_times(world: World) -> None:
    """What was said later is saved first."""
    for ago, text in enumerate(reversed(SAID)):
        await save(world.ports, world.scope, text, created_at=now() - timedelta(days=ago))


async def by_import(world: World) -> None:
    items = [
        {"id": text, "memory": text, "user_id": "anna", "created_at": f"2026-01-{day:02}T00:00:00Z"}
        for day, text in enumerate(SAID, start=1)
    ]
    path = world.folder / "mem0.json"
    path.write_text(json.dumps(items[::-1]))
    await begin_import(world.ports, world.scope, path)


async def by_document(world: World) -> None:
    for text in SAID:
        draft = Draft(content=text, content_type="note", index_only=False)
        await ingest(world.ports, world.scope, draft)


WAYS: tuple[Callable[[World], Awaitable[None]], ...] = (
    by_save, in_parallel, by_job_in_reverse, by_repeated_job, with_earlier_times,
    by_import, by_document,
)  # fmt: skip


def update_all(
    name: Callable[[str], str],
    confidence: float = 1.0,
    also: Sequence[str] = (),
    *,
    action: str = "update",
    twice: bool = False,
) -> Callable[[Site], Page]:
    """Take every known memory for replaced, naming it by what `name` makes of its id."""

    def decide(prompt: str) -> Any:
        ids = [name(id) for id in re.findall(r"^([0-9a-f-]{36})", prompt, re.MULTILINE)]
        relations = [{"id": id, "action": action, "confidence": confidence} for id in (*ids, *also)]
        return {"relations": relations * (2 if twice else 1)}

    return lambda site: by_prompt(decide, site)


def hanging(site: Site) -> Page:
    def answer(_: BaseHTTPRequestHandler) -> None:
        site.closing.wait()

    return answer


def always(answer: Page) -> Callable[[Site], Page]:
    return lambda site: answer


def recovering(*failures: Page) -> Callable[[Site], Page]:
    """Fail, then answer that nothing is related."""
    return lambda site: in_turn(*failures, completion({"relations": []}))


FAILURES: dict[str, Callable[[Site], Page]] = {
    "a foreign id": update_all(lambda id: UNKNOWN_ID),
    "a shortened id": update_all(lambda id: id[:-1]),
    "a foreign id among others": update_all(str, also=[UNKNOWN_ID]),
    "an id twice": update_all(str, twice=True),
    "an impossible confidence": update_all(str, confidence=7),
    "garbage": always(completion("Of course! Here you go: {")),
    "another shape": always(completion({"relations": [{"id": 1, "action": "replace"}]})),
    "no text": always(completion("")),
    "a refusal": always(completion(None, refusal="No.")),
    "no JSON": always(page(b"<html>", Content_Type="application/json")),
    "401": always(page(b"", 401)),
    "500": always(page(b"", 500)),
    "a long pause": always(page(b"", 429, Retry_After="600")),
    "no reply": always(hang_up),
    "no end": hanging,
    "500, then an answer": recovering(*[page(b"", 500)] * 3),
    "garbage, then an answer": recovering(*[completion("{")] * 5),
    "a spent budget": update_all(str),
}


class SpentBudget(Unlimited):
    async def check(self) -> None:
        raise Unavailable("The budget is spent.", code="llm_budget_spent")


@asynccontextmanager
async def failing(ports: Ports, scope: Scope, failure: str, folder: Path) -> AsyncIterator[World]:
    budget = SpentBudget() if failure == "a spent budget" else None
    with model() as site:
        site.pages[PATH] = FAILURES[failure](site)
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", budget=budget, timeout_s=0.2, waits_s=())
        queue = CollectedJobs()
        manual_ports = replace(with_llm(ports, llm), queue=queue)  # type: ignore[arg-type]
        yield World(manual_ports, scope, queue, folder)
        await llm.close()


@pytest.mark.parametrize("failure", FAILURES)
async def test_nothing_is_superseded_while_the_model_fails(
    ports: Ports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    monkeypatch.setattr(saving, "MODEL_WAIT_S", 0.1)
    for store in WAYS:
        scope = await new_scope(ports)
        async with failing(ports, scope, failure, tmp_path) as world:
            await store(world)
            await world.run_jobs()
            await work_on_all(world)
            kept = await contents(ports, scope)
            assert sorted(kept) == sorted(SAID), f"{store.__name__}: {failure}"


async def work_on_all(world: World) -> None:
    """What runs at night and after a change of the embedder."""
    ports, scope = world.ports, world.scope
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE memories SET embedded_with = NULL")
        project_id = (await resolve(tx, None)).id
    await reembed_tenant(ports, scope, scope.tenant_id)
    await link_all(ports, scope, project_id, float("inf"))
    await consolidate(ports, scope, project_id, float("inf"))


# Each is about another thing.
DISTINCT = [
    "We deploy the billing service with GitLab.",
    "We deploy the search service with Jenkins.",
    "Lena hat am 3. Mai Geburtstag.",
    "Der Müll wird dienstags abgeholt.",
    "Mein Fahrradschloss hat den Code 4711.",
    "Le code du portail est 9912.",
    "Le chat noir est à Paul.",
    "Le chat blanc est à Zoé.",
    "Mi hermano vive en Sevilla.",
    "The red bike belongs to Tom.",
    "The blue bike belongs to Ana.",
    "Gate 1 opens with code 11.",
    "Gate 2 opens with code 22.",
]


@pytest.mark.parametrize("action", ["update", "noop"])
@pytest.mark.parametrize("defer", [False, True], ids=["saved", "by a job"])
async def test_a_model_that_replaces_everything_hides_nothing_else(
    ports: Ports, scope: Scope, tmp_path: Path, action: str, defer: bool
) -> None:
    with model() as site:
        site.pages[PATH] = update_all(str, action=action)(site)
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", timeout_s=5, waits_s=())
        queue = CollectedJobs()
        manual_ports = replace(with_llm(ports, llm), queue=queue)  # type: ignore[arg-type]
        world = World(manual_ports, scope, queue, tmp_path)
        for text in DISTINCT:
            await save(world.ports, scope, text, defer=defer)
        await world.run_jobs(newest_first=True)
        assert sorted(await contents(ports, scope)) == sorted(DISTINCT)
        assert site.requests
        await llm.close()


OFFERED = [
    KnownMemory(id=UUID(int=number + 1), content=text, cosine=0.8, created_at=now())
    for number, text in enumerate(SAID)
]
IDS = st.sampled_from([*(str(memory.id) for memory in OFFERED), UNKNOWN_ID, "", "1"])


@given(
    st.lists(
        st.builds(
            Classified,
            id=IDS,
            action=st.sampled_from(["update", "noop", "extend", "similar"]),
            confidence=st.floats(-0.5, 1.5),
        ),
        max_size=5,
    )
)
def test_an_answer_is_used_only_as_a_whole(answers: list[Classified]) -> None:
    relations = offered_relations(Classification(answers), OFFERED)
    ids = [answer.id for answer in answers]
    is_valid = (
        len(set(ids)) == len(ids)
        and {*ids} <= {str(memory.id) for memory in OFFERED}
        and all(0 <= answer.confidence <= 1 for answer in answers)
    )
    assert (relations is not None) == is_valid
    assert sorted(str(relation.target_id) for relation in relations or []) == (
        sorted(ids) if is_valid else []
    )
