"""Analysis in a thread of this process, for single-user programs."""

import asyncio
from collections.abc import Callable
from typing import Any

from remem.adapters.analysis.deadline import Deadline
from remem.core.errors import AnalysisStopped, RememError
from remem.core.ports import Answer


class ThreadAnalysis:
    """See core.ports.Analysis. A call that times out is abandoned, but keeps running."""

    def __init__(self, deadline: Deadline | None = None) -> None:
        self._deadline = deadline or Deadline()

    async def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        seconds = self._deadline.seconds(arguments)
        try:
            return await asyncio.wait_for(asyncio.to_thread(function, *arguments), seconds)
        except TimeoutError:
            message = f"The analysis took longer than {seconds:,.0f} s."
            raise AnalysisStopped(message, code="deadline") from None
        except RememError:
            raise
        except Exception as error:
            message = f"The analysis failed ({type(error).__name__})."
            raise AnalysisStopped(message, code="failed") from error

    async def close(self) -> None:
        """Nothing to close: threads end with the process."""
