"""Import a file of another product: read all of it once, then import it item by item."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

from remem.core.errors import Invalid, NotFound, TooLarge, Unreadable
from remem.core.intake.import_item import import_item
from remem.core.intake.model import Origin
from remem.core.items import Item, LeftOut
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transfer import transfer_store
from remem.core.transfer.model import MAX_PROBLEMS, ImportRun, Problem

# Documents are processed concurrently; a larger batch would only wait for the embedder.
BATCH_ITEMS, BATCH_CHARS = 8, 2_000_000


async def check_items(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    """Read the whole file, so that a damaged one is refused before anything is imported."""
    importer = ports.importers[str(arrival.source.origin)]
    total = await asyncio.to_thread(lambda: sum(1 for _ in importer.read(path, None)))
    if not total:
        raise Invalid("file", "contains nothing to import; choose another file", code="empty_file")
    async with ports.db.transaction(scope) as tx:
        await transfer_store.change(tx, arrival.id, total=total)


async def load_items(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    """Continue where the last attempt stopped; items it imported but did not record are
    recognised."""
    importer = ports.importers[str(arrival.source.origin)]
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        batches = _batches(importer.read(path, Path(folder)), arrival.done)
        while batch := await asyncio.to_thread(next, batches, None):
            outcomes = await _import_batch(ports, scope, arrival, batch)
            await _record(ports, scope, arrival.id, outcomes)
            _remove_files(batch)


Numbered = tuple[int, Item | LeftOut]
Outcome = tuple[int, str, str, str, str]


def _batches(items: Iterator[Item | LeftOut], done: int) -> Iterator[list[Numbered]]:
    """Split the items into batches without duplicate references, so that items of a batch do not
    conflict."""
    batch: list[Numbered] = []
    references, chars = set[str](), 0
    for number, item in enumerate(items, start=1):
        if number <= done:
            _remove_files([(number, item)])
            continue
        is_full = len(batch) >= BATCH_ITEMS or chars > BATCH_CHARS
        if batch and (is_full or item.reference in references):
            yield batch
            batch, references, chars = [], set(), 0
        batch.append((number, item))
        references.add(item.reference)
        chars += _length(item)
    if batch:
        yield batch


def _length(item: Item | LeftOut) -> int:
    if isinstance(item, LeftOut):
        return 0
    return len(item.content) + sum(len(turn.text) for turn in item.turns)


async def _import_batch(
    ports: Ports, scope: Scope, arrival: ImportRun, batch: Sequence[Numbered]
) -> list[Outcome]:
    """Import memories one after the other, in their order, and the rest concurrently."""
    memories = [numbered for numbered in batch if numbered[1].kind == "memory"]
    rest = [numbered for numbered in batch if numbered[1].kind != "memory"]
    outcomes = [await _import_item(ports, scope, arrival, numbered) for numbered in memories]
    return [
        *outcomes,
        *await asyncio.gather(
            *(_import_item(ports, scope, arrival, numbered) for numbered in rest)
        ),
    ]


async def _import_item(
    ports: Ports, scope: Scope, arrival: ImportRun, numbered: Numbered
) -> Outcome:
    number, item = numbered
    if isinstance(item, LeftOut):
        return number, item.kind, item.reference, "left_out", item.reason
    try:
        outcome = await import_item(ports, scope, _origin(arrival), item)
    except (Invalid, Unreadable, TooLarge, NotFound) as error:
        return number, item.kind, item.reference, "left_out", error.message
    return number, item.kind, item.reference, outcome, ""


def _origin(arrival: ImportRun) -> Origin:
    source = arrival.source
    return Origin(source.origin or "import", source.project, source.fetch)


async def _record(ports: Ports, scope: Scope, id: UUID, outcomes: Sequence[Outcome]) -> None:
    async with ports.db.transaction(scope) as tx:
        arrival = await transfer_store.find(tx, id, lock=True)
        last = max(number for number, *_ in outcomes)
        if arrival is None or arrival.stage != "loading" or arrival.done >= last:
            # Another attempt, which was presumed dead, is ahead.
            return
        counts = {kind: dict(kind_counts) for kind, kind_counts in arrival.counts.items()}
        problems = list(arrival.problems)
        for number, kind, reference, outcome, reason in sorted(outcomes):
            kind_counts = counts.setdefault(kind, {})
            kind_counts[outcome] = kind_counts.get(outcome, 0) + 1
            if reason and len(problems) < MAX_PROBLEMS:
                problems.append(_problem(number, kind, reference, reason))
        await transfer_store.change(tx, id, done=last, counts=counts, problems=problems)


def _problem(number: int, kind: str, reference: str, reason: str) -> Problem:
    return {"line": number, "kind": kind, "id": reference[:200], "problem": reason[:500]}


def _remove_files(batch: Sequence[Numbered]) -> None:
    for _, item in batch:
        if isinstance(item, Item) and item.file:
            item.file.unlink(missing_ok=True)
