"""Counts the steps of a backtracking regex engine, run over what `re`'s own parser reads."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from re import _constants as op
from re import _parser as parser
from typing import Any

from tests.linear.regex_chars import accepts, stands
from tests.linear.regex_leads import (
    BEGIN,
    CHAR,
    DONE,
    FAIL,
    GO,
    SPECIAL,
    AllLeads,
    Instruction,
    Leaf,
)

# A finite bound costs a constant factor, not growth: it is run as a small one.
_BOUND_MOST = 6


class TooManySteps(Exception):
    """The count went over the limit that was given."""


@dataclass(slots=True)
class Count:
    limit: int
    steps: int = 0

    def add(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.limit:
            raise TooManySteps(self.steps)


Registers = dict[int, int]

_KINDS_OF_TEXT = re.ASCII | re.UNICODE | re.LOCALE


@dataclass(slots=True)
class Machine:
    """A program of a pattern. `bounded` runs large finite bounds as small ones."""

    source: str
    flags: int
    bounded: bool = True
    refers: bool = False
    code: list[Instruction] = field(default_factory=list)
    registers: int = 0
    leads: AllLeads = field(init=False)

    def __post_init__(self) -> None:
        self.leads = AllLeads(self.code)

    def compile(self, tree: Any, flags: int) -> None:
        for kind, value in tree:
            self._node(kind, value, flags)

    def _node(self, kind: Any, value: Any, flags: int) -> None:
        if kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            self.code.append(("char", accepts(kind, value, flags)))
        elif kind is op.AT:
            self.code.append(("at", value, flags))
        elif kind is op.SUBPATTERN:
            group, added, removed, body = value
            # Of a, u and L there is one.
            kept = flags & ~_KINDS_OF_TEXT if added & _KINDS_OF_TEXT else flags
            within = (kept | added) & ~removed
            self._group(group, lambda: self.compile(body, within))
        elif kind is op.BRANCH:
            self._branch([lambda part=part: self.compile(part, flags) for part in value[1]])
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            self._repeat(value, flags, greedy=kind is op.MAX_REPEAT)
        elif kind is op.POSSESSIVE_REPEAT:
            inner = self._part([(op.MAX_REPEAT, value)], flags)
            self.code.append(("atomic", inner))
        elif kind is op.ATOMIC_GROUP:
            self.code.append(("atomic", self._part(value, flags)))
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            direction, body = value
            back = body.getwidth()[0] if direction < 0 else 0
            self.code.append(("look", self._part(body, flags), back, kind is op.ASSERT))
        elif kind is op.GROUPREF:
            self.code.append(("same", value, flags))
        else:
            raise NotImplementedError(f"{kind} in {self.source!r}")

    def _group(self, group: int | None, body: Callable[[], None]) -> None:
        if not self.refers or group is None:
            body()
            return
        self.code.append(("save", 2 * group))
        body()
        self.code.append(("save", 2 * group + 1))

    def _part(self, tree: Any, flags: int) -> "Machine":
        part = Machine(self.source, flags, self.bounded, self.refers, registers=self.registers)
        part.compile(tree, flags)
        part.code.append(("done",))
        self.registers = part.registers
        return part

    def _branch(self, parts: list[Callable[[], None]]) -> None:
        ends = []
        for part in parts[:-1]:
            split = len(self.code)
            self.code.append(())
            part()
            ends.append(len(self.code))
            self.code.append(())
            self.code[split] = ("split", split + 1, len(self.code))
        parts[-1]()
        for end in ends:
            self.code[end] = ("jump", len(self.code))

    def _repeat(self, value: Any, flags: int, *, greedy: bool) -> None:
        least, most, body = value
        if self.bounded:
            least = min(least, _BOUND_MOST)
            most = most if most is op.MAXREPEAT else max(least, min(most, _BOUND_MOST))
        for _ in range(least):
            self.compile(body, flags)
        if most is op.MAXREPEAT:
            self._endless(body, flags, greedy=greedy)
            return
        splits = []
        for _ in range(most - least):
            splits.append(len(self.code))
            self.code.append(())
            self.compile(body, flags)
        for split in splits:
            self.code[split] = _split(split + 1, len(self.code), greedy=greedy)

    def _endless(self, body: Any, flags: int, *, greedy: bool) -> None:
        start = len(self.code)
        self.code.append(())
        if body.getwidth()[0]:
            self.compile(body, flags)
        else:
            self._moving(body, flags)
        self.code.append(("jump", start))
        self.code[start] = _split(start + 1, len(self.code), greedy=greedy)

    def _moving(self, body: Any, flags: int) -> None:
        """A body that can match nothing ends the repeat when it does."""
        self.registers += 1
        register = -self.registers
        self.code.append(("mark", register))
        self.compile(body, flags)
        self.code.append(("moved", register))

    def run(
        self,
        text: str,
        start: int,
        end: int,
        seen: Registers,
        count: Count,
        whole: bool = False,
    ) -> tuple[int, Registers] | None:
        """Where a match that begins at `start` ends."""
        stack: list[tuple[Leaf, int, Registers]] = []
        leads, room, steps = self.leads, count.limit - count.steps, 0
        leaf, at = BEGIN, start
        while True:
            took, kind, pc = leaf
            steps += took
            if steps > room:
                count.add(steps)
            if kind == CHAR:
                at += 1
            elif kind != GO:
                count.add(steps)
                steps = 0
                moved = None
                if kind == SPECIAL:
                    moved = self._special(self.code[pc - 1], text, at, end, seen, count)
                elif kind == DONE and not (whole and at != end):
                    return at, seen
                room = count.limit - count.steps
                if moved is None:
                    if not stack:
                        return None
                    leaf, at, seen = stack.pop()
                    continue
                at, seen = moved
            table = leads[pc]
            key: Any = text[at] if at < end else ""
            if table.wide:
                key = (text[at - 1] if at else "", key, at == end - 1)
            leaf, others = table[key]
            for other in others:
                stack.append((other, at, seen))

    def next_place(self, text: str, at: int, end: int, count: Count) -> int:
        """The first from here on whose characters do not say that no match begins there."""
        table, room, steps = self.leads[0], count.limit - count.steps, 0
        while at <= end and steps <= room:
            key: Any = text[at] if at < end else ""
            if table.wide:
                key = (text[at - 1] if at else "", key, at == end - 1)
            leaf, _ = table[key]
            if leaf[1] != FAIL:
                break
            steps += leaf[0]
            at += 1
        count.add(steps)
        return at

    def _special(
        self, step: Instruction, text: str, at: int, end: int, seen: Registers, count: Count
    ) -> tuple[int, Registers] | None:
        """Where a rarer instruction leads; None when it fails."""
        kind = step[0]
        if kind in ("save", "mark"):
            return at, {**seen, step[1]: at}
        if kind == "moved":
            return None if seen[step[1]] == at else (at, seen)
        if kind == "at":
            return (at, seen) if stands(step[1], step[2], text, at, end) else None
        if kind == "atomic":
            return step[1].run(text, at, end, seen, count)
        if kind == "look":
            inner = None
            if at - step[2] >= 0:
                inner = step[1].run(text, at - step[2], end, seen, count)
            if (inner is not None) != step[3]:
                return None
            return at, inner[1] if inner else seen
        taken = self._same(step, text, at, end, seen)
        return None if taken is None else (taken, seen)

    def _same(self, step: Instruction, text: str, at: int, end: int, seen: Registers) -> int | None:
        if 2 * step[1] + 1 not in seen:
            return None
        wanted = text[seen[2 * step[1]] : seen[2 * step[1] + 1]]
        given = text[at : min(end, at + len(wanted))]
        if step[2] & re.IGNORECASE:
            wanted, given = wanted.lower(), given.lower()
        return at + len(wanted) if wanted == given else None


def _split(into: int, past: int, *, greedy: bool) -> Instruction:
    return ("split", into, past) if greedy else ("split", past, into)


@cache
def machine(source: str | bytes, flags: int, *, bounded: bool = True) -> Machine:
    tree = parser.parse(source, flags)
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    made = Machine(text, tree.state.flags, bounded, "GROUPREF" in repr(tree))
    made.compile(tree, tree.state.flags)
    made.code.append(("done",))
    return made


def spans(pattern: "re.Pattern[Any]", text: str, count: Count, *, bounded: bool = True,
          start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:  # fmt: skip
    """What `finditer` finds."""
    made = machine(pattern.pattern, pattern.flags & ~re.DEBUG, bounded=bounded)
    stop = len(text) if end is None else end
    at, filled = start, -1
    while (at := made.next_place(text, at, stop, count)) <= stop:
        found = made.run(text, at, stop, {}, count)
        if found is None or (found[0] == at == filled):
            at += 1
            continue
        yield at, found[0]
        # A match of nothing may follow one of something, but not another of nothing.
        filled = found[0] if found[0] == at else -1
        at = found[0]


def match_end(
    pattern: "re.Pattern[Any]",
    text: str,
    count: Count,
    *,
    bounded: bool = True,
    start: int = 0,
    end: int | None = None,
    whole: bool = False,
) -> int | None:
    """Where `match`, or `fullmatch`, ends."""
    made = machine(pattern.pattern, pattern.flags & ~re.DEBUG, bounded=bounded)
    stop = len(text) if end is None else end
    found = made.run(text, start, stop, {}, count, whole)
    return found[0] if found else None
