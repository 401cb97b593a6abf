"""A talk with its sessions and turns, and the questions about it."""

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
        """The session as a conversation in JSON, as a user would save it."""
        at = self.at.isoformat()
        messages = [
            {"speaker": turn.speaker, "content": turn.text, "timestamp": at} for turn in self.turns
        ]
        return {"messages": messages}


@dataclass(frozen=True, slots=True)
class Note:
    """A text that is saved on its own, as a document or as a memory."""

    id: str
    text: str
    title: str | None = None
    as_memory: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """`gold` has the ids of the turns, sessions or notes that answer the question."""

    text: str
    gold: frozenset[str]
    category: str
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class Talk:
    id: str
    sessions: list[Session]
    questions: list[Question] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
