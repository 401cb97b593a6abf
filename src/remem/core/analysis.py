"""Analyse a user's text within a deadline, with a fallback if it is not done in time."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import structlog

from remem.core.errors import AnalysisStopped
from remem.core.ports import Analysis, Answer

log = structlog.get_logger()


class HasAnalysis(Protocol):
    """The ports, or anything else that has this one."""

    @property
    def analysis(self) -> Analysis: ...


async def analyse(
    ports: HasAnalysis, fallback: Answer, function: Callable[..., Answer], *arguments: Any
) -> Answer:
    """Return the result of `function`, or `fallback` when it takes too long or fails: the text is
    saved all the same, and is searchable by word."""
    try:
        return await ports.analysis.run(function, *arguments)
    except AnalysisStopped as error:
        log.warning("analysis_stopped", analysis=function.__name__, reason=error.code)
        return fallback


# The texts and characters of one call. They are few, so that other callers do not wait long.
GROUP_TEXTS, GROUP_CHARS = 25, 20_000

Calls: TypeAlias = Sequence[tuple[Any, ...]]


async def analyse_each(
    ports: HasAnalysis, fallback: Answer, function: Callable[..., Answer], calls: Calls
) -> list[Answer]:
    """Return the results of `function` for several texts: the same as one by one, in fewer
    messages. If a group fails, its texts are analysed one by one, so that one slow text affects no
    other."""
    answers: list[Answer] = []
    for group in _groups(calls):
        try:
            answers += await ports.analysis.run(run_each, function, group)
        except AnalysisStopped:
            answers += [await analyse(ports, fallback, function, *arguments) for arguments in group]
    return answers


def run_each(function: Callable[..., Answer], calls: Calls) -> list[Answer]:
    """Call the function for each text. It runs where texts are analysed."""
    return [function(*arguments) for arguments in calls]


def _groups(calls: Calls) -> Iterator[list[tuple[Any, ...]]]:
    group: list[tuple[Any, ...]] = []
    chars = 0
    for arguments in calls:
        size = sum(len(argument) for argument in arguments if isinstance(argument, str))
        if group and (len(group) == GROUP_TEXTS or chars + size > GROUP_CHARS):
            yield group
            group, chars = [], 0
        group.append(arguments)
        chars += size
    if group:
        yield group
