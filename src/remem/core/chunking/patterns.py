"""Recognise definitions in code line by line with patterns, for any language."""

import re
from collections.abc import Iterator

from remem.core.chunking.blocks import Unit

_NAME = r"(?P<name>[^\W\d][\w$]*(?:(?:::|[.:#-])~?[^\W\d][\w$]*)*[?!]?)"
_BEFORE = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async"
    r"|virtual|override|open|sealed|data|case|pub(?:\(\w+\))?|const|inline|local|extern|unsafe"
    r"|partial|fileprivate|mutating|suspend|pure|recursive|elemental|companion|@\w+)[ \t]+)*"
)
_REST = r"(?=[ \t]*(?:[({:<=;\[|]|extends\b|implements\b|where\b|is\b|do\b|for\b|with\b|->|$))"
_DEFINITIONS = tuple(
    re.compile(source)
    for source in (
        # A keyword and a name.
        rf"{_BEFORE}def[ \t]+{_NAME}(?=[ \t]*(?:[(:\[]|do\b|$))",
        rf"func[ \t]+\(\w+[ \t]+\*?(?P<owner>\w++)[^()]*\)[ \t]*{_NAME}",
        rf"impl\b(?:<[^<>]*>)?[ \t]+(?:[\w:<>]+[ \t]+for[ \t]+)?{_NAME}",
        rf"function[ \t]++[\w\[\], ]+=[ \t]*{_NAME}[ \t]*(?:\(|$)",
        rf"{_BEFORE}(?:class|function|func|fn|fun|sub|proc|procedure|subroutine|interface|struct"
        r"|enum|union|trait|module|namespace|object|record|protocol|contract|extension|defmodule"
        rf"|defp|defmacro|macro|newtype)\*?(?:<[^<>]*>)?[ \t]+{_NAME}{_REST}",
        # A name bound to a function or a type.
        rf"{_BEFORE}(?:const|let|var)[ \t]+{_NAME}[^=]{{0,80}}=[ \t]*(?:async[ \t]*)?"
        r"(?:function\b|class\b|struct\b|enum\b|union\b|\([^()]*\)[^=]{0,80}=>|\w+[ \t]*=>)",
        rf"{_NAME}[ \t]*(?:::|=|<-)[ \t]*(?:proc|function|struct)\b",
        rf"{_NAME}[ \t]*::[ \t]",
        # Database objects.
        r"(?i:create)[ \t]+(?i:or[ \t]+replace[ \t]+)?(?i:function|procedure|table|view|trigger)"
        rf"[ \t]+(?:(?i:if[ \t]+not[ \t]+exists)[ \t]+)?{_NAME}",
        # A type, a name and its arguments; or a name and none.
        rf"(?:[\w:<>,*&\[\]?]+[ \t]+)+[*&]*{_NAME}[ \t]*\([^;{{}}]*\)[^;={{}}]{{0,60}}\{{",
        rf"{_NAME}[ \t]*\([ \t]*\)[ \t]*\{{?$",
    )
)
# In some styles the brace is on the next line; then only an unindented line counts.
_BARE_HEAD = re.compile(
    rf"(?:[\w:<>,*&\[\]?]+[ \t]+)+[*&]*{_NAME}[ \t]*\([^;{{}}]*\)[ \t]*(?:const)?$"
)
_NOT_DEFINITION = re.compile(
    r"(?:if|elif|else|for|foreach|while|until|switch|case|when|match|with|using|return|throw|raise"
    r"|new|await|yield|try|catch|do|assert|delete|goto|and|or|not|print|echo)\b"
)
_ATTACHED = re.compile(r"(?:#(?!\w)|#\[|//|/\*|\*|--|@\w|;;|%|\(\*|\{-)")
_CONTINUES = re.compile(
    r"[{)\]}=|]|(?:end|done|fi|esac|begin|contains|implicit)\b|\*/|\"\"\"|'''", re.I
)
_LINE = re.compile(r"[^\n]+")
_SEPARATOR = re.compile(r"::|[.:#]")
_LINE_LIMIT, _TAB = 300, 4


def definition_in(line: str) -> tuple[str, ...]:
    """The name a line defines, outermost part first; () when it defines none."""
    stripped = line.strip()
    if len(stripped) > _LINE_LIMIT or _NOT_DEFINITION.match(stripped):
        return ()
    match = next(filter(None, (pattern.match(stripped) for pattern in _DEFINITIONS)), None)
    if match is None and not line[0].isspace():
        match = _BARE_HEAD.match(stripped)
    if match is None:
        return ()
    owner = match.groupdict().get("owner")
    parts = _SEPARATOR.split(match["name"].removeprefix("self."))
    return tuple(part for part in (owner, *parts) if part)


def units_in(text: str, start: int = 0, end: int | None = None) -> Iterator[Unit]:
    """Yield definitions and the code between them; indents show the nesting."""
    stack: list[tuple[int, tuple[str, ...]]] = []
    comment_start: int | None = None
    last = start
    for match in _LINE.finditer(text, start, len(text) if end is None else end):
        line = match[0].strip()
        if not line:
            continue
        if text.count("\n", last, match.start()) > 1:
            comment_start = None
        last = match.end()
        if _ATTACHED.match(line):
            comment_start = match.start() if comment_start is None else comment_start
            continue
        unit_start, comment_start = match.start() if comment_start is None else comment_start, None
        left_definition = _pop_ended(stack, match[0])
        names = definition_in(match[0])
        path = (stack[-1][1] if stack else ()) + names
        if names or left_definition:
            yield Unit(unit_start, len(stack), path)
        if names:
            stack.append((_indent(match[0]), path))


def _pop_ended(stack: list[tuple[int, tuple[str, ...]]], line: str) -> bool:
    """Pop the definitions that end above this line; return whether there were any."""
    stripped, previous_depth = line.lstrip(), len(stack)
    # A clause of the same function begins with its name.
    if _CONTINUES.match(stripped) or (stack and stripped.startswith(f"{stack[-1][1][-1]} ")):
        return False
    while stack and _indent(line) <= stack[-1][0]:
        stack.pop()
    return len(stack) < previous_depth


def _indent(line: str) -> int:
    return len(line.expandtabs(_TAB)) - len(line.expandtabs(_TAB).lstrip())
