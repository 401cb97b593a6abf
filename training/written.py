"""Talks, chats and notes written for training, with questions that name the lines that answer them,
or the closest line if there is no answer; `written.txt.xz`.

    === talk, chat or notes           a block; `---` where time has passed
    3 Ana: I sold the van.            a line with its number
    ? 3 | the van | What did Ana sell?          several: ? 3, 7 | the van ; a tent | ...
    ? 3 | - | Does Ana still drive?             answered, but not with words of the line
    ! 3 | Who bought the van?                   not answered; the closest line
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
    """`answers` has one answer for each of `places`; it is empty if no words of the lines are an
    answer. If `is_answered` is false, no line answers the question."""

    text: str
    places: list[int]
    answers: list[str]
    is_answered: bool


@dataclass(frozen=True, slots=True)
class Block:
    """`follows` has the lines that directly follow the previous line in time."""

    kind: str
    lines: dict[int, str] = field(default_factory=dict)
    follows: set[int] = field(default_factory=set)
    questions: list[Question] = field(default_factory=list)

    def speakers(self) -> list[str]:
        return sorted({line.split(": ")[0] for line in self.lines.values() if ": " in line})


def blocks(path: Path = PATH) -> list[Block]:
    return list(_blocks(lzma.decompress(path.read_bytes()).decode()))


def _blocks(text: str) -> Iterator[Block]:
    for section in text.split("=== ")[1:]:
        kind, *lines = section.strip().splitlines()
        block, has_passed = Block(kind.strip()), True
        for line in filter(None, map(str.strip, lines)):
            if line[0] in "?!":
                block.questions.append(_question(line))
            elif line == "---":
                has_passed = True
            elif match := _LINE.fullmatch(line):
                number = int(match[1])
                block.lines[number] = match[2]
                if not has_passed and kind != "notes":
                    block.follows.add(number)
                has_passed = False
        yield block


def _question(line: str) -> Question:
    places, *answers, text = (part.strip() for part in line[1:].split("|"))
    answer_parts = (
        [part.strip() for part in answers[0].split(";")] if answers and answers[0] != "-" else []
    )
    return Question(text, [int(part) for part in places.split(",")], answer_parts, line[0] == "?")


def place_of(answer: str, line: str) -> tuple[int, int] | None:
    """The position of an answer in a line, after the name of the speaker."""
    text_start = line.find(": ") + 1
    pattern = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
    match = pattern.search(line, text_start) or pattern.search(line)
    return match.span() if match else None
