"""Invented people as training data: questions about their notes, changes of what they say, and the
words and lines of their notes."""

import collections
import json
import random
import re
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labels import CATEGORIES, HELD, KINDS, RELATIONS

PACKED = Path(__file__).with_name("people.tar.xz")
# How a change is called in the files.
_RELATION = {
    "replaces": "updates",
    "cancels": "cancels",
    "extends": "extends",
    "lookalike": "unrelated",
}
_LABEL = re.compile(r".{2,60}:\s*$")
_SEVERAL = " || "
_MIN_LINE, _MAX_LINE = 12, 300
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Question:
    """`places` has the span of the answer in each note, None if the note answers without words of
    its own; `near` is a note that only seems to answer."""

    text: str
    places: dict[str, list[Span]]
    near: str | None = None
    outdated: frozenset[str] = frozenset()
    has_answer: bool = True


@dataclass(frozen=True, slots=True)
class Note:
    """A text with the spans of its tagged phrases (None: not tagged), and of the lines that are
    worth keeping (with their category) or not (None)."""

    text: str
    tags: list[tuple[Span, str]] | None
    worth: list[tuple[Span, str | None]]


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    notes: dict[str, Note]
    questions: list[Question]
    changes: list[tuple[str, str, str]]


def read_people(data: Path) -> Iterator[tuple[Person, bool]]:
    """The people of the data, whose tags are here, and those of this project; each with whether it
    is held out."""
    with tempfile.TemporaryDirectory() as folder:
        ours = Path(folder)
        with tarfile.open(PACKED) as packed:
            packed.extractall(ours)
        for source in (data / "people-train", ours):
            for person in sorted(source.glob("*-*")):
                tags = [*ours.glob(f"tags/**/{person.name}.tsv")]
                yield _read(person, tags or [person / "tags.tsv"]), person.name in HELD


def _read(folder: Path, tag_files: list[Path]) -> Person:
    def rows(name: str | Path) -> list[list[str]]:
        path = folder / name
        lines = path.read_text(encoding="utf8").split("\n") if path.exists() else []
        return [[cell.replace("\\n", "\n") for cell in line.split("\t")] for line in lines if line]

    texts = {row[0]: row[2] for row in rows("notes.tsv")}
    tags = _spans_by_note(texts, [row for path in tag_files for row in rows(path)])
    worth = _spans_by_note(texts, [[*row[:2], row[3]] for row in rows("worth.tsv")])
    notes = {
        id: Note(
            text,
            tags.get(id),
            [(span, kind if kind in CATEGORIES else None) for span, kind in worth.get(id, [])],
        )
        for id, text in texts.items()
    }
    questions = [_question(row, texts) for row in rows("questions.tsv")]
    questions += [_prompt(row) for row in rows("prompts.tsv")]
    changes = [(old, new, _RELATION[kind]) for old, new, kind in rows("changes.tsv")]
    return Person(folder.name, notes, [row for row in questions if row], changes)


def _spans_by_note(
    texts: dict[str, str], rows: list[list[str]]
) -> dict[str, list[tuple[Span, str]]]:
    """The quotes' places; a quote that is listed twice is the next one of its kind."""
    spans: dict[str, list[tuple[Span, str]]] = collections.defaultdict(list)
    for id, quote, kind in rows:
        taken = [span for span, _ in spans[id]]
        text, start = texts.get(id, ""), -1
        while (start := text.find(quote, start + 1)) >= 0:
            span = (start, start + len(quote))
            if not any(span[0] < end and first < span[1] for first, end in taken):
                spans[id].append((span, kind))
                break
    return spans


def _question(row: list[str], texts: dict[str, str]) -> Question | None:
    text, _, place, quote, kind = row[:5]
    known = [id for id in place.split("|") if id in texts]
    if not known:
        return None
    if kind == "none":
        return Question(text, {}, near=known[0], has_answer=False)
    right = known if kind == "list" else known[:1]
    places: dict[str, list[Span]] = {id: [] for id in right}
    for part in quote.split(_SEVERAL):
        for id in right:
            if (start := texts[id].find(part)) >= 0:
                places[id].append((start, start + len(part)))
                break
    places = {id: spans for id, spans in places.items() if spans}
    return Question(text, places, outdated=frozenset(known[1:]) - places.keys()) if places else None


def _prompt(row: list[str]) -> Question:
    """What somebody types to an assistant: some notes help, or none."""
    text, relevant = row
    ids = [id for id in relevant.split("|") if id != "-"]
    return Question(text, {id: [] for id in ids}, has_answer=bool(ids))


def lines_of(text: str) -> Iterator[tuple[str, int, str]]:
    """Each line with its start and its heading or, without one, the line before it."""
    start, heading, before = 0, "", ""
    for line in text.split("\n"):
        stripped = line.strip()
        if _LABEL.match(stripped):
            heading = stripped
        elif not stripped:
            heading = ""
        else:
            yield line, start, heading or before
            before = stripped
        start += len(line) + 1


def neighbours(person: Person, seed: int) -> Iterator[tuple[str, str]]:
    """Lines of one note, written together, of which none changes another."""
    rng = random.Random(f"{seed} {person.name}")
    for note in person.notes.values():
        lines = [line.strip() for line, _, _ in lines_of(note.text)]
        lines = [line for line in lines if _MIN_LINE <= len(line) <= _MAX_LINE]
        if len(lines) > 1:
            yield tuple(sorted(rng.sample(lines, 2), key=lines.index))


def word_tags(offsets: list[Span], tags: list[tuple[Span, str]]) -> list[int]:
    """The tag of each word: 0 outside, else the first or a further word of a kind."""
    marked = [0] * len(offsets)
    for (start, end), kind in tags:
        inside = [n for n, (first, last) in enumerate(offsets) if last > start and first < end]
        for place, number in enumerate(inside):
            marked[number] = 1 + 2 * KINDS.index(kind) + (place > 0)
    return marked


def relation_number(name: str) -> int:
    return RELATIONS.index(name)


if __name__ == "__main__":
    counts = collections.Counter[str]()
    for person, is_held in read_people(Path("../shared/data")):
        counts["people"] += 1
        counts["held"] += is_held
        counts["questions"] += len(person.questions)
        counts["changes"] += len(person.changes)
        counts["tags"] += sum(len(note.tags or ()) for note in person.notes.values())
        counts["worth"] += sum(len(note.worth) for note in person.notes.values())
    print(json.dumps(counts))
