"""A sign-in while it is used: found, renewed before it runs out, shown to the server."""

import asyncio
from collections.abc import Awaitable, Callable
from time import time

from remem.surfaces.cli.signing import locker
from remem.surfaces.cli.signing.sign_in import SignIn

# What is left of a token when a new one is asked for.
MARGIN_S = 60


def normal(url: str) -> str:
    return url.strip().rstrip("/")


def signed_in(url: str | None) -> tuple[str, str] | None:
    """The server and its credential, if signed in."""
    if not locker.file().exists():
        return None
    found = locker.find(normal(url) if url else None)
    return (found.url, fresh(found).secret) if found else None


def renews(url: str, secret: str | None) -> bool:
    found = locker.find(normal(url)) if locker.file().exists() else None
    return bool(found and found.is_grant and found.secret == secret)


def fresh(sign_in: SignIn) -> SignIn:
    """Renewed when it is about to run out; by one process, the others then find it renewed."""
    if not _is_due(sign_in):
        return sign_in
    from remem.surfaces.cli.signing.oauth import refresh

    with locker.alone():
        now = locker.find(sign_in.url) or sign_in
        return locker.renew(now, **refresh(now)) if _is_due(now) else now


def _is_due(sign_in: SignIn) -> bool:
    return sign_in.expires_at_s is not None and sign_in.expires_at_s - time() < MARGIN_S


def renewed(url: str) -> Callable[[], Awaitable[str]]:
    """The secret that is good now, for a client that lives longer than a token: an assistant may
    keep one for days."""

    async def secret() -> str:
        found = await asyncio.to_thread(signed_in, url)
        return found[1] if found else ""

    return secret
