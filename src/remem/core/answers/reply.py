"""The values of `ask`: the request, and a reply whose every claim names its sources."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from remem.core.answers.follow_up import Exchange
from remem.core.answers.model import Kind
from remem.core.sessions.model import Session

QUESTION_LIMIT = 2_000
UNKNOWN = "I don't know."
# The kind of an answer: that of the question, or quoted sentences.
ReplyKind: TypeAlias = Kind | Literal["about", "yes_no"]
# What worded the claims: the reader, a language model, or nothing (they are quoted).
Method: TypeAlias = Literal["reader", "model", "quote"]


@dataclass(frozen=True, slots=True)
class AskRequest:
    """`session_id` continues a conversation; `record` stores the question and the answer. `as_of`
    asks for what was valid at another time."""

    text: str
    session_id: UUID | None = None
    project: str | UUID | None = None
    as_of: datetime | None = None
    asked_at: datetime | None = None
    record: bool = True
    use_model: bool = True
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that can be answered: its session exists, and a follow-up is resolved."""

    request: AskRequest
    question: str
    asked_at: datetime
    history: tuple[Exchange, ...] = ()
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence that supports a claim. `start` and `end` are offsets in the document's text, or in
    the memory's if there is no document; `mark` is the part of the sentence that answers."""

    number: int
    kind: Literal["document", "memory"]
    sentence: str
    mark: tuple[int, int]
    start: int
    end: int
    source_id: UUID
    document_id: UUID | None = None
    memory_id: UUID | None = None
    title: str | None = None
    content_type: str | None = None
    speaker: str | None = None
    said_at: datetime | None = None
    occurred_at: datetime | None = None
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReplyClaim:
    """One statement of an answer, and the numbers of the quotes that support it: at least one."""

    text: str
    quotes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskReply:
    """`question` is how the text was understood. Without claims the answer is not known and
    `quotes` is empty; `nearest` are then the nearest sentences. `value` is the answer in as few
    words as a follow-up needs."""

    asked: str
    question: str
    kind: ReplyKind
    text: str
    claims: tuple[ReplyClaim, ...] = ()
    quotes: tuple[Quote, ...] = ()
    nearest: tuple[Quote, ...] = ()
    value: str | None = None
    confidence: float = 0.0
    method: Method = "reader"
    model: str | None = None
    session_id: UUID | None = None
    took_ms: float = 0.0

    @property
    def is_known(self) -> bool:
        return bool(self.claims)
