"""Analyse a user's text within a deadline; what is not done in time is done without."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import structlog

from remem.core.errors import AnalysisStopped
from remem.core.ports import Analysis, Answer

log = structlog.get_logger()


class HasAnalysis(Protocol):
    """The ports, or whatever else was given this one."""

    @property
    def analysis(self) -> Analysis: ...


async def analyse(
    ports: HasAnalysis, otherwise: Answer, function: Callable[..., Answer], *arguments: Any
) -> Answer:
    """What `function` says of the text, or `otherwise` when it takes too long or fails: the text
    is kept all the same, and found by its words."""
    try:
        return await ports.analysis.run(function, *arguments)
    except AnalysisStopped as error:
        log.warning("analysis_stopped", analysis=function.__name__, reason=error.code)
        return otherwise


# So many texts, or so many characters of them, are analysed in one go: nobody who waits for an
# analysis of their own waits long.
TEXTS_AT_ONCE, CHARS_AT_ONCE = 25, 20_000

Calls: TypeAlias = Sequence[tuple[Any, ...]]


async def analyse_each(
    ports: HasAnalysis, otherwise: Answer, function: Callable[..., Answer], calls: Calls
) -> list[Answer]:
    """What `function` says of each of several texts: the same as one by one, in fewer messages.
    Where one of them takes too long, the others do not suffer for it."""
    answers: list[Answer] = []
    for group in _groups(calls):
        try:
            answers += await ports.analysis.run(run_each, function, group)
        except AnalysisStopped:
            answers += [await analyse(ports, otherwise, function, *one) for one in group]
    return answers


def run_each(function: Callable[..., Answer], calls: Calls) -> list[Answer]:
    """Where texts are analysed."""
    return [function(*arguments) for arguments in calls]


def _groups(calls: Calls) -> Iterator[list[tuple[Any, ...]]]:
    group: list[tuple[Any, ...]] = []
    chars = 0
    for arguments in calls:
        size = sum(len(one) for one in arguments if isinstance(one, str))
        if group and (len(group) == TEXTS_AT_ONCE or chars + size > CHARS_AT_ONCE):
            yield group
            group, chars = [], 0
        group.append(arguments)
        chars += size
    if group:
        yield group
