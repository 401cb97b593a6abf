"""Points in Qdrant's own engine, whose shards are folders of this process. It is what a server runs
for each shard; clusters, replicas and the HTTP interface of the server are not part of it."""

import shutil
from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.tools.folders import new_folder

# Those of a server: edges of a graph while it is built, and kilobytes below which none is built.
EF_CONSTRUCT, FULL_SCAN_KB = 100, 10_000
MATCHES = {"value": "MatchValue", "any": "MatchAny"}
INDEXES = {"keyword": "KeywordIndexParams", "datetime": "DatetimeIndexParams"}
MAX_POINTS = 1_000_000


@cache
def engine() -> Any:
    """Its 36 MB are loaded only when needed."""
    import qdrant_edge

    return qdrant_edge


class EngineShards:
    """One shard for each collection, made as the requests of a server describe it."""

    def __init__(self, indexing_kb: int | None = None, full_scan_kb: int = FULL_SCAN_KB) -> None:
        self._folder, self._full_scan_kb = new_folder(), full_scan_kb
        self._optimizers = engine().EdgeOptimizersConfig(indexing_threshold=indexing_kb)
        self._shards: dict[str, Any] = {}

    def names(self) -> list[str]:
        return list(self._shards)

    def create(self, name: str, body: dict[str, Any]) -> None:
        folder = self._folder / name
        folder.mkdir()
        hnsw = engine().HnswIndexConfig(
            ef_construct=EF_CONSTRUCT, full_scan_threshold=self._full_scan_kb, **body["hnsw_config"]
        )
        vectors = {
            **body["vectors"],
            "distance": getattr(engine().Distance, body["vectors"]["distance"]),
        }
        config = engine().EdgeConfig(
            vectors=engine().EdgeVectorParams(**vectors),
            on_disk_payload=body["on_disk_payload"],
            hnsw_config=hnsw,
            optimizers=self._optimizers,
        )
        self._shards[name] = engine().EdgeShard.create(str(folder), config)

    def drop(self, name: str) -> None:
        self._shards.pop(name).close()
        shutil.rmtree(self._folder / name)

    def index(self, name: str, field: str, schema: dict[str, Any]) -> None:
        options = dict(schema)
        params = getattr(engine(), INDEXES[options.pop("type")])(**options)
        self._update(name, engine().UpdateOperation.create_field_index(field, params))

    def upsert(self, name: str, points: Sequence[dict[str, Any]]) -> None:
        new_points = [engine().Point(**point) for point in points]
        self._update(name, engine().UpdateOperation.upsert_points(new_points))

    def delete(self, name: str, selector: dict[str, Any]) -> None:
        operation = (
            engine().UpdateOperation.delete_points(selector["points"])
            if "points" in selector
            else engine().UpdateOperation.delete_points_by_filter(filter_of(selector["filter"]))
        )
        self._update(name, operation)

    def query(self, name: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        request = engine().QueryRequest(
            query=engine().Query.Nearest(body["query"]),
            filter=filter_of(body["filter"]),
            limit=body["limit"],
            with_payload=body["with_payload"],
        )
        return [
            {"id": str(point.id), "version": 0, "score": point.score, "payload": point.payload}
            for point in self._shards[name].query(request)
        ]

    def count(self, name: str, filter: dict[str, Any] | None) -> int:
        chosen = filter_of(filter) if filter else None
        return self._shards[name].count(engine().CountRequest(exact=True, filter=chosen))

    def payloads(self, name: str) -> list[dict[str, Any]]:
        request = engine().ScrollRequest(limit=MAX_POINTS, with_payload=True)
        return [point.payload or {} for point in self._shards[name].scroll(request)[0]]

    def build_graph(self, name: str) -> int:
        """What a server does in the background; how many vectors the graphs have."""
        while self._shards[name].optimize():
            """It makes one step at a time."""
        return self._shards[name].info().indexed_vectors_count

    def close(self) -> None:
        for name in self.names():
            self.drop(name)
        self._folder.rmdir()

    def _update(self, name: str, operation: Any) -> None:
        self._shards[name].update(operation)


def filter_of(body: dict[str, Any]) -> Any:
    """An unknown word fails: the engine would otherwise be asked for less than was sent."""
    return engine().Filter(
        **{word: [_condition(each) for each in conditions] for word, conditions in body.items()}
    )


def _condition(body: dict[str, Any]) -> Any:
    if "key" not in body:
        return filter_of(body)
    if "range" in body:
        return engine().FieldCondition(body["key"], range=engine().RangeDateTime(**body["range"]))
    [(word, value)] = body["match"].items()
    return engine().FieldCondition(body["key"], match=getattr(engine(), MATCHES[word])(value))
