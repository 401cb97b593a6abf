"""The ports of models: a language model, the reader, and the judge that uses them."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol, TypeAlias, TypeVar

from remem.core.judgements import Fact, KnownMemory, Passage, Relation, Statement, StatementContext
from remem.core.language.names.model import Mention
from remem.core.readings import NoteReading, Span, Verdict

Answer = TypeVar("Answer")


class Llm(Protocol):
    """A language model. `ask` returns an answer of exactly the requested shape, a frozen dataclass;
    its content must still be checked. Raises Unavailable for a timeout, a refusal, an empty answer,
    or one of another shape. It stores nothing."""

    @property
    def model(self) -> str: ...

    async def ask(self, prompt: str, shape: type[Answer]) -> Answer: ...

    async def close(self) -> None: ...


class Reader(Protocol):
    """A small model that reads a question and a text together. `rank` returns the relevance of each
    text (only the order is meaningful), `read` the answers in the texts, likeliest first, or none,
    `judge` the relation of a new statement to each of the old ones, and `note` the names and times
    in a note and what its lines are worth, in many languages. The result for a
    text does not depend on the others. Raises Unavailable when it cannot answer in time: it is
    missing, too many calls wait (ReaderBusy), or it is too slow.

    `in_turn` is for a caller that needs the reader: it waits until few others are reading, and
    yields a reader with a longer timeout. Raises ReaderBusy when too many wait."""

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]: ...

    async def read(self, question: str, texts: Sequence[str]) -> list[Span]: ...

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]: ...

    async def note(self, text: str, lines: Sequence[tuple[int, int]]) -> NoteReading: ...

    def in_turn(self) -> AbstractAsyncContextManager["Reader"]: ...

    async def close(self) -> None: ...


# A statement, the known ones it may be related to, and its speaker and dates.
RelateCall: TypeAlias = tuple[str, Sequence[KnownMemory], StatementContext]


class Judge(Protocol):
    """Decides about statements. It always answers: a model that does not answer, or whose answer is
    not supported by the text, is ignored.

    `relate` returns the relations of a new statement to known ones, strongest first; it is called
    inside the transaction that decides, so it must be quick. `relate_ahead` is called before that
    and may take long; it returns None when no model answered. If `asks_model`, nothing else than
    its answer replaces a memory. `distil` returns the statements of passages worth saving, `derive`
    the facts of a statement, `merge` one statement for several, `expand` a statement in words a
    search would use, `mentions` the things named in a text. `mentions_by_model` is called by a job,
    if `asks_model`. The methods that end in `_each` take several inputs at once."""

    @property
    def asks_model(self) -> bool: ...

    async def relate(
        self, content: str, known: Sequence[KnownMemory], context: StatementContext
    ) -> list[Relation]: ...

    async def relate_each(self, asked: Sequence[RelateCall]) -> list[list[Relation]]: ...

    async def relate_ahead(
        self, content: str, known: Sequence[KnownMemory], speaker: str | None
    ) -> list[Relation] | None: ...

    async def distil(self, passages: Sequence[Passage]) -> list[Statement]: ...

    async def derive(self, content: str, said_at: datetime | None) -> list[Fact]: ...

    async def derive_each(
        self, asked: Sequence[tuple[str, datetime | None]]
    ) -> list[list[Fact]]: ...

    async def merge(self, contents: Sequence[str]) -> str: ...

    async def expand(self, content: str) -> str | None: ...

    async def mentions(self, text: str, tags: Sequence[str]) -> list[Mention]: ...

    async def mentions_each(
        self, asked: Sequence[tuple[str, Sequence[str]]]
    ) -> list[list[Mention]]: ...

    async def mentions_by_model(self, text: str, tags: Sequence[str]) -> list[Mention] | None: ...
