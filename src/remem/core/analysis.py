"""Analyse a user's text within a deadline; what is not done in time is done without."""

from collections.abc import Callable
from typing import Any, Protocol

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
