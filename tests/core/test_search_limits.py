"""The limits of a search: how many texts are embedded, read, cached and returned."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from pydantic import TypeAdapter

from remem.core.errors import Conflict, Invalid
from remem.core.search import model, named
from remem.core.search.as_of import _with_cosines, rank_as_of
from remem.core.search.cache import store_answer
from remem.core.search.evidence import Pool, weigh
from remem.core.search.excerpt import sentence_spans
from remem.core.search.fuse import fuse
from remem.core.search.ids import resolve_id
from remem.core.search.passage import passage
from remem.core.search.plan import Plan, names_in, read_query
from remem.core.search.titles import phrase_of, words_in
from remem.surfaces.cli import remember
from tests.core.pools import NOW, PoolEntry
from tests.core.pools import pool_of as pool_of_texts

pytestmark = pytest.mark.anyio


class Embedder:
    model = "counted"

    def __init__(self) -> None:
        self.embedded: list[str] = []

    async def embed_query(self, _: str) -> np.ndarray:
        return np.ones(2)

    async def embed(self, texts: Sequence[str]) -> list[np.ndarray]:
        self.embedded += texts
        return [np.ones(2) for _ in texts]


class EmptyIndex:
    async def cosines(self, *_: Any) -> list[Any]:
        return []


def pool_of(count: int) -> Pool:
    none: Any = [None] * count
    tf = np.arange(count, dtype=float).reshape(count, 1)
    return Pool(none, np.zeros(count), tf, np.ones(count), np.ones(1), 1.0, none)


async def test_the_likeliest_of_the_replaced_memories_are_embedded() -> None:
    """Those with most words of the query, and only as many as can be embedded in time."""
    embedder = Embedder()
    candidates: Any = [SimpleNamespace(id=uuid4(), content=f"memory {n}") for n in range(100)]
    ports: Any = SimpleNamespace(embedder=embedder, vectors=EmptyIndex())
    unused: Any = None
    pool = await _with_cosines(ports, unused, pool_of(100), candidates, "asked")
    assert embedder.embedded == [f"memory {n}" for n in range(99, 67, -1)]
    assert np.count_nonzero(pool.cosine) == 32


async def test_an_answer_is_cached_for_five_minutes() -> None:
    lifetimes: list[float] = []

    class Cache:
        async def put(self, _: str, __: bytes, seconds: float) -> None:
            lifetimes.append(seconds)

    ports: Any = SimpleNamespace(cache=Cache())
    await store_answer(ports, "key", [1], TypeAdapter(list[int]))
    assert lifetimes == [300]


def test_a_sentence_that_is_too_long_is_cut_into_parts_of_a_hundred_characters() -> None:
    parts = [end - start for start, end in sentence_spans("word " * 200, 300)]
    assert all(90 <= part <= 101 for part in parts[:-1])


@pytest.mark.parametrize("short", ["", "1234567", "-1234567", "x2345678"])
async def test_a_short_id_needs_eight_digits(short: str) -> None:
    unused: Any = None
    with pytest.raises(Invalid, match="at least 8 of its digits"):
        await resolve_id(unused, unused, short)


class Requested(Exception):
    """Stops the search and carries the number that was requested."""


async def test_two_thousand_memories_are_read_as_of_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    async def current_at(*args: Any) -> None:
        raise Requested(args[-1])

    monkeypatch.setattr("remem.core.search.as_of.current_at", current_at)
    query: Any = SimpleNamespace(as_of=datetime(2026, 1, 1, tzinfo=UTC))
    where: Any = SimpleNamespace(projects=None)
    unused: Any = None
    with pytest.raises(Requested, match="2000"):
        await rank_as_of(unused, unused, query, where)


async def test_an_ambiguous_id_lists_five_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    async def by_short_id(*args: Any) -> list[tuple[str, Any]]:
        return [("memory", uuid4()) for _ in range(args[-1])]

    @asynccontextmanager
    async def transaction(_: Any) -> AsyncIterator[None]:
        yield None

    monkeypatch.setattr("remem.core.search.ids.store.by_short_id", by_short_id)
    ports: Any = SimpleNamespace(db=SimpleNamespace(transaction=transaction))
    unused: Any = None
    with pytest.raises(Conflict) as refused:
        await resolve_id(ports, unused, "12345678")
    assert str(refused.value).count(",") == 4


async def test_five_results_are_searched_for_titles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def texts(*args: Any) -> None:
        raise Requested(len(args[-1]))

    monkeypatch.setattr(named.store, "texts", texts)
    plan, unused = Plan("who pays", "who pays"), None
    entries = [PoolEntry(0.5, (1,), thread_id=uuid4(), title="Kaminski Trust") for _ in range(12)]
    pool = pool_of_texts(entries)
    evidence = weigh(pool, plan)
    ranked = fuse(pool, evidence, "weighted", NOW)
    with pytest.raises(Requested, match=r"^5$"):
        await named.add_named(unused, pool, evidence, ranked)  # type: ignore[arg-type]


def test_four_thousand_characters_are_searched_for_titles() -> None:
    text = "x" * 3_991 + " Kaminski Trust"
    assert words_in(text).endswith(" kaminski ")


@pytest.mark.parametrize(("words", "is_name"), [(12, True), (13, False)])
def test_a_title_of_more_than_twelve_words_is_a_sentence(words: int, is_name: bool) -> None:
    assert bool(phrase_of(" ".join(["Kaminski"] * words))) is is_name


@pytest.mark.parametrize(("title", "is_name"), [("Oslo", True), ("Ulm", False)])
def test_a_title_of_one_word_needs_four_letters(title: str, is_name: bool) -> None:
    assert bool(phrase_of(title)) is is_name


def test_a_passage_has_eight_hundred_characters_and_moves_in_steps_of_two_hundred() -> None:
    """The first passage that has the word: the word is in its last two hundred characters."""
    text = "x" * 2_100 + " bicycle " + "y" * 3_000
    assert passage(text, "bicycle") == text[1_400:2_200]


def test_names_and_exact_strings_of_a_query_are_limited() -> None:
    names = " ".join(f"name{n}" for n in range(60))
    assert len(names_in(names)) == 24
    quoted = " ".join(f'"text {n}"' for n in range(20))
    assert len(read_query(quoted, [], NOW).exact) == 5
    filler = "a " * 400
    assert names_in(filler + "a " * 97 + "anna") == ["anna"]
    assert names_in(filler + "a " * 100 + "anna") == []


def test_the_command_line_packs_as_much_as_the_api() -> None:
    assert remember.TOKENS_MAX == model.TOKENS_MAX
