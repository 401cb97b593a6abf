"""A sign-in while it is used: found, renewed before it runs out, shown to the server."""

import asyncio
from time import time
from typing import Any

from remem.client import AsyncRemem
from remem.surfaces.cli.signing import locker
from remem.surfaces.cli.signing.sign_in import SignIn

# What is left of a token when a new one is asked for.
MARGIN_S = 60


def normal(url: str) -> str:
    return url.strip().rstrip("/")


def signed_in(url: str | None) -> tuple[str, str] | None:
    """The server and what to show it, when somebody is signed in there."""
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


class Renewed(AsyncRemem):
    """A client that lives longer than its token: an assistant may keep it for days."""

    def __init__(self, url: str | None = None, key: str | None = None) -> None:
        super().__init__(url, key)
        self._at, self._shown = url, key
        self._renewing = asyncio.Lock()

    async def request(self, method: str, path: str, **options: Any) -> Any:
        await self._renew()
        return await super().request(method, path, **options)

    async def _renew(self) -> None:
        async with self._renewing:
            found = await asyncio.to_thread(signed_in, self._at)
            if found and found[1] != self._shown:
                await self.close()
                self._shown = found[1]
                super().__init__(self._at, self._shown)
