"""Who there is: the local owner, addresses claimed once, secrets that are not kept."""

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
HERE = Visitor("127.0.0.1")


def new_email() -> str:
    return f"{new_id()}@example.org"


async def outcomes(*claims: Awaitable[object]) -> list[str]:
    """What became of things done at once: ok, or the code of the refusal."""
    done = await asyncio.gather(*claims, return_exceptions=True)
    return sorted(one.code if isinstance(one, RememError) else _ok(one) for one in done)


def _ok(done: object) -> str:
    if isinstance(done, BaseException):
        raise done
    return "ok"


# The local owner


async def test_a_fresh_store_gets_an_owner_whose_key_only_they_can_read(data_dir: Path) -> None:
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


async def test_a_store_with_users_makes_no_second_owner(ports: Ports) -> None:
    assert await asyncio.gather(*(ensure_owner(ports) for _ in range(5))) == [None] * 5


# Addresses


async def test_an_address_is_registered_once_by_simultaneous_requests(ports: Ports) -> None:
    email = new_email()
    claims = (register(ports, one, PASSWORD) for one in (email, email.upper(), email, email))
    assert await outcomes(*claims) == ["email_taken"] * 3 + ["ok"]


async def test_an_address_is_taken_over_once_by_simultaneous_changes(ports: Ports) -> None:
    email, scopes = new_email(), [await new_scope(ports) for _ in range(4)]
    claims = (change_account(ports, scope, email=email) for scope in scopes)
    assert await outcomes(*claims) == ["email_taken"] * 3 + ["ok"]


async def test_ones_own_address_can_be_written_in_another_case(ports: Ports, scope: Scope) -> None:
    user, _ = await who_am_i(ports, scope)
    changed = await change_account(ports, scope, email=user.email.upper())
    assert changed.email == user.email.upper()


# Passwords


async def test_a_password_is_hashed_with_salt_by_argon2id() -> None:
    one, two = await hash_password(PASSWORD), await hash_password(PASSWORD)
    assert one != two
    assert one.startswith("$argon2id$")
    assert await password_matches(PASSWORD, one)
    assert not await password_matches("correct horsE", one)


async def test_nobodys_password_matches_nothing() -> None:
    for guess in ("", "nobody's password", PASSWORD):
        assert not await password_matches(guess, None)


@pytest.mark.parametrize("password", ["", "seven77", "x" * 1_001])
async def test_a_password_too_short_or_long_is_refused_by_its_field(password: str) -> None:
    with pytest.raises(Invalid, match="new_password: use 8 to 1,000 characters"):
        await hash_password(password, "new_password")


# Credentials


async def test_a_key_is_its_owner_with_its_rights(ports: Ports, scope: Scope) -> None:
    made = await create_key(ports, scope, "reader", [Right.READ, Right.READ])
    found = await authenticate_key(ports, made.raw, "request-1")
    assert (found.tenant_id, found.user_id) == (scope.tenant_id, scope.user_id)
    assert found.rights == {Right.READ}
    assert found.actor == f"key:{made.raw[:11]}"
    assert found.request_id == "request-1"


async def test_a_revoked_key_is_nobodys(ports: Ports, scope: Scope) -> None:
    made = await create_key(ports, scope, "gone", [Right.READ])
    await revoke_key(ports, scope, made.key.id)
    with pytest.raises(Unauthenticated) as refused:
        await authenticate_key(ports, made.raw)
    assert refused.value.code == "key_revoked"


async def test_a_part_of_a_key_is_nobodys(ports: Ports, scope: Scope) -> None:
    raw = (await create_key(ports, scope, "whole", [Right.READ])).raw
    for guess in (raw[:-1], raw.lower(), raw.upper(), raw[:11], f"{raw} ", raw[3:]):
        with pytest.raises(Unauthenticated):
            await authenticate_key(ports, guess)


async def test_a_sign_in_lasts_until_it_is_ended(ports: Ports) -> None:
    email = new_email()
    user, tenant = await register(ports, email, PASSWORD)
    here = await sign_in(ports, email, PASSWORD, HERE)
    there = await sign_in(ports, email, PASSWORD, HERE)
    found = await authenticate_sign_in(ports, here.token)
    assert (found.user_id, found.tenant_id, found.rights) == (user.id, tenant.id, ALL_RIGHTS)
    await sign_out(ports, user.id, here.token)
    with pytest.raises(Unauthenticated):
        await authenticate_sign_in(ports, here.token)
    assert (await authenticate_sign_in(ports, there.token)).user_id == user.id


async def test_nobody_signs_another_out(ports: Ports, scope: Scope) -> None:
    email = new_email()
    user, _ = await register(ports, email, PASSWORD)
    signed = await sign_in(ports, email, PASSWORD, HERE)
    await sign_out(ports, scope.user_id, signed.token)
    assert (await authenticate_sign_in(ports, signed.token)).user_id == user.id


async def test_a_key_is_no_cookie_and_a_cookie_no_key(ports: Ports) -> None:
    email = new_email()
    user, tenant = await register(ports, email, PASSWORD)
    made = await create_key(ports, Scope(tenant.id, user.id), "key", ALL_RIGHTS)
    signed = await sign_in(ports, email, PASSWORD, HERE)
    with pytest.raises(Unauthenticated):
        await authenticate_sign_in(ports, made.raw)
    with pytest.raises(Unauthenticated):
        await authenticate_key(ports, signed.token)


@pytest.mark.parametrize("lacking", list(Right))
async def test_only_a_key_with_every_right_opens_a_browser(
    lacking: Right, ports: Ports, scope: Scope
) -> None:
    whole = await create_key(ports, scope, "whole", ALL_RIGHTS)
    assert (await sign_in_with_key(ports, whole.raw, HERE)).user.id == scope.user_id
    lesser = await create_key(ports, scope, "lesser", ALL_RIGHTS - {lacking})
    with pytest.raises(Forbidden, match=f"lacks the scopes {lacking}"):
        await sign_in_with_key(ports, lesser.raw, HERE)
