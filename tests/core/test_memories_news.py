"""News replace the statement that they end, even if the two share no word."""

import pytest

from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.core.memories import contents, save

pytestmark = pytest.mark.anyio

OLD_AND_NEW = [
    ("I live in Paris", "I moved to Berlin"),
    ("I live in Paris.", "I've moved to Berlin."),
    ("I live in Paris.", "We moved to Berlin last week"),
    ("I moved to Berlin.", "I live in Paris."),
    ("I work at Acme.", "I started at Globex."),
    ("I started at Globex.", "I work at Acme."),
    ("My phone number is 030-1234.", "My number is now 030-9999."),
]
UNRELATED = [
    "My sister lives in Madrid.",
    "Anna lives in Oslo and works at Equinor.",
    "The meeting moved to Monday.",
    "Bert works at Initech.",
    "The office number is 030-5555.",
    "I love living near a lake.",
    "Work starts at nine.",
]


@pytest.mark.parametrize(("old", "new"), OLD_AND_NEW)
async def test_news_replace_what_they_end_alone_in_a_project(
    ports: Ports, scope: Scope, old: str, new: str
) -> None:
    first = await save(ports, scope, old)
    second = await save(ports, scope, new)
    assert (second.status, second.superseded) == ("updated", (first.memory.id,))
    assert await contents(ports, scope) == [new]


async def test_news_replace_what_they_end_and_nothing_around_it(ports: Ports, scope: Scope) -> None:
    for other in UNRELATED:
        await save(ports, scope, other)
    home = await save(ports, scope, "I live in Paris.")
    job = await save(ports, scope, "I work at Acme.")
    moved = await save(ports, scope, "I moved to Berlin.")
    started = await save(ports, scope, "I started at Globex.")
    assert moved.superseded == (home.memory.id,)
    assert started.superseded == (job.memory.id,)
    assert set(await contents(ports, scope)) == {
        *UNRELATED,
        "I moved to Berlin.",
        "I started at Globex.",
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Paris.", "I moved to the Platform team."),
        ("I live in Paris.", "I moved to Berlin in 2010."),
        ("I live in Paris.", "My brother moved to Berlin."),
        ("I work at Acme.", "I started at nine today."),
    ],
)
async def test_what_only_sounds_like_news_replaces_nothing(
    ports: Ports, scope: Scope, old: str, new: str
) -> None:
    await save(ports, scope, old)
    assert (await save(ports, scope, new)).superseded == ()
    assert set(await contents(ports, scope)) == {old, new}
