"""Size and structure of the source: functions, files, cycles, homonyms, modules with one importer.

.venv/bin/python tools/measure.py"""

import ast
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "remem"
LONG_FUNCTION, LONG_FILE = 40, 300


def main() -> None:
    trees = {path: ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}
    functions = [length for tree in trees.values() for length in _function_lengths(tree)]
    files = [len(path.read_text().splitlines()) for path in trees]
    imports = {_module(path): set(_imports(tree, trees)) for path, tree in trees.items()}
    for name, lengths, limit in (
        ("functions", functions, LONG_FUNCTION),
        ("files", files, LONG_FILE),
    ):
        over = sum(length > limit for length in lengths)
        print(f"{name}: {len(lengths)}, median {statistics.median(lengths):g} lines,", end=" ")
        print(f"longest {max(lengths)}, over {limit}: {over}")
    print(f"import cycles: {len(_cycles(imports))}")
    print(f"class names used twice in core: {len(_homonyms(trees))}")
    importers = Counter(module for used in imports.values() for module in used)
    print(f"modules with one importer: {sum(count == 1 for count in importers.values())}")


def _module(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _function_lengths(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def _imports(tree: ast.Module, trees: dict[Path, ast.Module]) -> Iterator[str]:
    """The modules of remem that this one imports at its top level."""
    known = {_module(path) for path in trees}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in known else node.module for name in names)


def _cycles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other, found with Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    cycles: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for used in imports.get(module, ()):
            if used not in index:
                visit(used)
            if used in stack:
                low[module] = min(low[module], low[used])
        if low[module] == index[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1:
                cycles.append(group)

    for module in imports:
        if module not in index:
            visit(module)
    return cycles


def _homonyms(trees: dict[Path, ast.Module]) -> dict[str, list[str]]:
    named: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees.items():
        if path.is_relative_to(SOURCE / "core"):
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    named[node.name].append(_module(path))
    return {name: modules for name, modules in named.items() if len(modules) > 1}


if __name__ == "__main__":
    main()
