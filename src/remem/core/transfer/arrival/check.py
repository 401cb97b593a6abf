"""Check a whole file before anything is imported, so that no partial import is left."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from remem.core.identity.plans import require_room
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.transfer import store as imports
from remem.core.transfer.arrival import store
from remem.core.transfer.arrival.fields import check_fields
from remem.core.transfer.arrival.shape import refuse_unknown, shape_rows
from remem.core.transfer.arrival.store import Lines
from remem.core.transfer.kinds import BY_NAME, KINDS, LINK, VECTOR
from remem.core.transfer.lines import Batch, Line, LineReader
from remem.core.transfer.model import BadLine, ImportRun


async def check_file(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    """Raise BadLine for the first invalid line, and LimitExceeded when the plan has no room for the
    memories."""
    reader = await asyncio.to_thread(LineReader, path)
    try:
        async with ports.db.transaction(scope) as tx:
            await store.make_tables(tx)
            while batch := await asyncio.to_thread(reader.next):
                await _check_batch(tx, batch)
                await _record_progress(ports, scope, arrival, batch)
            await _check_names(tx)
            await require_room(tx, await store.count_new_memories(tx), lock=False)
    finally:
        reader.close()


async def _record_progress(ports: Ports, scope: Scope, arrival: ImportRun, batch: Batch) -> None:
    async with ports.db.transaction(scope) as tx:
        await imports.change(tx, arrival.id, stage="checking", done=batch.number)


async def _check_batch(tx: Tx, batch: Batch) -> None:
    if batch.kind == VECTOR:
        return
    types = await store.column_types(tx, BY_NAME[batch.kind])
    await asyncio.to_thread(_check_lines, batch.lines, types)
    for lines in shape_rows(tx.scope, batch.lines, {}):
        if await store.stage(tx, lines):
            await _find_bad_line(tx, lines)


def _check_lines(lines: Sequence[Line], types: Mapping[str, str]) -> None:
    for line in lines:
        refuse_unknown(line, types)
        check_fields(line, types)


async def _find_bad_line(tx: Tx, lines: Lines) -> None:
    """Stage refused lines one by one to find the invalid one."""
    for place, number in enumerate(lines.numbers):
        single = Lines(
            lines.kind,
            lines.columns,
            [number],
            [lines.texts[place]],
            [lines.patches[place]],
        )
        if reason := await store.stage(tx, single):
            raise BadLine(number, f"{reason}; fix the line, or export again")


async def _check_names(tx: Tx) -> None:
    await store.analyse(tx)
    for kind in KINDS:
        dangling = store.dangling_end if kind is LINK else store.dangling
        if match := await dangling(tx, kind):
            number, item = match
            raise BadLine(number, f"{item} is neither in the file nor in the store")
