"""Make, confirm, change, try and delete deliveries, and read what became of their messages."""

import hmac
from typing import Any
from uuid import UUID

from remem.core.connections.rotate import SealedColumn
from remem.core.deliveries import delivery_store
from remem.core.deliveries.model import (
    CHANNELS,
    DELIVERIES_LIMIT,
    LOG_LIMIT,
    ChannelName,
    Delivery,
    LoggedMessage,
    NewDelivery,
    Timing,
)
from remem.core.deliveries.send import JOB
from remem.core.deliveries.target import (
    code_of,
    new_target,
    open_target,
    seal_target,
    shown_address,
    target_place,
)
from remem.core.deliveries.times import next_time, read_minute, read_zone
from remem.core.delivery_ports import Channel
from remem.core.errors import Conflict, Invalid, NotFound, RateLimited
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.scope import Right, Scope
from remem.core.time import new_id, now
from remem.core.transaction import Tx
from remem.core.validate import check_one_of

KIND = "delivery"
# Tests and codes in an hour by each user: a code may go to somebody else's address.
TESTS_PER_HOUR = 10
CODE_TRIES = 5
_HOUR_S = 3_600
TARGETS = SealedColumn(delivery_store.lock_targets, delivery_store.set_target, target_place)


async def list_deliveries(
    ports: Ports, scope: Scope
) -> tuple[list[Delivery], dict[UUID, LoggedMessage]]:
    """The caller's deliveries, and the last message of each."""
    async with ports.db.transaction(scope) as tx:
        last = {message.delivery_id: message for message in await delivery_store.last_messages(tx)}
        return await delivery_store.list_own(tx), last


def channels_here(ports: Ports) -> list[ChannelName]:
    """The channels that this server can use."""
    return [name for name in CHANNELS if name in ports.channels]


async def create_delivery(
    ports: Ports,
    scope: Scope,
    channel: ChannelName,
    where: tuple[str, str | None],
    timing: Timing,
    base_url: str,
) -> NewDelivery:
    """`where` is the address and a token; `base_url` is where the web app is. Mail is sent a code
    first. It can do no more than its maker: who may not read makes none."""
    scope.require(Right.READ)
    address, token = where
    target = new_target(channel, address.strip(), token)
    _channel(ports, channel).check(target)
    minute, zone = read_minute(timing.at), read_zone(timing.time_zone)
    id = new_id()
    values = {
        "id": id,
        "channel": channel,
        "shown": shown_address(target, channel),
        "target": seal_target(ports, scope, id, target),
        "page_url": base_url,
        "minute": minute,
        "time_zone": timing.time_zone,
        "confirmed_at": None if channel == "mail" else now(),
        "next_at": next_time(minute, zone, now()),
        "expires_at": scope.expires_at,
    }
    if channel == "mail":
        await _count_test(ports, scope)
    async with ports.db.transaction(scope) as tx:
        if len(await delivery_store.list_own(tx)) >= DELIVERIES_LIMIT:
            raise Conflict(
                f"You have {DELIVERIES_LIMIT} deliveries, the most there can be; delete one first.",
                code="deliveries_full",
            )
        await delivery_store.insert(tx, values)
        await record(tx, KIND, id, "create", {"channel": channel})
        if channel == "mail":
            await _send_now(ports, tx, id, "code")
        delivery = await _require(tx, id)
    return NewDelivery(delivery, target.secret if channel == "webhook" else None)


async def change_delivery(
    ports: Ports, scope: Scope, id: UUID, timing: Timing | None, is_on: bool | None
) -> Delivery:
    async with ports.db.transaction(scope) as tx:
        delivery = await _require(tx, id)
        minute = read_minute(timing.at) if timing else delivery.minute
        zone_name = timing.time_zone if timing else delivery.time_zone
        values: dict[str, Any] = {
            "minute": minute,
            "time_zone": zone_name,
            "is_on": delivery.is_on if is_on is None else is_on,
            "next_at": next_time(minute, read_zone(zone_name), now()),
        }
        await delivery_store.change(tx, id, values)
        await record(tx, KIND, id, "change")
        return await _require(tx, id)


async def delete_delivery(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        await _require(tx, id)
        await delivery_store.delete(tx, id)
        await record(tx, KIND, id, "delete")


async def confirm_delivery(ports: Ports, scope: Scope, id: UUID, code: str) -> Delivery:
    """Confirm a mail address by the code that was sent to it."""
    async with ports.db.transaction(scope) as tx:
        delivery = await _require(tx, id)
        if delivery.is_confirmed:
            return delivery
        if delivery.confirm_tries >= CODE_TRIES:
            raise Conflict(
                "Too many wrong codes; delete this delivery and make it again.",
                code="code_used_up",
            )
        target = open_target(ports, scope, id, delivery.target)
        is_right = hmac.compare_digest(code.strip().encode(), code_of(target).encode())
        if is_right:
            await delivery_store.change(tx, id, {"confirmed_at": now()})
            await record(tx, KIND, id, "confirm")
        else:
            await delivery_store.change(tx, id, {"confirm_tries": delivery.confirm_tries + 1})
        delivery = await _require(tx, id)
    if not is_right:
        raise Invalid("code", "is not the one in the mail; read it again")
    return delivery


async def send_test(ports: Ports, scope: Scope, id: UUID) -> LoggedMessage:
    """Queue today's page as a test; to an address that is not confirmed, its code again."""
    async with ports.db.transaction(scope) as tx:
        delivery = await _require(tx, id)
    _channel(ports, delivery.channel)
    await _count_test(ports, scope)
    async with ports.db.transaction(scope) as tx:
        delivery = await _require(tx, id)
        kind = "test" if delivery.is_confirmed else "code"
        message = await delivery_store.find_message(tx, await _send_now(ports, tx, id, kind))
    assert message is not None
    return message


async def delivery_log(ports: Ports, scope: Scope, id: UUID, limit: int) -> list[LoggedMessage]:
    """The messages of a delivery, the newest first; of the last 90 days."""
    async with ports.db.transaction(scope) as tx:
        await _require(tx, id)
        return await delivery_store.messages(tx, id, min(limit, LOG_LIMIT))


async def _send_now(ports: Ports, tx: Tx, id: UUID, kind: str) -> UUID:
    message_id = await delivery_store.insert_message(tx, id, kind, now())
    assert message_id is not None
    await enqueue(ports, tx, JOB, message_id)
    return message_id


async def _count_test(ports: Ports, scope: Scope) -> None:
    allowance = await ports.rate.hit(f"delivery:{scope.user_id}", TESTS_PER_HOUR, _HOUR_S)
    if not allowance.allowed:
        raise RateLimited(TESTS_PER_HOUR, allowance.reset_s, "an hour")


def _channel(ports: Ports, name: ChannelName) -> Channel:
    check_one_of("channel", name, CHANNELS)
    channel = ports.channels.get(name)
    if channel is None:
        raise Conflict(
            "This server sends no mail; its operator can set REMEM_SMTP_HOST.", code="no_mail"
        )
    return channel


async def _require(tx: Tx, id: UUID) -> Delivery:
    delivery = await delivery_store.find_own(tx, id)
    if delivery is None:
        raise NotFound(KIND, id)
    return delivery
