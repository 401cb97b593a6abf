"""The whole server in this process, as the transport of a client."""

import httpx2

from remem.app import create_app
from remem.settings import Settings, load

# A person's own process is not rationed by the limit that guards a shared server.
_UNLIMITED = 1_000_000_000


class Embedded:
    def __init__(self, settings: Settings | None = None) -> None:
        base = settings or load()
        self._app = create_app(base.model_copy(update={"rate_limit": _UNLIMITED}))
        self._lifespan = self._app.router.lifespan_context(self._app)

    async def open(self) -> tuple[httpx2.ASGITransport, str | None]:
        """Start everything and give a way in, with the owner's key."""
        await self._lifespan.__aenter__()
        return httpx2.ASGITransport(app=self._app), self._app.state.owner_key

    async def close(self) -> None:
        await self._lifespan.__aexit__(None, None, None)
