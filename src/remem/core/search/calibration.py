"""The learned weights of relevance, and below which relevance a result is weak.

bench/calibrate.py writes relevance.toml; run it again with another embedder or reader."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

FILE = "relevance.toml"
BY_MEANING = ("bias", "cosine", "covered", "exact", "behind", "contrast")
BY_WORDS = ("bias", "covered", "exact", "behind")
BY_READER = ("bias", "before", "reader", "behind")
BY_QUERY = ("bias", "asks", "reader", "cosine")


class Limits(NamedTuple):
    """Less relevant results than this are weak, if the reader scored them than `read`; all are if
    the log odds that anything answers are below `answered`."""

    unread: float
    read: float
    answered: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Each tuple has the bias and then the weights of a logistic regression, in which the right
    results of a query weigh as much as its others; `by_query` is that of a whole query that was
    read: does anything answer it? `usual_asks` takes the place of `asks` with an embedder that it
    was not learned for. The limits are for sentences in any language. Less relevant results than
    `weak_keywords` are weak for keywords, than `weak_name` for a name that the best result has."""

    by_meaning: tuple[float, ...]
    by_words: tuple[float, ...]
    by_reader: tuple[float, ...]
    by_query: tuple[float, ...]
    usual_asks: float
    limits: Limits
    weak_keywords: float
    weak_name: float


def _calibration(raw: Mapping[str, Any]) -> Calibration:
    return Calibration(
        by_meaning=tuple(raw["by_meaning"][name] for name in BY_MEANING),
        by_words=tuple(raw["by_words"][name] for name in BY_WORDS),
        by_reader=tuple(raw["by_reader"][name] for name in BY_READER),
        by_query=tuple(raw["by_query"][name] for name in BY_QUERY),
        usual_asks=raw["by_query"]["usual_asks"],
        limits=Limits(**raw["limits"]),
        weak_keywords=raw["short"]["keywords"],
        weak_name=raw["short"]["name"],
    )


CALIBRATION = _calibration(tomllib.loads((files("remem.core.search") / FILE).read_text()))
