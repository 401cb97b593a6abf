"""LoCoMo: long talks of two people; each question has turns as gold."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sets.files import data_files
from sets.model import Question, Session, Talk, Turn

ADVERSARIAL = "5"
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D(\d+):(\d+)")


def load(data: Path) -> list[Talk]:
    files = data_files(data / "locomo")
    return [_talk(talk) for file in files for talk in json.loads(file.read_text())]


def _talk(raw: dict[str, Any]) -> Talk:
    conversation = raw["conversation"]
    names = sorted(
        (key for key in conversation if _SESSION.fullmatch(key)), key=lambda key: int(key[8:])
    )
    sessions = [_session(name, conversation) for name in names]
    turns = {turn.id for session in sessions for turn in session.turns}
    now = max(session.at for session in sessions) + timedelta(days=1)
    asked = [_question(row, turns, now) for row in raw["qa"]]
    return Talk(raw["sample_id"], sessions, [question for question in asked if question.gold])


def _session(name: str, conversation: dict[str, Any]) -> Session:
    at = datetime.strptime(conversation[f"{name}_date_time"], "%I:%M %p on %d %B, %Y").replace(
        tzinfo=UTC
    )
    return Session(name, at, [_turn(turn) for turn in conversation[name]])


def _turn(raw: dict[str, Any]) -> Turn:
    caption = f" [image: {raw['blip_caption']}]" if raw.get("blip_caption") else ""
    return Turn(raw["dia_id"], raw["speaker"], raw.get("text", "") + caption)


def _question(raw: dict[str, Any], turns: set[str], now: datetime) -> Question:
    matches = (_TURN.findall(evidence) for evidence in raw.get("evidence", []))
    gold = {f"D{int(session)}:{int(turn)}" for evidence in matches for session, turn in evidence}
    return Question(raw["question"], frozenset(gold & turns), str(raw["category"]), now)
