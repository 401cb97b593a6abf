"""The state of remote providers: whether they are called now, and if not, why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

CallState: TypeAlias = Literal["ok", "failing", "paused", "budget_spent"]


@dataclass(frozen=True, slots=True)
class ProviderState:
    """`failing` means after a recent failure; `paused`, while no call is made; `budget_spent`,
    until the next month. `reason` is the last failure, without address, key or content."""

    state: CallState = "ok"
    reason: str | None = None
    retry_in_s: float = 0.0
    # The share of this month's tokens that is spent, if there is a budget; 1 is all.
    budget_used: float | None = None


class ModelProvider(Protocol):
    """A remote service that this process calls. `state` never calls it: a call may cost money."""

    def state(self) -> ProviderState: ...


class WatchedCalls(Protocol):
    """Counts the failures of a service. `on_opened` is called with the length of the pause in
    seconds, `on_closed` when a call has succeeded again."""

    provider: str
    on_opened: Callable[[float], None] | None
    on_closed: Callable[[], None] | None


@dataclass(frozen=True, slots=True)
class TokenUse:
    """The cost of one call of a model; 0 dollars if the price is not known."""

    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: float = 0.0


class TokenBudget(Protocol):
    """Limits the tokens that all processes use in a calendar month (UTC). `check` raises
    Unavailable when they are spent. `used` is the last known share, read without a query; None when
    there is no limit."""

    @property
    def used(self) -> float | None: ...

    async def check(self) -> None: ...

    async def spend(self, use: TokenUse) -> None: ...


class Unlimited:
    """A budget without a limit."""

    used: float | None = None

    async def check(self) -> None: ...

    async def spend(self, use: TokenUse) -> None: ...
