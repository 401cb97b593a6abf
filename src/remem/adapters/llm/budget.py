"""Token use of language models by month, counted in PostgreSQL across processes."""

import time
from collections.abc import Callable

import structlog

from remem.core.db import Database
from remem.core.errors import Unavailable
from remem.core.providers import TokenUse

# The maximum age of the cached sum: other processes spend tokens as well.
MAX_AGE_S = 5.0

_MONTH = "date_trunc('month', now() AT TIME ZONE 'utc')::date"
_SPENT = f"""
SELECT coalesce(sum(input_tokens + output_tokens), 0)::bigint FROM token_use
WHERE month = {_MONTH}
"""
_SPEND = f"""
INSERT INTO token_use AS t (month, provider, model, calls, input_tokens, output_tokens, cost_usd)
VALUES ({_MONTH}, $1, $2, 1, $3, $4, $5)
ON CONFLICT (month, provider, model) DO UPDATE SET calls = t.calls + 1,
  input_tokens = t.input_tokens + excluded.input_tokens,
  output_tokens = t.output_tokens + excluded.output_tokens,
  cost_usd = t.cost_usd + excluded.cost_usd
"""

log = structlog.get_logger()


class PostgresTokenBudget:
    """Counts every call, and refuses calls once `monthly_tokens` are spent (None: no limit).
    Calls that are running at that moment may exceed the budget."""

    def __init__(
        self,
        db: Database,
        monthly_tokens: int | None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db, self._limit, self._clock = db, monthly_tokens, clock
        self._spent = 0
        self._read_at = float("-inf")

    @property
    def used(self) -> float | None:
        if self._limit is None:
            return None
        return self._spent / self._limit if self._limit else 1.0

    async def check(self) -> None:
        if self._limit is None:
            return
        if self._clock() - self._read_at >= MAX_AGE_S:
            await self.refresh()
        if (self.used or 0.0) >= 1:
            raise Unavailable(
                f"The language model's budget of {self._limit:,} tokens for this month is spent; "
                "raise REMEM_LLM_MONTHLY_TOKENS, or wait for the next month.",
                code="llm_budget_spent",
            )

    async def refresh(self) -> None:
        async with self._db.unbound() as tx:
            self._spent = await tx.fetchval(_SPENT)
        self._read_at = self._clock()

    async def spend(self, use: TokenUse) -> None:
        """Count tokens. An error is only logged, because the answer is already paid for."""
        self._spent += use.input_tokens + use.output_tokens
        values = (use.provider, use.model, use.input_tokens, use.output_tokens, use.cost_usd)
        try:
            async with self._db.unbound() as tx:
                await tx.execute(_SPEND, *values)
        except Unavailable as error:
            log.warning("tokens_not_counted", error=error.code)
