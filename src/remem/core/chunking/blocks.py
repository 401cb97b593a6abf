"""Group units of code by name, and merge small ones with their neighbours."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from remem.core.chunking.model import TARGET_TOKENS
from remem.core.chunking.token_counter import TokenCounter

SMALL_BLOCK_TOKENS = 32


class Unit(NamedTuple):
    """Code from `start` to the next unit, which belongs to the definition that `path` names."""

    start: int
    depth: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive code under one name."""

    start: int
    end: int
    path: tuple[str, ...]
    units: tuple[Unit, ...] = ()


def blocks_of(counter: TokenCounter, units: Iterable[Unit]) -> list[Block]:
    """Blocks that cover the text without gaps."""
    return _merge_small(counter, _merge_heads(counter, _group_by_name(units, len(counter.text))))


def _group_by_name(units: Iterable[Unit], end: int) -> Iterator[Block]:
    """Merge neighbours with the same name: statements, clauses of a function, its declarations."""
    start, pending = 0, list[Unit]()
    for unit in units:
        if unit.path != (pending[0].path if pending else ()):
            if unit.start > start:
                yield Block(start, unit.start, pending[0].path if pending else (), tuple(pending))
                start = unit.start
            pending = []
        pending.append(unit)
    yield Block(start, end, pending[0].path if pending else (), tuple(pending))


def _merge_heads(counter: TokenCounter, blocks: Iterable[Block]) -> Iterator[Block]:
    """Merge a few imports or the head of a class with the block below."""
    pending: Block | None = None
    for block in blocks:
        if pending and _fits_under(counter, pending, block):
            block = Block(pending.start, block.end, block.path, pending.units + block.units)
        elif pending:
            yield pending
        pending = block if _is_small(counter, block) else None
        if pending is None:
            yield block
    if pending:
        yield pending


def _fits_under(counter: TokenCounter, head: Block, block: Block) -> bool:
    if block.path[: len(head.path)] != head.path:
        return False
    is_big = counter.tokens(block.start, block.end) > TARGET_TOKENS
    return is_big or counter.tokens(head.start, block.end) <= TARGET_TOKENS


def _merge_small(counter: TokenCounter, blocks: Iterable[Block]) -> list[Block]:
    """Merge tiny definitions, and code that trails a definition with it."""
    merged: list[Block] = []
    for block in blocks:
        if merged and _fits_after(counter, merged[-1], block):
            merged[-1] = _merge(merged[-1], block)
        else:
            merged.append(block)
    return merged


def _fits_after(counter: TokenCounter, previous: Block, block: Block) -> bool:
    merged_tokens = counter.tokens(previous.start, block.end)
    if not _is_small(counter, block) or merged_tokens > TARGET_TOKENS:
        return False
    is_trailing = previous.path[: len(block.path)] == block.path
    is_group = previous.path == block.path[:-1] and merged_tokens < 2 * SMALL_BLOCK_TOKENS
    return is_trailing or is_group or _is_small(counter, previous)


def _merge(previous: Block, block: Block) -> Block:
    is_trailing = previous.path[: len(block.path)] == block.path
    path = previous.path if is_trailing else _common_prefix(previous.path, block.path)
    return Block(previous.start, block.end, path, previous.units + block.units)


def _common_prefix(path: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    while length < min(len(path), len(other)) and path[length] == other[length]:
        length += 1
    return path[:length]


def _is_small(counter: TokenCounter, block: Block) -> bool:
    return counter.tokens(block.start, block.end) < SMALL_BLOCK_TOKENS
