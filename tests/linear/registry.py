"""Every regex of the source: those in module variables, and those written in a call."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import remem

ROOT = Path(remem.__file__).parent
_CALLS = {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
_ANCHORED = {"match", "fullmatch"}
# Collections of regexes that are tried in turn, with the loop variable: the file must do nothing
# with it but match.
_IN_TURN = {
    "remem.core.chunking.patterns._DEFINITIONS": "pattern",
    "remem.core.enrich.code._DOCSTRING": "pattern",
    "remem.core.enrich.code._BLOCK": "pattern",
    "remem.core.enrich.code._LINES": "pattern",
}


@dataclass(frozen=True, slots=True)
class Registered:
    """A regex and its location; `anchored` if it is only ever tried at one position."""

    where: str
    pattern: "re.Pattern[Any]"
    anchored: bool


@cache
def registered() -> list[Registered]:
    """Every regex once; it is anchored only if all its uses are."""
    regexes: dict[tuple[Any, ...], Registered] = {}
    for regex in [*_module_regexes(), *_call_regexes(), *_function_regexes()]:
        key = (regex.pattern.pattern, regex.pattern.flags)
        if key not in regexes or (regexes[key].anchored and not regex.anchored):
            regexes[key] = regex
    return list(regexes.values())


def sources(word: str) -> Iterator[tuple[str, ast.Module]]:
    """The files that contain a word; parsing all would take seconds."""
    for path, text in _texts().items():
        if word in text:
            yield str(path.relative_to(ROOT)), _parsed(path)


def sources_with_regexes() -> Iterator[tuple[str, ast.Module]]:
    for name in names_with_regexes():
        yield name, _parsed(ROOT / name)


def names_with_regexes() -> list[str]:
    """Names of the files that use the module `re`."""
    return [str(path.relative_to(ROOT)) for path, text in _texts().items() if _has_regexes(text)]


def _has_regexes(text: str) -> bool:
    return bool(re.search(r"\bre\s*\.", text))


@cache
def _texts() -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py"))}


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(_texts()[path])


def _module_regexes() -> Iterator[Registered]:
    for info in pkgutil.walk_packages([str(ROOT)], "remem."):
        if info.name.endswith("__main__") or _is_integration_without_regexes(info.name):
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            where = f"{info.name}.{name}"
            if patterns := list(_patterns(value, 0)):
                is_one = isinstance(value, re.Pattern) or where in _IN_TURN
                anchored = is_one and _methods_used(Path(module.__file__ or ""), where) <= _ANCHORED
                yield from (Registered(where, pattern, anchored) for pattern in patterns)


def _is_integration_without_regexes(name: str) -> bool:
    """Whether the module is an integration without regexes: loading its framework takes seconds."""
    path = ROOT.parent.joinpath(*name.split(".")).with_suffix(".py")
    is_integration = name.startswith("remem.integrations.") and path in _texts()
    return is_integration and not _has_regexes(_texts()[path])


def _methods_used(path: Path, where: str) -> set[str]:
    """The methods called on it in its own file, and by its name in others."""
    name = where.rpartition(".")[2]
    return _uses_of_names(path).get(_IN_TURN.get(where, name), set()) | _attribute_uses(name)


def _patterns(value: Any, depth: int) -> "Iterator[re.Pattern[Any]]":
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict) and depth < 4:
        for item in value.values():
            yield from _patterns(item, depth + 1)
    elif isinstance(value, (tuple, list, set, frozenset)) and depth < 4:
        for item in value:
            yield from _patterns(item, depth + 1)
    elif depth < 4 and hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        for name in value.__dataclass_fields__:
            yield from _patterns(getattr(value, name, None), depth + 1)


@cache
def _uses_of_names(path: Path) -> dict[str, set[str]]:
    """How a file uses each name: which methods, or "value" where it is passed on."""
    uses: dict[str, set[str]] = {}
    for node, parent in _with_parents(_parsed(path)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            is_method = isinstance(parent, ast.Attribute)
            uses.setdefault(node.id, set()).add(parent.attr if is_method else "value")
    return uses


def _attribute_uses(name: str) -> set[str]:
    """How any file uses `module.NAME`."""
    paths = (path for path in _texts() if name in _names_after_a_dot(path))
    return {use for path in paths for use in _uses_of_attributes(path).get(name, ())}


@cache
def _names_after_a_dot(path: Path) -> set[str]:
    return set(re.findall(r"\.\s*([A-Z_][A-Z_0-9]*)\b", _texts()[path]))


@cache
def _uses_of_attributes(path: Path) -> dict[str, set[str]]:
    uses: dict[str, set[str]] = {}
    for node, parent in _with_parents(_parsed(path)):
        if isinstance(node, ast.Attribute):
            is_method = isinstance(parent, ast.Attribute)
            uses.setdefault(node.attr, set()).add(parent.attr if is_method else "value")
    return uses


def _with_parents(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            yield node, parent


def _call_regexes() -> Iterator[Registered]:
    for path, tree in sources_with_regexes():
        for call, method in re_calls(tree):
            pattern = constant_pattern(call) if method != "compile" else None
            if pattern is not None:
                yield Registered(f"{path}:{call.lineno}", pattern, method in _ANCHORED)


def _function_regexes() -> Iterator[Registered]:
    """Regexes that are compiled when they are first needed."""
    from remem.adapters.extractors import languages
    from remem.core.enrich import ideographs

    for pattern in _patterns(languages._patterns(), 0):
        yield Registered("remem.adapters.extractors.languages._patterns", pattern, False)
    yield Registered("remem.core.enrich.ideographs._calendar", ideographs._calendar(), False)


def re_calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (method := _re_attribute(node.func)) in _CALLS:
            yield node, method


def _re_attribute(node: ast.AST) -> str:
    """The attribute if the node is one of the module `re`, otherwise ""."""
    is_attribute_of_name = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return node.attr if is_attribute_of_name and node.value.id == "re" else ""


def constant_pattern(call: ast.Call) -> "re.Pattern[Any] | None":
    if not isinstance(call.args[0], ast.Constant):
        return None
    flags = 0
    for node in [
        *call.args[1:],
        *(keyword.value for keyword in call.keywords if keyword.arg == "flags"),
    ]:
        for part in ast.walk(node):
            name = _re_attribute(part)
            flags |= getattr(re, name) if name.isupper() else 0
    return re.compile(call.args[0].value, flags)
