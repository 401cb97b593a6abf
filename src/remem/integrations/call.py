"""Call the sync or the async client from sync or async code."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from remem.client import AsyncRemem, Remem

T = TypeVar("T")
Client = Remem | AsyncRemem
Work = Callable[[AsyncRemem], Coroutine[Any, Any, T]]


async def call(client: Client, work: Work[T]) -> T:
    return await (client.aside(work) if isinstance(client, Remem) else work(client))


def call_now(client: Client, work: Work[T]) -> T:
    if isinstance(client, Remem):
        return client.run(work)
    raise TypeError(
        "AsyncRemem can only be awaited; pass Remem, which works in sync and async code."
    )
