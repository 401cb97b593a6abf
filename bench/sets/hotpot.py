"""HotpotQA: encyclopedia paragraphs, pooled; the gold of a question are two of them."""

import json
from datetime import UTC, datetime
from pathlib import Path

from sets.files import data_files
from sets.model import Note, Question, Talk

_ASKED_AT = datetime(2024, 1, 1, tzinfo=UTC)


def load(data: Path) -> list[Talk]:
    (file,) = data_files(data / "hotpot")
    raw = json.loads(file.read_text())
    notes = [Note(each["title"], each["text"], each["title"]) for each in raw["passages"]]
    questions = [
        Question(each["question"].strip(), frozenset(each["gold"]), each["type"], _ASKED_AT)
        for each in raw["questions"]
    ]
    return [Talk("hotpot", [], questions, notes)]
