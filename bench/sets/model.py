"""A talk in sessions and turns, and the questions about it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    at: datetime
    turns: list[Turn]

    def as_content(self) -> dict[str, Any]:
        """As somebody would save it: a conversation in JSON."""
        at = self.at.isoformat()
        said = [
            {"speaker": turn.speaker, "content": turn.text, "timestamp": at} for turn in self.turns
        ]
        return {"messages": said}


@dataclass(frozen=True, slots=True)
class Question:
    """`gold` are the turns or sessions that answer it, each found or not."""

    text: str
    gold: frozenset[str]
    category: str
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class Talk:
    id: str
    sessions: list[Session]
    questions: list[Question] = field(default_factory=list)
