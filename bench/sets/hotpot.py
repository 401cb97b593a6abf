"""HotpotQA: pooled encyclopedia paragraphs; each question has two of them as gold."""

import json
from datetime import UTC, datetime
from pathlib import Path

from sets.files import data_files
from sets.model import Note, Question, Talk

_ASKED_AT = datetime(2024, 1, 1, tzinfo=UTC)


def load(data: Path) -> list[Talk]:
    (file,) = data_files(data / "hotpot")
    raw = json.loads(file.read_text())
    notes = [Note(row["title"], row["text"], row["title"]) for row in raw["passages"]]
    questions = [
        Question(row["question"].strip(), frozenset(row["gold"]), row["type"], _ASKED_AT)
        for row in raw["questions"]
    ]
    return [Talk("hotpot", [], questions, notes)]
