"""The learned weights and limits of what helps with a prompt.

bench/calibrate.py --prompts --write writes prompts.toml; run it again with another embedder or
reader."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE = "prompts.toml"
BY_LINE = ("bias", "before", "reader", "behind", "cosine", "covered", "contrast")
BY_PROMPT = ("bias", "asks", "line", "reader", "cosine", "words")


@dataclass(frozen=True, slots=True)
class PromptCalibration:
    """Each tuple has the bias and then the weights of a logistic regression. `asks` is on the
    vector that the embedder `model` gives a prompt: is it about the person's own matters? `by_line`
    is on what is known of a result: does it help with a prompt that needs any? `by_prompt` is on
    both: is anything said at all? Only above `least`, and only results above `least_line`, in log
    odds."""

    model: str
    asks: tuple[float, ...]
    by_line: tuple[float, ...]
    by_prompt: tuple[float, ...]
    least_line: float
    least: float


def _calibration(raw: Mapping[str, Any]) -> PromptCalibration:
    return PromptCalibration(
        model=raw["model"],
        asks=tuple(raw["asks"]),
        by_line=tuple(raw["by_line"][name] for name in BY_LINE),
        by_prompt=tuple(raw["by_prompt"][name] for name in BY_PROMPT),
        least_line=raw["limits"]["line"],
        least=raw["limits"]["prompt"],
    )


def asks_of(model: str, vector: Sequence[float] | NDArray[np.float32]) -> float | None:
    """The log odds that a text is about the person's own matters; None if that was not learned for
    the embedder."""
    if model != PROMPTS.model:
        return None
    bias, *weights = PROMPTS.asks
    return bias + float(np.dot(np.asarray(vector, np.float64), weights))


PROMPTS = _calibration(tomllib.loads((files("remem.core.search") / FILE).read_text()))
