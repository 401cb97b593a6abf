"""Parents of the items of an account, cached so that each is requested only once."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from remem.core.connectors.model import Access

LIMIT = 20_000
DEPTH_LIMIT = 50
Parent = TypeVar("Parent")


class ParentCache(Generic[Parent]):
    """Parents by account and id. Accounts are separate because they may not see the same items."""

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
    item: Parent,
    is_chosen: Callable[[Parent], bool],
    parent_of: Callable[[Parent], Awaitable[Parent | None]],
) -> bool:
    """Whether an item or one of its ancestors was chosen."""
    current: Parent | None = item
    for _ in range(DEPTH_LIMIT):
        if current is None or is_chosen(current):
            return current is not None
        current = await parent_of(current)
    return False


def _account(access: Access) -> str:
    secret = "\n".join(access.credential[name] for name in sorted(access.credential))
    return hashlib.sha256(secret.encode()).hexdigest()
