"""The values of `ask`: what is asked, and a reply whose every claim names its sources."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from remem.core.answers.follow_up import Exchange
from remem.core.answers.model import Kind
from remem.core.sessions.model import Session

QUESTION_LIMIT = 2_000
UNKNOWN = "I don't know."
# What an answer is: what the kinds of question ask for, or sentences as they stand.
ReplyKind: TypeAlias = Kind | Literal["about", "yes_no"]
# Who put the claims into words: the reader, a language model, or nobody (they are quoted).
Method: TypeAlias = Literal["reader", "model", "quote"]


@dataclass(frozen=True, slots=True)
class AskRequest:
    """`session_id` is a conversation to go on with; `record` keeps the question and the answer.
    `as_of` asks for what was valid at another time."""

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
    """A request that can be answered: its session is there, and the follow-up is resolved."""

    request: AskRequest
    question: str
    asked_at: datetime
    before: tuple[Exchange, ...] = ()
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence that a claim stands on. `start` and `end` are its place in the document's text,
    or in the memory's where there is no document; `mark` is the part of the sentence that
    answers."""

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
    speaker: str | None = None
    said_at: datetime | None = None
    occurred_at: datetime | None = None
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReplyClaim:
    """One statement of an answer, and the numbers of the quotes it stands on: never none."""

    text: str
    quotes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskReply:
    """`question` is how the text was understood. Without claims the answer is not known, and
    `quotes` is empty; `nearest` are then the sentences that came nearest. `value` is the answer in
    as few words as a follow-up needs."""

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
