"""Deliveries: the morning page by mail, ntfy or a signed webhook, at a time of day."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from remem.core.deliveries.manage import (
    change_delivery,
    channels_here,
    confirm_delivery,
    create_delivery,
    delete_delivery,
    delivery_log,
    list_deliveries,
    send_test,
)
from remem.core.deliveries.model import (
    ADDRESS_LIMIT,
    DELIVERIES_LIMIT,
    LOG_LIMIT,
    TOKEN_LIMIT,
    ChannelName,
    Delivery,
    LoggedMessage,
    MessageKind,
    Status,
    Timing,
)
from remem.core.errors import Invalid
from remem.surfaces.address import base_url
from remem.surfaces.rest.deps import PortsDep, Reader, SettingsDep, Writer
from remem.surfaces.rest.fields import Described
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.listing import UnreadableItems, show
from remem.surfaces.rest.shapes import Body, Moment, Reply

router = APIRouter(prefix="/v3", tags=["deliveries"], route_class=Guarded)

_CLOCK = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
TimeOfDay = Annotated[str, Described(pattern=_CLOCK)]
TimeZone = Annotated[str, Described(minLength=1, maxLength=100)]


class DeliveryIn(Body):
    channel: ChannelName
    address: Annotated[str, Described(minLength=1, maxLength=ADDRESS_LIMIT)] = Field(
        description="A mail address, the address of a topic of ntfy, or the URL of a webhook."
    )
    token: Annotated[str | None, Described(minLength=1, maxLength=TOKEN_LIMIT)] = Field(
        default=None, description="An access token of ntfy, if the topic needs one."
    )
    at: TimeOfDay = Field(default="07:00", description="The time of day, such as `07:30`.")
    time_zone: TimeZone = Field(default="UTC", description="Such as `Europe/Berlin`.")


class DeliveryChange(Body):
    at: TimeOfDay | None = Field(default=None, description="Together with `time_zone`.")
    time_zone: TimeZone | None = None
    is_on: bool | None = None


class CodeIn(Body):
    code: Annotated[str, Described(minLength=1, maxLength=20)] = Field(
        description="The code in the mail."
    )


class MessageOut(Reply):
    id: UUID
    kind: MessageKind
    day: str | None = Field(description="The day whose page it is.")
    status: Status = Field(
        description="`nothing`: there was nothing to say. `unclear`: it may have arrived, so it is"
        " not sent again."
    )
    attempts: int
    reason: str | None = Field(description="Why the last attempt failed.")
    next_try_at: Moment | None
    ended_at: Moment | None
    created_at: Moment


class DeliveryOut(Reply):
    id: UUID
    channel: ChannelName
    address: str = Field(description="Of a URL only the host and the end.")
    at: str
    time_zone: str
    is_on: bool
    is_confirmed: bool = Field(
        description="A mail address is sent nothing but a code until it is confirmed."
    )
    next_at: Moment | None
    expires_at: Moment | None = Field(description="That of the key that made it.")
    created_at: Moment
    last: MessageOut | None = Field(description="The last message.")


class NewDeliveryOut(DeliveryOut):
    secret: str | None = Field(description="What a webhook is signed with; shown once.")


class DeliveryList(BaseModel):
    deliveries: list[DeliveryOut]
    channels: list[ChannelName] = Field(description="Those that this server can use.")
    limit: int
    unreadable: UnreadableItems


class DeliveryLog(BaseModel):
    messages: list[MessageOut]
    unreadable: UnreadableItems


@router.get("/deliveries", response_model=DeliveryList)
async def list_all(ports: PortsDep, caller: Reader) -> DeliveryList:
    """List where your morning page is sent, and the last message of each."""
    deliveries, last = await list_deliveries(ports, caller)
    shown, unreadable = show(
        deliveries, lambda delivery: delivery_out(delivery, last.get(delivery.id))
    )
    return DeliveryList(
        deliveries=shown,
        channels=channels_here(ports),
        limit=DELIVERIES_LIMIT,
        unreadable=unreadable,
    )


@router.post("/deliveries", status_code=201, response_model=NewDeliveryOut)
async def create(
    body: DeliveryIn, ports: PortsDep, settings: SettingsDep, caller: Writer, request: Request
) -> NewDeliveryOut:
    """Have the morning page sent each day. A mail address gets a code, which confirms it. Needs the
    scopes read and write."""
    made = await create_delivery(
        ports,
        caller,
        body.channel,
        (body.address, body.token),
        Timing(body.at, body.time_zone),
        base_url(settings, request),
    )
    return NewDeliveryOut(**delivery_out(made.delivery).model_dump(), secret=made.secret)


@router.patch("/deliveries/{id}", response_model=DeliveryOut)
async def change(id: UUID, body: DeliveryChange, ports: PortsDep, caller: Writer) -> DeliveryOut:
    """Change the time of a delivery, or switch it on or off."""
    if (body.at is None) != (body.time_zone is None):
        raise Invalid("at", "means a time in a time zone; send `at` and `time_zone` together")
    timing = Timing(body.at, body.time_zone) if body.at and body.time_zone else None
    return delivery_out(await change_delivery(ports, caller, id, timing, body.is_on))


@router.delete("/deliveries/{id}", status_code=204)
async def delete(id: UUID, ports: PortsDep, caller: Writer) -> None:
    """Delete a delivery with its log; nothing more is sent there."""
    await delete_delivery(ports, caller, id)


@router.post("/deliveries/{id}/confirm", response_model=DeliveryOut)
async def confirm(id: UUID, body: CodeIn, ports: PortsDep, caller: Writer) -> DeliveryOut:
    """Confirm a mail address by the code that was sent to it."""
    return delivery_out(await confirm_delivery(ports, caller, id, body.code))


@router.post("/deliveries/{id}/test", status_code=202, response_model=MessageOut)
async def test(id: UUID, ports: PortsDep, caller: Writer) -> MessageOut:
    """Send today's page as a test; to a mail address that is not confirmed, its code again. The log
    says what became of it."""
    return message_out(await send_test(ports, caller, id))


@router.get("/deliveries/{id}/log", response_model=DeliveryLog)
async def log(
    id: UUID,
    ports: PortsDep,
    caller: Reader,
    limit: Annotated[int, Query(ge=1, le=LOG_LIMIT)] = 30,
) -> DeliveryLog:
    """List the messages of a delivery, the newest first: sent, failed and why, and the next try."""
    messages, unreadable = show(await delivery_log(ports, caller, id, limit), message_out)
    return DeliveryLog(messages=messages, unreadable=unreadable)


def delivery_out(delivery: Delivery, last: LoggedMessage | None = None) -> DeliveryOut:
    return DeliveryOut.of(delivery, address=delivery.shown, last=last and message_out(last))


def message_out(message: LoggedMessage) -> MessageOut:
    return MessageOut.of(message, day=message.day and message.day.isoformat())
