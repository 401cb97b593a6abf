"""A queue that nobody works on: what is due for every tenant would keep a shared server busy."""

from typing import Any


class IdleQueue:
    async def enqueue(self, *_: Any, **__: Any) -> None: ...
