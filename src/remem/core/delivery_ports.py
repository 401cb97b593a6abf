"""The port that hands a message to a channel: mail, a push service, a web address."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeAlias
from uuid import UUID

from remem.core.errors import RememError


@dataclass(frozen=True, slots=True)
class Target:
    """Where a message goes: a mail address or a URL. `secret` is what the channel needs beside it:
    the token of a push service, or what a webhook is signed with."""

    address: str
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Letter:
    """`id` is the same in each attempt. `data` says the same as `text`, for programs; `url` is the
    page that shows it."""

    id: UUID
    kind: str
    title: str
    text: str
    data: Mapping[str, Any]
    url: str
    created_at: datetime


class NotDelivered(RememError):
    """Nothing arrived. `is_final`: trying again does not help."""

    code = "not_delivered"

    def __init__(
        self, message: str, *, is_final: bool = False, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.is_final, self.retry_after_s = is_final, retry_after_s


class MayHaveArrived(RememError):
    """The connection was lost after the message was handed over, and before it was accepted."""

    code = "may_have_arrived"


HandingOver: TypeAlias = Callable[[], Awaitable[None]]


class Channel(Protocol):
    """Delivers messages. `recognises_repeats` says whether the receiver can tell that a message is
    one that it has already.

    `check` raises Invalid for a target that is not allowed, as far as that is known without a
    connection. `send` returns when the receiver has accepted the message; it awaits `handing_over`
    before the first moment at which the message may arrive. Raises NotDelivered, MayHaveArrived, or
    Invalid if the target turns out to be on a private address."""

    @property
    def recognises_repeats(self) -> bool: ...

    def check(self, target: Target) -> None: ...

    async def send(self, target: Target, message: Letter, handing_over: HandingOver) -> None: ...

    async def close(self) -> None: ...
