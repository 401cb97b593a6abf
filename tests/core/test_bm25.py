"""Search by word: scores equal a plain BM25, and stay right through changes."""

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
    """The reference, over the texts that have any term at all."""
    counted = {id: terms(text) for id, text in texts.items()}
    counted = {id: found for id, found in counted.items() if found}
    average = sum(found.total() for found in counted.values()) / max(1, len(counted))
    frequency = Counter(term for found in counted.values() for term in found)
    scores: Counter[UUID] = Counter()
    for term in query_terms(query):
        df = frequency[term]
        # As if there were a hundred everyday texts besides.
        texts, having = len(counted) + 100, df + 100 * everyday_share(term)
        idf = math.log(1 + (texts - having + 0.5) / (having + 0.5))
        for id, found in counted.items():
            if tf := found[term]:
                length = 1 - B + B * found.total() / average
                scores[id] += idf * tf * (K1 + 1) / (tf + K1 * length)
    return dict(scores)


@dataclass
class Index:
    """The index under test beside the texts it should have."""

    ports: Ports
    scope: Scope
    texts: dict[UUID, dict[UUID, str]] = field(default_factory=dict)
    policy: WordPolicy = WORD_POLICY

    async def project(self, name: str) -> UUID:
        async with self.ports.db.transaction(self.scope) as tx:
            return (await resolve(tx, self.scope, name, create=True)).id

    async def add(self, project: UUID, words: Iterable[str]) -> list[UUID]:
        made = {new_id(): text for text in words}
        async with self.ports.db.transaction(self.scope) as tx:
            texts = [Text(id, text) for id, text in made.items()]
            await index_texts(tx, self.scope, KIND, project, texts)
        self.texts.setdefault(project, {}).update(made)
        return list(made)

    async def remove(self, project: UUID, ids: Iterable[UUID]) -> None:
        ids = list(ids)
        async with self.ports.db.transaction(self.scope) as tx:
            await unindex(self.ports, tx, self.scope, KIND, project, ids)
        for id in ids:
            self.texts[project].pop(id, None)

    async def match(
        self, query: str, projects: list[UUID] | None = None, limit: int = 1_000
    ) -> dict[UUID, float]:
        async with self.ports.db.transaction(self.scope) as tx:
            matches = await match_words(tx, self.scope, KIND, query, projects, limit, self.policy)
        found = matches.matches
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
        return {one.id: one.score for one in found}

    async def check(self, query: str, projects: list[UUID] | None = None) -> None:
        chosen = self.texts if projects is None else {id: self.texts[id] for id in projects}
        expected = bm25({id: t for texts in chosen.values() for id, t in texts.items()}, query)
        assert await self.match(query, projects) == pytest.approx(expected, abs=1e-6)

    async def check_totals(self) -> None:
        """What is kept is what would be counted anew."""
        async with self.ports.db.transaction(self.scope) as tx:
            rows = await tx.fetch("SELECT project_id, texts, terms FROM text_totals")
        kept = {row["project_id"]: (row["texts"], row["terms"]) for row in rows}
        for project, texts in self.texts.items():
            lengths = [terms(text).total() for text in texts.values()]
            assert kept.get(project, (0, 0)) == (len([n for n in lengths if n]), sum(lengths))


@pytest.fixture
def index(ports: Ports, scope: Scope) -> Index:
    return Index(ports, scope)


def some_text() -> str:
    """Words drawn unevenly, as words are; now and then none, or something without letters."""
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


async def test_scores_stay_right_through_additions_and_removals(index: Index) -> None:
    projects = [await index.project("one"), await index.project("two")]
    for _ in range(10):
        project = random.choice(projects)
        await index.add(project, [some_text() for _ in range(random.randint(1, 20))])
        there = list(index.texts[project])
        await index.remove(project, random.sample(there, k=len(there) // 3))
        await index.check(some_query())
        await index.check_totals()


async def test_scores_within_a_project_count_that_project_alone(index: Index) -> None:
    one, two = await index.project("one"), await index.project("two")
    await index.add(one, [some_text() for _ in range(30)])
    await index.add(two, [some_text() for _ in range(30)])
    for _ in range(5):
        query = some_query()
        await index.check(query, [one])
        await index.check(query, [two])
        await index.check(query, [one, two])
        await index.check(query)


async def test_common_words_are_counted_for_what_rarer_ones_found(index: Index) -> None:
    index.policy = WordPolicy(enough_postings=5)
    project = await index.project("one")
    rare = await index.add(project, ["the quartz harbor", "harbor harbor quartz lantern"])
    await index.add(project, ["a harbor lantern"] * 30)
    whole = bm25(index.texts[project], "quartz harbor lantern")
    found = await index.match("quartz harbor lantern", limit=10)
    assert found == pytest.approx({id: whole[id] for id in rare}, abs=1e-6)
    assert len(await index.match("harbor lantern")) == 31, (
        "the rarest is looked for, however common"
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


async def test_common_words_are_counted_anew_when_the_store_has_changed(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        match, "_document_frequency", DocumentFrequency(WordPolicy(min_cached_frequency=10))
    )
    read: list[list[str]] = []
    frequencies = match.store.frequencies

    async def watched(*given: Any) -> Any:
        read.append(list(given[3]))
        return await frequencies(*given)

    monkeypatch.setattr(match.store, "frequencies", watched)
    project = await index.project("one")
    await index.add(project, ["a harbor lantern"] * 100)
    await index.check("quartz harbor")
    await index.add(project, ["the quartz harbor"])
    scores = await index.match("quartz harbor")
    assert read == [["quartz", "harbor"], ["quartz"]], "harbor is known; a text more tells nothing"
    assert len(scores) == 101
    read.clear()
    await index.add(project, ["a quartz"] * 20)
    await index.check("quartz harbor")
    assert read == [["quartz"], ["quartz", "harbor"]]
    read.clear()
    await index.check("harbor quartz", [project])
    assert read == [["harbor", "quartz"]], "of a project, that is counted for itself"


async def test_an_emptied_index_counts_nothing(index: Index) -> None:
    project = await index.project("one")
    ids = await index.add(project, [some_text() for _ in range(20)] + ["!!!"])
    await index.remove(project, ids)
    await index.check_totals()
    assert await index.match(some_query()) == {}
    async with index.ports.db.transaction(index.scope) as tx:
        assert await tx.fetchval("SELECT count(*) FROM postings") == 0


async def test_removing_twice_counts_once(index: Index) -> None:
    project = await index.project("one")
    first, *_ = await index.add(project, ["red apple", "green apple"])
    await index.remove(project, [first])
    await index.remove(project, [first, new_id()])
    await index.check_totals()


async def test_the_index_of_another_tenant_counts_nothing(ports: Ports, scope: Scope) -> None:
    ours, theirs = Index(ports, scope), Index(ports, await new_scope(ports))
    await ours.add(await ours.project("p"), ["shared words here", "other words"])
    await theirs.add(await theirs.project("p"), ["shared words there"] * 20)
    await ours.check("shared words")
    await theirs.check("shared words")


async def test_the_limit_keeps_the_best(index: Index) -> None:
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


async def test_a_text_of_one_word_without_end_is_counted_up_to_a_bound(index: Index) -> None:
    """Beyond what its column can store, more of the same word tells nothing more."""
    project = await index.project("one")
    ids = await index.add(project, ["tea " * 40_000, "tea"])
    assert set(await index.match("tea")) == set(ids)
    await index.check_totals()
