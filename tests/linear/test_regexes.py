"""Every regex of the source takes steps in proportion to the text, on texts made to hurt it."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.linear.attacks import Attack, attacks_on, possessive_groups
from tests.linear.growth import grows_too_fast, is_plainly_linear
from tests.linear.regex_steps import Count, TooManySteps, match_end, spans
from tests.linear.registry import (
    ROOT,
    Registered,
    constant_pattern,
    names_with_regexes,
    re_calls,
    registered,
    sources_with_regexes,
)


def folder_of(place: str) -> str:
    parts = re.sub(r"\.py(:\d+)?$", "", place).replace("/", ".").split(".")
    return ".".join(parts[:2] if (ROOT / parts[0]).is_dir() else parts[:1])


# What is in each is looked for when the tests run: when they are collected it takes too long.
FOLDERS = sorted({folder_of(name) for name in names_with_regexes()})
# Patterns that are made when they are used, and why each is linear: a name between two look-
# arounds, and what PostgreSQL writes when it does not start.
MADE_WHEN_USED = {
    "adapters/database/embedded/failures.py",
    "adapters/extractors/page.py",
    "core/enrich/dates.py",
    "core/judges/checks.py",
    "core/search/store.py",
}
# Patterns that a function makes once; the registry has them from where they are kept.
MADE_AND_KEPT = {
    "adapters/extractors/languages.py": "remem.adapters.extractors.languages._patterns",
    "core/language/times/grammar.py": "remem.core.language.times.grammar.PATTERNS",
    "core/memories/rules/objections.py": "remem.core.memories.rules.objections.OBJECTIONS",
}
# As they were when a small text could stall the server.
BEFORE = {
    "indent of code": (r"^\s*(?:async )?def \w+\(", re.M, False),
    "e-mail": (r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+", 0, False),
    "call": (r"\b([A-Za-z_][\w.]*)\(\)", 0, False),
    "address": (r"\s*<[^<>]*>", 0, False),
    "quoted commas": (r",(?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)", 0, False),
    "unclosed element": (r"<(a|b)>.*?</\1>", re.S, False),
    "rule of dashes": (r"[ \t]*[-=_*~|:+#. \t]{3,}$", 0, True),
    "two repeats": (r"\w+\s+x", 0, False),
    "nested repeats": (r"(?:a+)+b", 0, True),
}
# How much is added to a short text at once, of pumps that are no longer than this.
AT_ONCE, MOST_AT_ONCE = 12, 4
HARMLESS = (
    r"\b\w+\b",
    r"(?<!\s)\s++or\s+",
    r"(?<![^@\s])[^@\s]++@",
    r"a{1,3}b",
    r"^[ \t]*+#",
    r"(a|b)*c",
)


def steps(one: Registered, text: str, limit: int) -> int:
    count = Count(limit)
    try:
        if one.anchored:
            match_end(one.pattern, text, count)
        else:
            for _ in spans(one.pattern, text, count):
                pass
    except TooManySteps:
        pass
    return count.steps


def hurt_by(one: Registered) -> Attack | None:
    return next((attack for attack in attacks_on(one.pattern) if hurts(one, attack)), None)


def hurts(one: Registered, attack: Attack) -> bool:
    def work(size: int, limit: int) -> int:
        return steps(one, attack.text(size), limit)

    pump = len(attack.pump)
    # Few of a long pump would say little.
    short = pump <= MOST_AT_ONCE and AT_ONCE // pump * pump
    return not (short and is_plainly_linear(work, short)) and grows_too_fast(work)


@cache
def by_folder() -> dict[str, list[Registered]]:
    """The regexes by folder, so that a failure says where and none takes long."""
    found: dict[str, list[Registered]] = {}
    for one in registered():
        found.setdefault(folder_of(one.where.removeprefix("remem.")), []).append(one)
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_steps_grow_with_the_text(folder: str) -> None:
    slow = {one.where: hurt for one in by_folder()[folder] if (hurt := hurt_by(one))}
    assert not slow


def test_all_are_registered() -> None:
    assert sorted(by_folder()) == FOLDERS
    assert len(registered()) > 300
    known = {one.where for one in registered()}
    assert {
        "remem.core.language.names.mentions._TOKEN",
        "remem.core.chunking.code_language._COMPILED",
    } <= known


def test_no_group_is_repeated_possessively() -> None:
    """Python 3.11.0 to 3.11.4, which Debian 12 has, match too much with one:
    `\\d(?:,\\d)*+` takes "3," of "3, a". An atomic group, `\\d(?>(?:,\\d)*)`, is always right."""
    assert possessive_groups(re.compile(r"a(?:b,)*+"))
    assert possessive_groups(re.compile(r"(a|(?:b|cd)++)"))
    assert not possessive_groups(re.compile(r"a++(?>(?:b,)*)[cd]*+(?:e|f)*"))
    assert [one.where for one in registered() if possessive_groups(one.pattern)] == []


def test_no_regex_escapes_the_registry() -> None:
    """A pattern inside a function is a constant, or stands in the list of those that cannot be."""
    made = set()
    for path, tree in sources_with_regexes():
        at_top = {id(part) for node in tree.body for part in _outside_functions(node)}
        for call, method in re_calls(tree):
            of_module = method == "compile" and id(call) in at_top
            if not of_module and constant_pattern(call) is None:
                made.add(path)
    assert made - set(MADE_AND_KEPT) <= MADE_WHEN_USED, "make it a constant of its module"
    assert set(MADE_AND_KEPT.values()) <= {one.where for one in registered()}


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _outside_functions(child)


@pytest.mark.parametrize("name", BEFORE)
def test_the_count_sees_what_stalled_the_server(name: str) -> None:
    source, flags, anchored = BEFORE[name]
    assert hurt_by(Registered(name, re.compile(source, flags), anchored))


@pytest.mark.parametrize("source", HARMLESS)
def test_the_count_accuses_no_other(source: str) -> None:
    anchored = source.startswith("(a|b)")
    assert hurt_by(Registered(source, re.compile(source), anchored)) is None


def test_the_counting_engine_finds_what_re_finds() -> None:
    """The steps are those of the engine only if it does the same."""
    for one in registered()[::7]:
        if isinstance(one.pattern.pattern, bytes):
            continue
        for attack in attacks_on(one.pattern)[::9]:
            text = attack.text(30)
            found = list(spans(one.pattern, text, Count(10**6), bounded=False))
            assert found == [match.span() for match in one.pattern.finditer(text)], (one, attack)
