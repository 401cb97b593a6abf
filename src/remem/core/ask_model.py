"""Ask the language model. This module alone defines what happens without one or when it fails."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import structlog

from remem.core.errors import Unavailable
from remem.core.model_ports import Answer, Llm

# The code for "no model is configured".
NO_MODEL = "no_model"

Result = TypeVar("Result")
log = structlog.get_logger()


class HasModel(Protocol):
    """The ports, or a judge."""

    @property
    def llm(self) -> Llm | None: ...


@dataclass(frozen=True, slots=True)
class ModelReply(Generic[Result]):
    """A usable answer of the model; or None and, in `unused`, the code of why there is none. The
    caller then falls back to rules."""

    value: Result | None = None
    unused: str | None = None


async def ask_model(
    ports: HasModel,
    purpose: str,
    prompt: str,
    shape: type[Answer],
    check: Callable[[Answer], Result | None],
) -> ModelReply[Result]:
    """Ask the model; never raises. `check` returns the usable part of an answer, or None."""
    if ports.llm is None:
        return ModelReply(unused=NO_MODEL)
    try:
        result = check(await ports.llm.ask(prompt, shape))
    except Unavailable as error:
        return _unused(purpose, error.code)
    return _unused(purpose, "not_grounded") if result is None else ModelReply(result)


def has_model(ports: HasModel) -> bool:
    return ports.llm is not None


def model_name(ports: HasModel) -> str | None:
    return ports.llm.model if ports.llm else None


def _unused(purpose: str, code: str) -> ModelReply[Result]:
    log.warning("llm_unused", purpose=purpose, error=code)
    return ModelReply(unused=code)
