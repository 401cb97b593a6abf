"""Every regex of the source takes steps proportional to the text, even for attack texts."""

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


# Files with patterns that are built at each use. They are linear: a name between two lookarounds
# or edges of words, and what PostgreSQL prints when it fails to start.
BUILT_AT_EACH_USE = {
    "adapters/database/embedded/failures.py",
    "adapters/extractors/page.py",
    "core/enrich/dates.py",
    "core/graph/names/spelling.py",
    "core/judges/checks.py",
    "core/profiles/personal.py",
    "core/search/store.py",
}
# Files with patterns that a function builds once, and where the registry finds them.
BUILT_ONCE = {
    "adapters/extractors/languages.py": "remem.adapters.extractors.languages._patterns",
    "core/enrich/ideographs.py": "remem.core.enrich.ideographs._calendar",
    "core/language/times/grammar.py": "remem.core.language.times.grammar.PATTERNS",
    "core/memories/rules/objections.py": "remem.core.memories.rules.objections.OBJECTIONS",
}
# Files that build their only pattern at each use, so that the registry has none of their folder.
WITHOUT_CONSTANTS = {"core/graph/names/spelling.py", "core/profiles/personal.py"}
# Their regexes are collected when the tests run, as that takes too long at collection.
FOLDERS = sorted({folder_of(name) for name in {*names_with_regexes()} - WITHOUT_CONSTANTS})
# Earlier regexes with which a small text could stall the server.
SLOW = {
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
# How many characters are added to a short text at once, if the pump is no longer than the limit.
ADDED_CHARS, MAX_SHORT_PUMP = 12, 4
LINEAR = (
    r"\b\w+\b",
    r"(?<!\s)\s++or\s+",
    r"(?<![^@\s])[^@\s]++@",
    r"a{1,3}b",
    r"^[ \t]*+#",
    r"(a|b)*c",
)


def steps(regex: Registered, text: str, limit: int) -> int:
    count = Count(limit)
    try:
        if regex.anchored:
            match_end(regex.pattern, text, count)
        else:
            for _ in spans(regex.pattern, text, count):
                pass
    except TooManySteps:
        pass
    return count.steps


def slow_attack(regex: Registered) -> Attack | None:
    return next((attack for attack in attacks_on(regex.pattern) if is_slow(regex, attack)), None)


def is_slow(regex: Registered, attack: Attack) -> bool:
    def work(size: int, limit: int) -> int:
        return steps(regex, attack.text(size), limit)

    pump = len(attack.pump)
    # A few repetitions of a long pump would show little.
    short = pump <= MAX_SHORT_PUMP and ADDED_CHARS // pump * pump
    return not (short and is_plainly_linear(work, short)) and grows_too_fast(work)


@cache
def by_folder() -> dict[str, list[Registered]]:
    """The regexes by folder: a failure names the folder, and no test takes long."""
    folders: dict[str, list[Registered]] = {}
    for regex in registered():
        folders.setdefault(folder_of(regex.where.removeprefix("remem.")), []).append(regex)
    return folders


@pytest.mark.parametrize("folder", FOLDERS)
def test_steps_grow_with_the_text(folder: str) -> None:
    slow = {regex.where: attack for regex in by_folder()[folder] if (attack := slow_attack(regex))}
    assert not slow


def test_all_are_registered() -> None:
    assert sorted(by_folder()) == FOLDERS
    assert len(registered()) > 300
    known = {regex.where for regex in registered()}
    assert {
        "remem.core.language.names.mentions._TOKEN",
        "remem.core.chunking.code_language._COMPILED",
    } <= known


def test_no_group_is_repeated_possessively() -> None:
    """Python 3.11.0 to 3.11.4, which Debian 12 has, match too much with one:
    `\\d(?:,\\d)*+` matches "3," of "3, a". An atomic group, `\\d(?>(?:,\\d)*)`, is always right."""
    assert possessive_groups(re.compile(r"a(?:b,)*+"))
    assert possessive_groups(re.compile(r"(a|(?:b|cd)++)"))
    assert not possessive_groups(re.compile(r"a++(?>(?:b,)*)[cd]*+(?:e|f)*"))
    assert [regex.where for regex in registered() if possessive_groups(regex.pattern)] == []


def test_no_regex_escapes_the_registry() -> None:
    """A pattern inside a function is a constant, or its file is in the list of exceptions."""
    built = set()
    for path, tree in sources_with_regexes():
        at_top = {id(part) for node in tree.body for part in _outside_functions(node)}
        for call, method in re_calls(tree):
            is_module_constant = method == "compile" and id(call) in at_top
            if not is_module_constant and constant_pattern(call) is None:
                built.add(path)
    assert built - set(BUILT_ONCE) <= BUILT_AT_EACH_USE, "make it a constant of its module"
    assert set(BUILT_ONCE.values()) <= {regex.where for regex in registered()}


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _outside_functions(child)


@pytest.mark.parametrize("name", SLOW)
def test_the_count_detects_regexes_that_stalled_the_server(name: str) -> None:
    source, flags, anchored = SLOW[name]
    assert slow_attack(Registered(name, re.compile(source, flags), anchored))


@pytest.mark.parametrize("source", LINEAR)
def test_the_count_accepts_linear_regexes(source: str) -> None:
    anchored = source.startswith("(a|b)")
    assert slow_attack(Registered(source, re.compile(source), anchored)) is None


def test_the_counting_engine_finds_the_same_as_re() -> None:
    """The steps are only meaningful if both engines do the same."""
    for regex in registered()[::7]:
        if isinstance(regex.pattern.pattern, bytes):
            continue
        for attack in attacks_on(regex.pattern)[::9]:
            text = attack.text(30)
            found = list(spans(regex.pattern, text, Count(10**6), bounded=False))
            assert found == [match.span() for match in regex.pattern.finditer(text)], (
                regex,
                attack,
            )
