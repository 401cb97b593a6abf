"""Recognise terminal commands, which are not prose."""

import re

from remem.core.language.lists import word_set

_MAX_CHARS = 400
_LABEL = re.compile(r"^[^:\n]{1,80}:\s+(?=\S)")
_WORD = re.compile(r"\S+")
_COMMANDS = word_set("commands", "commands")
_TARGETS = re.compile(r"^make (?:clean|all|test|build|install|lint|check|run|dev|docs|release)\b")
_FLAG = re.compile(r"^(?:--[A-Za-z][\w-]*|-[A-Za-z]{1,4})(?:=.*)?$")
# Not "|" and ">", which notes have between values.
_OPERATOR = frozenset("&& || >> 2>&1 \\".split())
_PROSE = word_set("commands", "prose")


def is_command(line: str) -> bool:
    """Whether a line is a command, also after a label: "Undo the last commit: git reset --soft"."""
    plain = line[:_MAX_CHARS].strip().strip("`").strip()
    return _is_bare_command(plain) or (
        "`" not in line and _is_bare_command(_LABEL.sub("", plain, count=1))
    )


def _is_bare_command(text: str) -> bool:
    words = _WORD.findall(text.removeprefix("$ "))
    if len(words) < 2 or words[0] != words[0].lower():
        return False
    has_shell_syntax = any(_FLAG.match(word) or word in _OPERATOR for word in words[1:])
    if _PROSE.intersection(words[1:] if has_shell_syntax else words[1:4]):
        return False
    if not has_shell_syntax and any(word.endswith((",", ";", ".")) for word in words[1:]):
        return False
    return words[0] in _COMMANDS or _TARGETS.match(text) is not None or has_shell_syntax
