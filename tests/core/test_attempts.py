"""Guessing is limited by address and by account, and a stranger cannot lock anybody out."""

from collections.abc import Awaitable

import pytest

from remem.core.errors import RateLimited
from remem.core.identity.attempts import (
    ACCOUNT_TRIES,
    ACCOUNT_TRIES_OF_ADDRESS,
    Visitor,
    count_password_attempt,
    count_registration,
)
from remem.core.identity.register import register
from remem.core.identity.sign_in import open_session
from remem.core.ports import Ports
from remem.core.time import new_id

pytestmark = pytest.mark.anyio


def new_email() -> str:
    return f"{new_id()}@example.org"


def new_visitor(**fields: object) -> Visitor:
    return Visitor(f"address {new_id()}", **fields)  # type: ignore[arg-type]


async def is_refused(attempt: Awaitable[None]) -> bool:
    try:
        await attempt
    except RateLimited:
        return True
    return False


async def test_one_address_may_not_try_many_accounts(ports: Ports) -> None:
    here = new_visitor(tries=30)
    outcomes = [
        await is_refused(count_password_attempt(ports, here, new_email())) for _ in range(31)
    ]
    assert outcomes == [False] * 30 + [True]
    assert not await is_refused(count_password_attempt(ports, new_visitor(tries=30), new_email()))


async def test_an_account_is_closed_only_to_the_address_that_guesses(
    ports: Ports,
) -> None:
    email, stranger = new_email(), new_visitor()
    await register(ports, email, "correct horse")
    tries = [await is_refused(count_password_attempt(ports, stranger, email)) for _ in range(200)]
    assert tries.index(True) == ACCOUNT_TRIES_OF_ADDRESS and all(tries[ACCOUNT_TRIES_OF_ADDRESS:])
    assert not await is_refused(count_password_attempt(ports, new_visitor(), email))


async def guess_from_many_addresses(ports: Ports, email: str) -> None:
    for _ in range(ACCOUNT_TRIES):
        await count_password_attempt(ports, new_visitor(), email)
    assert await is_refused(count_password_attempt(ports, new_visitor(), email))


async def test_guessing_from_many_addresses_is_limited_but_the_owner_gets_in(ports: Ports) -> None:
    email, home = new_email(), new_visitor()
    user, _ = await register(ports, email, "correct horse")
    session = await open_session(ports, user.id, home)
    await guess_from_many_addresses(ports, email)
    assert not await is_refused(count_password_attempt(ports, home, email))
    travelling = new_visitor(session=session.token)
    assert not await is_refused(count_password_attempt(ports, travelling, email))


async def test_a_session_of_another_account_gives_no_exemption(ports: Ports) -> None:
    email, other = new_email(), new_email()
    await register(ports, email, "correct horse")
    user, _ = await register(ports, other, "correct horse")
    own = (await open_session(ports, user.id, new_visitor())).token
    await guess_from_many_addresses(ports, email)
    assert await is_refused(count_password_attempt(ports, new_visitor(session=own), email))
    assert await is_refused(count_password_attempt(ports, new_visitor(session="invented"), email))


async def test_unknown_accounts_are_limited_like_known_ones(ports: Ports) -> None:
    await guess_from_many_addresses(ports, new_email())


async def test_one_address_may_not_register_many_accounts(ports: Ports) -> None:
    here = new_visitor(registrations=5)
    outcomes = [await is_refused(count_registration(ports, here, new_email())) for _ in range(6)]
    assert outcomes == [False] * 5 + [True]


async def test_old_counts_are_deleted(ports: Ports) -> None:
    here, email = new_visitor(), new_email()
    await count_password_attempt(ports, here, email)
    async with ports.db.unbound() as tx:
        await tx.execute(
            "UPDATE rate_counters SET window_no = window_no - 2 WHERE caller LIKE $1",
            f"%{here.digest}",
        )
    await ports.rate.sweep(60)
    async with ports.db.unbound() as tx:
        remaining = await tx.fetchval(
            "SELECT count(*) FROM rate_counters WHERE caller LIKE $1", f"%{here.digest}"
        )
    assert remaining == 0
