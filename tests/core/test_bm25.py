"""Search by word: scores equal a reference BM25, and stay correct through changes."""

import math
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest

from remem.core.index import match
from remem.core.index.document_frequency import DocumentFrequency
from remem.core.index.match import match_words
from remem.core.index.policy import WORD_POLICY, WordPolicy
from remem.core.index.write import Text, index_texts, unindex
from remem.core.language.everyday import everyday_share
from remem.core.language.tokens import query_terms, terms
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import new_scope

pytestmark = pytest.mark.anyio

K1, B = 1.2, 0.6
WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdgkmnpt"]
KIND = "chunk"


def bm25(texts: dict[UUID, str], query: str) -> dict[UUID, float]:
    """The reference implementation, over the texts that have at least one term."""
    term_counts = {id: terms(text) for id, text in texts.items()}
    term_counts = {id: counts for id, counts in term_counts.items() if counts}
    average = sum(counts.total() for counts in term_counts.values()) / max(1, len(term_counts))
    frequency = Counter(term for counts in term_counts.values() for term in counts)
    scores: Counter[UUID] = Counter()
    for term in query_terms(query):
        df = frequency[term]
        # Add a hundred everyday texts as a prior.
        texts, matching = len(term_counts) + 100, df + 100 * everyday_share(term)
        idf = math.log(1 + (texts - matching + 0.5) / (matching + 0.5))
        for id, counts in term_counts.items():
            if tf := counts[term]:
                length = 1 - B + B * counts.total() / average
                scores[id] += idf * tf * (K1 + 1) / (tf + K1 * length)
    return dict(scores)


@dataclass
class Index:
    """The index under test, and the texts it should contain."""

    ports: Ports
    scope: Scope
    texts: dict[UUID, dict[UUID, str]] = field(default_factory=dict)
    policy: WordPolicy = WORD_POLICY

    async def project(self, name: str) -> UUID:
        async with self.ports.db.transaction(self.scope) as tx:
            return (await resolve(tx, name, create=True)).id

    async def add(self, project: UUID, words: Iterable[str]) -> list[UUID]:
        new_texts = {new_id(): text for text in words}
        async with self.ports.db.transaction(self.scope) as tx:
            texts = [Text(id, text) for id, text in new_texts.items()]
            await index_texts(tx, KIND, project, texts)
        self.texts.setdefault(project, {}).update(new_texts)
        return list(new_texts)

    async def remove(self, project: UUID, ids: Iterable[UUID]) -> None:
        ids = list(ids)
        async with self.ports.db.transaction(self.scope) as tx:
            await unindex(self.ports, tx, KIND, project, ids)
        for id in ids:
            self.texts[project].pop(id, None)

    async def match(
        self, query: str, projects: list[UUID] | None = None, limit: int = 1_000
    ) -> dict[UUID, float]:
        async with self.ports.db.transaction(self.scope) as tx:
            matches = await match_words(tx, KIND, query, projects, limit, self.policy)
        ranked = matches.matches
        assert [match.score for match in ranked] == sorted(
            (match.score for match in ranked), reverse=True
        )
        return {match.id: match.score for match in ranked}

    async def check(self, query: str, projects: list[UUID] | None = None) -> None:
        chosen = self.texts if projects is None else {id: self.texts[id] for id in projects}
        expected = bm25({id: t for texts in chosen.values() for id, t in texts.items()}, query)
        assert await self.match(query, projects) == pytest.approx(expected, abs=1e-6)

    async def check_totals(self) -> None:
        """The stored totals equal a fresh count."""
        async with self.ports.db.transaction(self.scope) as tx:
            rows = await tx.system.fetch("SELECT project_id, texts, terms FROM text_totals")
        totals = {row["project_id"]: (row["texts"], row["terms"]) for row in rows}
        for project, texts in self.texts.items():
            lengths = [terms(text).total() for text in texts.values()]
            assert totals.get(project, (0, 0)) == (len([n for n in lengths if n]), sum(lengths))


@pytest.fixture
def index(ports: Ports, scope: Scope) -> Index:
    return Index(ports, scope)


def some_text() -> str:
    """Random words with a skewed frequency; sometimes empty, or without any letters."""
    if random.random() < 0.05:
        return random.choice(["", "!!!", "😀 😀", "…"])
    length = random.choice([1, 3, 10, 40, 120])
    return " ".join(
        random.choices(WORDS, weights=[1 / (n + 1) for n in range(len(WORDS))], k=length)
    )


def some_query() -> str:
    return " ".join(random.choices(WORDS[:60], k=random.randint(1, 6)))


async def test_scores_equal_the_reference(index: Index) -> None:
    project = await index.project("one")
    await index.add(project, [some_text() for _ in range(80)])
    for _ in range(12):
        await index.check(some_query())


async def test_scores_stay_correct_through_additions_and_removals(index: Index) -> None:
    projects = [await index.project("one"), await index.project("two")]
    for _ in range(10):
        project = random.choice(projects)
        await index.add(project, [some_text() for _ in range(random.randint(1, 20))])
        ids = list(index.texts[project])
        await index.remove(project, random.sample(ids, k=len(ids) // 3))
        await index.check(some_query())
        await index.check_totals()


async def test_scores_within_a_project_count_that_project_alone(index: Index) -> None:
    first, second = await index.project("one"), await index.project("two")
    await index.add(first, [some_text() for _ in range(30)])
    await index.add(second, [some_text() for _ in range(30)])
    for _ in range(5):
        query = some_query()
        await index.check(query, [first])
        await index.check(query, [second])
        await index.check(query, [first, second])
        await index.check(query)


async def test_common_words_only_score_the_matches_of_rarer_ones(index: Index) -> None:
    index.policy = WordPolicy(enough_postings=5)
    project = await index.project("one")
    rare = await index.add(project, ["the quartz harbor", "harbor harbor quartz lantern"])
    await index.add(project, ["a harbor lantern"] * 30)
    scores = bm25(index.texts[project], "quartz harbor lantern")
    matches = await index.match("quartz harbor lantern", limit=10)
    assert matches == pytest.approx({id: scores[id] for id in rare}, abs=1e-6)
    assert len(await index.match("harbor lantern")) == 31, (
        "the rarest word is searched for, however common"
    )


async def test_a_word_too_common_to_be_counted_weighs_less_than_a_rarer_one(index: Index) -> None:
    index.policy = WordPolicy(max_counted=10)
    project = await index.project("one")
    (rare,) = await index.add(project, ["one quartz stone"])
    await index.add(project, ["one harbor stone"] * 30)
    scores = await index.match("quartz harbor")
    assert len(scores) == 31
    assert max(scores, key=scores.__getitem__) == rare
    assert all(score > 0 for score in scores.values())


async def test_common_words_are_counted_again_when_the_store_has_changed(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        match, "_document_frequency", DocumentFrequency(WordPolicy(min_cached_frequency=10))
    )
    queried_terms: list[list[str]] = []
    frequencies = match.index_store.frequencies

    async def recording_frequencies(*arguments: Any) -> Any:
        queried_terms.append(list(arguments[2]))
        return await frequencies(*arguments)

    monkeypatch.setattr(match.index_store, "frequencies", recording_frequencies)
    project = await index.project("one")
    await index.add(project, ["a harbor lantern"] * 100)
    await index.check("quartz harbor")
    await index.add(project, ["the quartz harbor"])
    scores = await index.match("quartz harbor")
    assert queried_terms == [["quartz", "harbor"], ["quartz"]], (
        "the frequency of harbor is cached; one more text does not change it"
    )
    assert len(scores) == 101
    queried_terms.clear()
    await index.add(project, ["a quartz"] * 20)
    await index.check("quartz harbor")
    assert queried_terms == [["quartz"], ["quartz", "harbor"]]
    queried_terms.clear()
    await index.check("harbor quartz", [project])
    assert queried_terms == [["harbor", "quartz"]], (
        "frequencies within a project are always counted"
    )


async def test_an_emptied_index_counts_nothing(index: Index) -> None:
    project = await index.project("one")
    ids = await index.add(project, [some_text() for _ in range(20)] + ["!!!"])
    await index.remove(project, ids)
    await index.check_totals()
    assert await index.match(some_query()) == {}
    async with index.ports.db.transaction(index.scope) as tx:
        assert await tx.system.fetchval("SELECT count(*) FROM postings") == 0


async def test_removing_twice_counts_once(index: Index) -> None:
    project = await index.project("one")
    first, *_ = await index.add(project, ["red apple", "green apple"])
    await index.remove(project, [first])
    await index.remove(project, [first, new_id()])
    await index.check_totals()


async def test_the_index_of_another_tenant_counts_nothing(ports: Ports, scope: Scope) -> None:
    own, other = Index(ports, scope), Index(ports, await new_scope(ports))
    await own.add(await own.project("p"), ["shared words here", "other words"])
    await other.add(await other.project("p"), ["shared words there"] * 20)
    await own.check("shared words")
    await other.check("shared words")


async def test_the_limit_keeps_the_best_matches(index: Index) -> None:
    project = await index.project("one")
    await index.add(project, [some_text() for _ in range(60)])
    query = some_query()
    scores = sorted((await index.match(query)).values(), reverse=True)
    assert sorted((await index.match(query, limit=5)).values(), reverse=True) == scores[:5]


@pytest.mark.parametrize("query", ["", "   ", "?!", "😀"])
async def test_a_query_without_words_finds_nothing(index: Index, query: str) -> None:
    await index.add(await index.project("one"), ["red apple", "😀"])
    assert await index.match(query) == {}


async def test_a_word_in_every_text_still_counts_for_something(index: Index) -> None:
    await index.add(await index.project("one"), ["apple"] * 5)
    assert all(score > 0 for score in (await index.match("apple")).values())


async def test_the_count_of_an_endlessly_repeated_word_is_limited(index: Index) -> None:
    """Occurrences beyond what the column can store are not counted."""
    project = await index.project("one")
    ids = await index.add(project, ["tea " * 40_000, "tea"])
    assert set(await index.match("tea")) == set(ids)
    await index.check_totals()
