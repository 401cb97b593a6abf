"""Send messages: queue those that are due, and make one attempt at a time, by one worker."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog

from remem.core.connectors.errors import NeedsAuth
from remem.core.deliveries import delivery_store
from remem.core.deliveries.model import Delivery, LoggedMessage
from remem.core.deliveries.morning import collect_morning
from remem.core.deliveries.target import code_of, open_target
from remem.core.deliveries.times import day_there, next_time, next_try, read_zone
from remem.core.deliveries.write import write_code, write_morning
from remem.core.delivery_ports import Letter, NotDelivered, Target
from remem.core.errors import Invalid, RememError
from remem.core.identity.everyone import every_tenant
from remem.core.identity.suspension import is_suspended
from remem.core.jobs.enqueue import enqueue, find_underway
from remem.core.ports import Ports
from remem.core.scope import Right, Scope
from remem.core.time import now

JOB = "send_delivery"
# Longer than an attempt may take: after that its worker has died.
LEASE = timedelta(seconds=90)
SEND_S = 60
# Also of attempts whose worker died.
ATTEMPTS_LIMIT = 10
# How late an attempt may be before its job counts as lost.
_LATE = timedelta(minutes=3)
_MAY_HAVE_ARRIVED = "It may have arrived, so it is not sent again."
_UNCLEAR = f"remem was stopped while it was sent. {_MAY_HAVE_ARRIVED}"

log = structlog.get_logger()


async def schedule_deliveries(ports: Ports, moment: datetime | None = None) -> int:
    """Queue the pages that are due, each once a day, and what was left by a lost job. After a
    downtime today's page is sent late, and no earlier one."""
    moment = moment or now()
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            for delivery in await delivery_store.due(tx, moment):
                zone = read_zone(delivery.time_zone)
                assert delivery.next_at is not None
                day = day_there(delivery.next_at, zone)
                next_at = next_time(delivery.minute, zone, moment)
                await delivery_store.change(tx, delivery.id, {"next_at": next_at})
                if day != day_there(moment, zone):
                    continue
                id = await delivery_store.insert_message(tx, delivery.id, "morning", moment, day)
                if id is not None:
                    await enqueue(ports, tx, JOB, id)
                    count += 1
            for id in await delivery_store.overdue(tx, moment - _LATE):
                if await find_underway(tx, JOB, id) is None:
                    await enqueue(ports, tx, JOB, id)
                    count += 1
    return count


async def send_delivery(ports: Ports, scope: Scope, id: UUID) -> None:
    """The job: one attempt. While another worker has the message, look again after its lease."""
    async with ports.db.transaction(scope) as tx:
        was = await delivery_store.find_message(tx, id)
        delivery = await delivery_store.find(tx, was.delivery_id) if was else None
        message = await delivery_store.claim(tx, id, now(), now() + LEASE) if was else None
        if message is None:
            if until := await delivery_store.leased_until(tx, id):
                delay = max(until - now(), timedelta(0)) + timedelta(seconds=1)
                await enqueue(ports, tx, JOB, id, delay=delay)
            return
    assert delivery is not None
    scope = replace(scope, user_id=delivery.user_id, rights=frozenset({Right.READ}))
    values = await _attempt(ports, scope, delivery, message)
    if not values:
        return
    async with ports.db.transaction(scope) as tx:
        is_ours = await delivery_store.end_attempt(tx, id, message.attempts, values)
        if is_ours and (next_at := values.get("next_try_at")):
            await enqueue(ports, tx, JOB, id, delay=next_at - now())


async def _attempt(
    ports: Ports, scope: Scope, delivery: Delivery, message: LoggedMessage
) -> dict[str, Any]:
    """What to record of this attempt; nothing if another worker has the message by now."""
    channel = ports.channels.get(delivery.channel)
    if message.handed_over_at and not (channel and channel.recognises_repeats):
        return _ended("unclear", _UNCLEAR)
    if message.attempts > ATTEMPTS_LIMIT:
        return _ended("failed", "remem was stopped each time while it was sent.")
    if reason := await _refusal(ports, scope, delivery, message):
        return _ended("failed", reason)
    if channel is None:
        return _failed(message, NotDelivered("This server sends no mail now."))
    handing_over = _HandingOver(ports, scope, message)
    try:
        async with asyncio.timeout(SEND_S):
            target = open_target(ports, scope, delivery.id, delivery.target)
            letter = await _write(ports, scope, delivery, message, target)
            if letter is None:
                return _ended("nothing", None)
            await channel.send(target, letter, handing_over.note)
    except _ClaimLost:
        return {}
    except NotDelivered as error:
        return _failed(message, error)
    except (Invalid, NeedsAuth) as error:
        return _ended("failed", error.message)
    except Exception as error:
        reason = _reason(error)
        if handing_over.is_noted and not channel.recognises_repeats:
            return _ended("unclear", f"{reason} {_MAY_HAVE_ARRIVED}")
        return _failed(message, NotDelivered(reason))
    return _ended("sent", None)


def _reason(error: Exception) -> str:
    if isinstance(error, RememError):
        return error.message
    if isinstance(error, TimeoutError):
        return f"It was not sent within {SEND_S} s."
    log.warning("delivery_failed", error=type(error).__name__)
    return f"An unexpected error stopped it ({type(error).__name__}); see the server's log."


async def _refusal(
    ports: Ports, scope: Scope, delivery: Delivery, message: LoggedMessage
) -> str | None:
    """Why nothing may be sent any more."""
    async with ports.db.transaction(scope) as tx:
        if not await delivery_store.is_member(tx, delivery.user_id):
            return "You are no longer a member."
    if await is_suspended(ports, scope):
        return "This account is suspended."
    if delivery.expires_at and delivery.expires_at <= now():
        return "The key that made this delivery has expired."
    if message.kind == "morning" and not delivery.is_on:
        return "It was switched off."
    if message.kind != "code" and not delivery.is_confirmed:
        return "The address is not confirmed."
    return None


async def _write(
    ports: Ports, scope: Scope, delivery: Delivery, message: LoggedMessage, target: Target
) -> Letter | None:
    """None if there is nothing to say."""
    ends = (message.id, message.created_at, delivery.page_url)
    if message.kind == "code":
        return write_code(code_of(target), *ends)
    page = await collect_morning(ports, scope, read_zone(delivery.time_zone), now())
    is_test = message.kind == "test"
    return None if page.is_empty and not is_test else write_morning(page, *ends, is_test=is_test)


class _ClaimLost(Exception):
    """Another worker has the message by now."""


class _HandingOver:
    """Notes in the store that the message may arrive from now on, in case this process dies."""

    def __init__(self, ports: Ports, scope: Scope, message: LoggedMessage) -> None:
        self._ports, self._scope, self._message = ports, scope, message
        self.is_noted = False

    async def note(self) -> None:
        id, attempt = self._message.id, self._message.attempts
        async with self._ports.db.transaction(self._scope) as tx:
            if not await delivery_store.note_handing_over(tx, id, attempt, now()):
                raise _ClaimLost
        self.is_noted = True


def _ended(status: str, reason: str | None) -> dict[str, Any]:
    return {"status": status, "reason": reason, "ended_at": now()}


def _failed(message: LoggedMessage, error: NotDelivered) -> dict[str, Any]:
    at = None if error.is_final else next_try(message.attempts, error.retry_after_s, now())
    if at is None:
        return _ended("failed", error.message)
    return {
        "status": "waiting",
        "reason": error.message,
        "next_try_at": at,
        "handed_over_at": None,
    }
