"""Where things of an account lie, as far as they were seen: asked for once, not for each thing."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from remem.core.connectors.model import Access

LIMIT = 20_000
DEPTH_LIMIT = 50
Parent = TypeVar("Parent")


class ParentCache(Generic[Parent]):
    """By account: what one is shown, another may not be."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Parent | None] = {}

    def knows(self, access: Access, id: str) -> bool:
        return (_account(access), id) in self._known

    def get(self, access: Access, id: str) -> Parent | None:
        return self._known.get((_account(access), id))

    def put(self, access: Access, id: str, parent: Parent | None) -> None:
        if len(self._known) >= LIMIT:
            self._known.clear()
        self._known[_account(access), id] = parent

    def forget(self, access: Access) -> None:
        account = _account(access)
        for key in [key for key in self._known if key[0] == account]:
            del self._known[key]


async def is_below(
    place: Parent,
    is_chosen: Callable[[Parent], bool],
    parent_of: Callable[[Parent], Awaitable[Parent | None]],
) -> bool:
    """Whether a place was chosen itself, or lies below one that was."""
    above: Parent | None = place
    for _ in range(DEPTH_LIMIT):
        if above is None or is_chosen(above):
            return above is not None
        above = await parent_of(above)
    return False


def _account(access: Access) -> str:
    secret = "\n".join(access.credential[name] for name in sorted(access.credential))
    return hashlib.sha256(secret.encode()).hexdigest()
