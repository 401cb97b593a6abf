"""What is distilled from talks without a language model: how many of the turns that answer a
question have a memory, how many memories there are, and a sample for a person to judge.

Each session is read, cut and distilled as a saved conversation is, up to the memories that would be
saved; nothing is stored, because what is kept twice or replaced is not the question here."""

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
_MACHINE = "assistant"


@dataclass(frozen=True, slots=True)
class Distilled:
    """The memories of a session, each with the turn that says it."""

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
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA, help="where the data sets are")
    arguments.add_argument("--sample", type=int, default=SAMPLE, help="memories to write out")
    arguments.add_argument("--seed", type=int, default=SEED, help="which memories those are")
    arguments.add_argument("--talks", help="only these talks of LoCoMo, by number: 2,3,4")
    arguments.add_argument("--to", type=Path, help="a file for the sample; printed when absent")
    chosen = arguments.parse_args()
    figures, found = [], []
    for name, talks, gold in _sets(chosen.data, chosen.talks):
        measured, memories = _measure(name, talks, gold)
        figures.append(measured)
        found += memories
    if not figures:
        raise SystemExit(f"There are no talks below {chosen.data}; nothing to do.")
    _write_sample(found, chosen.sample, chosen.seed, chosen.to)
    _print_table(figures)
    print(json.dumps({"distil": [one.as_json() for one in figures], "seed": chosen.seed}))


def _sets(data: Path, numbers: str | None) -> list[tuple[str, list[Talk], set[str]]]:
    talks = locomo.load(data)
    if numbers:
        talks = [talks[int(number)] for number in numbers.split(",")]
    asked = [one for talk in talks for one in talk.questions if one.category != locomo.ADVERSARIAL]
    chats = longmemeval.load(data)
    sets = [
        ("locomo", talks, {f"{id}" for one in asked for id in one.gold}),
        ("longmemeval", chats, longmemeval.gold_turns(data)),
    ]
    return [one for one in sets if any(talk.sessions for talk in one[1])]


def _measure(
    name: str, talks: list[Talk], gold: set[str]
) -> tuple[Figures, list[tuple[str, Statement]]]:
    figures = Figures(name, 0, 0, 0, 0, 0, 0.0)
    found: list[tuple[str, Statement]] = []
    for talk in talks:
        wanted = _gold_of(talk, name, gold)
        for session in talk.sessions:
            started = time.perf_counter()
            made = distilled(session)
            taken = time.perf_counter() - started
            memory_ids = {id for id, _ in made.memories}
            people = [turn for turn in session.turns if turn.speaker != _MACHINE]
            here = {turn.id for turn in people} & wanted
            figures = replace(
                figures,
                turns=figures.turns + len(people),
                gold=figures.gold + len(here),
                covered=figures.covered + len(here & memory_ids),
                memories=figures.memories + len(made.memories),
                chars=figures.chars + sum(len(turn.text) for turn in session.turns),
                seconds=figures.seconds + taken,
            )
            found += [(name, statement) for _, statement in made.memories]
    return figures, found


def _gold_of(talk: Talk, name: str, gold: set[str]) -> set[str]:
    """Turns of LoCoMo are numbered anew in every talk."""
    if name != "locomo":
        return gold
    asked = [one for one in talk.questions if one.category != locomo.ADVERSARIAL]
    return {id for one in asked for id in one.gold}


def distilled(session: Session) -> Distilled:
    extracted = write(session.as_content())
    reading = ParsedDocument(
        extracted.content, "", extracted.content_type, session.id, None, {}, [], extracted.marks
    )
    document = _document(reading)
    statements = distil(passages_of(document, cut(document.id, reading)))
    starts = [mark.start for mark in extracted.marks if mark.joint is Joint.TURN]
    said = [turn for turn in session.turns if turn.text.strip()]
    turns = [said[bisect_right(starts, one.start) - 1].id for one in statements]
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
    found: list[tuple[str, Statement]], number: int, seed: int, to: Path | None
) -> None:
    chosen = random.Random(seed).sample(found, min(number, len(found)))
    lines = [f"{place}. {_line(*one)}" for place, one in enumerate(chosen, start=1)]
    if to:
        to.write_text("\n".join(lines) + "\n")
    else:
        print("\n".join(lines), end="\n\n")


def _line(name: str, memory: Statement) -> str:
    said = f", {memory.said_at:%Y-%m-%d}" if memory.said_at else ""
    known = [one for one in memory.dates if one.certain and one.start]
    dates = [f"{one.text} = {one.start:%Y-%m-%d}" for one in known]
    beside = f" ({'; '.join(dates)})" if dates else ""
    before = f" [after: {memory.before}]" if memory.before else ""
    return f"[{name}, {memory.category}] {memory.speaker}{said}: {memory.content}{beside}{before}"


def _print_table(figures: list[Figures]) -> None:
    print(
        f"{'set':<12} {'turns':>7} {'gold':>6} {'covered':>8} {'memories':>9} {'a 100 turns':>12}"
    )
    for one in figures:
        per_100 = 100 * one.memories / max(1, one.turns)
        share = one.covered / max(1, one.gold)
        print(
            f"{one.name:<12} {one.turns:>7,} {one.gold:>6,} {share:>8.1%} {one.memories:>9,}"
            f" {per_100:>12.1f}"
        )


if __name__ == "__main__":
    main()
