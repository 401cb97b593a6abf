"""LoCoMo: long talks of two people; the gold of a question are turns."""

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
    return [_talk(each) for file in files for each in json.loads(file.read_text())]


def _talk(raw: dict[str, Any]) -> Talk:
    said = raw["conversation"]
    names = sorted((key for key in said if _SESSION.fullmatch(key)), key=lambda key: int(key[8:]))
    sessions = [_session(name, said) for name in names]
    turns = {turn.id for session in sessions for turn in session.turns}
    now = max(session.at for session in sessions) + timedelta(days=1)
    asked = [_question(each, turns, now) for each in raw["qa"]]
    return Talk(raw["sample_id"], sessions, [one for one in asked if one.gold])


def _session(name: str, said: dict[str, Any]) -> Session:
    at = datetime.strptime(said[f"{name}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return Session(name, at, [_turn(each) for each in said[name]])


def _turn(raw: dict[str, Any]) -> Turn:
    caption = f" [image: {raw['blip_caption']}]" if raw.get("blip_caption") else ""
    return Turn(raw["dia_id"], raw["speaker"], raw.get("text", "") + caption)


def _question(raw: dict[str, Any], turns: set[str], now: datetime) -> Question:
    found = (_TURN.findall(each) for each in raw.get("evidence", []))
    gold = {f"D{int(session)}:{int(turn)}" for each in found for session, turn in each}
    return Question(raw["question"], frozenset(gold & turns), str(raw["category"]), now)
