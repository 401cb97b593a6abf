"""Word lists, kept as data files: data/en, and data/any for several languages."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(file: str, language: str = "en") -> dict[str, Any]:
    """The contents of a file. Word lists in it are strings of words; tables are tables."""
    text = files("remem.core.language").joinpath(f"data/{language}/{file}.toml").read_text("utf-8")
    return tomllib.loads(text)


def word_list(file: str, name: str) -> tuple[str, ...]:
    return tuple(table(file)[name].split())


def word_set(file: str, name: str) -> frozenset[str]:
    return frozenset(word_list(file, name))


def phrases(file: str, name: str) -> tuple[tuple[str, ...], ...]:
    """A list of phrases, one per line, each split into words."""
    return tuple(tuple(line.split()) for line in table(file)[name].strip().splitlines())
