"""What is known here of a remote provider: whether it is called now, and why not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

CallState: TypeAlias = Literal["ok", "failing", "paused", "budget_spent"]


@dataclass(frozen=True, slots=True)
class ProviderState:
    """`failing` is after a recent failure; `paused` while no call is made; `budget_spent` until the
    next month. `reason` says what the
    last failure was, without address, key or content."""

    state: CallState = "ok"
    reason: str | None = None
    retry_in_s: float = 0.0
    # How much of this month's tokens is spent, where there is a budget; 1 is all.
    budget_used: float | None = None


class ModelProvider(Protocol):
    """A remote service that this process calls. `state` never calls it: a call may cost money."""

    def state(self) -> ProviderState: ...


class WatchedCalls(Protocol):
    """Counts the failures of a service. `when_opened` is called with the seconds for which no call
    is made, `when_closed` when a call has succeeded again."""

    provider: str
    when_opened: Callable[[float], None] | None
    when_closed: Callable[[], None] | None


@dataclass(frozen=True, slots=True)
class TokenUse:
    """What one call of a model cost; 0 dollars where the price is not known."""

    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: float = 0.0


class TokenBudget(Protocol):
    """How many tokens all processes may use in a calendar month (UTC). `check` raises Unavailable
    when they are spent. `used` is the share that was known last, without asking; None where there
    is no limit."""

    @property
    def used(self) -> float | None: ...

    async def check(self) -> None: ...

    async def spend(self, use: TokenUse) -> None: ...


class Unlimited:
    """A budget that nobody counts."""

    used: float | None = None

    async def check(self) -> None: ...

    async def spend(self, use: TokenUse) -> None: ...
