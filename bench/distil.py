"""Distilling conversations without a language model: how many of the turns that answer a question
have a memory, how many memories there are, and a sample for a person to judge.

Each session is parsed, chunked and distilled like a saved conversation, up to the memories that
would be saved. Nothing is stored: duplicates and replacements are not measured here."""

import argparse
import json
import random
import time
from bisect import bisect_right
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from sets import locomo, longmemeval
from sets.model import Session, Talk

from remem.adapters.extractors.talk import write
from remem.core.chunking.model import Joint
from remem.core.documents.chunks.cut import cut
from remem.core.documents.distil import passages_of
from remem.core.documents.model import Document, ParsedDocument
from remem.core.judgements import Statement
from remem.core.memories.rules.distil import distil

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SAMPLE, SEED = 100, 13
_ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Distilled:
    """The memories of a session, each with the id of its turn."""

    session: Session
    memories: list[tuple[str, Statement]]


@dataclass(frozen=True, slots=True)
class Figures:
    name: str
    turns: int
    gold: int
    covered: int
    memories: int
    chars: int
    seconds: float

    def as_json(self) -> dict[str, float | str]:
        return {
            "set": self.name,
            "turns": self.turns,
            "gold_turns": self.gold,
            "coverage": round(self.covered / max(1, self.gold), 3),
            "memories": self.memories,
            "memories_per_100_turns": round(100 * self.memories / max(1, self.turns), 1),
            "chars_per_s": round(self.chars / self.seconds),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="where the data sets are")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="memories to write out")
    parser.add_argument("--seed", type=int, default=SEED, help="which memories those are")
    parser.add_argument("--talks", help="only these talks of LoCoMo, by number: 2,3,4")
    parser.add_argument("--to", type=Path, help="a file for the sample; printed when absent")
    args = parser.parse_args()
    figures, memories = [], []
    for name, talks, gold in _sets(args.data, args.talks):
        measured, set_memories = _measure(name, talks, gold)
        figures.append(measured)
        memories += set_memories
    if not figures:
        raise SystemExit(f"There are no talks in {args.data}; nothing to do.")
    _write_sample(memories, args.sample, args.seed, args.to)
    _print_table(figures)
    print(json.dumps({"distil": [row.as_json() for row in figures], "seed": args.seed}))


def _sets(data: Path, numbers: str | None) -> list[tuple[str, list[Talk], set[str]]]:
    talks = locomo.load(data)
    if numbers:
        talks = [talks[int(number)] for number in numbers.split(",")]
    questions = [
        question
        for talk in talks
        for question in talk.questions
        if question.category != locomo.ADVERSARIAL
    ]
    chats = longmemeval.load(data)
    sets = [
        ("locomo", talks, {f"{id}" for question in questions for id in question.gold}),
        ("longmemeval", chats, longmemeval.gold_turns(data)),
    ]
    return [question for question in sets if any(talk.sessions for talk in question[1])]


def _measure(
    name: str, talks: list[Talk], gold: set[str]
) -> tuple[Figures, list[tuple[str, Statement]]]:
    figures = Figures(name, 0, 0, 0, 0, 0, 0.0)
    memories: list[tuple[str, Statement]] = []
    for talk in talks:
        wanted = _gold_of(talk, name, gold)
        for session in talk.sessions:
            started = time.perf_counter()
            result = distilled(session)
            seconds = time.perf_counter() - started
            memory_ids = {id for id, _ in result.memories}
            people = [turn for turn in session.turns if turn.speaker != _ASSISTANT]
            gold_here = {turn.id for turn in people} & wanted
            figures = replace(
                figures,
                turns=figures.turns + len(people),
                gold=figures.gold + len(gold_here),
                covered=figures.covered + len(gold_here & memory_ids),
                memories=figures.memories + len(result.memories),
                chars=figures.chars + sum(len(turn.text) for turn in session.turns),
                seconds=figures.seconds + seconds,
            )
            memories += [(name, statement) for _, statement in result.memories]
    return figures, memories


def _gold_of(talk: Talk, name: str, gold: set[str]) -> set[str]:
    """The ids of the gold turns. LoCoMo numbers its turns separately in every talk."""
    if name != "locomo":
        return gold
    questions = [question for question in talk.questions if question.category != locomo.ADVERSARIAL]
    return {id for question in questions for id in question.gold}


def distilled(session: Session) -> Distilled:
    extracted = write(session.as_content())
    reading = ParsedDocument(
        extracted.content, "", extracted.content_type, session.id, None, {}, [], extracted.marks
    )
    document = _document(reading)
    statements = distil(passages_of(document, cut(document.id, reading)))
    starts = [mark.start for mark in extracted.marks if mark.joint is Joint.TURN]
    spoken = [turn for turn in session.turns if turn.text.strip()]
    turns = [spoken[bisect_right(starts, statement.start) - 1].id for statement in statements]
    return Distilled(session, list(zip(turns, statements, strict=True)))


def _document(reading: ParsedDocument) -> Document:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    id = uuid4()
    return Document(
        id=id, project_id=id, user_id=id, title=reading.title, content=reading.content,
        summary=None, content_type=reading.content_type, source_url=None, blob_key=None,
        metadata=reading.metadata, tags=[], content_hash="", previous_id=None, root_id=id,
        version=1, is_latest=True, duplicate_of=None, forget_after=None, status="done",
        error=None, last_accessed_at=None, created_at=moment, updated_at=moment,
    )  # fmt: skip


def _write_sample(
    memories: list[tuple[str, Statement]], count: int, seed: int, to: Path | None
) -> None:
    chosen = random.Random(seed).sample(memories, min(count, len(memories)))
    lines = [f"{number}. {_line(*memory)}" for number, memory in enumerate(chosen, start=1)]
    if to:
        to.write_text("\n".join(lines) + "\n")
    else:
        print("\n".join(lines), end="\n\n")


def _line(name: str, memory: Statement) -> str:
    when = f", {memory.said_at:%Y-%m-%d}" if memory.said_at else ""
    certain = [date for date in memory.dates if date.certain and date.start]
    dates = [f"{date.text} = {date.start:%Y-%m-%d}" for date in certain]
    resolved = f" ({'; '.join(dates)})" if dates else ""
    before = f" [after: {memory.before}]" if memory.before else ""
    return f"[{name}, {memory.category}] {memory.speaker}{when}: {memory.content}{resolved}{before}"


def _print_table(figures: list[Figures]) -> None:
    print(
        f"{'set':<12} {'turns':>7} {'gold':>6} {'covered':>8} {'memories':>9} {'a 100 turns':>12}"
    )
    for row in figures:
        per_100 = 100 * row.memories / max(1, row.turns)
        share = row.covered / max(1, row.gold)
        print(
            f"{row.name:<12} {row.turns:>7,} {row.gold:>6,} {share:>8.1%} {row.memories:>9,}"
            f" {per_100:>12.1f}"
        )


if __name__ == "__main__":
    main()
