"""Points in Qdrant's own engine, whose shards are folders of this process. It is what a server runs
for each shard; clusters, replicas and the HTTP interface of the server are not part of it."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import qdrant_edge as edge

from tests.tools.folders import new_folder

# Those of a server: edges of a graph while it is built, and kilobytes below which none is built.
EF_CONSTRUCT, FULL_SCAN_KB = 100, 10_000
MATCHES = {"value": edge.MatchValue, "any": edge.MatchAny}
INDEXES = {"keyword": edge.KeywordIndexParams, "datetime": edge.DatetimeIndexParams}
MAX_POINTS = 1_000_000


class EngineShards:
    """One shard for each collection, made as the requests of a server describe it."""

    def __init__(
        self, optimizers: edge.EdgeOptimizersConfig | None = None, full_scan_kb: int = FULL_SCAN_KB
    ) -> None:
        self._folder, self._full_scan_kb = new_folder(), full_scan_kb
        self._optimizers = optimizers
        self._shards: dict[str, edge.EdgeShard] = {}

    def names(self) -> list[str]:
        return list(self._shards)

    def create(self, name: str, body: dict[str, Any]) -> None:
        folder = self._folder / name
        folder.mkdir()
        hnsw = edge.HnswIndexConfig(
            ef_construct=EF_CONSTRUCT, full_scan_threshold=self._full_scan_kb, **body["hnsw_config"]
        )
        vectors = {
            **body["vectors"],
            "distance": getattr(edge.Distance, body["vectors"]["distance"]),
        }
        config = edge.EdgeConfig(
            vectors=edge.EdgeVectorParams(**vectors),
            on_disk_payload=body["on_disk_payload"],
            hnsw_config=hnsw,
            optimizers=self._optimizers,
        )
        self._shards[name] = edge.EdgeShard.create(str(folder), config)

    def drop(self, name: str) -> None:
        self._shards.pop(name).close()
        shutil.rmtree(self._folder / name)

    def index(self, name: str, field: str, schema: dict[str, Any]) -> None:
        options = dict(schema)
        params = INDEXES[options.pop("type")](**options)
        self._update(name, edge.UpdateOperation.create_field_index(field, params))

    def upsert(self, name: str, points: Sequence[dict[str, Any]]) -> None:
        new_points = [edge.Point(**point) for point in points]
        self._update(name, edge.UpdateOperation.upsert_points(new_points))

    def delete(self, name: str, selector: dict[str, Any]) -> None:
        operation = (
            edge.UpdateOperation.delete_points(selector["points"])
            if "points" in selector
            else edge.UpdateOperation.delete_points_by_filter(filter_of(selector["filter"]))
        )
        self._update(name, operation)

    def query(self, name: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        request = edge.QueryRequest(
            query=edge.Query.Nearest(body["query"]),
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
        return self._shards[name].count(edge.CountRequest(exact=True, filter=chosen))

    def payloads(self, name: str) -> list[dict[str, Any]]:
        request = edge.ScrollRequest(limit=MAX_POINTS, with_payload=True)
        return [point.payload or {} for point in self._shards[name].scroll(request)[0]]

    def build_graph(self, name: str) -> int:
        """What a server does in the background; how many vectors the graphs have."""
        while self._shards[name].optimize():
            """It makes one step at a time."""
        return self._shards[name].info().indexed_vectors_count

    def close(self) -> None:
        for name in self.names():
            self.drop(name)
        Path(self._folder).rmdir()

    def _update(self, name: str, operation: edge.UpdateOperation) -> None:
        self._shards[name].update(operation)


def filter_of(body: dict[str, Any]) -> edge.Filter:
    """An unknown word fails: the engine would otherwise be asked for less than was sent."""
    return edge.Filter(
        **{word: [_condition(each) for each in conditions] for word, conditions in body.items()}
    )


def _condition(body: dict[str, Any]) -> Any:
    if "key" not in body:
        return filter_of(body)
    if "range" in body:
        return edge.FieldCondition(body["key"], range=edge.RangeDateTime(**body["range"]))
    [(word, value)] = body["match"].items()
    return edge.FieldCondition(body["key"], match=MATCHES[word](value))
