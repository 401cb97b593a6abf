"""A document whose title is in one of the first results gains score, and no other does."""

from uuid import UUID

import numpy as np
import pytest

from remem.core.search.evidence import weigh
from remem.core.search.fuse import fuse
from remem.core.search.named import score_named
from remem.core.search.plan import Plan
from remem.core.search.titles import phrase_of, words_in
from tests.core.pools import NOW, PoolEntry, pool_of

PLAN = Plan("who pays for the harbour festival", "who pays for the harbour festival")


@pytest.mark.parametrize(
    ("title", "text", "named"),
    [
        ("Kaminski Trust", "It is paid for by the Kaminski trust, as ever.", True),
        ("Kaminski Trust", "It is paid for by [[Kaminski Trust]].", True),
        ("Teardrops (song)", "Its second single was “Teardrops”.", True),
        ("Kaminski Trust", "It is paid for by the Kaminski trustees.", False),
        ("Copenhagen", "The arena is in Copenhagen, and opened in 2017.", True),
        # Common words, which any text may have.
        ("Meeting", "After the meeting we went home.", False),
        ("Notes", "My notes are in the drawer.", False),
        ("1987", "Founded in 1987.", False),
        ("", "Anything.", False),
        # The title of an untitled note is its first sentence.
        ("The well is dug by the oak.", "The well is dug by the oak.", False),
    ],
)
def test_a_title_is_named_by_its_words(title: str, text: str, named: bool) -> None:
    phrase = phrase_of(title)
    assert (bool(phrase) and phrase in words_in(text)) is named


def test_a_document_that_a_result_names_gains_score_but_not_from_itself() -> None:
    docs = [UUID(int=n) for n in range(1, 4)]
    pool = pool_of(
        [
            PoolEntry(0.7, (2,), thread_id=docs[0], title="Harbour festival"),
            PoolEntry(0.2, (0,), thread_id=docs[1], title="Kaminski Trust"),
            PoolEntry(0.3, (1,), thread_id=docs[2], title="Opening hours"),
        ]
    )
    ranked = fuse(pool, weigh(pool, PLAN), "weighted", NOW)
    text = "The harbour festival is paid for by the Kaminski Trust."
    titled = [(n, phrase_of(features.title)) for n, features in enumerate(pool.features)]
    named = score_named(pool, titled, ranked[:1], {ranked[0].id: text})
    assert named.tolist() == [0.0, ranked[0].score, 0.0]


def test_a_result_does_not_name_a_document_with_its_own_title() -> None:
    pool = pool_of(
        [
            PoolEntry(0.7, (2,), thread_id=UUID(int=1), title="Seven Ships"),
            PoolEntry(0.2, (0,), thread_id=UUID(int=2), title="Seven Ships"),
        ]
    )
    ranked = fuse(pool, weigh(pool, PLAN), "weighted", NOW)
    titled = [(n, phrase_of(features.title)) for n, features in enumerate(pool.features)]
    named = score_named(pool, titled, ranked[:1], {ranked[0].id: "title: Seven Ships"})
    assert not named.any()


def test_a_document_whose_title_is_in_the_query_gains_evidence() -> None:
    pool = pool_of(
        [
            PoolEntry(0.4, (1,), title="Harbour festival"),
            PoolEntry(0.4, (1,), title="Opening hours"),
        ]
    )
    part = weigh(pool, PLAN).parts["titled"]
    assert part[0] > 0 and part[1] == 0
    assert np.all(weigh(pool, PLAN).parts["named"] == 0)
