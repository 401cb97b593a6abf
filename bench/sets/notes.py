"""Our own set: everyday notes, each asked for in other words; and questions they do not answer."""

from datetime import UTC, datetime
from pathlib import Path

from sets.model import Note, Question, Talk

UNANSWERABLE = "unanswerable"
_FILE = Path(__file__).with_name("notes.txt")
_ASKED_AT = datetime(2026, 11, 15, tzinfo=UTC)


def load(data: Path) -> list[Talk]:
    """Of two notes one is saved as a document, the next as a memory: both are one store."""
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
    """Questions whose answer stands in none of the notes."""
    return [line[2:] for line in _FILE.read_text().splitlines() if line.startswith("U ")]
