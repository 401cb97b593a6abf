"""The values of deliveries."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, TypeAlias, get_args
from uuid import UUID

ChannelName: TypeAlias = Literal["mail", "ntfy", "webhook"]
MessageKind: TypeAlias = Literal["morning", "test", "code"]
# `nothing`: there was nothing to say. `unclear`: it may have arrived, so it is not sent again.
Status: TypeAlias = Literal["waiting", "sending", "sent", "nothing", "failed", "unclear"]
CHANNELS: tuple[ChannelName, ...] = get_args(ChannelName)
DELIVERIES_LIMIT = 10
ADDRESS_LIMIT = 2_048
TOKEN_LIMIT = 500
LOG_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Delivery:
    """`shown` is the address as far as lists may show it. One by mail is sent nothing but a code
    until it is confirmed. `minute` counts from midnight, in the time zone."""

    id: UUID
    user_id: UUID
    channel: ChannelName
    shown: str
    target: bytes = field(repr=False)
    page_url: str
    minute: int
    time_zone: str
    is_on: bool
    confirm_tries: int
    confirmed_at: datetime | None
    next_at: datetime | None
    expires_at: datetime | None
    created_at: datetime

    @property
    def at(self) -> str:
        return f"{self.minute // 60:02}:{self.minute % 60:02}"

    @property
    def is_confirmed(self) -> bool:
        return self.confirmed_at is not None


@dataclass(frozen=True, slots=True)
class NewDelivery:
    """`secret` is what a webhook is signed with; it is shown only once."""

    delivery: Delivery
    secret: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Timing:
    """At which time of the day, such as `07:30`, and where."""

    at: str
    time_zone: str


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """A message and what became of it; `reason` is that of the last failed attempt."""

    id: UUID
    delivery_id: UUID
    kind: MessageKind
    day: date | None
    status: Status
    attempts: int
    reason: str | None
    next_try_at: datetime | None
    handed_over_at: datetime | None
    ended_at: datetime | None
    created_at: datetime
