"""Preview an import without importing anything."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from remem.core.items import Item, LeftOut
from remem.core.ports import Ports
from remem.core.transfer.elsewhere.recognise import OWN, recognise
from remem.core.transfer.lines import LineReader, count_lines

# Items beyond this limit are not read, and the preview says so.
ITEMS_LIMIT = 100_000
EXAMPLES_LIMIT = 10
PROBLEMS_LIMIT = 100
_NAMED = ("title", "name", "content")
_LABEL_LIMIT = 120


@dataclass(frozen=True, slots=True)
class Example:
    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class Preview:
    """`origin` is the product whose file it is, `counts` the number of items of each kind.
    `left_out` are those that would not be imported; `more` says that not all were read."""

    origin: str
    counts: dict[str, int]
    examples: list[Example]
    left_out: list[LeftOut]
    more: bool


async def preview_import(ports: Ports, path: Path, product: str | None) -> Preview:
    return await asyncio.to_thread(_preview, ports, path, product)


def _preview(ports: Ports, path: Path, product: str | None) -> Preview:
    origin = recognise(ports, path, product)
    if origin is None:
        count_lines(path)
    things = _read_own_export(path) if origin is None else ports.importers[origin].read(path, None)
    counts: Counter[str] = Counter()
    examples: list[Example] = []
    left_out: list[LeftOut] = []
    for thing in islice(things, ITEMS_LIMIT):
        if isinstance(thing, LeftOut):
            left_out += [thing] if len(left_out) < PROBLEMS_LIMIT else []
            continue
        example = _example(thing) if isinstance(thing, Item) else thing
        counts[example.kind] += 1
        if example.label and len(examples) < EXAMPLES_LIMIT:
            examples.append(example)
    more = next(things, None) is not None
    return Preview(origin or OWN, dict(counts), examples, left_out, more)


def _read_own_export(path: Path) -> Iterator[Example]:
    with closing(LineReader(path)) as reader:
        while batch := reader.next():
            for line in batch.lines:
                label = next((str(line.row[name]) for name in _NAMED if line.row.get(name)), "")
                yield Example(line.kind, label[:_LABEL_LIMIT])


def _example(item: Item) -> Example:
    label = item.title or item.content or item.url or item.reference
    return Example(item.kind, label[:_LABEL_LIMIT])
