"""Load a checked file batch by batch; each is kept together with how far that is."""

import asyncio
import base64
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from remem.core.db import Row, Tx
from remem.core.documents.imported.index_imported import index_chunks, keep_chunk_vectors
from remem.core.memories.index_imported import index_memories, keep_memory_vectors
from remem.core.ports import Ports, Vector
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.transfer import store as imports
from remem.core.transfer.arrival import store
from remem.core.transfer.arrival.lock_run import lock_run
from remem.core.transfer.arrival.shape import key_here, shape
from remem.core.transfer.kinds import BY_NAME, CHUNK, MEMORY, ORIGINAL, PROJECT, VECTOR
from remem.core.transfer.lines import Batch, Line, LineReader
from remem.core.transfer.model import PROBLEMS_KEPT, ImportRun


async def load_file(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    """From where the last attempt stopped."""
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        reader = await asyncio.to_thread(
            LineReader, path, Path(folder), arrival.place, arrival.done
        )
        try:
            while batch := await asyncio.to_thread(reader.next):
                await _keep_bytes(ports, scope, batch)
                await _load_batch(ports, scope, arrival.id, batch)
        finally:
            reader.close()


async def _load_batch(ports: Ports, scope: Scope, id: UUID, batch: Batch) -> None:
    async with ports.db.transaction(scope) as tx:
        arrival = await lock_run(tx, scope, id, "loading", batch.number)
        if arrival is None:
            return
        taken = await _take(ports, tx, scope, arrival, batch)
        await imports.change(
            tx,
            scope,
            id,
            place=batch.place,
            done=batch.number,
            counts=taken.counts,
            problems=taken.problems,
            projects=taken.projects,
        )


async def _take(ports: Ports, tx: Tx, scope: Scope, arrival: ImportRun, batch: Batch) -> ImportRun:
    if batch.kind == VECTOR:
        kept = await _take_vectors(ports, tx, scope, batch.lines)
        counts = {"imported": kept, "left_out": len(batch.lines) - kept}
        return _counted(arrival, VECTOR, counts, [])
    if batch.kind == PROJECT.name:
        return await _take_projects(tx, scope, arrival, batch)
    if batch.kind == ORIGINAL.name and batch.spool is None:
        problems = [_problem(batch.lines[0], "its bytes are not in the file")]
        return _counted(arrival, batch.kind, {"left_out": 1}, problems)
    return await _take_rows(tx, scope, arrival, batch)


async def _take_rows(tx: Tx, scope: Scope, arrival: ImportRun, batch: Batch) -> ImportRun:
    kind = BY_NAME[batch.kind]
    # Saves lock the project first; so does this, to avoid a deadlock.
    for project_id in sorted(_projects(batch, arrival)):
        await note_write(tx, scope, UUID(project_id))
    if kind is MEMORY:
        await store.clear_deleted(tx, scope, [UUID(line.id) for line in batch.lines])
    known = set(await store.column_types(tx, scope, kind))
    outcomes: list[Row] = []
    for lines in shape(scope, batch.lines, arrival.projects):
        unsaid = known - set(lines.columns)
        outcomes += await store.load(tx, scope, lines, [*kind.uncompared, *unsaid])
    made = [row["id"] for row in outcomes if row["made"]]
    if kind is CHUNK:
        await index_chunks(tx, scope, made)
    elif kind is MEMORY:
        await index_memories(tx, scope, made)
    return _judged(arrival, batch, outcomes)


def _projects(batch: Batch, arrival: ImportRun) -> set[str]:
    named = {str(line.row["project_id"]) for line in batch.lines if "project_id" in line.row}
    return {arrival.projects.get(id, id) for id in named}


# What is said of it


def _judged(arrival: ImportRun, batch: Batch, outcomes: Sequence[Row]) -> ImportRun:
    counts = {"imported": 0, "unchanged": 0, "left_out": 0}
    by_number = {line.number: line for line in batch.lines}
    problems = []
    for row in outcomes:
        if row["made"] or row["same"]:
            counts["imported" if row["made"] else "unchanged"] += 1
            continue
        counts["left_out"] += 1
        problems.append(_problem(by_number[row["line"]], _why(row)))
    return _counted(arrival, batch.kind, counts, problems)


def _why(row: Row) -> str:
    if row["here"]:
        return "the store has this id with other content, which was left as it is"
    if not row["fits"]:
        return "what it belongs to was left out"
    return "the store has the same under another id"


def _problem(line: Line, why: str) -> dict[str, Any]:
    return {"line": line.number, "kind": line.kind, "id": line.id, "problem": why}


def _counted(
    arrival: ImportRun, kind: str, counts: dict[str, int], problems: list[dict[str, Any]]
) -> ImportRun:
    before = arrival.counts.get(kind, {})
    summed = {name: before.get(name, 0) + number for name, number in counts.items()}
    return replace(
        arrival,
        counts={**arrival.counts, kind: {**before, **summed}},
        problems=[*arrival.problems, *problems][:PROBLEMS_KEPT],
    )


# Projects


async def _take_projects(tx: Tx, scope: Scope, arrival: ImportRun, batch: Batch) -> ImportRun:
    """One that stands under the same path here takes in what is of the file's; an empty one, such
    as every new store has, gives way to it instead."""
    for line in batch.lines:
        merged = await _merge_into(tx, scope, line)
        if merged:
            problems = [_problem(line, "the store has this path; what is in it went there")]
            arrival = _counted(arrival, line.kind, {"unchanged": 1}, problems)
            arrival = replace(arrival, projects={**arrival.projects, line.id: str(merged)})
        else:
            alone = replace(batch, lines=[line])
            arrival = await _take_rows(tx, scope, arrival, alone)
    return arrival


async def _merge_into(tx: Tx, scope: Scope, line: Line) -> UUID | None:
    if await store.project_exists(tx, scope, UUID(line.id)):
        return None
    here = await store.project_at(tx, scope, str(line.row.get("slug")))
    if here and here["is_empty"]:
        await store.drop_project(tx, scope, here["id"])
        return None
    return here["id"] if here else None


# Originals and vectors


async def _keep_bytes(ports: Ports, scope: Scope, batch: Batch) -> None:
    """Bytes that are here already are never replaced."""
    if batch.kind != ORIGINAL.name or batch.spool is None:
        return
    line = batch.lines[0]
    key = key_here(scope, line, line.row.get("key"))
    async with ports.db.transaction(scope) as tx:
        known = await store.original_exists(tx, scope, UUID(line.id), key)
    if not known:
        await ports.blobs.put(key, batch.spool)


async def _take_vectors(ports: Ports, tx: Tx, scope: Scope, lines: Sequence[Line]) -> int:
    """Those of the model this store uses; others would not be compared with anything."""
    usable = [line for line in lines if line.row["model"] == ports.embedder.model]
    keep = {"chunk": keep_chunk_vectors, "memory": keep_memory_vectors}
    kept = 0
    for of, keep_vectors in keep.items():
        vectors = {
            UUID(line.id): (line.row["hash"], _vector(line))
            for line in usable
            if line.row["of"] == of
        }
        right = {id: one for id, one in vectors.items() if _is_sane(ports, one[1])}
        kept += await keep_vectors(ports, tx, scope, right)
    return kept


def _vector(line: Line) -> Vector:
    data = base64.b64decode(line.row["vector"])
    return np.frombuffer(data, dtype=np.dtype("<f4")).astype(np.float32)


def _is_sane(ports: Ports, vector: Vector) -> bool:
    return len(vector) == ports.embedder.dimensions and bool(np.isfinite(vector).all())
