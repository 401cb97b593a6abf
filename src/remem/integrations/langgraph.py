"""A LangGraph store: the long-term memory of graphs, each item a document of its namespace."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Iterable
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    get_text_at_path,
)
from langgraph.store.base import validate_op_namespace as refuse_bad_labels

from remem.client import AsyncRemem
from remem.integrations import value_store
from remem.integrations.call import Client, call, call_now
from remem.integrations.filters import leaves, plain_equals

# As many as a recall gives at most.
POOL = 100
T = TypeVar("T")


class RememStore(BaseStore):
    """`RememStore(Remem())` for `graph.compile(store=…)`. Namespaces are containers below
    `project`; a search with a query finds by meaning and by word."""

    def __init__(self, client: Client, *, project: str = "langgraph") -> None:
        self._client, self._project = client, project

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        return call_now(self._client, lambda remem: _ValueStores(remem, self._project).do(asked))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        return await call(self._client, lambda remem: _ValueStores(remem, self._project).do(asked))


class _ValueStores:
    def __init__(self, remem: AsyncRemem, project: str) -> None:
        self._remem, self._root = remem, project
        self._room = asyncio.Semaphore(value_store.AT_ONCE)

    async def do(self, ops: list[Op]) -> list[Result]:
        """AccessLog see what was there before the batch; of puts of one key the last one counts."""
        for op in ops:
            refuse_bad_labels(op)
        results = await asyncio.gather(*(self._bounded(self._read(op)) for op in ops))
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        await asyncio.gather(*(self._bounded(self._put(op)) for op in puts.values()))
        return results

    async def _bounded(self, work: Awaitable[T]) -> T:
        async with self._room:
            return await work

    async def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                return await self._get(op)
            case SearchOp():
                return await self._search(op)
            case ListNamespacesOp():
                return await self._namespaces(op)
            case _:
                return None

    def _container(self, namespace: tuple[str, ...]) -> str:
        return ".".join([self._root, *(value_store.part(label) for label in namespace)])

    async def _get(self, op: GetOp) -> Item | None:
        container, tags = self._container(op.namespace), [value_store.tag(op.key)]
        async for entry in value_store.stored(self._remem, container, tags):
            return _item(await value_store.kept(self._remem, entry))
        return None

    async def _put(self, op: PutOp) -> None:
        container, tags = self._container(op.namespace), [value_store.tag(op.key)]
        before = [one async for one in value_store.stored(self._remem, container, tags)]
        known = [one.id for one in before]
        if op.value is None:
            await value_store.give_up(self._remem, known)
            return
        value, about = dict(op.value), _about(op, before[0].metadata if before else None)
        text = _text(op.key, value, op.index)
        id = await value_store.keep(self._remem, container, text, value, about, tags)
        if id in known:
            await value_store.amend(self._remem, id, value, about)
        # The same key may have been put concurrently: the last writer leaves one item.
        now = [one.id async for one in value_store.stored(self._remem, container, tags)]
        older = now[now.index(id) + 1 :] if id in now else []
        await value_store.give_up(self._remem, [one for one in {*known, *older} if one != id])

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        wanted = op.offset + op.limit
        found = _newest(await self._ranked(op)) if op.query else []
        if not op.query or (op.filter and len(found) < wanted):
            # A recall gives so many and no more; a filter may want others than those.
            have = {(one.namespace, one.key) for one in found}
            rest = [one async for one in self._listed(op) if (one.namespace, one.key) not in have]
            found += _newest(sorted(rest, key=lambda one: one.updated_at, reverse=True))
        return found[op.offset : wanted]

    async def _ranked(self, op: SearchOp) -> list[SearchItem]:
        chosen = {
            "indexed": True,
            **({"fields": same} if (same := plain_equals(op.filter)) else {}),
        }
        recalled = await self._remem.recall(
            op.query or "",
            project=f"{self._container(op.namespace_prefix)}.*",
            limit=POOL if op.filter else min(op.offset + op.limit, POOL),
            filters={"metadata": {value_store.MARK: chosen}},
            kinds=["document"],
            weak=True,
        )
        read = [(await value_store.kept(self._remem, one), one.score) for one in recalled.results]
        found = [_search_item(kept, score) for kept, score in read]
        return [one for one in found if leaves(one.value, op.filter)]

    async def _listed(self, op: SearchOp) -> AsyncIterator[SearchItem]:
        for namespace in await self._there():
            if namespace[: len(op.namespace_prefix)] != op.namespace_prefix:
                continue
            async for entry in value_store.stored(self._remem, self._container(namespace)):
                item = _search_item(await value_store.kept(self._remem, entry), None)
                if leaves(item.value, op.filter):
                    yield item

    async def _there(self) -> list[tuple[str, ...]]:
        """Every namespace that has something in it."""
        below = f"{self._root}."
        found = (await self._remem.request("GET", "/v1/containers"))["containers"]
        names = [
            one["name"].removeprefix(below)
            for one in found
            if one["document_count"] and one["name"].startswith(below)
        ]
        return [tuple(value_store.unpart(part) for part in name.split(".")) for name in names]

    async def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        matching = {
            namespace[: op.max_depth]
            for namespace in await self._there()
            if all(_matches(condition, namespace) for condition in conditions)
        }
        return sorted(matching)[op.offset : op.offset + op.limit]


def _newest(items: list[SearchItem]) -> list[SearchItem]:
    """One a key, in their order: while a key is being put there may be two."""
    last: dict[tuple[tuple[str, ...], str], SearchItem] = {}
    for one in items:
        known = last.setdefault((one.namespace, one.key), one)
        if known.updated_at < one.updated_at:
            last[one.namespace, one.key] = one
    return list(last.values())


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if len(path) > len(namespace):
        return False
    there = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return not path or all(want in ("*", have) for want, have in zip(path, there, strict=True))


def _about(op: PutOp, before: dict[str, Any] | None) -> dict[str, Any]:
    moment = datetime.now(UTC).isoformat()
    return {
        "namespace": list(op.namespace),
        "key": json.dumps(op.key),
        "indexed": op.index is not False,
        "fields": plain_equals(op.value),
        "created_at": before[value_store.MARK]["created_at"] if before else moment,
        "updated_at": moment,
    }


def _text(key: str, value: dict[str, Any], index: Any) -> str:
    """What the item is found by. The key comes first: the same value twice is two items."""
    name = quote(key, errors="surrogatepass")
    if index is False:
        return name
    chosen = [text for path in index or () for text in get_text_at_path(value, path)]
    return "\n".join([name, *(_lines(value) if index is None else chosen)])


def _lines(value: Any, name: str = "") -> list[str]:
    match value:
        case dict():
            return [line for key, inner in value.items() for line in _lines(inner, str(key))]
        case list() | tuple():
            return [line for inner in value for line in _lines(inner, name)]
        case _:
            return [f"{name}: {value}"]


def _item(kept: value_store.Kept) -> Item:
    return Item(**_fields(kept))


def _search_item(kept: value_store.Kept, score: float | None) -> SearchItem:
    return SearchItem(**_fields(kept), score=score)


def _fields(kept: value_store.Kept) -> dict[str, Any]:
    return {
        "namespace": tuple(kept.about["namespace"]),
        "key": json.loads(kept.about["key"]),
        "value": kept.value,
        "created_at": datetime.fromisoformat(kept.about["created_at"]),
        "updated_at": datetime.fromisoformat(kept.about["updated_at"]),
    }
