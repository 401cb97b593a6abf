"""Use a stored sign-in: find it, and renew it before it expires."""

import asyncio
from collections.abc import Awaitable, Callable
from time import time

from remem.surfaces.cli.signing import store
from remem.surfaces.cli.signing.sign_in import SignIn

# A token is renewed when less than this is left of its lifetime.
MARGIN_S = 60


def normalize_url(url: str) -> str:
    return url.strip().rstrip("/")


def find_credential(url: str | None) -> tuple[str, str] | None:
    """Return the server's URL and its credential, if signed in."""
    if not store.file().exists():
        return None
    sign_in = store.find(normalize_url(url) if url else None)
    return (sign_in.url, refreshed(sign_in).secret) if sign_in else None


def is_renewable(url: str, secret: str | None) -> bool:
    sign_in = store.find(normalize_url(url)) if store.file().exists() else None
    return bool(sign_in and sign_in.is_grant and sign_in.secret == secret)


def refreshed(sign_in: SignIn) -> SignIn:
    """Renew a sign-in that is about to expire; one process does it, and the others reuse the
    result."""
    if not _is_due(sign_in):
        return sign_in
    from remem.surfaces.cli.signing.oauth import refresh

    with store.exclusive_lock():
        current = store.find(sign_in.url) or sign_in
        return store.save_renewed(current, **refresh(current)) if _is_due(current) else current


def _is_due(sign_in: SignIn) -> bool:
    return sign_in.expires_at_s is not None and sign_in.expires_at_s - time() < MARGIN_S


def current_secret(url: str) -> Callable[[], Awaitable[str]]:
    """Return a function that gives the valid secret, for a client that outlives a token: an
    assistant may run for days."""

    async def secret() -> str:
        credential = await asyncio.to_thread(find_credential, url)
        return credential[1] if credential else ""

    return secret
