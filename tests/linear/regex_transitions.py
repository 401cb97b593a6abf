"""The transitions of a regex instruction, computed once for the characters beside a position, with
the number of steps that finding them takes."""

from collections.abc import Iterator
from typing import Any

from tests.linear.regex_chars import matches_position

# An instruction: its kind, then its operands.
Instruction = tuple[Any, ...]
# What happens at a leaf: a character is consumed, a rarer instruction is run, the program ends, or
# the attempt fails. A run begins with GO, which does none of these.
CHAR, SPECIAL, DONE, FAIL, GO = range(5)
# The steps that lead here, what happens, and the next instruction.
Leaf = tuple[int, int, int]
BEGIN: Leaf = (0, GO, 0)


class Transitions(dict[Any, tuple[Leaf, tuple[Leaf, ...]]]):
    """Maps the next character to the first leaf, and to the others in reverse order. If `wide`, the
    key is the characters on both sides, and whether the next one is the last."""

    def __init__(self, code: list[Instruction], pc: int) -> None:
        super().__init__()
        self._code, self._pc = code, pc
        self.wide = any(_tests_position(code[index]) for index in _reachable(code, pc))

    def __missing__(self, key: Any) -> tuple[Leaf, tuple[Leaf, ...]]:
        before, after, last = key if self.wide else ("", key, False)
        first, *others = self._leaves(before, after, last)
        self[key] = first, tuple(reversed(others))
        return self[key]

    def _leaves(self, before: str, after: str, last: bool) -> Iterator[Leaf]:
        """The leaves in the order in which a backtracking engine tries them."""
        stack, steps = [self._pc], 0
        while stack:
            pc = stack.pop()
            step = self._code[pc]
            kind = step[0]
            steps += 1
            if kind == "split":
                stack += [step[2], step[1]]
            elif kind == "jump":
                stack.append(step[1])
            elif kind == "char":
                if after and step[1][after]:
                    yield steps, CHAR, pc + 1
                    steps = 0
            elif _tests_position(step):
                matches, inner_steps = _match_position(step, before, after, last)
                steps += inner_steps
                stack += [pc + 1] if matches else []
            else:
                yield steps, DONE if kind == "done" else SPECIAL, pc + 1
                steps = 0
        if steps:
            yield steps, FAIL, 0


class ProgramTransitions(dict[int, Transitions]):
    """The transitions of every instruction of a program."""

    def __init__(self, code: list[Instruction]) -> None:
        super().__init__()
        self._code = code

    def __missing__(self, pc: int) -> Transitions:
        self[pc] = Transitions(self._code, pc)
        return self[pc]


def _reachable(code: list[Instruction], pc: int) -> set[int]:
    """Indexes of instructions that may run before the next character is consumed."""
    reached: set[int] = set()
    stack = [pc]
    while stack:
        pc = stack.pop()
        if pc in reached:
            continue
        reached.add(pc)
        if code[pc][0] == "split":
            stack += code[pc][1:]
        elif code[pc][0] == "jump":
            stack.append(code[pc][1])
        elif _tests_position(code[pc]):
            stack.append(pc + 1)
    return reached


def _tests_position(step: Instruction) -> bool:
    """Whether the step tests a position or looks at one adjacent character."""
    return step[0] == "at" or (
        step[0] == "look" and [instruction[0] for instruction in step[1].code] == _ONE_CHAR
    )


_ONE_CHAR = ["char", "done"]


def _match_position(step: Instruction, before: str, after: str, last: bool) -> tuple[bool, int]:
    """Whether the step matches at this position, and the steps inside it."""
    if step[0] == "at":
        text = before + after + ("" if last or not after else ".")
        return matches_position(step[1], step[2], text, len(before), len(text)), 0
    _, inner, looks_back, is_positive = step
    if looks_back and not before:
        return not is_positive, 0
    char = before if looks_back else after
    matches = bool(char) and inner.code[0][1][char]
    return matches == is_positive, 2 if matches else 1
