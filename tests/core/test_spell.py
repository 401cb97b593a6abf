"""Words nobody wrote are taken for those that begin so, or else for those a slip away."""

from collections.abc import Sequence

import pytest

from remem.core.index.policy import WORD_POLICY
from remem.core.index.spell import complete_terms, correct_terms
from remem.core.index.store import vocabulary
from remem.core.index.write import Text, index_texts
from remem.core.language.tokens import query_terms
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import new_scope

pytestmark = pytest.mark.anyio

KIND = "chunk"
KNOWN = (
    "The lighthouse of the harbour stands in Lissabon; kubernetes and photosynthesis,"
    " invoice 4711, code ZX-4821, naïve café. 東京の港。ประเทศไทย"
)


async def keep(ports: Ports, scope: Scope, *texts: str) -> None:
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, scope, None)
        made = [Text(new_id(), text) for text in texts]
        await index_texts(tx, scope, KIND, project.id, made)


async def near(ports: Ports, scope: Scope, query: str, kind: str = KIND) -> list[str]:
    async with ports.db.transaction(scope) as tx:
        return list(await complete_terms(tx, scope, [kind], query_terms(query)))


@pytest.fixture
async def known(ports: Ports, scope: Scope) -> Scope:
    await keep(ports, scope, KNOWN)
    return scope


@pytest.mark.parametrize(
    ("query", "meant"),
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
    ports: Ports, known: Scope, query: str, meant: list[str]
) -> None:
    assert set(meant) <= set(await near(ports, known, query))


@pytest.mark.parametrize(
    ("query", "meant"),
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
async def test_a_slip(ports: Ports, known: Scope, query: str, meant: str | None) -> None:
    assert await near(ports, known, query) == ([meant] if meant else [])


@pytest.mark.parametrize(
    "query", ["ab", "li", "x", "", "?!", "大阪", "北", "ญี่ปุ่น", "4712", "ZX-4822"]
)
async def test_what_is_too_short_a_number_or_of_another_script_is_not_guessed(
    ports: Ports, known: Scope, query: str
) -> None:
    assert "4711" not in await near(ports, known, query)
    assert "zx-4821" not in await near(ports, known, query)
    assert not [term for term in await near(ports, known, query) if term[0] in "東京の港ปลh"]


@pytest.mark.parametrize(
    ("query", "meant"),
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
async def test_beside_words_that_are_found_only_a_slip_is_mended(
    ports: Ports, known: Scope, query: str, meant: list[str]
) -> None:
    async with ports.db.transaction(known) as tx:
        assert list(await correct_terms(tx, known, [KIND], query_terms(query))) == meant


async def test_words_are_offered_once_and_not_without_end(ports: Ports, scope: Scope) -> None:
    await keep(ports, scope, " ".join(f"tower{letter}x" for letter in "abcdefghijklmnop"))
    found = await near(ports, scope, "tower towe")
    assert len(found) == len(set(found)) == WORD_POLICY.max_guesses


async def test_the_nearest_slip_is_offered_first(ports: Ports, scope: Scope) -> None:
    await keep(ports, scope, "constellatiom constelxatiom")
    assert await near(ports, scope, "constellatiox") == ["constellatiom", "constelxatiom"]


async def test_of_a_page_of_strange_words_only_the_first_are_guessed(
    ports: Ports, known: Scope
) -> None:
    strange = " ".join(f"qu{letter}{other}zz" for letter in "abcdef" for other in "abcdef")
    assert await near(ports, known, f"harbuor {strange}") == ["harbour"]
    assert await near(ports, known, f"{strange} harbuor") == []


async def test_the_words_of_others_and_of_other_kinds_are_not_known(
    ports: Ports, known: Scope
) -> None:
    assert await near(ports, await new_scope(ports), "harbuor") == []
    assert await near(ports, known, "harbuor", kind="memory") == []


async def vocabulary_of(ports: Ports, scope: Scope, prefix: str, limit: int = 100) -> Sequence[str]:
    async with ports.db.transaction(scope) as tx:
        return await vocabulary(tx, scope, KIND, prefix, limit)


async def test_a_vocabulary_is_in_order_each_word_once(ports: Ports, scope: Scope) -> None:
    await keep(ports, scope, "boat boar", "boat bog", "cat", "bo", "東京 東海道", "bò")
    assert await vocabulary_of(ports, scope, "bo") == ["bo", "boar", "boat", "bog"]
    assert await vocabulary_of(ports, scope, "bo", limit=2) == ["bo", "boar"]
    assert await vocabulary_of(ports, scope, "東") == ["東", "東京", "東海"]
    assert await vocabulary_of(ports, scope, "z") == []
