"""Size and structure of the source: functions, files, callers, walks, cycles, homonyms.

.venv/bin/python tools/measure.py"""

import ast
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

SOURCE = Path(__file__).resolve().parents[1] / "src" / "remem"
LONG_FUNCTION, LONG_FILE, SHORT_BODY = 40, 300, 3
# The verbs whose walks are measured: where each begins.
WALKS = {
    "recall": ("remem.core.search.recall", "recall"),
    "save_memory": ("remem.core.memories.save", "save_memory"),
    "ask": ("remem.core.answers.ask", "ask"),
    "POST /v3/memory": ("remem.surfaces.rest.v3.memory", "save"),
}
# What is behind a port is chosen at the start and is no part of a walk.
PORTS = ("remem.core.ports", "remem.core.db", "remem.core.model_ports", "remem.core.vector_ports")

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = tuple[str, str]


def main() -> None:
    house = House({_module(path): Room(path) for path in sorted(SOURCE.rglob("*.py"))})
    rooms = house.rooms.values()
    functions = [_length(node) for room in rooms for node in room.functions]
    files = [len(room.lines) for room in rooms]
    print(f"lines: {sum(files)}")
    for name, lengths, limit in (
        ("functions", functions, LONG_FUNCTION),
        ("files", files, LONG_FILE),
    ):
        over = sum(length > limit for length in lengths)
        print(f"{name}: {len(lengths)}, median {statistics.median(lengths):g} lines,", end=" ")
        print(f"longest {max(lengths)}, over {limit}: {over}")
    _print_callers(rooms)
    imports = sum(_length(node) for room in rooms for node in room.imports)
    print(f"imports: {imports / sum(files):.1%} of the lines")
    for name, start in WALKS.items():
        reached = house.reached_from(start)
        print(f"{name}: {len(reached)} functions in {len({file for file, _ in reached})} files")
    known = {
        module: set(room.imported_modules(house.rooms)) for module, room in house.rooms.items()
    }
    print(f"import cycles: {len(_cycles(known))}")
    print(f"class names used twice in core: {len(_homonyms(house.rooms))}")
    importers = Counter(module for used in known.values() for module in used)
    print(f"modules with one importer: {sum(count == 1 for count in importers.values())}")


def _print_callers(rooms: Iterable["Room"]) -> None:
    private = [
        (room.mentions[node.name] == 1, (node.end_lineno or 0) - node.body[0].lineno + 1)
        for room in rooms
        for node in room.functions
        if node.name.startswith("_") and not node.name.startswith("__")
    ]
    lengths = [body for is_once, body in private if is_once]
    total = sum(len(room.functions) for room in rooms)
    short = sum(body <= SHORT_BODY for body in lengths)
    print(f"private functions: {len(private)}, with one caller: {len(lengths) / len(private):.1%}")
    print(f"functions of {SHORT_BODY} lines or less with one caller: {short / total:.1%}")


@dataclass
class Room:
    """One module."""

    path: Path
    lines: list[str] = field(init=False)
    tree: ast.Module = field(init=False)

    def __post_init__(self) -> None:
        text = self.path.read_text()
        self.lines, self.tree = text.splitlines(), ast.parse(text)

    @cached_property
    def functions(self) -> list[Function]:
        return [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        return [
            node for node in ast.walk(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)
        ]

    @cached_property
    def mentions(self) -> Counter[str]:
        return Counter(
            part.id if isinstance(part, ast.Name) else part.attr
            for part in ast.walk(self.tree)
            if isinstance(part, ast.Name | ast.Attribute)
        )

    @cached_property
    def verbs(self) -> dict[str, Function]:
        """The functions at the top level, which may be reached from elsewhere."""
        return {node.name: node for node in self.tree.body if isinstance(node, Function)}

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """The module and name behind each imported name."""
        return {
            alias.asname or alias.name: (node.module, alias.name)
            for node in self.imports
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }

    def imported_modules(self, known: Iterable[str]) -> Iterator[str]:
        """The modules of remem that this one imports at its top level."""
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                names = (f"{node.module}.{alias.name}" for alias in node.names)
                yield from (name if name in known else node.module for name in names)


@dataclass
class House:
    rooms: dict[str, Room]

    def reached_from(self, start: Definition) -> set[Definition]:
        """Every function that is reached by following names, up to the ports."""
        seen: set[Definition] = set()
        waiting = [start]
        while waiting:
            module, name = waiting.pop()
            if (module, name) not in seen and module not in PORTS:
                seen.add((module, name))
                waiting.extend(self._used_by(self.rooms[module], self.rooms[module].verbs[name]))
        return seen

    def _used_by(self, room: Room, node: ast.AST) -> Iterator[Definition]:
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                module = ".".join(room.imported.get(part.value.id, ("", "")))
                if found := self._find(module, part.attr):
                    yield found
            elif isinstance(part, ast.Name):
                module, name = room.imported.get(part.id, (_module(room.path), part.id))
                if found := self._find(module, name):
                    yield found

    def _find(self, module: str, name: str) -> Definition | None:
        if module not in self.rooms:
            return None
        if name in self.rooms[module].verbs:
            return module, name
        again = self.rooms[module].imported.get(name)
        return self._find(*again) if again else None


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _module(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


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


def _homonyms(rooms: dict[str, Room]) -> dict[str, list[str]]:
    named: dict[str, list[str]] = defaultdict(list)
    for module, room in rooms.items():
        if room.path.is_relative_to(SOURCE / "core"):
            for node in room.tree.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    named[node.name].append(module)
    return {name: modules for name, modules in named.items() if len(modules) > 1}


if __name__ == "__main__":
    main()
