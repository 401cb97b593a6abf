"""LongMemEval: chats with an assistant, pooled; the gold of a question are sessions."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sets.model import Question, Session, Talk, Turn


def load(data: Path) -> list[Talk]:
    """One talk of all sessions, so that each question is asked among those of all others."""
    files = sorted((data / "longmemeval").glob("*.json"))
    rows = [each for file in files for each in json.loads(file.read_text())]
    sessions: dict[str, Session] = {}
    for row in rows:
        for session in _sessions(row):
            sessions.setdefault(session.id, session)
    return [Talk("longmemeval", list(sessions.values()), [_question(row) for row in rows])]


def gold_turns(data: Path) -> set[str]:
    """The turns of the user that answer a question, by their ids."""
    files = sorted((data / "longmemeval").glob("*.json"))
    rows = [each for file in files for each in json.loads(file.read_text())]
    return {
        f"{id}:{n}"
        for row in rows
        for id, turns in zip(row["haystack_session_ids"], row["haystack_sessions"], strict=True)
        for n, turn in enumerate(turns)
        if turn.get("has_answer") and turn["role"] == "user"
    }


def _sessions(row: dict[str, Any]) -> list[Session]:
    told = zip(
        row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"], strict=True
    )
    return [
        Session(
            id,
            moment(at),
            [Turn(f"{id}:{n}", each["role"], each["content"]) for n, each in enumerate(turns)],
        )
        for id, at, turns in told
    ]


def _question(row: dict[str, Any]) -> Question:
    gold = frozenset(row["answer_session_ids"])
    return Question(row["question"], gold, row["question_type"], moment(row["question_date"]))


def moment(written: str) -> datetime:
    return datetime.strptime(written, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
