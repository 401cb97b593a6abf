"""Accounts: the local owner, unique email addresses, and secrets that are stored only as hashes."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest

from remem.bootstrap import open_ports
from remem.core.errors import Forbidden, Invalid, RememError, Unauthenticated
from remem.core.identity.account import change_account, who_am_i
from remem.core.identity.attempts import Visitor
from remem.core.identity.authenticate import authenticate_key, authenticate_sign_in
from remem.core.identity.keys.manage import create_key, revoke_key
from remem.core.identity.passwords import hash_password, password_matches
from remem.core.identity.register import ensure_owner, register
from remem.core.identity.sign_in import sign_in, sign_in_with_key, sign_out
from remem.core.ports import Ports
from remem.core.scope import ALL_RIGHTS, Right, Scope
from remem.core.time import new_id
from remem.owner import ensure_owner_key
from remem.settings import Settings
from tests.conftest import new_scope

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse"
VISITOR = Visitor("127.0.0.1")


def new_email() -> str:
    return f"{new_id()}@example.org"


async def outcomes(*claims: Awaitable[object]) -> list[str]:
    """The outcomes of concurrent calls, sorted: `ok`, or the code of the error."""
    results = await asyncio.gather(*claims, return_exceptions=True)
    return sorted(
        result.code if isinstance(result, RememError) else _ok(result) for result in results
    )


def _ok(result: object) -> str:
    if isinstance(result, BaseException):
        raise result
    return "ok"


# The local owner


async def test_a_new_store_gets_an_owner_whose_key_file_is_private(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)
    async with open_ports(settings) as ports:
        key = str(await ensure_owner_key(ports, settings))
        assert settings.owner_key_path.read_text().strip() == key
        assert settings.owner_key_path.stat().st_mode & 0o777 == 0o600
        scope = await authenticate_key(ports, key)
        user, tenant = await who_am_i(ports, scope)
        assert (user.email, user.has_password, tenant.role) == ("owner@localhost", False, "owner")
        assert scope.rights == ALL_RIGHTS

        assert await ensure_owner_key(ports, settings) == key
        settings.owner_key_path.unlink()
        repaired = str(await ensure_owner_key(ports, settings))
        assert repaired != key
        assert (await authenticate_key(ports, repaired)).user_id == scope.user_id


async def test_a_store_with_users_gets_no_second_owner(ports: Ports) -> None:
    assert await asyncio.gather(*(ensure_owner(ports) for _ in range(5))) == [None] * 5


# Addresses


async def test_an_address_is_registered_once_by_simultaneous_requests(ports: Ports) -> None:
    email = new_email()
    claims = (
        register(ports, address, PASSWORD) for address in (email, email.upper(), email, email)
    )
    assert await outcomes(*claims) == ["email_taken"] * 3 + ["ok"]


async def test_an_address_is_taken_once_by_simultaneous_changes(ports: Ports) -> None:
    email, scopes = new_email(), [await new_scope(ports) for _ in range(4)]
    claims = (change_account(ports, scope, email=email) for scope in scopes)
    assert await outcomes(*claims) == ["email_taken"] * 3 + ["ok"]


async def test_ones_own_address_can_be_written_in_another_case(ports: Ports, scope: Scope) -> None:
    user, _ = await who_am_i(ports, scope)
    changed = await change_account(ports, scope, email=user.email.upper())
    assert changed.email == user.email.upper()


# Passwords


async def test_a_password_is_hashed_with_salt_by_argon2id() -> None:
    first, second = await hash_password(PASSWORD), await hash_password(PASSWORD)
    assert first != second
    assert first.startswith("$argon2id$")
    assert await password_matches(PASSWORD, first)
    assert not await password_matches("correct horsE", first)


async def test_no_password_matches_a_missing_hash() -> None:
    for guess in ("", "nobody's password", PASSWORD):
        assert not await password_matches(guess, None)


@pytest.mark.parametrize("password", ["", "seven77", "x" * 1_001])
async def test_a_password_too_short_or_long_is_refused_by_its_field(password: str) -> None:
    with pytest.raises(Invalid, match="new_password: use 8 to 1,000 characters"):
        await hash_password(password, "new_password")


# Credentials


async def test_a_key_authenticates_its_owner_with_its_rights(ports: Ports, scope: Scope) -> None:
    new_key = await create_key(ports, scope, "reader", [Right.READ, Right.READ])
    authenticated = await authenticate_key(ports, new_key.raw, "request-1")
    assert (authenticated.tenant_id, authenticated.user_id) == (scope.tenant_id, scope.user_id)
    assert authenticated.rights == {Right.READ}
    assert authenticated.actor == f"key:{new_key.raw[:11]}"
    assert authenticated.request_id == "request-1"


async def test_a_revoked_key_is_refused(ports: Ports, scope: Scope) -> None:
    new_key = await create_key(ports, scope, "gone", [Right.READ])
    await revoke_key(ports, scope, new_key.key.id)
    with pytest.raises(Unauthenticated) as refused:
        await authenticate_key(ports, new_key.raw)
    assert refused.value.code == "key_revoked"


async def test_a_part_of_a_key_is_refused(ports: Ports, scope: Scope) -> None:
    raw = (await create_key(ports, scope, "whole", [Right.READ])).raw
    for guess in (raw[:-1], raw.lower(), raw.upper(), raw[:11], f"{raw} ", raw[3:]):
        with pytest.raises(Unauthenticated):
            await authenticate_key(ports, guess)


async def test_a_sign_in_lasts_until_it_is_ended(ports: Ports) -> None:
    email = new_email()
    user, tenant = await register(ports, email, PASSWORD)
    first = await sign_in(ports, email, PASSWORD, VISITOR)
    second = await sign_in(ports, email, PASSWORD, VISITOR)
    authenticated = await authenticate_sign_in(ports, first.token)
    assert (authenticated.user_id, authenticated.tenant_id, authenticated.rights) == (
        user.id,
        tenant.id,
        ALL_RIGHTS,
    )
    await sign_out(ports, user.id, first.token)
    with pytest.raises(Unauthenticated):
        await authenticate_sign_in(ports, first.token)
    assert (await authenticate_sign_in(ports, second.token)).user_id == user.id


async def test_nobody_can_sign_out_another_user(ports: Ports, scope: Scope) -> None:
    email = new_email()
    user, _ = await register(ports, email, PASSWORD)
    session = await sign_in(ports, email, PASSWORD, VISITOR)
    await sign_out(ports, scope.user_id, session.token)
    assert (await authenticate_sign_in(ports, session.token)).user_id == user.id


async def test_a_key_is_not_a_cookie_and_a_cookie_not_a_key(ports: Ports) -> None:
    email = new_email()
    user, tenant = await register(ports, email, PASSWORD)
    new_key = await create_key(ports, Scope(tenant.id, user.id), "key", ALL_RIGHTS)
    session = await sign_in(ports, email, PASSWORD, VISITOR)
    with pytest.raises(Unauthenticated):
        await authenticate_sign_in(ports, new_key.raw)
    with pytest.raises(Unauthenticated):
        await authenticate_key(ports, session.token)


@pytest.mark.parametrize("lacking", list(Right))
async def test_only_a_key_with_every_right_signs_in_a_browser(
    lacking: Right, ports: Ports, scope: Scope
) -> None:
    full_key = await create_key(ports, scope, "whole", ALL_RIGHTS)
    assert (await sign_in_with_key(ports, full_key.raw, VISITOR)).user.id == scope.user_id
    lesser_key = await create_key(ports, scope, "lesser", ALL_RIGHTS - {lacking})
    with pytest.raises(Forbidden, match=f"lacks the scopes {lacking}"):
        await sign_in_with_key(ports, lesser_key.raw, VISITOR)
