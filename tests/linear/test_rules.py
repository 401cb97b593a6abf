"""Every rule over text takes work proportional to the text, for repetitive texts."""

import ast
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from remem.core.analysis import run_each
from remem.core.checkup.plain import describe_place
from remem.core.checkup.same_text import is_same_text
from remem.core.documents.chunks.cut import cut
from remem.core.documents.model import ParsedDocument
from remem.core.documents.voice import voice_of
from remem.core.enrich.rules import enrich
from remem.core.judgements import KnownMemory, Passage, Relation
from remem.core.language.names.mentions import entities_in
from remem.core.language.questions import question_share
from remem.core.language.times.mentions import mentions_time
from remem.core.language.tokens import query_terms, terms
from remem.core.memories.describe import describe
from remem.core.memories.highlights.highlights import find_quotes
from remem.core.memories.model import MemoryDraft
from remem.core.memories.rules.anchor import find_quote, quoted_words
from remem.core.memories.rules.change import undecided_candidates
from remem.core.memories.rules.dates import dates_in, due_in
from remem.core.memories.rules.derive import derive, due_facts_in
from remem.core.memories.rules.distil import distil, has_statements, note_lines
from remem.core.memories.rules.expiry import valid_until_of
from remem.core.memories.rules.headings import ids_under_different_heading
from remem.core.memories.rules.insight import find_chains
from remem.core.memories.rules.merge import merge_contents
from remem.core.memories.rules.relate import (
    alternative_words,
    ids_with_same_slot,
    keep_others,
    relate,
)
from remem.core.memories.rules.sameness.compare import Compared, compare
from remem.core.profiles.build import _may_instruct
from remem.core.search.plan import read_query
from remem.core.text import clean
from tests.linear.growth import grows_too_fast
from tests.linear.regex_steps import Count
from tests.linear.registry import sources
from tests.linear.work import counted_patterns, work_of

SAID_AT = datetime(2027, 3, 1, 12, tzinfo=UTC)
ID = UUID(int=1)
PUMPS = (
    "Aa ", "Mr. ", "a.", "A ", "in May ", "tomorrow ", "\n", "a", "a b. ", "x\n\n", "- x\n",
    "# h\n", "Bob: hi\n", "```\n", "| a ", "5 May 2024, ", "a-", "A de ", "3 kg ", "def f():\n ",
    "I am a ", "12.1. ",
)  # fmt: skip


def known(text: str) -> list[KnownMemory]:
    return [KnownMemory(ID, text, 0.9, SAID_AT, heading=f"{text} zag")]


def parsed(text: str, content_type: str) -> ParsedDocument:
    return ParsedDocument(text, "hash", content_type, "Title", None, {}, [])


RULES: dict[str, Callable[[str], Any]] = {
    "entities_in": entities_in,
    "enrich": lambda text: enrich(text, "text", None, {}),
    "enrich code": lambda text: enrich(text, "code", None, {}),
    "cut": lambda text: cut(ID, parsed(text, "text")),
    "cut markdown": lambda text: cut(ID, parsed(text, "markdown")),
    "cut code": lambda text: cut(ID, parsed(text, "code")),
    "describe": lambda text: describe(MemoryDraft(content=text), text),
    "dates_in": lambda text: dates_in(text, SAID_AT),
    "derive": lambda text: derive(text, SAID_AT),
    "distil": lambda text: distil([Passage(text, 0, "Ann", SAID_AT)]),
    "has_statements": lambda text: has_statements([Passage(text, 0, "Ann", SAID_AT)]),
    "note_lines": lambda text: note_lines([Passage(text, 0, "user", SAID_AT)]),
    "undecided_candidates": lambda text: undecided_candidates(f"{text} now", known(text), []),
    "merge_contents": lambda text: merge_contents([text, text + " x"]),
    "relate": lambda text: relate(text, known("Ann likes tea.")),
    "keep_others": lambda text: keep_others(
        f"{text} now", known(text), [Relation("update", ID, 1.0, ())]
    ),
    "alternative_words": alternative_words,
    "ids_with_same_slot": lambda text: ids_with_same_slot("I live in Paris.", known(text)),
    "ids_under_different_heading": lambda text: ids_under_different_heading(
        text, f"Zig {text}", known(text)
    ),
    "terms": terms,
    "query_terms": query_terms,
    "question_share": question_share,
    "tells_time": mentions_time,
    "voice_of": lambda text: voice_of({}, text),
    "read_query": lambda text: read_query(text, ["ann"], SAID_AT),
    "clean": clean,
    "compare": lambda text: compare(Compared(text), Compared(f"{text} x")),
    "find_chains": lambda text: find_chains([text, f"Ann knows {text}", "Bob is in Oslo."]),
    "run_each": lambda text: run_each(dates_in, [(text, SAID_AT)]),
    "due_in": lambda text: due_in(text, SAID_AT),
    "due_facts_in": lambda text: due_facts_in(f"Call Ann on 5 May 2099. {text}", SAID_AT, None),
    "_may_instruct": lambda text: _may_instruct([(text, text)]),
    "is_same_text": lambda text: is_same_text(text, f"{text} x"),
    "describe_place": lambda text: describe_place(f"password: abc123 {text}"),
    "find_quote": lambda text: find_quote(text, "Aa a", before=text, after=text),
    "find_quote long": lambda text: find_quote(text, text[len(text) // 2 :] + "b"),
    "find_quotes": lambda text: find_quotes(text, [("a", 0), ("not in it", 5)]),
    "quoted_words": lambda text: quoted_words(f"[{text}](", 1, len(text) + 3),
    "valid_until_of": lambda text: valid_until_of(text, SAID_AT),
}


@pytest.fixture(scope="module")
def count() -> Iterator[Count]:
    """Counts the steps of every pattern of the rules. Each rule is called once before, so that its
    lazy imports are loaded."""
    for rule in RULES.values():
        rule("Ann met Bob in Paris in May, said so and left.")
    counter = Count(0)
    with counted_patterns(counter):
        yield counter


@pytest.mark.parametrize("rule", RULES)
def test_work_grows_with_the_text(rule: str, count: Count) -> None:
    assert not [pump for pump in PUMPS if grows_too_fast(_work(rule, pump, count))]


def _work(rule: str, pump: str, count: Count) -> Callable[[int, int], int]:
    def work(size: int, limit: int) -> int:
        text = "x" + pump * (size // len(pump)) + "y"
        return work_of(RULES[rule], text, limit, count)

    return work


_ANALYSES = ("analyse", "analyse_each")


def test_every_analysis_is_among_the_rules() -> None:
    """Every function that is passed to `analyse` or `analyse_each` is tested here."""
    called = set()
    for path, tree in sources("analyse"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _ANALYSES:
                assert isinstance(node.args[2], ast.Name), path
                called.add(node.args[2].id)
    # `analyse_each` passes its argument on to `analyse`.
    assert called - {"by_rules", "function"} <= set(RULES)
    assert len(called) > 10


def test_the_count_detects_work_that_stalled_the_server() -> None:
    """Splitting the rest of the text at every word, and copying the rest at every character."""
    assert grows_too_fast(
        lambda size, limit: work_of(_split_at_each_word, "Aa " * size, limit, Count(0))
    )
    assert grows_too_fast(
        lambda size, limit: work_of(_slice_at_each_character, "a" * size, limit, Count(0))
    )


def _split_at_each_word(text: str) -> int:
    return sum(len(text[place:].split()) for place in range(0, len(text), 3))


def _slice_at_each_character(text: str) -> int:
    return sum(text[place:].startswith("b") for place in range(len(text)))
