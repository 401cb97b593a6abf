"""Change each weight and threshold, one at a time, and check that a test fails.

    .venv/bin/python tools/mutants.py                   all of language, memories/rules, search
    .venv/bin/python tools/mutants.py memories/rules    one folder of core
    .venv/bin/python tools/mutants.py --list search     list the changes without trying them

Each mutant is a fork of this process that imports the changed module and runs the tests of its
folder until one fails. This takes minutes, so it is not part of `make test`. Prints the mutants
that survive, and exits with 1 if there are any."""

import argparse
import ast
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
CORE = SOURCE / "remem" / "core"
FOLDERS = ("language", "memories/rules", "search")
# The tests of pure modules, by their folder: they take seconds and need no database.
TESTS = {
    "language/times": "language_limits times moments spans duties time answer_parts",
    "language/names": "language_limits entities",
    "language/claims": "language_limits relate sameness text_signals",
    "language/prose": "language_limits quote distil",
    "language": "language_limits enrich tokens stems text_signals chunking distil relate",
    "memories/rules": "rule_limits objections worth_points thresholds worth distil relate derive"
    " sameness",
    "search": "search_policy search_limits search_weights evidence fuse group excerpt plan"
    " prefer_newer newer_first named rerank pack",
    "index": "search_policy fuse evidence",
}
# Libraries that every test imports and no mutant changes.
PRELOADED = (
    "hypothesis",
    "numpy",
    "pydantic",
    "structlog",
    "asyncpg",
    "babel",
    "rapidfuzz",
    "anyio",
    "httpx2",
)
UNUSED = ("randomly", "cacheprovider", "xdist", "schemathesis")
NOTHING = SimpleNamespace(params=())
# The time limit for a mutant: SLOWER times as long as all tests take without a change, plus
# SLOWER_S. Tests that exceed it hang, which counts as a failure.
SLOWER, SLOWER_S = 6, 30


@dataclass(frozen=True)
class Mutant:
    path: Path
    line: int
    column: int
    name: str
    value: float

    @property
    def other(self) -> float:
        """Twice the value: different enough to matter, and close enough to be a typing error."""
        return self.value * 2

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(SOURCE).with_suffix("").parts)

    def __str__(self) -> str:
        place = f"{self.path.relative_to(ROOT)}:{self.line}"
        return f"{place} {self.name} {self.value:g} -> {self.other:g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="folders of core")
    parser.add_argument("--list", action="store_true", help="only list what would be changed")
    args = parser.parse_args()
    for name in PRELOADED:
        importlib.import_module(name)
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(SOURCE)]
    survived = 0
    for folder in args.folders:
        mutants = list(find(folder))
        if args.list:
            print(*mutants, sep="\n")
        elif mutants:
            survived += _try_all(folder, mutants)
    sys.exit(bool(survived))


def find(folder: str) -> Iterator[Mutant]:
    root = CORE / folder
    for path in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
        for node in ast.parse(path.read_text()).body:
            fields = node.body if isinstance(node, ast.ClassDef) else [node]
            for field in fields:
                yield from _in_field(path, field)


def _in_field(path: Path, field: ast.stmt) -> Iterator[Mutant]:
    """The numbers in `NAME = 1`, in a table `NAME = {…}`, and in the default of a field."""
    if not isinstance(field, ast.Assign | ast.AnnAssign) or field.value is None:
        return
    target = field.targets[0] if isinstance(field, ast.Assign) else field.target
    name = ast.unparse(target)
    for node in ast.walk(field.value):
        if not isinstance(node, ast.Constant):
            continue
        value = node.value
        # Zero is no weight but the start of a sum or a value.
        if isinstance(value, int | float) and not isinstance(value, bool) and value:
            yield Mutant(path, node.lineno, node.col_offset, name, float(value))


def _try_all(folder: str, mutants: list[Mutant]) -> int:
    started = time.monotonic()
    limits_s = {tests: _limit_s(tests) for tests in {_tests_of(mutant) for mutant in mutants}}
    survived = 0
    for mutant in mutants:
        tests = _tests_of(mutant)
        if not _fails(tests, mutant, limits_s[tests]):
            survived += 1
            print(mutant, flush=True)
    killed, spent_s = len(mutants) - survived, time.monotonic() - started
    print(f"{folder}: {killed} of {len(mutants)} killed in {spent_s:.0f} s", flush=True)
    return survived


def _limit_s(tests: tuple[str, ...]) -> float:
    """The time limit of the tests, which must pass without any change."""
    started = time.monotonic()
    if _fails(tests, None, 600):
        sys.exit(f"These tests fail without any change: {' '.join(tests)}")
    return SLOWER * (time.monotonic() - started) + SLOWER_S


def _tests_of(mutant: Mutant) -> tuple[str, ...]:
    inside = str(mutant.path.relative_to(CORE))
    names = next(TESTS[folder] for folder in TESTS if inside.startswith(folder))
    return tuple(f"tests/core/test_{name}.py" for name in names.split())


def _fails(tests: tuple[str, ...], mutant: Mutant | None, limit_s: float) -> bool:
    """Whether a test fails, hangs or cannot be imported; runs in its own process."""
    child = os.fork()
    if child == 0:
        signal.alarm(int(limit_s) + 1)
        os._exit(_run(tests, mutant))
    _, status = os.waitpid(child, 0)
    return status != 0


def _run(tests: tuple[str, ...], mutant: Mutant | None) -> int:
    if mutant:
        sys.meta_path.insert(0, _Changed(mutant))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
    options = [part for name in UNUSED for part in ("-p", f"no:{name}")]
    options += ["-x", "-q", "--noconftest", "-o", "addopts="]
    return int(pytest.main([*options, *tests], plugins=[_Chosen()]))


class _Chosen:
    """Selects tests without fixtures of this project, so without a database or a server. Leaves out
    property tests, which try many examples and also hold for other numbers."""

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        items[:] = [item for item in items if self._is_chosen(item)]

    def _is_chosen(self, item: pytest.Function) -> bool:
        known = {*item._fixtureinfo.name2fixturedefs, *getattr(item, "callspec", NOTHING).params}
        own = set(item._fixtureinfo.argnames) - known - {"request"}
        return not own and not getattr(item.obj, "is_hypothesis_test", False)


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module with one number changed."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=str(self._mutant.path))

    def get_source(self, fullname: str) -> str:
        return self._mutant.path.read_text()

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(self.get_source(fullname))
        for node in ast.walk(tree):
            place = (getattr(node, "lineno", None), getattr(node, "col_offset", None))
            if isinstance(node, ast.Constant) and place == (self._mutant.line, self._mutant.column):
                other = self._mutant.other
                node.value = int(other) if isinstance(node.value, int) else other
        return compile(tree, str(self._mutant.path), "exec")


if __name__ == "__main__":
    main()
