"""Counts the steps of a backtracking regex engine that runs the output of `re`'s own parser."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from re import _constants as op
from re import _parser as parser
from typing import Any

from tests.linear.regex_chars import accepts, matches_position
from tests.linear.regex_transitions import (
    BEGIN,
    CHAR,
    DONE,
    FAIL,
    GO,
    SPECIAL,
    Instruction,
    Leaf,
    ProgramTransitions,
)

# A finite bound costs a constant factor, not growth, so large ones are run as small ones.
_MAX_BOUND = 6


class TooManySteps(Exception):
    """The count exceeded its limit."""


@dataclass(slots=True)
class Count:
    limit: int
    steps: int = 0

    def add(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.limit:
            raise TooManySteps(self.steps)


Registers = dict[int, int]

_CHARSET_FLAGS = re.ASCII | re.UNICODE | re.LOCALE


@dataclass(slots=True)
class Machine:
    """The program of a pattern. With `bounded`, large finite bounds are run as small ones."""

    source: str
    flags: int
    bounded: bool = True
    refers: bool = False
    code: list[Instruction] = field(default_factory=list)
    registers: int = 0
    transitions: ProgramTransitions = field(init=False)

    def __post_init__(self) -> None:
        self.transitions = ProgramTransitions(self.code)

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
            # Only one of the flags a, u and L is set.
            outer_flags = flags & ~_CHARSET_FLAGS if added & _CHARSET_FLAGS else flags
            inner_flags = (outer_flags | added) & ~removed
            self._group(group, lambda: self.compile(body, inner_flags))
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
            lookbehind_width = body.getwidth()[0] if direction < 0 else 0
            self.code.append(("look", self._part(body, flags), lookbehind_width, kind is op.ASSERT))
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
        minimum, maximum, body = value
        if self.bounded:
            minimum = min(minimum, _MAX_BOUND)
            maximum = maximum if maximum is op.MAXREPEAT else max(minimum, min(maximum, _MAX_BOUND))
        for _ in range(minimum):
            self.compile(body, flags)
        if maximum is op.MAXREPEAT:
            self._unbounded(body, flags, greedy=greedy)
            return
        splits = []
        for _ in range(maximum - minimum):
            splits.append(len(self.code))
            self.code.append(())
            self.compile(body, flags)
        for split in splits:
            self.code[split] = _split(split + 1, len(self.code), greedy=greedy)

    def _unbounded(self, body: Any, flags: int, *, greedy: bool) -> None:
        start = len(self.code)
        self.code.append(())
        if body.getwidth()[0]:
            self.compile(body, flags)
        else:
            self._possibly_empty(body, flags)
        self.code.append(("jump", start))
        self.code[start] = _split(start + 1, len(self.code), greedy=greedy)

    def _possibly_empty(self, body: Any, flags: int) -> None:
        """Compile a body that can match nothing: the repeat ends when it does."""
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
        """The end of a match that begins at `start`, and its registers."""
        stack: list[tuple[Leaf, int, Registers]] = []
        transitions, steps_left, steps = self.transitions, count.limit - count.steps, 0
        leaf, at = BEGIN, start
        while True:
            leaf_steps, kind, pc = leaf
            steps += leaf_steps
            if steps > steps_left:
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
                steps_left = count.limit - count.steps
                if moved is None:
                    if not stack:
                        return None
                    leaf, at, seen = stack.pop()
                    continue
                at, seen = moved
            table = transitions[pc]
            key: Any = text[at] if at < end else ""
            if table.wide:
                key = (text[at - 1] if at else "", key, at == end - 1)
            leaf, others = table[key]
            for other in others:
                stack.append((other, at, seen))

    def next_candidate(self, text: str, at: int, end: int, count: Count) -> int:
        """The first position from `at` on where the adjacent characters allow a match to begin."""
        table, steps_left, steps = self.transitions[0], count.limit - count.steps, 0
        while at <= end and steps <= steps_left:
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
        """Run a rarer instruction: the new position and registers, None if it fails."""
        kind = step[0]
        if kind in ("save", "mark"):
            return at, {**seen, step[1]: at}
        if kind == "moved":
            return None if seen[step[1]] == at else (at, seen)
        if kind == "at":
            return (at, seen) if matches_position(step[1], step[2], text, at, end) else None
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
        actual = text[at : min(end, at + len(wanted))]
        if step[2] & re.IGNORECASE:
            wanted, actual = wanted.lower(), actual.lower()
        return at + len(wanted) if wanted == actual else None


def _split(into: int, past: int, *, greedy: bool) -> Instruction:
    return ("split", into, past) if greedy else ("split", past, into)


@cache
def machine(source: str | bytes, flags: int, *, bounded: bool = True) -> Machine:
    tree = parser.parse(source, flags)
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    compiled = Machine(text, tree.state.flags, bounded, "GROUPREF" in repr(tree))
    compiled.compile(tree, tree.state.flags)
    compiled.code.append(("done",))
    return compiled


def spans(pattern: "re.Pattern[Any]", text: str, count: Count, *, bounded: bool = True,
          start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:  # fmt: skip
    """The spans that `finditer` finds."""
    compiled = machine(pattern.pattern, pattern.flags & ~re.DEBUG, bounded=bounded)
    stop = len(text) if end is None else end
    at, empty_match_at = start, -1
    while (at := compiled.next_candidate(text, at, stop, count)) <= stop:
        match = compiled.run(text, at, stop, {}, count)
        if match is None or (match[0] == at == empty_match_at):
            at += 1
            continue
        yield at, match[0]
        # An empty match may follow a non-empty one, but not another empty one.
        empty_match_at = match[0] if match[0] == at else -1
        at = match[0]


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
    """The end of the match of `match`, or of `fullmatch` if `whole`."""
    compiled = machine(pattern.pattern, pattern.flags & ~re.DEBUG, bounded=bounded)
    stop = len(text) if end is None else end
    match = compiled.run(text, start, stop, {}, count, whole)
    return match[0] if match else None
