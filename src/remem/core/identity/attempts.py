"""Limits on password attempts and registrations, by address and by account.

Nobody can lock an account from elsewhere: each address has its own limit. The limit of the whole
account does not apply to an address that signed in to it before, and no limit applies to a browser
that is signed in to it.
"""

from dataclasses import dataclass

from remem.core.errors import RateLimited
from remem.core.identity import identity_store, sign_in_store
from remem.core.identity.secrets import digest
from remem.core.ports import Ports
from remem.core.scope import Bound

WINDOW_S = 60
ADDRESS_TRIES = 30
ACCOUNT_TRIES_OF_ADDRESS = 10
ACCOUNT_TRIES = 50
REGISTRATIONS = 20


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a password: its address, and its session, if any. `tries` and `registrations`
    are the limits of the address per minute; `agent` is the browser's user agent."""

    address: str
    session: str | None = None
    agent: str | None = None
    tries: int = ADDRESS_TRIES
    registrations: int = REGISTRATIONS

    @property
    def digest(self) -> str:
        return digest(f"address:{self.address}")


async def count_password_attempt(ports: Ports, visitor: Visitor, email: str) -> None:
    """Count one password attempt; raise RateLimited when there were too many."""
    try:
        await _count_attempts(ports, visitor, email)
    except RateLimited:
        if not await _is_signed_in(ports, visitor, email):
            raise


async def _count_attempts(ports: Ports, visitor: Visitor, email: str) -> None:
    account = digest(email.lower())
    await _count(ports, f"sign_in:from:{visitor.digest}", visitor.tries)
    await _count(ports, f"sign_in:{account}:{visitor.digest}", ACCOUNT_TRIES_OF_ADDRESS)
    try:
        await _count(ports, f"sign_in:{account}", ACCOUNT_TRIES)
    except RateLimited:
        if not await _is_known_address(ports, visitor, email):
            raise


async def count_registration(ports: Ports, visitor: Visitor, email: str) -> None:
    """Count one registration of an address, and its password as an attempt on the account."""
    await _count(ports, f"register:from:{visitor.digest}", visitor.registrations)
    account = digest(email.lower())
    await _count(ports, f"sign_in:{account}:{visitor.digest}", ACCOUNT_TRIES_OF_ADDRESS)


async def _count(ports: Ports, counter: str, limit: int) -> None:
    allowance = await ports.rate.hit(counter, limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(limit, allowance.reset_s)


async def _is_signed_in(ports: Ports, visitor: Visitor, email: str) -> bool:
    if visitor.session is None:
        return False
    bound = Bound(secret=digest(visitor.session))
    async with ports.db.transaction(bound) as tx:
        session = await sign_in_store.find_sign_in(tx, bound)
        account = await identity_store.find_login(tx, email)
    return bool(session and account and session["user_id"] == account["id"])


async def _is_known_address(ports: Ports, visitor: Visitor, email: str) -> bool:
    async with ports.db.transaction(Bound()) as tx:
        account = await identity_store.find_login(tx, email)
    if account is None:
        return False
    bound = Bound(user_id=account["id"])
    async with ports.db.transaction(bound) as tx:
        return await sign_in_store.has_signed_in_from(tx, bound, visitor.digest)
