"""Talks, chats and notes written for training, with questions of which each names the lines that
answer it, or none that does; `written.txt.xz`.

    === talk, chat or notes           a block; `---` where time has passed
    3 Ana: I sold the van.            a line, by its number
    ? 3 | the van | What did Ana sell?          several: ? 3, 7 | the van ; a tent | ...
    ? 3 | - | Does Ana still drive?             answered, but by no words of the line
    ! 3 | Who bought the van?                   not answered; the line that comes closest
"""

import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PATH = Path(__file__).with_name("written.txt.xz")
_LINE = re.compile(r"(\d+) (.+)")


@dataclass(frozen=True, slots=True)
class Question:
    """`answers` has one of each place; none where the words of the lines are no answer. Nothing
    answers a question that is not `is_answered`."""

    text: str
    places: list[int]
    answers: list[str]
    is_answered: bool


@dataclass(frozen=True, slots=True)
class Block:
    """`follows` has the lines that were said just after the line before them."""

    kind: str
    lines: dict[int, str] = field(default_factory=dict)
    follows: set[int] = field(default_factory=set)
    questions: list[Question] = field(default_factory=list)

    def speakers(self) -> list[str]:
        return sorted({line.split(": ")[0] for line in self.lines.values() if ": " in line})


def blocks(path: Path = PATH) -> list[Block]:
    return list(_blocks(lzma.decompress(path.read_bytes()).decode()))


def _blocks(text: str) -> Iterator[Block]:
    for whole in text.split("=== ")[1:]:
        kind, *lines = whole.strip().splitlines()
        block, has_passed = Block(kind.strip()), True
        for line in filter(None, map(str.strip, lines)):
            if line[0] in "?!":
                block.questions.append(_question(line))
            elif line == "---":
                has_passed = True
            elif found := _LINE.fullmatch(line):
                number = int(found[1])
                block.lines[number] = found[2]
                if not has_passed and kind != "notes":
                    block.follows.add(number)
                has_passed = False
        yield block


def _question(line: str) -> Question:
    places, *answers, text = (part.strip() for part in line[1:].split("|"))
    named = [one.strip() for one in answers[0].split(";")] if answers and answers[0] != "-" else []
    return Question(text, [int(one) for one in places.split(",")], named, line[0] == "?")


def place_of(answer: str, line: str) -> tuple[int, int] | None:
    """Where the words of an answer stand in a line, behind the speaker's name."""
    said = line.find(": ") + 1
    pattern = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
    found = pattern.search(line, said) or pattern.search(line)
    return found.span() if found else None
