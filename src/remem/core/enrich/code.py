"""Describe code by its docstring or top comment and the names it defines."""

import re

from remem.core.chunking.patterns import units_in
from remem.core.enrich.model import SUMMARY_LIMIT
from remem.core.language.sentences import sentences
from remem.core.text import shorten

_SAMPLE_CHARS = 12_000
_MAX_NAMES_SHOWN = 8
_DOCSTRING = re.compile(r"\s*+(?>(?:#[^\n]*+\n\s*+)*)[rRuU]?(\"\"\"|''')(.*?)\1", re.S)
_BLOCK = re.compile(r"\s*+(?:<\?php\s*+)?(?:/\*|\(\*|\{-)(.*?)(?:\*/|\*\)|-\})", re.S)
_LINES = re.compile(
    r"\s*+(?:#![^\n]*+\n\s*+|<\?php\s*+)?((?>(?:[ \t]*+(?://|[#;%]|--)[^\n]*+\n)+))"
)
_MARKER = re.compile(r"^[ \t]*(?://+!?|#+|--+|;+|%+|\*+)[ \t]?", re.M)
_LEGAL = re.compile(
    r"copyright|licen[cs]e|spdx|all rights reserved|eslint|prettier|coding[:=]|vim:", re.I
)


def opening_comment(code: str) -> str:
    """The docstring of a module or the comment at its top, unless it is a legal notice."""
    head = code[:_SAMPLE_CHARS]
    for pattern, group in ((_DOCSTRING, 2), (_BLOCK, 1), (_LINES, 1)):
        match = pattern.match(head)
        if match and not _LEGAL.search(match[group]):
            return " ".join(_MARKER.sub("", match[group]).rstrip("*").split())
    return ""


def defined_names(code: str) -> list[str]:
    """The names the code defines, in order and unqualified."""
    paths = (unit.path for unit in units_in(code[:_SAMPLE_CHARS]) if unit.path)
    return list(dict.fromkeys(path[-1] for path in paths))


def summarise_code(comment: str, names: list[str]) -> str:
    shown_names = ", ".join(names[:_MAX_NAMES_SHOWN]) + (
        "…" if len(names) > _MAX_NAMES_SHOWN else ""
    )
    opening = " ".join(sentences(comment)[:2])
    defines = f"Defines {shown_names}." if shown_names else ""
    return shorten(" ".join(part for part in (opening, defines) if part), SUMMARY_LIMIT)
