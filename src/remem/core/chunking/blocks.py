"""Units of code under one name, small ones joined with their neighbours."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from remem.core.chunking.gauge import Gauge
from remem.core.chunking.model import TARGET_TOKENS

CRUMB_TOKENS = 32


class Unit(NamedTuple):
    """From `start` to the next unit the code belongs to what `path` names."""

    start: int
    depth: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """All that stands together under one name."""

    start: int
    end: int
    path: tuple[str, ...]
    units: tuple[Unit, ...] = ()


def blocks_of(gauge: Gauge, units: Iterable[Unit]) -> list[Block]:
    """Blocks that cover the text without a gap."""
    return _tidied(gauge, _headed(gauge, _grouped(units, len(gauge.text))))


def _grouped(units: Iterable[Unit], end: int) -> Iterator[Block]:
    """Neighbours of one name are one: statements, clauses of a function, its declarations."""
    start, pending = 0, list[Unit]()
    for unit in units:
        if unit.path != (pending[0].path if pending else ()):
            if unit.start > start:
                yield Block(start, unit.start, pending[0].path if pending else (), tuple(pending))
                start = unit.start
            pending = []
        pending.append(unit)
    yield Block(start, end, pending[0].path if pending else (), tuple(pending))


def _headed(gauge: Gauge, blocks: Iterable[Block]) -> Iterator[Block]:
    """A few imports or the head of a class go with what comes below them."""
    pending: Block | None = None
    for block in blocks:
        if pending and _fits_under(gauge, pending, block):
            block = Block(pending.start, block.end, block.path, pending.units + block.units)
        elif pending:
            yield pending
        pending = block if _small(gauge, block) else None
        if pending is None:
            yield block
    if pending:
        yield pending


def _fits_under(gauge: Gauge, head: Block, block: Block) -> bool:
    if block.path[: len(head.path)] != head.path:
        return False
    big = gauge.tokens(block.start, block.end) > TARGET_TOKENS
    return big or gauge.tokens(head.start, block.end) <= TARGET_TOKENS


def _tidied(gauge: Gauge, blocks: Iterable[Block]) -> list[Block]:
    """Tiny definitions stand together, and what trails after a definition stays with it."""
    kept: list[Block] = []
    for block in blocks:
        if kept and _fits_after(gauge, kept[-1], block):
            kept[-1] = _together(kept[-1], block)
        else:
            kept.append(block)
    return kept


def _fits_after(gauge: Gauge, before: Block, block: Block) -> bool:
    together = gauge.tokens(before.start, block.end)
    if not _small(gauge, block) or together > TARGET_TOKENS:
        return False
    trails = before.path[: len(block.path)] == block.path
    group = before.path == block.path[:-1] and together < 2 * CRUMB_TOKENS
    return trails or group or _small(gauge, before)


def _together(before: Block, block: Block) -> Block:
    trails = before.path[: len(block.path)] == block.path
    path = before.path if trails else _shared(before.path, block.path)
    return Block(before.start, block.end, path, before.units + block.units)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return one[:same]


def _small(gauge: Gauge, block: Block) -> bool:
    return gauge.tokens(block.start, block.end) < CRUMB_TOKENS
