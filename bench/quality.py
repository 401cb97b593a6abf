"""Search quality: how well the right text is found, and how often a question without an answer gets
no result. Chats, notes and encyclopedia paragraphs in stores of several sizes; every search mode
is compared with BM25 alone, vectors alone, 0.6/0.4 and reciprocal ranks, on the real store."""

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
# Sets whose questions each store is also asked, because it cannot answer them.
FOREIGN_SETS = {
    "locomo": ("hotpot", "longmemeval"),
    "hotpot": ("locomo", "longmemeval"),
    "longmemeval": ("hotpot", "locomo"),
}
FOREIGN_QUESTIONS = 40
# Questions per talk when the floor is measured: None for all, fewer where the reader runs as well.
FLOOR_MODES: Mapping[Mode, int | None] = {"balanced": None, "best": 60}
# Sets whose questions are also asked with a misspelt word.
MISSPELT_SETS = ("locomo", "longmemeval")
COLUMNS = ("R@5", "R@10", "any@10", "all@10", "top1", "top3", "MRR")


Item = TypeVar("Item")
Answers: TypeAlias = Mapping[Mode, Mapping[tuple[str, Question], tuple[list[str], float]]]


@dataclass(slots=True)
class SavedTalk:
    """A talk in the store. `answers` maps each chunk and memory to its turn, session or note."""

    set: str
    talk: Talk
    project: UUID
    fold: int
    answers: dict[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A question with two candidate pools: `pool` for the parsed question, as in the product, and
    `plain` for the question with its names left in."""

    saved_talk: SavedTalk
    question: Question
    fold: int
    pool: Pool
    evidence: Evidence
    plain: Pool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--set", choices=SETS, action="append", help="one set only")
    parser.add_argument(
        "--sample", type=int, help="ask only this many seeded random questions of each talk"
    )
    args = parser.parse_args()
    available = [name for name in args.set or SETS if _is_available(args.data, name)]
    for name in set(args.set or SETS) - set(available):
        print(f"{name} is skipped: there is no {name.split('-')[0]} in {args.data}.")
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        figures = asyncio.run(measure(Path(folder), args.data, available, args.sample))
    print(json.dumps(figures))


def _is_available(data: Path, name: str) -> bool:
    return name == "notes" or (data / name.split("-")[0]).is_dir()


async def measure(
    folder: Path, data: Path, sets: Sequence[str], sample: int | None
) -> dict[str, object]:
    settings = load(data_dir=folder)
    async with open_ports(settings) as opened:
        # Do not skip the reader because the benchmark keeps the machine busy.
        reader = LocalReader(deadline_s=60)
        opened = replace(opened, reader=reader)
        ports = replace(opened, embedder=CachedEmbedder(opened.embedder))
        key = await ensure_owner_key(ports, settings)
        scope = await authenticate_key(ports, key or "")
        started = time.perf_counter()
        saved_talks = [
            await save_talk(ports, scope, name, n, sampled(talk, sample))
            for name in sets
            for n, talk in enumerate(SETS[name](data))
        ]
        print(f"saved in {time.perf_counter() - started:.0f} s\n")
        modes = {mode: await ask_all(ports, scope, saved_talks, mode) for mode in MODES}
        misspelt_talks = [
            saved_talk for saved_talk in saved_talks if saved_talk.set in MISSPELT_SETS
        ]
        misspelt_talks = [] if sample else misspelt_talks
        misspelt_answers = {
            mode: await ask_all(ports, scope, misspelt_talks, mode, misspelt) for mode in MODES
        }
        tasks = [
            task
            for saved_talk in saved_talks
            for task in await collect_tasks(ports, scope, saved_talk)
        ]
        floors = [
            await measure_floor(ports, scope, data, saved_talk, mode)
            for mode in ([] if sample else FLOOR_MODES)
            for saved_talk in saved_talks
        ]
        cost = await reading.cost_ms(opened, [saved_talk.talk for saved_talk in saved_talks])
    figures: dict[str, object] = {
        name: report(name, modes, misspelt_answers, tasks) for name in sets
    }
    return figures | {"floor": report_floor(floors), "reader": cost}


def sampled(talk: Talk, count: int | None) -> Talk:
    """The talk with a sample of its questions, without adversarial ones."""
    questions = [question for question in talk.questions if question.category != locomo.ADVERSARIAL]
    if count is None or count >= len(questions):
        return talk
    return replace(talk, questions=random.Random(SEED).sample(questions, count))


# --- saving


async def save_talk(ports: Ports, scope: Scope, set: str, number: int, talk: Talk) -> SavedTalk:
    saved_talk = SavedTalk(set, talk, UUID(int=0), number)
    for session in talk.sessions:
        draft = Draft(
            content=json.dumps(session.as_content()),
            content_type="json",
            project=f"{set}-{number}",
            create_project=True,
            # The save does not wait for embedding on a busy machine; processing below does.
            in_background=True,
        )
        result = await ingest(ports, scope, draft)
        if result.job_id:
            await process_document(ports, scope, result.document.id)
        stored = await get_document(ports, scope, result.document.id)
        saved_talk.project = stored.document.project_id
        texts = {chunk.id: chunk.content for chunk in stored.chunks}
        saved_talk.answers |= label_chunks(set, session, texts)
    for note in talk.notes:
        await save_note(ports, scope, saved_talk, note, f"{set}-{number}")
    return saved_talk


async def save_note(
    ports: Ports, scope: Scope, saved_talk: SavedTalk, note: Note, project: str
) -> None:
    if note.as_memory:
        draft = Statement(note.text, project=project, create_project=True)
        memory = (await save_memory(ports, scope, draft)).memory
        saved_talk.project, saved_talk.answers[memory.id] = memory.project_id, note.id
        return
    result = await ingest(
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
    stored = await get_document(ports, scope, result.document.id)
    saved_talk.project = stored.document.project_id
    saved_talk.answers |= dict.fromkeys((chunk.id for chunk in stored.chunks), note.id)


def label_chunks(set: str, session: Session, chunks: Mapping[UUID, str]) -> dict[UUID, str]:
    """Map each chunk to its turn or session. Chunks come in the order of the turns."""
    if set != "locomo":
        return dict.fromkeys(chunks, session.id)
    labels, position = {}, 0
    for id, content in chunks.items():
        for number in range(position, len(session.turns)):
            turn = session.turns[number]
            if content.startswith(f"{turn.speaker}: {turn.text.strip()[:40]}"):
                position = number
                break
        labels[id] = session.turns[position].id
        position += content.endswith(session.turns[position].text.strip()[-20:])
        position = min(position, len(session.turns) - 1)
    return labels


# --- asking


async def ask_all(
    ports: Ports,
    scope: Scope,
    saved_talks: Sequence[SavedTalk],
    mode: Mode,
    edit: Callable[[str], str] = str,
) -> dict[tuple[str, Question], tuple[list[str], float]]:
    """The results of each question in the order that every surface returns, and the time taken."""
    answers = {}
    for saved_talk in saved_talks:
        for question in saved_talk.talk.questions:
            text = edit(question.text)
            query = Query(
                text,
                saved_talk.project,
                limit=100,
                mode=mode,
                asked_at=question.asked_at,
                weak=True,
            )
            reply = await recall(ports, scope, query)
            hits = [hit for document in reply.results for hit in document.hits]
            hits.sort(key=lambda hit: -hit.score)
            order = dict.fromkeys(
                saved_talk.answers[id] for hit in hits for id in labelled_ids(hit, saved_talk)
            )
            answers[saved_talk.set, question] = list(order), reply.took_ms
    return answers


def labelled_ids(hit: Hit, saved_talk: SavedTalk) -> list[UUID]:
    """The labelled ids of a hit; a distilled memory has the label of its chunk."""
    ids = [hit.chunk.chunk_id] if hit.chunk else [memory.id for memory in hit.memories]
    return [id for id in ids if id in saved_talk.answers]


# --- the floor


@dataclass(frozen=True, slots=True)
class Floor:
    """Counts for one store: answerable questions whose answer is in the first ten results with
    `weak`, how many of them lose it without `weak`, questions that the store cannot answer, and how
    many of those get a result."""

    set: str
    mode: Mode
    answerable: int
    lost: int
    unanswerable: int
    answered: int


async def measure_floor(
    ports: Ports, scope: Scope, data: Path, saved_talk: SavedTalk, mode: Mode
) -> Floor:
    answerable = lost = answered = 0
    questions = [
        question
        for question in saved_talk.talk.questions
        if question.category != locomo.ADVERSARIAL
    ]
    for question in _at_most(questions, FLOOR_MODES[mode]):
        hits = await _first_ten(ports, scope, saved_talk, question.text, question.asked_at, mode)
        gold = [weak for answer, weak in hits if answer in question.gold]
        answerable += bool(gold)
        lost += bool(gold) and all(gold)
    unanswerable = _at_most(unanswerable_questions(data, saved_talk), FLOOR_MODES[mode])
    for text in unanswerable:
        asked_at = saved_talk.talk.questions[0].asked_at
        hits = await _first_ten(ports, scope, saved_talk, text, asked_at, mode)
        answered += any(not weak for _, weak in hits)
    return Floor(saved_talk.set, mode, answerable, lost, len(unanswerable), answered)


def _at_most(items: Sequence[Item], count: int | None) -> Sequence[Item]:
    if count is None or len(items) <= count:
        return items
    return random.Random(SEED).sample(items, count)


async def _first_ten(
    ports: Ports, scope: Scope, saved_talk: SavedTalk, text: str, asked_at: datetime, mode: Mode
) -> list[tuple[str, bool]]:
    query = Query(text, saved_talk.project, limit=10, mode=mode, asked_at=asked_at, weak=True)
    reply = await recall(ports, scope, query)
    hits = [hit for document in reply.results for hit in document.hits]
    return [
        (saved_talk.answers[id], hit.is_weak)
        for hit in hits
        for id in labelled_ids(hit, saved_talk)
    ]


def unanswerable_questions(data: Path, saved_talk: SavedTalk) -> list[str]:
    """Nonsense, general knowledge, personal questions that no note answers, and questions of
    foreign sets."""
    others: list[str] = []
    for name in FOREIGN_SETS.get(saved_talk.set, ()):
        if _is_available(data, name):
            questions = [question.text for talk in SETS[name](data) for question in talk.questions]
            others += questions[:: max(1, len(questions) // FOREIGN_QUESTIONS)]
    return notes.unanswerable() + others


def report_floor(floors: Sequence[Floor]) -> dict[str, object]:
    print(f"{'the floor':34}{'false empties':>16}{'false hits':>14}")
    figures: dict[str, object] = {}
    for name, mode in dict.fromkeys((floor.set, floor.mode) for floor in floors):
        group = [floor for floor in floors if (floor.set, floor.mode) == (name, mode)]
        lost, answerable = (
            sum(floor.lost for floor in group),
            sum(floor.answerable for floor in group),
        )
        hits, unanswerable = (
            sum(floor.answered for floor in group),
            sum(floor.unanswerable for floor in group),
        )
        empty, false = 100 * lost / max(answerable, 1), 100 * hits / max(unanswerable, 1)
        print(f"{name:24}{mode:10}{empty:10.1f} of {answerable:4}{false:8.1f} of {unanswerable:4}")
        figures[f"{name} {mode}"] = {
            "false empties": round(empty, 1),
            "false hits": round(false, 1),
        }
    return figures


async def collect_tasks(ports: Ports, scope: Scope, saved_talk: SavedTalk) -> list[Task]:
    where = Where((CHUNK, MEMORY), [saved_talk.project], Filters())
    tasks = []
    for number, question in enumerate(saved_talk.talk.questions):
        async with ports.db.transaction(scope) as tx:
            speakers = await store.speakers(tx, names_in(question.text))
            plan = read_query(question.text, speakers, question.asked_at)
            bare = read_query(question.text, [], question.asked_at)
            pool = await gather(ports, tx, plan, STRATEGIES["balanced"], where)
            plain = await gather(ports, tx, bare, STRATEGIES["balanced"], where)
        fold = saved_talk.fold if saved_talk.set == "locomo" else number % FOLDS
        tasks.append(Task(saved_talk, question, fold, pool, weigh(pool, plan), plain))
    return tasks


# --- measuring


def ranked_labels(task: Task, pool: Pool, score: Floats) -> list[str]:
    order = np.argsort(-score, kind="stable")
    return list(dict.fromkeys(task.saved_talk.answers[pool.features[n].id] for n in order))


def bm25_scores(pool: Pool) -> Floats:
    return bm25(pool.tf, pool.length, pool.weight, 1.0)


def reciprocal_ranks(values: Floats) -> Floats:
    places = np.empty(len(values))
    places[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return 1 / (60 + places)


def weighted_sum(pool: Pool) -> Floats:
    words = bm25_scores(pool)
    return 0.6 * np.clip(pool.cosine, 0, 1) + 0.4 * words / max(words.max(initial=0), 1e-9)


BASELINES: dict[str, Callable[[Pool], Floats]] = {
    "BM25 alone": bm25_scores,
    "vectors alone": lambda pool: pool.cosine,
    "reciprocal ranks": lambda pool: (
        reciprocal_ranks(pool.cosine) + reciprocal_ranks(bm25_scores(pool))
    ),
    "0.6 / 0.4": weighted_sum,
}


def fused(task: Task, parts: Sequence[str]) -> Floats:
    """The product's own formula with only some of the parts."""
    total = np.sum([task.evidence.parts[name] for name in parts], axis=0)
    partial = replace(task.evidence, total=total, parts={})
    score = {item.id: item.score for item in fuse(task.pool, partial, "weighted", now())}
    return np.array([score[candidate.id] for candidate in task.pool.features])


def report(
    set: str,
    modes: Answers,
    slipped: Answers,
    tasks: Sequence[Task],
) -> dict[str, object]:
    tasks = [task for task in tasks if task.saved_talk.set == set]
    counted = [task for task in tasks if task.question.category != locomo.ADVERSARIAL]
    print(f"{set}: {len(counted)} questions\n{'':34}{column_heads()}")
    figures: dict[str, object] = {}
    for name, score in BASELINES.items():
        show(
            figures,
            name,
            counted,
            [ranked_labels(task, task.plain, score(task.plain)) for task in counted],
        )
    for name in ("BM25 alone", "0.6 / 0.4"):
        show(
            figures,
            f"{name}, names not embedded",
            counted,
            [ranked_labels(task, task.pool, BASELINES[name](task.pool)) for task in counted],
        )
    for n in range(1, len(LADDER) + 1):
        orders = [ranked_labels(task, task.pool, fused(task, LADDER[:n])) for task in counted]
        show(figures, f"+ {LADDER[n - 1]}", counted, orders)
    misspelt_modes = {f"{mode}, a word misspelt": answers for mode, answers in slipped.items()}
    misspelt_modes = {
        name: by_question
        for name, by_question in misspelt_modes.items()
        if any(set == asked_set for asked_set, _ in by_question)
    }
    for name, answers in {**modes, **misspelt_modes}.items():
        orders = [answers[set, task.question][0] for task in counted]
        took = [answers[set, task.question][1] for task in counted]
        show(figures, name, counted, orders, statistics.median(took))
    best_scores, deep_scores = (
        [scores(modes[mode][set, task.question][0], task.question.gold) for task in counted]
        for mode in ("best", "deep")
    )
    figures["best over deep"] = reading.paired_differences(best_scores, deep_scores, COLUMNS)
    show(figures, "weights learned on other folds", counted, cross_validated(counted))
    by_category(set, modes, tasks)
    if set == "longmemeval":
        figures["newer above older"] = newer_above_older(modes, tasks)
    print(f"\nweighing and fusing a pool: {cost_ms(counted):.2f} ms\n")
    return figures


def cross_validated(tasks: Sequence[Task]) -> list[list[str]]:
    """Rank each question by weights that were learned without its talk."""
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
    return [ranked_labels(task, task.pool, parts[id(task)] @ learned[task.fold]) for task in tasks]


def _example(task: Task, parts: Floats) -> Example:
    gold = [
        task.saved_talk.answers[candidate.id] in task.question.gold
        for candidate in task.pool.features
    ]
    return Example(parts, np.array(gold), 1.0)


def column_heads() -> str:
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
    rows = [scores(order, task.question.gold) for task, order in zip(tasks, orders, strict=True)]
    means = [round(100 * statistics.mean(column), 1) for column in zip(*rows, strict=True)]
    took = "" if took_ms is None else f"{took_ms:9.1f}"
    print(f"{name:34}{''.join(f'{mean:9.1f}' for mean in means)}{took}")
    figures[name] = dict(zip(column_heads().split(), [*means, took_ms], strict=True))


def by_category(
    set: str,
    modes: Answers,
    tasks: Sequence[Task],
) -> None:
    k = 5 if set.startswith("longmemeval") else 10
    print(f"\nR@{k} by category" + "".join(f"{mode:>12}" for mode in modes))
    for category in sorted({task.question.category for task in tasks}):
        questions = [task.question for task in tasks if task.question.category == category]
        row = [
            100
            * statistics.mean(
                measures.recall(answers[set, question][0], question.gold, k)
                for question in questions
            )
            for answers in modes.values()
        ]
        print(
            f"{category:>28}" + "".join(f"{value:12.1f}" for value in row) + f"{len(questions):6}"
        )


def newer_above_older(modes: Answers, tasks: Sequence[Task]) -> dict[Mode, float]:
    """How many questions about a changed fact have the later session first, in percent; also of
    every other question, from the first and the second on."""
    updates = [task for task in tasks if task.question.category == "knowledge-update"]
    times = {session.id: session.at for session in updates[0].saved_talk.talk.sessions}
    shares: dict[Mode, float] = {}
    for mode, answers in modes.items():
        firsts = [
            (next((id for id in answers["longmemeval", task.question][0] if id in gold), ""), gold)
            for task in updates
            for gold in [task.question.gold]
        ]
        above = [first == max(gold, key=times.__getitem__) for first, gold in firsts]
        shares[mode] = round(100 * statistics.mean(above), 1)
        halves = [round(100 * statistics.mean(above[start::2]), 1) for start in (0, 1)]
        print(f"\nnewer session first, {mode}, of {len(above)} updates: {shares[mode]}, {halves}")
    return shares


def cost_ms(tasks: Sequence[Task]) -> float:
    times_ms = []
    for task in tasks[:200]:
        plan = read_query(task.question.text, [], task.question.asked_at)
        started = time.perf_counter()
        fuse(task.pool, weigh(task.pool, plan), "weighted", now())
        times_ms.append((time.perf_counter() - started) * 1_000)
    return statistics.median(times_ms)


if __name__ == "__main__":
    main()
