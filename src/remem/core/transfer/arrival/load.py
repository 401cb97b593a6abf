"""Load a checked file batch by batch; each is committed together with the progress."""

import asyncio
import base64
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from remem.core.documents.imported.index_imported import index_chunks, reuse_chunk_vectors
from remem.core.memories.index_imported import index_memories, keep_memory_vectors
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.transaction import Row, Tx
from remem.core.transfer import transfer_store
from remem.core.transfer.arrival import arrival_store
from remem.core.transfer.arrival.lock_run import lock_run
from remem.core.transfer.arrival.shape import local_key, shape_rows
from remem.core.transfer.kinds import BY_NAME, CHUNK, MEMORY, ORIGINAL, PROJECT, VECTOR
from remem.core.transfer.lines import Batch, Line, LineReader
from remem.core.transfer.model import MAX_PROBLEMS, ImportRun
from remem.core.vector_models.current import current_embedder, keep_model


async def load_file(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    """Load the file, continuing where the last attempt stopped."""
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        reader = await asyncio.to_thread(
            LineReader, path, Path(folder), arrival.place, arrival.done
        )
        try:
            while batch := await asyncio.to_thread(reader.next):
                await _store_original(ports, scope, batch)
                await _load_batch(ports, scope, arrival.id, batch)
        finally:
            reader.close()


async def _load_batch(ports: Ports, scope: Scope, id: UUID, batch: Batch) -> None:
    async with ports.db.transaction(scope) as tx:
        arrival = await lock_run(tx, id, "loading", batch.number)
        if arrival is None:
            return
        updated = await _load(ports, tx, arrival, batch)
        await transfer_store.change(
            tx,
            id,
            place=batch.place,
            done=batch.number,
            counts=updated.counts,
            problems=updated.problems,
            projects=updated.projects,
        )


async def _load(ports: Ports, tx: Tx, arrival: ImportRun, batch: Batch) -> ImportRun:
    if batch.kind == VECTOR:
        stored = await _load_vectors(ports, tx, batch.lines)
        counts = {"imported": stored, "left_out": len(batch.lines) - stored}
        return _add_counts(arrival, VECTOR, counts, [])
    if batch.kind == PROJECT.name:
        return await _load_projects(tx, arrival, batch)
    if batch.kind == ORIGINAL.name and batch.spool is None:
        problems = [_problem(batch.lines[0], "its bytes are not in the file")]
        return _add_counts(arrival, batch.kind, {"left_out": 1}, problems)
    return await _load_rows(tx, arrival, batch)


async def _load_rows(tx: Tx, arrival: ImportRun, batch: Batch) -> ImportRun:
    kind = BY_NAME[batch.kind]
    # Saves lock the project first; do the same to avoid a deadlock.
    for project_id in sorted(_project_ids(batch, arrival)):
        await note_write(tx, UUID(project_id))
    if kind is MEMORY:
        await arrival_store.clear_deleted(tx, [UUID(line.id) for line in batch.lines])
    known = set(await arrival_store.column_types(tx, kind))
    outcomes: list[Row] = []
    for lines in shape_rows(tx.scope, batch.lines, arrival.projects):
        missing = known - set(lines.columns)
        outcomes += await arrival_store.load(tx, lines, [*kind.uncompared, *missing])
    inserted = [row["id"] for row in outcomes if row["made"]]
    if kind is CHUNK:
        await index_chunks(tx, inserted)
    elif kind is MEMORY:
        await index_memories(tx, inserted)
    return _count_outcomes(arrival, batch, outcomes)


def _project_ids(batch: Batch, arrival: ImportRun) -> set[str]:
    ids = {str(line.row["project_id"]) for line in batch.lines if line.row.get("project_id")}
    return {arrival.projects.get(id, id) for id in ids}


# The report


def _count_outcomes(arrival: ImportRun, batch: Batch, outcomes: Sequence[Row]) -> ImportRun:
    counts = {"imported": 0, "unchanged": 0, "left_out": 0}
    by_number = {line.number: line for line in batch.lines}
    problems = []
    for row in outcomes:
        if row["made"] or row["same"]:
            counts["imported" if row["made"] else "unchanged"] += 1
            continue
        counts["left_out"] += 1
        problems.append(_problem(by_number[row["line"]], _left_out_reason(row)))
    return _add_counts(arrival, batch.kind, counts, problems)


def _left_out_reason(row: Row) -> str:
    if row["here"]:
        return "the store has this id with other content, which was left as it is"
    if not row["fits"]:
        return "what it belongs to was left out"
    return "the store has the same under another id"


def _problem(line: Line, why: str) -> dict[str, Any]:
    return {"line": line.number, "kind": line.kind, "id": line.id, "problem": why}


def _add_counts(
    arrival: ImportRun, kind: str, counts: dict[str, int], problems: list[dict[str, Any]]
) -> ImportRun:
    previous = arrival.counts.get(kind, {})
    summed = {name: previous.get(name, 0) + number for name, number in counts.items()}
    return replace(
        arrival,
        counts={**arrival.counts, kind: {**previous, **summed}},
        problems=[*arrival.problems, *problems][:MAX_PROBLEMS],
    )


# Projects


async def _load_projects(tx: Tx, arrival: ImportRun, batch: Batch) -> ImportRun:
    """Load projects. A project with the same path in this store receives the content of the file's;
    an empty one, such as every new store has, is replaced by it."""
    for line in batch.lines:
        merged = await _merge_into(tx, line)
        if merged:
            problems = [
                _problem(
                    line, "the store has a project with this path; its content was added there"
                )
            ]
            arrival = _add_counts(arrival, line.kind, {"unchanged": 1}, problems)
            arrival = replace(arrival, projects={**arrival.projects, line.id: str(merged)})
        else:
            single = replace(batch, lines=[line])
            arrival = await _load_rows(tx, arrival, single)
    return arrival


async def _merge_into(tx: Tx, line: Line) -> UUID | None:
    if await arrival_store.project_exists(tx, UUID(line.id)):
        return None
    existing = await arrival_store.project_at(tx, str(line.row.get("slug")))
    if existing and existing["is_empty"]:
        await arrival_store.drop_project(tx, existing["id"])
        return None
    return existing["id"] if existing else None


# Originals and vectors


async def _store_original(ports: Ports, scope: Scope, batch: Batch) -> None:
    """Store the bytes of an original; existing ones are never replaced."""
    if batch.kind != ORIGINAL.name or batch.spool is None:
        return
    line = batch.lines[0]
    key = local_key(scope, line, line.row.get("key"))
    async with ports.db.transaction(scope) as tx:
        known = await arrival_store.original_exists(tx, UUID(line.id), key)
    if not known:
        await ports.blobs.put(key, batch.spool)


async def _load_vectors(ports: Ports, tx: Tx, lines: Sequence[Line]) -> int:
    """Load the vectors of the model this store uses; others would never be compared."""
    model = (await current_embedder(ports, tx)).model
    usable = [line for line in lines if line.row["model"] == model]
    if not usable or not await keep_model(ports, tx, model):
        return 0
    store_functions = {"chunk": reuse_chunk_vectors, "memory": keep_memory_vectors}
    stored = 0
    for kind, store_vectors in store_functions.items():
        vectors = {
            UUID(line.id): (line.row["hash"], _vector(line))
            for line in usable
            if line.row["of"] == kind
        }
        valid = {id: entry for id, entry in vectors.items() if _is_sane(ports, entry[1])}
        stored += await store_vectors(ports, tx, model, valid)
    return stored


def _vector(line: Line) -> Vector:
    data = base64.b64decode(line.row["vector"])
    return np.frombuffer(data, dtype=np.dtype("<f4")).astype(np.float32)


def _is_sane(ports: Ports, vector: Vector) -> bool:
    return len(vector) == ports.embedder.dimensions and bool(np.isfinite(vector).all())
