"""XQuAD: questions, each with the paragraph that answers it, by language."""

import lzma
from dataclasses import dataclass
from pathlib import Path

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """`gold` has the place of each question's paragraph."""

    name: str
    paragraphs: list[str]
    questions: list[str]
    gold: list[int]


def load(data: Path) -> list[Language]:
    """English first; nothing if the data is missing."""
    file = data / "multilingual" / "data" / "xqa.txt.xz"
    if not file.is_file():
        return []
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    names = sorted({row[0] for row in rows}, key=lambda name: (name != ENGLISH, name))
    return [_language(name, [row[1:] for row in rows if row[0] == name]) for name in names]


def _language(name: str, rows: list[list[str]]) -> Language:
    paragraphs = list(dict.fromkeys(paragraph for _, paragraph in rows))
    place = {paragraph: number for number, paragraph in enumerate(paragraphs)}
    return Language(
        name,
        paragraphs,
        [question for question, _ in rows],
        [place[paragraph] for _, paragraph in rows],
    )
