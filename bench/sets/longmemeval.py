"""LongMemEval: pooled chats with an assistant; each question has sessions as gold."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sets import hotpot, locomo
from sets.files import data_files
from sets.model import Question, Session, Talk, Turn


def load(data: Path, size: int | None = None) -> list[Talk]:
    """One talk with the sessions of all questions, so that each question is asked among all of
    them; or only the first questions, until there are `size` sessions."""
    files = data_files(data / "longmemeval")
    rows = [row for file in files for row in json.loads(file.read_text())]
    sessions: dict[str, Session] = {}
    questions = []
    for row in rows:
        if size is not None and len(sessions) >= size:
            break
        for session in _sessions(row):
            sessions.setdefault(session.id, session)
        questions.append(_question(row))
    return [Talk("longmemeval", list(sessions.values()), questions)]


def load_among_others(data: Path) -> list[Talk]:
    """All sessions in one store with the talks of LoCoMo and the paragraphs of HotpotQA."""
    (talk,) = load(data)
    others = [
        replace(session, id=f"{other.id} {session.id}")
        for other in locomo.load(data)
        for session in other.sessions
    ]
    notes = [note for other in hotpot.load(data) for note in other.notes]
    return [replace(talk, sessions=[*talk.sessions, *others], notes=notes)]


def gold_turns(data: Path) -> set[str]:
    """The ids of the user's turns that answer a question."""
    files = data_files(data / "longmemeval")
    rows = [row for file in files for row in json.loads(file.read_text())]
    return {
        f"{id}:{n}"
        for row in rows
        for id, turns in zip(row["haystack_session_ids"], row["haystack_sessions"], strict=True)
        for n, turn in enumerate(turns)
        if turn.get("has_answer") and turn["role"] == "user"
    }


def _sessions(row: dict[str, Any]) -> list[Session]:
    sessions = zip(
        row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"], strict=True
    )
    return [
        Session(
            id,
            moment(at),
            [Turn(f"{id}:{n}", turn["role"], turn["content"]) for n, turn in enumerate(turns)],
        )
        for id, at, turns in sessions
    ]


def _question(row: dict[str, Any]) -> Question:
    gold = frozenset(row["answer_session_ids"])
    return Question(row["question"], gold, row["question_type"], moment(row["question_date"]))


def moment(text: str) -> datetime:
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
