"""A LangGraph store: long-term memory of graphs, one document for each item."""

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
from remem.integrations.filters import matches, server_filter

# The maximum number of results of a recall.
POOL = 100
T = TypeVar("T")


class RememStore(BaseStore):
    """`RememStore(Remem())` for `graph.compile(store=…)`. Namespaces are containers below
    `project`; a search with a query searches by meaning and by word."""

    def __init__(self, client: Client, *, project: str = "langgraph") -> None:
        self._client, self._project = client, project

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        operations = list(ops)
        return call_now(
            self._client, lambda remem: _ValueStores(remem, self._project).run(operations)
        )

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        operations = list(ops)
        return await call(
            self._client, lambda remem: _ValueStores(remem, self._project).run(operations)
        )


class _ValueStores:
    def __init__(self, remem: AsyncRemem, project: str) -> None:
        self._remem, self._root = remem, project
        self._semaphore = asyncio.Semaphore(value_store.CONCURRENCY)

    async def run(self, ops: list[Op]) -> list[Result]:
        """Reads see the state before the batch; of several puts to one key, the last one wins."""
        for op in ops:
            refuse_bad_labels(op)
        results = await asyncio.gather(*(self._limited(self._read(op)) for op in ops))
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        await asyncio.gather(*(self._limited(self._put(op)) for op in puts.values()))
        return results

    async def _limited(self, work: Awaitable[T]) -> T:
        async with self._semaphore:
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
        return ".".join([self._root, *(value_store.encode_part(label) for label in namespace)])

    async def _get(self, op: GetOp) -> Item | None:
        container, tags = self._container(op.namespace), [value_store.name_tag(op.key)]
        async for entry in value_store.list_entries(self._remem, container, tags):
            return _item(await value_store.load_value(self._remem, entry))
        return None

    async def _put(self, op: PutOp) -> None:
        container, tags = self._container(op.namespace), [value_store.name_tag(op.key)]
        existing = [entry async for entry in value_store.list_entries(self._remem, container, tags)]
        known_ids = [entry.id for entry in existing]
        if op.value is None:
            await value_store.delete_values(self._remem, known_ids)
            return
        value, attributes = (
            dict(op.value),
            _attributes(op, existing[0].metadata if existing else None),
        )
        text = _text(op.key, value, op.index)
        id = await value_store.put_value(self._remem, container, text, value, attributes, tags)
        if id in known_ids:
            await value_store.update_value(self._remem, id, value, attributes)
        # The same key may have been put concurrently: the last writer leaves one item.
        current_ids = [
            entry.id async for entry in value_store.list_entries(self._remem, container, tags)
        ]
        older_ids = current_ids[current_ids.index(id) + 1 :] if id in current_ids else []
        await value_store.delete_values(
            self._remem, [other for other in {*known_ids, *older_ids} if other != id]
        )

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        end = op.offset + op.limit
        items = _latest_per_key(await self._search_by_query(op)) if op.query else []
        if not op.query or (op.filter and len(items) < end):
            # A recall returns a limited number of results, and the filter may match others.
            seen = {(item.namespace, item.key) for item in items}
            rest = [
                item
                async for item in self._list_items(op)
                if (item.namespace, item.key) not in seen
            ]
            items += _latest_per_key(sorted(rest, key=lambda item: item.updated_at, reverse=True))
        return items[op.offset : end]

    async def _search_by_query(self, op: SearchOp) -> list[SearchItem]:
        mark_filter = {
            "indexed": True,
            **({"fields": equal_fields} if (equal_fields := server_filter(op.filter)) else {}),
        }
        recalled = await self._remem.recall(
            op.query or "",
            project=f"{self._container(op.namespace_prefix)}.*",
            limit=POOL if op.filter else min(op.offset + op.limit, POOL),
            filters={"metadata": {value_store.MARK: mark_filter}},
            kinds=["document"],
            weak=True,
        )
        loaded = [
            (await value_store.load_value(self._remem, result), result.score)
            for result in recalled.results
        ]
        items = [_search_item(stored, score) for stored, score in loaded]
        return [item for item in items if matches(item.value, op.filter)]

    async def _list_items(self, op: SearchOp) -> AsyncIterator[SearchItem]:
        for namespace in await self._existing_namespaces():
            if namespace[: len(op.namespace_prefix)] != op.namespace_prefix:
                continue
            async for entry in value_store.list_entries(self._remem, self._container(namespace)):
                item = _search_item(await value_store.load_value(self._remem, entry), None)
                if matches(item.value, op.filter):
                    yield item

    async def _existing_namespaces(self) -> list[tuple[str, ...]]:
        """Return every namespace that contains something."""
        prefix = f"{self._root}."
        containers = (await self._remem.request("GET", "/v1/containers"))["containers"]
        names = [
            container["name"].removeprefix(prefix)
            for container in containers
            if container["document_count"] and container["name"].startswith(prefix)
        ]
        return [tuple(value_store.decode_part(part) for part in name.split(".")) for name in names]

    async def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        matching = {
            namespace[: op.max_depth]
            for namespace in await self._existing_namespaces()
            if all(_matches_condition(condition, namespace) for condition in conditions)
        }
        return sorted(matching)[op.offset : op.offset + op.limit]


def _latest_per_key(items: list[SearchItem]) -> list[SearchItem]:
    """Keep one item per key, in order: while a key is being put there may be two."""
    latest: dict[tuple[tuple[str, ...], str], SearchItem] = {}
    for item in items:
        other = latest.setdefault((item.namespace, item.key), item)
        if other.updated_at < item.updated_at:
            latest[item.namespace, item.key] = item
    return list(latest.values())


def _matches_condition(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return not path or all(
        expected in ("*", label) for expected, label in zip(path, part, strict=True)
    )


def _attributes(op: PutOp, previous: dict[str, Any] | None) -> dict[str, Any]:
    now = datetime.now(UTC).isoformat()
    return {
        "namespace": list(op.namespace),
        "key": json.dumps(op.key),
        "indexed": op.index is not False,
        "fields": server_filter(op.value),
        "created_at": previous[value_store.MARK]["created_at"] if previous else now,
        "updated_at": now,
    }


def _text(key: str, value: dict[str, Any], index: Any) -> str:
    """Return the text by which the item is found. The key comes first, so that equal values are
    separate items."""
    name = quote(key, errors="surrogatepass")
    if index is False:
        return name
    indexed = [text for path in index or () for text in get_text_at_path(value, path)]
    return "\n".join([name, *(_lines(value) if index is None else indexed)])


def _lines(value: Any, name: str = "") -> list[str]:
    match value:
        case dict():
            return [line for key, inner in value.items() for line in _lines(inner, str(key))]
        case list() | tuple():
            return [line for inner in value for line in _lines(inner, name)]
        case _:
            return [f"{name}: {value}"]


def _item(stored: value_store.StoredValue) -> Item:
    return Item(**_fields(stored))


def _search_item(stored: value_store.StoredValue, score: float | None) -> SearchItem:
    return SearchItem(**_fields(stored), score=score)


def _fields(stored: value_store.StoredValue) -> dict[str, Any]:
    return {
        "namespace": tuple(stored.about["namespace"]),
        "key": json.loads(stored.about["key"]),
        "value": stored.value,
        "created_at": datetime.fromisoformat(stored.about["created_at"]),
        "updated_at": datetime.fromisoformat(stored.about["updated_at"]),
    }
