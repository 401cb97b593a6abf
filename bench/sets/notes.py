"""remem's own set: everyday notes, questions in other words, and questions without an answer."""

from datetime import UTC, datetime
from pathlib import Path

from sets.model import Note, Question, Talk

UNANSWERABLE = "unanswerable"
_FILE = Path(__file__).with_name("notes.txt")
_ASKED_AT = datetime(2026, 11, 15, tzinfo=UTC)


def load(data: Path) -> list[Talk]:
    """One talk with all notes; documents and memories alternate."""
    notes: list[Note] = []
    questions: list[Question] = []
    for line in _FILE.read_text().splitlines():
        kind, _, text = line.partition(" ")
        if kind == "N":
            notes.append(Note(f"note {len(notes) + 1}", text, as_memory=len(notes) % 2 == 1))
        elif kind == "Q":
            questions.append(Question(text, frozenset({notes[-1].id}), "notes", _ASKED_AT))
    return [Talk("notes", [], questions, notes)]


def unanswerable() -> list[str]:
    """Questions that none of the notes answers."""
    return [line[2:] for line in _FILE.read_text().splitlines() if line.startswith("U ")]
