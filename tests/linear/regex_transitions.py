"""Where an instruction of a regex leads, as far as the characters beside a place say: found once
for each of them, and with the steps that finding it takes."""

from collections.abc import Iterator
from typing import Any

from tests.linear.regex_chars import stands

# An instruction: its kind, then what it needs.
Instruction = tuple[Any, ...]
# What happens at a leaf, and there alone: a character is taken, a rarer instruction is run, the
# program ends, or nothing more is to be tried. To go on without any is how a run begins.
CHAR, SPECIAL, DONE, FAIL, GO = range(5)
# The steps that lead here, what happens, and the instruction behind it.
Leaf = tuple[int, int, int]
BEGIN: Leaf = (0, GO, 0)


class Leads(dict[Any, tuple[Leaf, tuple[Leaf, ...]]]):
    """By the next character, the first leaf, and the others from the last on. When `wide`, by the
    characters on both sides, and whether the next is the last."""

    def __init__(self, code: list[Instruction], pc: int) -> None:
        super().__init__()
        self._code, self._pc = code, pc
        self.wide = any(_is_of_place(code[one]) for one in _reached(code, pc))

    def __missing__(self, key: Any) -> tuple[Leaf, tuple[Leaf, ...]]:
        before, behind, last = key if self.wide else ("", key, False)
        first, *others = self._leaves(before, behind, last)
        self[key] = first, tuple(reversed(others))
        return self[key]

    def _leaves(self, before: str, behind: str, last: bool) -> Iterator[Leaf]:
        """In the order in which a backtracking engine tries them."""
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
                if behind and step[1][behind]:
                    yield steps, CHAR, pc + 1
                    steps = 0
            elif _is_of_place(step):
                right, inner = _at_place(step, before, behind, last)
                steps += inner
                stack += [pc + 1] if right else []
            else:
                yield steps, DONE if kind == "done" else SPECIAL, pc + 1
                steps = 0
        if steps:
            yield steps, FAIL, 0


class AllLeads(dict[int, Leads]):
    """Those of every instruction of a program."""

    def __init__(self, code: list[Instruction]) -> None:
        super().__init__()
        self._code = code

    def __missing__(self, pc: int) -> Leads:
        self[pc] = Leads(self._code, pc)
        return self[pc]


def _reached(code: list[Instruction], pc: int) -> set[int]:
    """What may be run from here on before a character is taken."""
    found: set[int] = set()
    stack = [pc]
    while stack:
        pc = stack.pop()
        if pc in found:
            continue
        found.add(pc)
        if code[pc][0] == "split":
            stack += code[pc][1:]
        elif code[pc][0] == "jump":
            stack.append(code[pc][1])
        elif _is_of_place(code[pc]):
            stack.append(pc + 1)
    return found


def _is_of_place(step: Instruction) -> bool:
    """A boundary, or a look at the one character beside."""
    return step[0] == "at" or (step[0] == "look" and [one[0] for one in step[1].code] == _ONE_CHAR)


_ONE_CHAR = ["char", "done"]


def _at_place(step: Instruction, before: str, behind: str, last: bool) -> tuple[bool, int]:
    """Whether it is right here, and the steps inside it."""
    if step[0] == "at":
        text = before + behind + ("" if last or not behind else ".")
        return stands(step[1], step[2], text, len(before), len(text)), 0
    _, inner, back, wanted = step
    if back and not before:
        return not wanted, 0
    seen = before if back else behind
    right = bool(seen) and inner.code[0][1][seen]
    return right == wanted, 2 if right else 1
