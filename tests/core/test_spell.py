"""Unknown words of a query match known words that begin with them, or else those a typo away."""

from collections.abc import Sequence

import pytest

from remem.core.index.index_store import vocabulary
from remem.core.index.policy import WORD_POLICY
from remem.core.index.spell import complete_terms, correct_terms
from remem.core.index.write import Text, index_texts
from remem.core.language.tokens import query_terms
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import new_scope

pytestmark = pytest.mark.anyio

KIND = "chunk"
INDEXED_TEXT = (
    "The lighthouse of the harbour stands in Lissabon; kubernetes and photosynthesis,"
    " invoice 4711, code ZX-4821, naïve café. 東京の港。ประเทศไทย"
)


async def index(ports: Ports, scope: Scope, *texts: str) -> None:
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, None)
        records = [Text(new_id(), text) for text in texts]
        await index_texts(tx, KIND, project.id, records)


async def matching_terms(ports: Ports, scope: Scope, query: str, kind: str = KIND) -> list[str]:
    async with ports.db.transaction(scope) as tx:
        return list(await complete_terms(tx, [kind], query_terms(query)))


@pytest.fixture
async def indexed_scope(ports: Ports, scope: Scope) -> Scope:
    await index(ports, scope, INDEXED_TEXT)
    return scope


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("ligh", ["lighthous"]),
        ("Kube", ["kubernet"]),
        ("photosyn", ["photosynthesi"]),
        ("CAF", ["cafe"]),
        ("471", ["4711"]),
        ("zx-48", ["zx-4821"]),
    ],
)
async def test_the_beginning_of_a_word(
    ports: Ports, indexed_scope: Scope, query: str, matches: list[str]
) -> None:
    assert set(matches) <= set(await matching_terms(ports, indexed_scope, query))


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("harbuor", "harbour"),
        ("habour", "harbour"),
        ("harboour", "harbour"),
        ("harbeur", "harbour"),
        ("hrabour", "harbour"),
        ("hrbour", "harbour"),
        ("horbour", "harbour"),
        ("lissabbon", "lissabon"),
        ("kubernates", "kubernet"),
        ("fotosynthesis", None),
        ("photosyntesys", "photosynthesi"),
        ("hxxbour", None),
        ("quartz", None),
    ],
)
async def test_a_typo(ports: Ports, indexed_scope: Scope, query: str, matches: str | None) -> None:
    assert await matching_terms(ports, indexed_scope, query) == ([matches] if matches else [])


@pytest.mark.parametrize(
    "query", ["ab", "li", "x", "", "?!", "大阪", "北", "ญี่ปุ่น", "4712", "ZX-4822"]
)
async def test_short_words_numbers_and_other_scripts_are_not_completed(
    ports: Ports, indexed_scope: Scope, query: str
) -> None:
    assert "4711" not in await matching_terms(ports, indexed_scope, query)
    assert "zx-4821" not in await matching_terms(ports, indexed_scope, query)
    assert not [
        term
        for term in await matching_terms(ports, indexed_scope, query)
        if term[0] in "東京の港ปลh"
    ]


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("harbuor", ["harbour"]),
        ("hrabour", ["harbour"]),
        ("photosyntesys lissabbon", ["photosynthesi", "lissabon"]),
        ("harb", []),
        ("lightho", []),
        ("harbour", []),
        ("47111", []),
        ("zx-4822", []),
        ("cafd", []),
        ("ประเทศไทน", []),
    ],
)
async def test_known_words_are_not_completed_but_typos_are_corrected(
    ports: Ports, indexed_scope: Scope, query: str, matches: list[str]
) -> None:
    async with ports.db.transaction(indexed_scope) as tx:
        assert list(await correct_terms(tx, [KIND], query_terms(query))) == matches


async def test_matches_are_unique_and_limited(ports: Ports, scope: Scope) -> None:
    await index(ports, scope, " ".join(f"tower{letter}x" for letter in "abcdefghijklmnop"))
    matches = await matching_terms(ports, scope, "tower towe")
    assert len(matches) == len(set(matches)) == WORD_POLICY.max_guesses


async def test_the_nearest_match_is_first(ports: Ports, scope: Scope) -> None:
    await index(ports, scope, "constellatiom constelxatiom")
    assert await matching_terms(ports, scope, "constellatiox") == ["constellatiom", "constelxatiom"]


async def test_only_the_first_unknown_words_are_matched(ports: Ports, indexed_scope: Scope) -> None:
    unknown = " ".join(f"qu{letter}{other}zz" for letter in "abcdef" for other in "abcdef")
    assert await matching_terms(ports, indexed_scope, f"harbuor {unknown}") == ["harbour"]
    assert await matching_terms(ports, indexed_scope, f"{unknown} harbuor") == []


async def test_words_of_other_tenants_and_kinds_are_not_matched(
    ports: Ports, indexed_scope: Scope
) -> None:
    assert await matching_terms(ports, await new_scope(ports), "harbuor") == []
    assert await matching_terms(ports, indexed_scope, "harbuor", kind="memory") == []


async def vocabulary_of(ports: Ports, scope: Scope, prefix: str, limit: int = 100) -> Sequence[str]:
    async with ports.db.transaction(scope) as tx:
        return await vocabulary(tx, KIND, prefix, limit)


async def test_the_vocabulary_is_sorted_and_unique(ports: Ports, scope: Scope) -> None:
    await index(ports, scope, "boat boar", "boat bog", "cat", "bo", "東京 東海道", "bò")
    assert await vocabulary_of(ports, scope, "bo") == ["bo", "boar", "boat", "bog"]
    assert await vocabulary_of(ports, scope, "bo", limit=2) == ["bo", "boar"]
    assert await vocabulary_of(ports, scope, "東") == ["東", "東京", "東海"]
    assert await vocabulary_of(ports, scope, "z") == []
