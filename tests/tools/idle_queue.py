"""A queue whose jobs are never run: duties of every tenant would keep a shared server busy."""

from typing import Any


class IdleQueue:
    async def enqueue(self, *_: Any, **__: Any) -> None: ...
