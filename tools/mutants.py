"""Change each weight and threshold, one at a time, and see that a test notices.

    .venv/bin/python tools/mutants.py                   all of language, memories, search
    .venv/bin/python tools/mutants.py memories/rules    those below a folder of core

Works on a copy of the tree; it takes minutes, so that it is no part of `make test`. Prints what
survives, and ends with 1 where anything does."""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = Path("src/remem/core")
FOLDERS = ("language", "memories/rules", "search")
# Too big to copy: the weights of the models are linked.
MODELS = "src/remem/models"
# The tests of pure modules, by the folder they are of: they take seconds and need no database.
TESTS = {
    "language/times": "test_times test_moments test_spans test_duties test_answer_parts",
    "language/names": "test_entities",
    "language/prose": "test_quote test_distil",
    "language": "test_relate test_cues test_tokens test_enrich test_answer_parts test_chunking",
    "memories/rules": "test_thresholds test_worth test_relate test_distil",
    "search": "test_evidence test_fuse test_group test_excerpt test_plan test_renewed test_named",
}


@dataclass(frozen=True)
class Mutant:
    path: Path
    line: int
    start: int
    end: int
    name: str
    value: float

    @property
    def other(self) -> float:
        """Twice as much, or one: far enough to matter, near enough to be a slip."""
        return self.value * 2 if self.value else 1


def main() -> None:
    folders = sys.argv[1:] or FOLDERS
    with tempfile.TemporaryDirectory(prefix="remem-mutants-") as name:
        copy = Path(name)
        for part in ("src", "tests", "pyproject.toml"):
            source = ROOT / part
            if source.is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "dist", "models")
                shutil.copytree(source, copy / part, ignore=ignored)
            else:
                shutil.copy(source, copy / part)
        (copy / MODELS).symlink_to(ROOT / MODELS)
        mutants = [mutant for folder in folders for mutant in find(folder)]
        for tests in {tuple(_tests_of(mutant, copy)) for mutant in mutants}:
            if _fails(copy, list(tests)):
                sys.exit(f"These tests fail without any change: {' '.join(tests)}")
        survived = [mutant for mutant in mutants if not is_killed(mutant, copy)]
    print(f"{len(mutants) - len(survived)} of {len(mutants)} killed")
    sys.exit(bool(survived))


def find(folder: str) -> Iterator[Mutant]:
    for path in sorted((ROOT / CORE / folder).rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            fields = node.body if isinstance(node, ast.ClassDef) else [node]
            for field in fields:
                yield from _in_field(path.relative_to(ROOT), field)


def _in_field(path: Path, field: ast.stmt) -> Iterator[Mutant]:
    """The numbers of `NAME = 1`, `ONE, TWO = 1, 2` and of a field with a default."""
    if isinstance(field, ast.Assign):
        target, values = field.targets[0], field.value
    elif isinstance(field, ast.AnnAssign) and field.value is not None:
        target, values = field.target, field.value
    else:
        return
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    numbers = values.elts if isinstance(values, ast.Tuple) else [values]
    for name, number in zip(names, numbers, strict=False):
        value = number.value if isinstance(number, ast.Constant) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if isinstance(name, ast.Name):
            start, end = number.col_offset, number.end_col_offset or 0
            yield Mutant(path, number.lineno, start, end, name.id, float(value))


def is_killed(mutant: Mutant, copy: Path) -> bool:
    path = copy / mutant.path
    before = path.read_text()
    lines = before.splitlines(keepends=True)
    line = lines[mutant.line - 1]
    other = int(mutant.other) if mutant.other.is_integer() else mutant.other
    lines[mutant.line - 1] = f"{line[: mutant.start]}{other}{line[mutant.end :]}"
    path.write_text("".join(lines))
    try:
        killed = _fails(copy, _tests_of(mutant, copy))
        if not killed:
            change = f"{mutant.name} {mutant.value} -> {mutant.other}"
            print(f"{mutant.path}:{mutant.line} {change}", flush=True)
        return killed
    finally:
        path.write_text(before)


def _tests_of(mutant: Mutant, copy: Path) -> list[str]:
    inside = str(mutant.path.relative_to(CORE))
    names = next(TESTS[folder] for folder in TESTS if inside.startswith(folder))
    found = [f"tests/core/{name}.py" for name in names.split()]
    return [name for name in found if (copy / name).exists()]


def _fails(copy: Path, tests: list[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:randomly", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit((done.stdout + done.stderr).decode()[-2_000:])
    return done.returncode == 1


if __name__ == "__main__":
    main()
