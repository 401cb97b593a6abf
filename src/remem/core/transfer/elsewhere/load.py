"""Bring in what another product kept: read it all once, then keep it item by item."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

from remem.core.errors import Invalid, NotFound, TooLarge, Unreadable
from remem.core.intake.keep_item import keep_item
from remem.core.intake.model import Origin
from remem.core.items import Item, LeftOut
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transfer import store
from remem.core.transfer.model import PROBLEMS_KEPT, ImportRun, Problem

# Documents are made ready side by side; more at once would only wait for the embedder.
BATCH_ITEMS, BATCH_CHARS = 8, 2_000_000


async def check_items(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    """A damaged file is found out before anything of it is kept."""
    importer = ports.importers[str(arrival.source.origin)]
    total = await asyncio.to_thread(lambda: sum(1 for _ in importer.read(path, None)))
    if not total:
        raise Invalid("file", "contains nothing to import; choose another file", code="empty_file")
    async with ports.db.transaction(scope) as tx:
        await store.change(tx, scope, arrival.id, total=total)


async def load_items(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    """From where the last attempt stopped; what it had kept and not noted is known again."""
    importer = ports.importers[str(arrival.source.origin)]
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        batches = _batches(importer.read(path, Path(folder)), arrival.done)
        while batch := await asyncio.to_thread(next, batches, None):
            outcomes = await _keep_batch(ports, scope, arrival, batch)
            await _note(ports, scope, arrival.id, outcomes)
            _remove_files(batch)


Numbered = tuple[int, Item | LeftOut]
Outcome = tuple[int, str, str, str, str]


def _batches(items: Iterator[Item | LeftOut], done: int) -> Iterator[list[Numbered]]:
    """A batch names nothing twice, so that its items do not get in each other's way."""
    batch: list[Numbered] = []
    named, chars = set[str](), 0
    for number, item in enumerate(items, start=1):
        if number <= done:
            _remove_files([(number, item)])
            continue
        full = len(batch) >= BATCH_ITEMS or chars > BATCH_CHARS
        if batch and (full or item.reference in named):
            yield batch
            batch, named, chars = [], set(), 0
        batch.append((number, item))
        named.add(item.reference)
        chars += _length(item)
    if batch:
        yield batch


def _length(item: Item | LeftOut) -> int:
    if isinstance(item, LeftOut):
        return 0
    return len(item.content) + sum(len(turn.text) for turn in item.turns)


async def _keep_batch(
    ports: Ports, scope: Scope, arrival: ImportRun, batch: Sequence[Numbered]
) -> list[Outcome]:
    """Memories one after the other, as they were said; the rest side by side."""
    memories = [one for one in batch if one[1].kind == "memory"]
    rest = [one for one in batch if one[1].kind != "memory"]
    outcomes = [await _keep(ports, scope, arrival, one) for one in memories]
    return [*outcomes, *await asyncio.gather(*(_keep(ports, scope, arrival, one) for one in rest))]


async def _keep(ports: Ports, scope: Scope, arrival: ImportRun, numbered: Numbered) -> Outcome:
    number, item = numbered
    if isinstance(item, LeftOut):
        return number, item.kind, item.reference, "left_out", item.reason
    try:
        outcome = await keep_item(ports, scope, _origin(arrival), item)
    except (Invalid, Unreadable, TooLarge, NotFound) as error:
        return number, item.kind, item.reference, "left_out", error.message
    return number, item.kind, item.reference, outcome, ""


def _origin(arrival: ImportRun) -> Origin:
    source = arrival.source
    return Origin(source.origin or "import", source.project, source.fetch)


async def _note(ports: Ports, scope: Scope, id: UUID, outcomes: Sequence[Outcome]) -> None:
    async with ports.db.transaction(scope) as tx:
        arrival = await store.find(tx, scope, id, lock=True)
        last = max(number for number, *_ in outcomes)
        if arrival is None or arrival.stage != "loading" or arrival.done >= last:
            # Another attempt, taken for dead, has come further.
            return
        counts = {kind: dict(each) for kind, each in arrival.counts.items()}
        problems = list(arrival.problems)
        for number, kind, reference, outcome, reason in sorted(outcomes):
            each = counts.setdefault(kind, {})
            each[outcome] = each.get(outcome, 0) + 1
            if reason and len(problems) < PROBLEMS_KEPT:
                problems.append(_problem(number, kind, reference, reason))
        await store.change(tx, scope, id, done=last, counts=counts, problems=problems)


def _problem(number: int, kind: str, reference: str, reason: str) -> Problem:
    return {"line": number, "kind": kind, "id": reference[:200], "problem": reason[:500]}


def _remove_files(batch: Sequence[Numbered]) -> None:
    for _, item in batch:
        if isinstance(item, Item) and item.file:
            item.file.unlink(missing_ok=True)
