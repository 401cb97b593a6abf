"""The learned weights of which text answers, and of how certain an answer is.

bench/calibrate_answers.py writes certainty.toml; run it again with another embedder or reader."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

FILE = "certainty.toml"


class OrderWeights(NamedTuple):
    """The weights of a place among all that were read: the reader's odds that it answers rather
    than the rest of its text, its strength, the relevance and rank of the text, whether that is the
    first one, the share of the question's words in it, and the number of better places in it."""

    odds: float
    strength: float
    relevance: float
    rank: float
    first: float
    covered: float
    number: float


class CertaintyWeights(NamedTuple):
    """The weights of the log odds that the best place is right: by how far it leads the best one in
    another text, and by how far its text is more relevant than all others."""

    bias: float
    lead: float
    more_relevant: float
    odds: float
    strength: float
    relevance: float
    covered: float


class AnswerWeights(NamedTuple):
    """An answer is known from the log odds `known` on."""

    order: OrderWeights
    certainty: CertaintyWeights
    known: float


def _calibration(raw: Mapping[str, Mapping[str, float]]) -> AnswerWeights:
    return AnswerWeights(
        OrderWeights(**raw["order"]),
        CertaintyWeights(**raw["certainty"]),
        raw["answer"]["known"],
    )


CALIBRATION = _calibration(tomllib.loads((files("remem.core.answers") / FILE).read_text()))
