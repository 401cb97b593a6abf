"""How well the right thing is found, and how often nothing is, where nothing is there: chats, notes
and encyclopedia paragraphs in stores of several sizes; every mode beside BM25 alone, vectors alone,
0.6/0.4 and reciprocal ranks, over the real store in one run."""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias, TypeVar
from uuid import UUID

import numpy as np
from sets import hotpot, locomo, longmemeval, measures, notes, reading
from sets.embeddings import CachedEmbedder
from sets.model import Note, Question, Session, Talk
from sets.ranker import Example, fit
from sets.slips import misspelt

from remem.adapters.reader.local import LocalReader
from remem.bootstrap import open_ports
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.process import process_document
from remem.core.documents.read import get_document
from remem.core.filters import Filters
from remem.core.identity.authenticate import authenticate_key
from remem.core.index.bm25 import bm25
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.model import MemoryDraft as Statement
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.evidence import Evidence, Floats, Pool, weigh, z
from remem.core.search.fuse import fuse
from remem.core.search.model import MODES, Hit, Mode, Query, Where
from remem.core.search.plan import names_in, read_query
from remem.core.search.policy import POLICY
from remem.core.search.recall import recall
from remem.core.search.signals import gather
from remem.core.search.strategies import STRATEGIES
from remem.core.time import now
from remem.owner import ensure_owner_key
from remem.settings import load

DATA = Path(__file__).parents[2] / "shared" / "data"
FOLDS = 5
SEED = 14
LADDER = ("words", "speaker", "thread_score", "answers", "asks", "tells_time", "in_time")
SETS: dict[str, Callable[[Path], list[Talk]]] = {
    "notes": notes.load,
    "locomo": locomo.load,
    "hotpot": hotpot.load,
    "longmemeval-100": lambda data: longmemeval.load(data, 100),
    "longmemeval": longmemeval.load,
    "longmemeval-mixed": longmemeval.load_among_others,
}
# What each store is asked besides that it cannot answer: questions of other sets, some of each.
STRANGERS = {
    "locomo": ("hotpot", "longmemeval"),
    "hotpot": ("locomo", "longmemeval"),
    "longmemeval": ("hotpot", "locomo"),
}
STRANGERS_A_SET = 40
# Of what is asked at the floor: all, or so many of a talk where each is read as well.
FLOOR_MODES: Mapping[Mode, int | None] = {"balanced": None, "best": 60}
# Asked with a slip as well.
MISSPELT = ("locomo", "longmemeval")
COLUMNS = ("R@5", "R@10", "any@10", "all@10", "top1", "top3", "MRR")


Asked = TypeVar("Asked")
Answers: TypeAlias = Mapping[Mode, Mapping[tuple[str, Question], tuple[list[str], float]]]


@dataclass(slots=True)
class Kept:
    """A talk in the store: what each chunk stands for."""

    set: str
    talk: Talk
    project: UUID
    fold: int
    answers: dict[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A question with its pools: as the product reads it, and as it stands."""

    kept: Kept
    question: Question
    fold: int
    pool: Pool
    evidence: Evidence
    plain: Pool


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--set", choices=SETS, action="append", help="one set only")
    arguments.add_argument(
        "--sample", type=int, help="so many questions of each talk, by a seed: a quicker look"
    )
    chosen = arguments.parse_args()
    there = [name for name in chosen.set or SETS if _is_there(chosen.data, name)]
    for name in set(chosen.set or SETS) - set(there):
        print(f"{name} is left out: there is no {name.split('-')[0]} below {chosen.data}.")
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        figures = asyncio.run(measure(Path(folder), chosen.data, there, chosen.sample))
    print(json.dumps(figures))


def _is_there(data: Path, name: str) -> bool:
    return name == "notes" or (data / name.split("-")[0]).is_dir()


async def measure(
    folder: Path, data: Path, sets: Sequence[str], sample: int | None
) -> dict[str, object]:
    settings = load(data_dir=folder)
    async with open_ports(settings) as opened:
        # A machine that is busy with a benchmark is no reason not to read.
        reader = LocalReader(deadline_s=60)
        opened = replace(opened, reader=reader)
        ports = replace(opened, embedder=CachedEmbedder(opened.embedder))
        key = await ensure_owner_key(ports, settings)
        scope = await authenticate_key(ports, key or "")
        started = time.perf_counter()
        kept = [
            await keep(ports, scope, name, n, sampled(talk, sample))
            for name in sets
            for n, talk in enumerate(SETS[name](data))
        ]
        print(f"saved in {time.perf_counter() - started:.0f} s\n")
        modes = {mode: await ask_all(ports, scope, kept, mode) for mode in MODES}
        typed = [one for one in kept if one.set in MISSPELT]
        typed = [] if sample else typed
        slipped = {mode: await ask_all(ports, scope, typed, mode, misspelt) for mode in MODES}
        tasks = [task for one in kept for task in await look(ports, scope, one)]
        floors = [
            await floor(ports, scope, data, one, mode)
            for mode in ([] if sample else FLOOR_MODES)
            for one in kept
        ]
        cost = await reading.cost_ms(opened, [one.talk for one in kept])
    figures: dict[str, object] = {name: report(name, modes, slipped, tasks) for name in sets}
    return figures | {"floor": report_floor(floors), "reader": cost}


def sampled(talk: Talk, count: int | None) -> Talk:
    """The talk with some of its questions, none of them adversarial."""
    asked = [one for one in talk.questions if one.category != locomo.ADVERSARIAL]
    if count is None or count >= len(asked):
        return talk
    return replace(talk, questions=random.Random(SEED).sample(asked, count))


# --- what is kept


async def keep(ports: Ports, scope: Scope, set: str, number: int, talk: Talk) -> Kept:
    kept = Kept(set, talk, UUID(int=0), number)
    for session in talk.sessions:
        draft = Draft(
            content=json.dumps(session.as_content()),
            content_type="json",
            project=f"{set}-{number}",
            create_project=True,
            # A save does not wait for a busy machine to embed; the job below does.
            in_background=True,
        )
        saved = await ingest(ports, scope, draft)
        if saved.job_id:
            await process_document(ports, scope, saved.document.id)
        whole = await get_document(ports, scope, saved.document.id)
        kept.project = whole.document.project_id
        texts = {chunk.id: chunk.content for chunk in whole.chunks}
        kept.answers |= stands_for(set, session, texts)
    for note in talk.notes:
        await keep_note(ports, scope, kept, note, f"{set}-{number}")
    return kept


async def keep_note(ports: Ports, scope: Scope, kept: Kept, note: Note, project: str) -> None:
    if note.as_memory:
        draft = Statement(note.text, project=project, create_project=True)
        memory = (await save_memory(ports, scope, draft)).memory
        kept.project, kept.answers[memory.id] = memory.project_id, note.id
        return
    saved = await ingest(
        ports,
        scope,
        Draft(
            content=note.text,
            title=note.title,
            content_type="text",
            project=project,
            create_project=True,
        ),
    )
    whole = await get_document(ports, scope, saved.document.id)
    kept.project = whole.document.project_id
    kept.answers |= dict.fromkeys((chunk.id for chunk in whole.chunks), note.id)


def stands_for(set: str, session: Session, chunks: Mapping[UUID, str]) -> dict[UUID, str]:
    """Which turn, or which session, each chunk is of: chunks come in the order of the turns."""
    if set != "locomo":
        return dict.fromkeys(chunks, session.id)
    found, at = {}, 0
    for id, content in chunks.items():
        for place in range(at, len(session.turns)):
            turn = session.turns[place]
            if content.startswith(f"{turn.speaker}: {turn.text.strip()[:40]}"):
                at = place
                break
        found[id] = session.turns[at].id
        at += content.endswith(session.turns[at].text.strip()[-20:])
        at = min(at, len(session.turns) - 1)
    return found


# --- what is asked


async def ask_all(
    ports: Ports,
    scope: Scope,
    kept: Sequence[Kept],
    mode: Mode,
    typed: Callable[[str], str] = str,
) -> dict[tuple[str, Question], tuple[list[str], float]]:
    """The order of each mode, as every surface gives it, and how long it took."""
    answers = {}
    for one in kept:
        for question in one.talk.questions:
            text = typed(question.text)
            query = Query(
                text, one.project, limit=100, mode=mode, asked_at=question.asked_at, weak=True
            )
            found = await recall(ports, scope, query)
            hits = [hit for document in found.results for hit in document.hits]
            hits.sort(key=lambda hit: -hit.score)
            order = dict.fromkeys(one.answers[id] for hit in hits for id in ids_of(hit, one))
            answers[one.set, question] = list(order), found.took_ms
    return answers


def ids_of(hit: Hit, kept: Kept) -> list[UUID]:
    """Those of a hit that stand for something: a memory that was distilled stands for its chunk."""
    ids = [hit.chunk.chunk_id] if hit.chunk else [memory.id for memory in hit.memories]
    return [id for id in ids if id in kept.answers]


# --- what is left out


@dataclass(frozen=True, slots=True)
class Floor:
    """Of a store: answerable questions whose answer is among the first ten with `weak`, and how
    many of them lose it without; questions it cannot answer, and how many get something."""

    set: str
    mode: Mode
    answerable: int
    lost: int
    unanswerable: int
    answered: int


async def floor(ports: Ports, scope: Scope, data: Path, kept: Kept, mode: Mode) -> Floor:
    answerable = lost = answered = 0
    questions = [one for one in kept.talk.questions if one.category != locomo.ADVERSARIAL]
    for question in _some(questions, FLOOR_MODES[mode]):
        found = await _ten(ports, scope, kept, question.text, question.asked_at, mode)
        gold = [weak for answer, weak in found if answer in question.gold]
        answerable += bool(gold)
        lost += bool(gold) and all(gold)
    strangers = _some(strangers_of(data, kept), FLOOR_MODES[mode])
    for text in strangers:
        asked_at = kept.talk.questions[0].asked_at
        found = await _ten(ports, scope, kept, text, asked_at, mode)
        answered += any(not weak for _, weak in found)
    return Floor(kept.set, mode, answerable, lost, len(strangers), answered)


def _some(asked: Sequence[Asked], most: int | None) -> Sequence[Asked]:
    if most is None or len(asked) <= most:
        return asked
    return random.Random(SEED).sample(asked, most)


async def _ten(
    ports: Ports, scope: Scope, kept: Kept, text: str, asked_at: datetime, mode: Mode
) -> list[tuple[str, bool]]:
    query = Query(text, kept.project, limit=10, mode=mode, asked_at=asked_at, weak=True)
    found = await recall(ports, scope, query)
    hits = [hit for document in found.results for hit in document.hits]
    return [(kept.answers[id], hit.is_weak) for hit in hits for id in ids_of(hit, kept)]


def strangers_of(data: Path, kept: Kept) -> list[str]:
    """Nonsense and general knowledge for all; for the notes also what they could have told."""
    others: list[str] = []
    for name in STRANGERS.get(kept.set, ()):
        if _is_there(data, name):
            asked = [one.text for talk in SETS[name](data) for one in talk.questions]
            others += asked[:: max(1, len(asked) // STRANGERS_A_SET)]
    return notes.unanswerable() + others


def report_floor(floors: Sequence[Floor]) -> dict[str, object]:
    print(f"{'the floor':34}{'false empties':>16}{'false hits':>14}")
    figures: dict[str, object] = {}
    for name, mode in dict.fromkeys((one.set, one.mode) for one in floors):
        of = [one for one in floors if (one.set, one.mode) == (name, mode)]
        lost, asked = sum(one.lost for one in of), sum(one.answerable for one in of)
        hits, strange = sum(one.answered for one in of), sum(one.unanswerable for one in of)
        empty, false = 100 * lost / max(asked, 1), 100 * hits / max(strange, 1)
        print(f"{name:24}{mode:10}{empty:10.1f} of {asked:4}{false:8.1f} of {strange:4}")
        figures[f"{name} {mode}"] = {
            "false empties": round(empty, 1),
            "false hits": round(false, 1),
        }
    return figures


async def look(ports: Ports, scope: Scope, kept: Kept) -> list[Task]:
    where = Where((CHUNK, MEMORY), [kept.project], Filters())
    tasks = []
    for number, question in enumerate(kept.talk.questions):
        async with ports.db.transaction(scope) as tx:
            speakers = await store.speakers(tx, scope, names_in(question.text))
            plan = read_query(question.text, speakers, question.asked_at)
            bare = read_query(question.text, [], question.asked_at)
            pool = await gather(ports, tx, scope, plan, STRATEGIES["balanced"], where)
            plain = await gather(ports, tx, scope, bare, STRATEGIES["balanced"], where)
        fold = kept.fold if kept.set == "locomo" else number % FOLDS
        tasks.append(Task(kept, question, fold, pool, weigh(pool, plan), plain))
    return tasks


# --- what is measured


def ordered(task: Task, pool: Pool, score: Floats) -> list[str]:
    order = np.argsort(-score, kind="stable")
    return list(dict.fromkeys(task.kept.answers[pool.features[n].id] for n in order))


def words_of(pool: Pool) -> Floats:
    return bm25(pool.tf, pool.length, pool.weight, 1.0)


def reciprocal(values: Floats) -> Floats:
    places = np.empty(len(values))
    places[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return 1 / (60 + places)


def weighted(pool: Pool) -> Floats:
    words = words_of(pool)
    return 0.6 * np.clip(pool.cosine, 0, 1) + 0.4 * words / max(words.max(initial=0), 1e-9)


BASELINES: dict[str, Callable[[Pool], Floats]] = {
    "BM25 alone": words_of,
    "vectors alone": lambda pool: pool.cosine,
    "reciprocal ranks": lambda pool: reciprocal(pool.cosine) + reciprocal(words_of(pool)),
    "0.6 / 0.4": weighted,
}


def fused(task: Task, parts: Sequence[str]) -> Floats:
    """The product's own formula with some of the parts only."""
    total = np.sum([task.evidence.parts[name] for name in parts], axis=0)
    some = replace(task.evidence, total=total, parts={})
    score = {one.id: one.score for one in fuse(task.pool, some, "weighted", now())}
    return np.array([score[sign.id] for sign in task.pool.features])


def report(
    set: str,
    modes: Answers,
    slipped: Answers,
    tasks: Sequence[Task],
) -> dict[str, object]:
    tasks = [task for task in tasks if task.kept.set == set]
    counted = [task for task in tasks if task.question.category != locomo.ADVERSARIAL]
    print(f"{set}: {len(counted)} questions\n{'':34}{heads()}")
    figures: dict[str, object] = {}
    for name, score in BASELINES.items():
        show(
            figures,
            name,
            counted,
            [ordered(task, task.plain, score(task.plain)) for task in counted],
        )
    for name in ("BM25 alone", "0.6 / 0.4"):
        show(
            figures,
            f"{name}, names not embedded",
            counted,
            [ordered(task, task.pool, BASELINES[name](task.pool)) for task in counted],
        )
    for n in range(1, len(LADDER) + 1):
        orders = [ordered(task, task.pool, fused(task, LADDER[:n])) for task in counted]
        show(figures, f"+ {LADDER[n - 1]}", counted, orders)
    typed = {f"{mode}, a word misspelt": answers for mode, answers in slipped.items()}
    typed = {name: one for name, one in typed.items() if any(set == of for of, _ in one)}
    for name, answers in {**modes, **typed}.items():
        orders = [answers[set, task.question][0] for task in counted]
        took = [answers[set, task.question][1] for task in counted]
        show(figures, name, counted, orders, statistics.median(took))
    ours, theirs = (
        [scores(modes[mode][set, task.question][0], task.question.gold) for task in counted]
        for mode in ("best", "deep")
    )
    figures["best over deep"] = reading.better(ours, theirs, COLUMNS)
    show(figures, "weights learned on other folds", counted, crossed(counted))
    by_category(set, modes, tasks)
    if set == "longmemeval":
        figures["newer above older"] = newer_above_older(modes, tasks)
    print(f"\nweighing and fusing a pool: {cost_ms(counted):.2f} ms\n")
    return figures


def crossed(tasks: Sequence[Task]) -> list[list[str]]:
    """Each question ranked by weights that were learned without its talk."""
    names = list(POLICY.evidence)
    parts = {
        id(task): np.column_stack(
            [z(task.pool.cosine), *(task.evidence.parts[n] / POLICY.evidence[n] for n in names)]
        )
        for task in tasks
    }
    learned = {
        fold: fit([_example(task, parts[id(task)]) for task in tasks if task.fold != fold])
        for fold in {task.fold for task in tasks}
    }
    return [ordered(task, task.pool, parts[id(task)] @ learned[task.fold]) for task in tasks]


def _example(task: Task, parts: Floats) -> Example:
    gold = [task.kept.answers[sign.id] in task.question.gold for sign in task.pool.features]
    return Example(parts, np.array(gold), 1.0)


def heads() -> str:
    return "".join(f"{name:>9}" for name in COLUMNS) + "       ms"


def scores(order: Sequence[str], gold: frozenset[str]) -> list[float]:
    return [
        measures.recall(order, gold, 5),
        measures.recall(order, gold, 10),
        measures.any_of(order, gold, 10),
        measures.all_of(order, gold, 10),
        measures.any_of(order, gold, 1),
        measures.any_of(order, gold, 3),
        measures.mrr(order, gold),
    ]


def show(
    figures: dict[str, object],
    name: str,
    tasks: Sequence[Task],
    orders: Sequence[list[str]],
    took_ms: float | None = None,
) -> None:
    each = [scores(order, task.question.gold) for task, order in zip(tasks, orders, strict=True)]
    means = [round(100 * statistics.mean(column), 1) for column in zip(*each, strict=True)]
    took = "" if took_ms is None else f"{took_ms:9.1f}"
    print(f"{name:34}{''.join(f'{mean:9.1f}' for mean in means)}{took}")
    figures[name] = dict(zip(heads().split(), [*means, took_ms], strict=True))


def by_category(
    set: str,
    modes: Answers,
    tasks: Sequence[Task],
) -> None:
    k = 5 if set.startswith("longmemeval") else 10
    print(f"\nR@{k} by category" + "".join(f"{mode:>12}" for mode in modes))
    for category in sorted({task.question.category for task in tasks}):
        asked = [task.question for task in tasks if task.question.category == category]
        row = [
            100
            * statistics.mean(measures.recall(answers[set, one][0], one.gold, k) for one in asked)
            for answers in modes.values()
        ]
        print(f"{category:>28}" + "".join(f"{value:12.1f}" for value in row) + f"{len(asked):6}")


def newer_above_older(modes: Answers, tasks: Sequence[Task]) -> dict[Mode, float]:
    """Of questions on what has changed since, how many have the later session first."""
    asked = [task for task in tasks if task.question.category == "knowledge-update"]
    at = {session.id: session.at for session in asked[0].kept.talk.sessions}
    shares: dict[Mode, float] = {}
    for mode, answers in modes.items():
        firsts = [
            (next((id for id in answers["longmemeval", task.question][0] if id in gold), ""), gold)
            for task in asked
            for gold in [task.question.gold]
        ]
        above = [first == max(gold, key=at.__getitem__) for first, gold in firsts]
        shares[mode] = round(100 * statistics.mean(above), 1)
    print(f"\nnewer session above the older, of {len(asked)} knowledge updates: {shares}")
    return shares


def cost_ms(tasks: Sequence[Task]) -> float:
    taken = []
    for task in tasks[:200]:
        plan = read_query(task.question.text, [], task.question.asked_at)
        started = time.perf_counter()
        fuse(task.pool, weigh(task.pool, plan), "weighted", now())
        taken.append((time.perf_counter() - started) * 1_000)
    return statistics.median(taken)


if __name__ == "__main__":
    main()
