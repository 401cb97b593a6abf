"""Learn the relevance of results, and below which one they are weak (relevance.toml), and what
helps with a prompt to an assistant (prompts.toml; with --prompts only this).

Run it again with another embedder or reader. Of every set, one half of the queries is learned from,
and the other is reported; whether anything answers a query is learned from all. People are those
that no model was trained on. Sets that are not in --data are left out. There are no conversations:
the relevance of a turn alone says little."""

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from quality import save_talk
from sets import hotpot, notes, people, sentences
from sets.logistic import fit_logistic
from sets.model import Talk
from sets.people import Person
from sets.people_store import opened, save_person
from sets.prompts import AsksWeights, asks_by_person, collect_prompts, learn_prompts
from strangers import save_notes

from remem.core.filters import Filters
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.search import calibration, prompt_calibration
from remem.core.search.calibration import BY_MEANING, BY_QUERY, BY_READER, BY_WORDS, Limits
from remem.core.search.evidence import Evidence, Floats, Pool, weigh
from remem.core.search.floor import (
    asked_of,
    judged_alone,
    meaning_measures,
    probability,
    query_measures,
    reader_measures,
    word_measures,
)
from remem.core.search.fuse import fuse
from remem.core.search.model import Asked as AskedQuery
from remem.core.search.model import Mode, Query, Where
from remem.core.search.named import add_named
from remem.core.search.policy import POLICY
from remem.core.search.prompted import log_odds
from remem.core.search.read import plan_query
from remem.core.search.rerank import load_texts
from remem.core.search.signals import gather
from remem.core.search.strategies import STRATEGIES
from remem.core.time import now

Flags = NDArray[np.bool_]
DATA = Path(__file__).parents[2] / "shared" / "data"
OUT = Path(calibration.__file__).with_name(calibration.FILE)
PROMPTS_OUT = OUT.with_name(prompt_calibration.FILE)
FIRST = 10
# The share of right results that each threshold may lose, as a mean over the sets: less of what was
# read, because then a query that nothing answers is known by other means.
MAX_LOST, MAX_LOST_READ = 0.02, 0.01
# The share of prompts to an assistant that need nothing of what is saved, and yet get results.
MAX_ANSWERED = 0.15
SAMPLE, OTHERS, SEED = 80, 700, 3


@dataclass(frozen=True, slots=True)
class Asked:
    """Nothing is `right` for what `sounds_answerable` either, but its subject is in the store."""

    text: str
    right: frozenset[str]
    unrated: frozenset[str] = frozenset()
    is_prompt: bool = False
    sounds_answerable: bool = False


@dataclass(frozen=True, slots=True)
class Store:
    """A project, what its documents and memories are called, and what is searched for in it."""

    set: str
    project: str | UUID
    labels: dict[UUID, str]
    queries: Sequence[Asked]


@dataclass(frozen=True, slots=True)
class Results:
    """The first results of a query, a row for each: measures, whether it is right, and whether its
    relevance alone decides if it is weak. The query is of a `kind`: sentence, keywords or name.
    `vector` is that of the query, `store` names the person or set whose notes these are, and
    `best_read` is the reader's highest score."""

    set: str
    store: str
    query: Asked
    asked: AskedQuery | None
    vector: Floats
    best_read: float
    kind: str
    is_reported: bool
    meaning: Floats
    words: Floats
    reader: Floats
    right: Floats
    alone: Flags


Relevance: TypeAlias = Callable[[Results], Floats]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true", help="write what was learned")
    parser.add_argument("--prompts", action="store_true", help="only what helps with prompts")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        prompts = asyncio.run(collect_prompts(Path(folder), args.data))
    _keep(learn_prompts(prompts), PROMPTS_OUT, write=args.write)
    if not args.prompts:
        with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
            results = asyncio.run(collect(Path(folder), args.data))
        _keep(learn(results, asks_by_person(prompts)), OUT, write=args.write)


def _keep(learned: str, file: Path, *, write: bool) -> None:
    print(learned)
    if write:
        file.write_text(f"{learned}\n")


# --- learning


def learn(results: Mapping[Mode, Sequence[Results]], asks: AsksWeights) -> str:
    """The contents of relevance.toml."""
    balanced, fast = (
        [item for item in results[mode] if item.set != "short"] for mode in ("balanced", "fast")
    )
    by_meaning = _fit(balanced, lambda item: item.meaning)
    by_words = _fit(fast, lambda item: item.words)

    def unread(item: Results) -> Floats:
        return _relevance(by_meaning, item.meaning)

    def reader_rows(item: Results) -> Floats:
        return reader_measures(unread(item), item.reader.tolist())

    by_reader = _fit(balanced, reader_rows)

    def read(item: Results) -> Floats:
        return _relevance(by_reader, reader_rows(item))

    sentences = [item for item in balanced if item.kind == "sentence"]
    judged = [item for item in balanced if item.asked and not item.query.sounds_answerable]
    own = [_asks(item, asks) for item in judged]
    usual = float(np.mean([value for value, item in zip(own, judged, strict=True)
                           if item.query.right]))  # fmt: skip
    rows = np.vstack([_query_row(item, value) for item, value in zip(judged, own, strict=True)])
    by_query = _fit_queries(judged, rows)
    answered = _relevance_odds(by_query, rows)
    short = [item for item in results["balanced"] if item.set == "short"]
    limits = Limits(
        unread=_threshold(sentences, unread, MAX_LOST),
        read=_threshold(sentences, read, MAX_LOST_READ),
        answered=_answered_limit(judged, answered),
    )
    _report("balanced", sentences, unread, limits.unread)
    _report("best", sentences, read, limits.read)
    _report_queries(judged, answered, limits.answered)
    thresholds = {
        kind: _threshold([item for item in short if item.kind == kind], unread, MAX_LOST)
        for kind in ("keywords", "name")
    }
    return "\n".join(
        [
            "# Written by bench/calibrate.py.",
            *_table("by_meaning", zip(BY_MEANING, by_meaning, strict=True)),
            *_table("by_words", zip(BY_WORDS, by_words, strict=True)),
            *_table("by_reader", zip(BY_READER, by_reader, strict=True)),
            *_table("by_query", [*zip(BY_QUERY, by_query, strict=True), ("usual_asks", usual)]),
            *_table("limits", limits._asdict().items()),
            *_table("short", thresholds.items()),
        ]
    )


def _fit(results: Sequence[Results], measures: Callable[[Results], Floats]) -> Floats:
    """Learned from one half. Each set counts the same, and of a query the right results as much as
    the others."""
    learned = [item for item in results if not item.is_reported]
    sizes = Counter(item.set for item in learned)
    weights = [_balanced(item.right) / sizes[item.set] for item in learned]
    return fit_logistic(
        np.vstack([measures(item) for item in learned]),
        np.concatenate([item.right for item in learned]),
        np.concatenate(weights),
    )


def _balanced(right: Floats) -> Floats:
    return np.where(right > 0, 1 / max(right.sum(), 1), 1 / max((1 - right).sum(), 1))


def _relevance(weights: Floats, measures: Floats) -> Floats:
    return probability(weights[0] + measures @ weights[1:])


def _asks(item: Results, weights: AsksWeights) -> float:
    """By weights that were learned from other people, as it will be in use."""
    return float(log_odds(weights.get(item.store, weights[""]), item.vector))


def _query_row(item: Results, asks: float) -> Floats:
    assert item.asked is not None
    return query_measures(item.asked._replace(asks=asks), [item.best_read], asks)


def _fit_queries(judged: Sequence[Results], rows: Floats) -> Floats:
    """Whether anything answers. Learned from all, because half has too few prompts: bench/people.py
    reports others."""
    right = np.array([float(bool(item.query.right)) for item in judged])
    return fit_logistic(rows, right, np.ones(len(right)))


def _relevance_odds(weights: Floats, rows: Floats) -> Floats:
    return np.asarray(log_odds(weights, rows))


def _answered_limit(judged: Sequence[Results], answered: Floats) -> float:
    """Above it are few of the prompts that need nothing."""
    unrelated = sorted(
        (
            float(value)
            for item, value in zip(judged, answered, strict=True)
            if item.query.is_prompt and not item.query.right
        ),
        reverse=True,
    )
    return unrelated[int(len(unrelated) * MAX_ANSWERED)] + 0.005


def _report_queries(judged: Sequence[Results], answered: Floats, limit: float) -> None:
    for set in dict.fromkeys(item.set for item in judged):
        for prompts in (False, True):
            for right in (True, False):
                values = [
                    float(value)
                    for item, value in zip(judged, answered, strict=True)
                    if item.set == set
                    and item.query.is_prompt == prompts
                    and bool(item.query.right) == right
                ]
                kind = ("prompts" if prompts else "questions") + (
                    "" if right else " without answer"
                )
                above = sum(value >= limit for value in values)
                if values:
                    print(f"{set}: {above} of {len(values)} {kind} get results")


def _threshold(
    results: Sequence[Results],
    relevance: Relevance,
    max_lost: float,
) -> float:
    """The highest one that loses few right results, up to the highest relevance that a weak result
    may have."""
    by_set: dict[str, list[float]] = {}
    for item in results:
        if not item.is_reported:
            chosen = relevance(item)[(item.right > 0) & item.alone]
            by_set.setdefault(item.set, []).extend(chosen.tolist())
    allowed = [
        value
        for value in np.arange(0, POLICY.weak_relevance + 0.005, 0.01)
        if _mean_lost(by_set, value) <= max_lost
    ]
    return float(max(allowed))


def _mean_lost(by_set: Mapping[str, Sequence[float]], threshold: float) -> float:
    shares = [np.mean(np.array(right) < threshold) for right in by_set.values() if right]
    return float(np.mean(shares)) if shares else 0.0


def _report(name: str, results: Sequence[Results], relevance: Relevance, weak: float) -> None:
    """Of the half that was not learned from."""
    columns = ("right", "lost", "others", "left", "no answer", "results")
    print(f"{name:18}" + "".join(f"{column:>10}" for column in columns))
    for set in dict.fromkeys(item.set for item in results):
        counts: Counter[str] = Counter()
        for item in results:
            if item.set == set and item.is_reported:
                values = relevance(item)
                is_weak = item.alone & (values < weak)
                is_right = item.right > 0
                counts["right"] += is_right.sum()
                counts["lost"] += (is_right & is_weak).sum()
                counts["others"] += (~is_right).sum()
                counts["left"] += (~is_right & ~is_weak).sum()
                counts["no answer"] += not is_right.any()
                counts["results"] += not is_right.any() and not is_weak.all()
        print(f"{set:18}" + "".join(f"{counts[column]:>10}" for column in columns))


def _table(name: str, values: Iterable[tuple[str, float]]) -> list[str]:
    return ["", f"[{name}]", *(f"{key} = {value:.2f}" for key, value in values)]


# --- collecting


async def collect(folder: Path, data: Path) -> dict[Mode, list[Results]]:
    async with opened(folder) as (ports, scope):
        results: dict[Mode, list[Results]] = {"fast": [], "balanced": []}
        for store in await save_all(ports, scope, data):
            for number, asked in enumerate(store.queries):
                for mode, collected in results.items():
                    found = await _search(ports, scope, store, asked, mode, number % 2 == 1)
                    collected += [found] if found else []
            print(f"{store.set:12} {len(store.queries):4} queries", flush=True)
        return results


async def save_all(ports: Ports, scope: Scope, data: Path) -> list[Store]:
    stores = []
    for person in sentences.load():
        labels = await save_notes(ports, scope, person)
        asked = [Asked(item.text, item.right, item.related) for item in person.queries]
        stores.append(Store("sentences", person.name, labels, asked))
        asked = [Asked(item.text, item.right) for item in person.short]
        stores.append(Store("short", person.name, labels, asked))
    (own,) = notes.load(data)
    stores.append(await _save_talk(ports, scope, "notes", own, notes.unanswerable()))
    stores += [
        await _save_person(ports, scope, person) for person in people.people_to_learn_from(data)
    ]
    if (data / "hotpot").is_dir():
        (paragraphs,) = hotpot.load(data)
        stores.append(await _save_talk(ports, scope, "hotpot", _some(paragraphs)))
    return stores


def _some(talk: Talk) -> Talk:
    """A sample of the questions; of notes, those that answer them and a sample of the others."""
    chosen = random.Random(SEED)
    questions = chosen.sample(talk.questions, min(SAMPLE, len(talk.questions)))
    gold = {id for question in questions for id in question.gold}
    others = [note for note in talk.notes if note.id not in gold]
    kept = [note for note in talk.notes if note.id in gold]
    kept += chosen.sample(others, min(OTHERS, len(others)))
    return replace(talk, questions=questions, notes=kept)


async def _save_talk(
    ports: Ports, scope: Scope, name: str, talk: Talk, unanswerable: Sequence[str] = ()
) -> Store:
    saved = await save_talk(ports, scope, f"{name}-{talk.id}", 0, talk)
    asked = [Asked(question.text, question.gold) for question in talk.questions]
    asked += [Asked(text, frozenset()) for text in unanswerable]
    return Store(name, saved.project, saved.answers, asked)


async def _save_person(ports: Ports, scope: Scope, person: Person) -> Store:
    """Without questions about changes: what is outdated is neither right nor a stranger."""
    labels = await save_person(ports, scope, person)
    asked = [
        Asked(
            question.text,
            frozenset(question.expected),
            sounds_answerable=question.kind == "none",
        )
        for question in person.questions
        if question.kind != "changed"
    ]
    asked += [
        Asked(prompt.text, frozenset(prompt.relevant), is_prompt=True) for prompt in person.prompts
    ]
    return Store("typed en" if person.is_english else "typed", person.name, labels, asked)


async def _search(
    ports: Ports, scope: Scope, store: Store, asked: Asked, mode: Mode, is_reported: bool
) -> Results | None:
    """What the first results of a query measure; None if there are none."""
    async with ports.db.transaction(scope) as tx:
        query = Query(asked.text, store.project)
        projects = await resolve_all(tx, store.project, inherit=False)
        plan = await plan_query(tx, query)
        where = Where((CHUNK, MEMORY), projects, Filters())
        pool = await gather(ports, tx, plan, STRATEGIES[mode], where)
        if not pool.features:
            return None
        evidence = weigh(pool, plan)
        ranked = fuse(pool, evidence, "weighted", now())
        if named := await add_named(tx, pool, evidence, ranked):
            evidence, ranked = named, fuse(pool, named, "weighted", now())
        texts = await load_texts(tx, query, ranked[: POLICY.reader_first])
    assert ports.reader is not None
    scores = await ports.reader.rank(asked.text, [text.reader_input for text in texts])
    vector = np.array(await ports.embedder.embed_query(plan.embedded), float)
    order = [result.id for result in ranked]
    return measured(store, asked, pool, evidence, order, scores, vector, reported=is_reported)


def measured(
    store: Store,
    asked: Asked,
    pool: Pool,
    evidence: Evidence,
    ids: Sequence[UUID],
    scores: Sequence[float],
    vector: Floats,
    *,
    reported: bool,
) -> Results | None:
    """`ids` are those of the results, best first, of which the first have scores of the reader."""
    position = {id: n for n, id in enumerate(pool.best or [item.id for item in pool.features])}
    order = [position[id] for id in ids]
    labels = _labels(pool, store.labels)
    # Names and keywords are judged as a sentence would be.
    plain = replace(pool, name_words=0, is_keywords=False)
    used = [
        (n, score)
        for n, score in list(zip(order, scores, strict=False))[:FIRST]
        if labels[n] not in asked.unrated
    ]
    if not used:
        return None
    rows = [n for n, _ in used]
    return Results(
        store.set,
        str(store.project),
        asked,
        asked_of(pool, evidence),
        vector,
        max(scores),
        "name" if pool.name_words else "keywords" if pool.is_keywords else "sentence",
        reported,
        meaning_measures(pool)[rows],
        word_measures(pool)[rows],
        np.array([score for _, score in used]),
        np.array([float(labels[n] in asked.right) for n in rows]),
        np.array(judged_alone(plain, evidence), bool)[rows],
    )


def _labels(pool: Pool, labels: Mapping[UUID, str]) -> list[str | None]:
    """Those of the chunks and memories, or of their documents."""
    memories = pool.memories or [()] * len(pool.features)
    return [
        next((labels[id] for id in (item.id, item.document_id, *ids) if id in labels), None)
        for item, ids in zip(pool.features, memories, strict=True)
    ]


if __name__ == "__main__":
    main()
