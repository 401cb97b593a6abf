"""What a file would bring, without bringing it."""

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
from remem.core.transfer.lines import LineReader, frame

# Beyond so many the rest is not looked at, and the preview says so.
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
    """`origin` is whose file it is, `counts` how many things of each kind are in it. `left_out` are
    those that would not be taken; `more` says that there are more than were looked at."""

    origin: str
    counts: dict[str, int]
    examples: list[Example]
    left_out: list[LeftOut]
    more: bool


async def preview_import(ports: Ports, path: Path, given: str | None) -> Preview:
    return await asyncio.to_thread(_preview, ports, path, given)


def _preview(ports: Ports, path: Path, given: str | None) -> Preview:
    origin = recognise(ports, path, given)
    if origin is None:
        frame(path)
    found = _own(path) if origin is None else ports.importers[origin].read(path, None)
    counts: Counter[str] = Counter()
    examples: list[Example] = []
    left_out: list[LeftOut] = []
    for one in islice(found, ITEMS_LIMIT):
        if isinstance(one, LeftOut):
            left_out += [one] if len(left_out) < PROBLEMS_LIMIT else []
            continue
        example = _example(one) if isinstance(one, Item) else one
        counts[example.kind] += 1
        if example.label and len(examples) < EXAMPLES_LIMIT:
            examples.append(example)
    more = next(found, None) is not None
    return Preview(origin or OWN, dict(counts), examples, left_out, more)


def _own(path: Path) -> Iterator[Example]:
    with closing(LineReader(path)) as reader:
        while batch := reader.next():
            for line in batch.lines:
                label = next((str(line.row[name]) for name in _NAMED if line.row.get(name)), "")
                yield Example(line.kind, label[:_LABEL_LIMIT])


def _example(item: Item) -> Example:
    label = item.title or item.content or item.url or item.reference
    return Example(item.kind, label[:_LABEL_LIMIT])
