"""Notes that a reader with all its heads reads: what lines are worth, and what ends a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from remem.core.documents.distil import distil_document
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Unavailable
from remem.core.judges.by_reader import ReaderJudge
from remem.core.memories.browse import get_memory, list_memories
from remem.core.memories.model import Memory, MemoryChoice
from remem.core.ports import Ports
from remem.core.readings import NoteReading, Span, Verdict, WorthReading
from remem.core.scope import Scope
from tests.core.memories import contents, save

pytestmark = pytest.mark.anyio

NOTE = "wifi: minato-5G\nach ja, egal\nMülltonne ab jetzt donnerstags"
CALLED_OFF, REPLACED = Verdict(0, 0, 0, 0, 1.0), Verdict(0, 1.0, 0, 0, 0)
UNRELATED = Verdict(0, 0, 0, 1.0, 0)


@dataclass
class TrainedReader:
    """A reader that knows the worth of some lines, and gives one verdict for every pair."""

    worth: Mapping[str, WorthReading] = field(default_factory=dict)
    verdict: Verdict = UNRELATED
    fails: bool = False

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]:
        return [self.verdict for _ in olds]

    async def note(self, text: str, lines: Sequence[tuple[int, int]]) -> NoteReading:
        if self.fails:
            raise Unavailable("Nobody reads.")
        return NoteReading([], [self.worth.get(text[start:end]) for start, end in lines])

    async def read(self, question: str, texts: Sequence[str]) -> list[Span]:
        return []


class _IdleQueue:
    async def enqueue(self, *_: Any, **__: Any) -> None: ...


def read_by(ports: Ports, reader: TrainedReader) -> Ports:
    judge = ReaderJudge(ports.analysis, reader=reader)  # type: ignore[arg-type]
    return replace(ports, judge=judge, reader=reader, queue=_IdleQueue())  # type: ignore[arg-type]


async def statements(ports: Ports, scope: Scope, text: str, **fields: Any) -> list[Memory]:
    saved = await ingest(ports, scope, Draft(content=text, content_type="text", **fields))
    await distil_document(ports, scope, saved.document.id)
    return (await list_memories(ports, scope, MemoryChoice(), None, 100)).memories


def by_content(memories: Sequence[Memory]) -> dict[str, tuple[str, float]]:
    return {memory.content: (memory.category, round(memory.confidence, 2)) for memory in memories}


async def test_the_reader_says_which_lines_of_a_note_are_kept(ports: Ports, scope: Scope) -> None:
    reader = TrainedReader(
        {
            "wifi: minato-5G": WorthReading(0.9, "fact"),
            "ach ja, egal": WorthReading(0.1, "fact"),
            "Mülltonne ab jetzt donnerstags": WorthReading(0.99, "event"),
        }
    )
    found = await statements(read_by(ports, reader), scope, NOTE)
    assert by_content(found) == {
        "wifi: minato-5G": ("fact", 0.9),
        "Mülltonne ab jetzt donnerstags": ("episode", 0.95),
    }


async def test_without_its_word_the_rules_decide(ports: Ports, scope: Scope) -> None:
    found = await statements(read_by(ports, TrainedReader(fails=True)), scope, NOTE)
    assert "wifi: minato-5G" in by_content(found)


async def test_an_item_with_a_box_is_kept_whatever_the_reader_says(
    ports: Ports, scope: Scope
) -> None:
    reader = TrainedReader({"[ ] buy oat milk": WorthReading(0.01, "fact")})
    found = await statements(read_by(ports, reader), scope, "- [ ] buy oat milk\n- [ ] call Mia")
    assert len(found) == 2
    assert {memory.category for memory in found} == {"task"}


async def test_a_secret_request_is_not_kept_whatever_the_reader_says(
    ports: Ports, scope: Scope
) -> None:
    text = "Could you help me with this?"
    reader = TrainedReader({text: WorthReading(0.99, "fact")})
    assert await statements(read_by(ports, reader), scope, text) == []


PLAN = "Zahnarzt am 1. Dezember 2099 um 14:15"


async def test_what_calls_a_plan_off_is_not_due(ports: Ports, scope: Scope) -> None:
    plan = (await save(ports, scope, PLAN)).memory
    assert plan.due_at is not None
    reading = read_by(ports, TrainedReader(verdict=CALLED_OFF))
    off = await save(reading, scope, "Zahnarzt 1. Dezember 2099 wird nix")
    assert off.superseded == (plan.id,)
    assert off.memory.due_at is None
    assert await contents(ports, scope) == [off.memory.content]
    assert (await get_memory(ports, scope, plan.id)).state == "superseded"


async def test_what_moves_a_plan_is_due_on_the_new_day(ports: Ports, scope: Scope) -> None:
    plan = (await save(ports, scope, PLAN)).memory
    reading = read_by(ports, TrainedReader(verdict=REPLACED))
    moved = await save(reading, scope, "Zahnarzt verschoben auf 3. Dezember 2099")
    assert moved.superseded == (plan.id,)
    assert moved.memory.due_at is not None and moved.memory.due_at.day == 3


async def test_a_plan_without_a_new_day_keeps_its_own(ports: Ports, scope: Scope) -> None:
    plan = (await save(ports, scope, PLAN)).memory
    reading = read_by(ports, TrainedReader(verdict=REPLACED))
    moved = await save(reading, scope, "Zahnarzt jetzt bei Frau Dr. Aigner")
    assert moved.superseded == (plan.id,)
    assert moved.memory.due_at == plan.due_at


async def test_a_day_that_is_given_stays_due(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, PLAN)
    given = datetime.now(UTC) + timedelta(days=9)
    reading = read_by(ports, TrainedReader(verdict=CALLED_OFF))
    off = await save(reading, scope, "Zahnarzt 1. Dezember wird nix", due_at=given)
    assert off.memory.due_at == given


OFF = "Zahnarzt 1. Dezember 2099 wird nix"
UNWORTHY = WorthReading(0.2, "event")


async def test_a_line_that_is_worth_nothing_by_itself_is_kept_as_a_change(
    ports: Ports, scope: Scope
) -> None:
    plan = (await save(ports, scope, PLAN)).memory
    reader = TrainedReader({OFF: UNWORTHY}, CALLED_OFF)
    [found] = await statements(read_by(ports, reader), scope, OFF)
    assert (found.content, found.due_at, found.supersedes_id) == (OFF, None, plan.id)


async def test_a_line_that_is_worth_nothing_and_changes_nothing_is_not_kept(
    ports: Ports, scope: Scope
) -> None:
    plan = (await save(ports, scope, PLAN)).memory
    found = await statements(read_by(ports, TrainedReader({OFF: UNWORTHY})), scope, OFF)
    assert [memory.id for memory in found] == [plan.id]
