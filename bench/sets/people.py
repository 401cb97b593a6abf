"""Invented people with their notes, and what should come of them."""

import re
import runpy
import tarfile
import tempfile
import unicodedata
from dataclasses import dataclass
from datetime import date
from pathlib import Path

NONE = "-"
TRAINING = Path(__file__).parents[2] / "training"
_TODAY = re.compile(r"^today: (\S+?);?(?:\s|$)", re.M)
_NOTE = re.compile(r"^(-?)(n\d+)")
LOOKALIKE = ("look-alike", "lookalike")


@dataclass(frozen=True, slots=True)
class Note:
    id: str
    written_at: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """`expected` has the notes that answer, of which the first must win; none of them if nobody can
    answer. `gold` has the variants of the answer."""

    text: str
    expected: list[str]
    gold: list[str]
    kind: str


@dataclass(frozen=True, slots=True)
class Change:
    old: str
    new: str
    relation: str


@dataclass(frozen=True, slots=True)
class Due:
    day: date
    in_force: bool


@dataclass(frozen=True, slots=True)
class Line:
    note: str
    quote: str
    is_worth_keeping: bool


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str
    relevant: list[str]


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    today: str
    notes: list[Note]
    questions: list[Question]
    changes: list[Change]
    due: list[Due]
    lines: list[Line]
    prompts: list[Prompt]

    @property
    def is_english(self) -> bool:
        return self.name.startswith("en-")


def read_people(folder: Path, chosen: str | None = None) -> list[Person]:
    """The people of a folder, or those whose name begins with `chosen`."""
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    return [_read(path) for path in folders if path.name.startswith(chosen or "")]


def people_to_learn_from(data: Path) -> list[Person]:
    """Those that no model was trained on: some are held out of training, and every second one of
    `people`, of which the others are reported."""
    held = set(runpy.run_path(str(TRAINING / "labels.py"))["HELD"])
    return [person for person in trained_on(data) if person.name in held] + halves(data)[0]


def people_to_report(data: Path) -> list[Person]:
    return halves(data)[1]


def halves(data: Path) -> tuple[list[Person], list[Person]]:
    folder = data / "people"
    people = read_people(folder) if folder.is_dir() else []
    return people[::2], people[1::2]


def trained_on(data: Path) -> list[Person]:
    """The people that were written for training, with those held out of it."""
    folder = data / "people-train"
    people = read_people(folder) if folder.is_dir() else []
    with tempfile.TemporaryDirectory() as ours, tarfile.open(TRAINING / "people.tar.xz") as packed:
        packed.extractall(ours)
        return people + [_read(path) for path in sorted(Path(ours).glob("*-*"))]


def _read(folder: Path) -> Person:
    def rows(name: str) -> list[list[str]]:
        path = folder / name
        lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
        return [[cell.replace("\\n", "\n") for cell in line.split("\t")] for line in lines if line]

    notes = [Note(*row[:3]) for row in rows("notes.tsv")]
    about = folder / "about.txt"
    named = _TODAY.search(about.read_text(encoding="utf-8")) if about.exists() else None
    today = named[1] if named else notes[-1].written_at[:10]
    return Person(
        folder.name,
        today,
        notes,
        [_question(row) for row in rows("questions.tsv")],
        [Change(_note(row[0]), _note(row[1]), row[2]) for row in rows("changes.tsv")],
        [Due(date.fromisoformat(row[2][:10]), row[3] == "yes") for row in rows("due.tsv")],
        [Line(row[0], row[1], row[2] == "yes") for row in rows("worth.tsv")],
        [Prompt(row[0], _notes(row[1])) for row in rows("prompts.tsv")],
    )


def _question(row: list[str]) -> Question:
    text, _, notes, gold, kind = row[:5]
    expected = [] if kind == "none" else _notes(notes)
    if kind == "changed":
        # The second of two is the outdated note where it has no minus.
        expected = expected[:1]
    return Question(text, expected, gold.split(" || "), kind)


def _notes(cell: str) -> list[str]:
    found = (_NOTE.match(part) for part in cell.split("|"))
    return [match[2] for match in found if match and not match[1]]


def _note(side: str) -> str:
    """The note of a side of a change (`n04`, or `n04: the sentence`), or its own words."""
    match = _NOTE.match(side)
    return match[2] if match else side


def folded(text: str) -> str:
    """Letters and digits alone."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


def is_right(answer: str, gold: list[str]) -> bool:
    given = folded(answer)
    return any(
        (known := folded(variant)) and (known in given or (len(given) > 1 and given in known))
        for variant in gold
    )


def is_kept(line: Line, memory: str) -> bool:
    """Whether a memory has the line; a line without worth must be nearly all of it."""
    quote, text = folded(line.quote), folded(memory)
    if not text:
        return False
    if line.is_worth_keeping:
        return quote in text or (text in quote and len(text) >= 0.6 * len(quote))
    return (quote in text and len(quote) >= 0.8 * len(text)) or (
        text in quote and len(text) >= 0.6 * len(quote)
    )
