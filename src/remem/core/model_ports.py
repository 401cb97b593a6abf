"""The ports of models: a language model, the reader, and the judge that decides with them."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol, TypeAlias, TypeVar

from remem.core.judgements import Fact, Known, Passage, Relation, Saying, Statement
from remem.core.language.names.model import Mention
from remem.core.readings import Span, Verdict

Answer = TypeVar("Answer")


class Llm(Protocol):
    """A language model. `ask` gives an answer of exactly the shape asked for, a frozen dataclass;
    what the answer says is to be checked all the same. Raises Unavailable when there is none: no
    answer in time, a refusal, an empty one, or one of another shape. Nothing is kept by it."""

    @property
    def model(self) -> str: ...

    async def ask(self, prompt: str, shape: type[Answer]) -> Answer: ...

    async def close(self) -> None: ...


class Reader(Protocol):
    """A small model that reads a question and a text together. `rank` gives how relevant each text
    is (only their order means something), `read` the answers that stand in the texts, likeliest
    first, and none where there is none, `judge` what a new statement is to each of the old ones.
    What it says of a text does not depend on the others. Raises Unavailable when it cannot answer
    in time: it is not there, or (ReaderBusy) too many wait, or it is too slow.

    `in_turn` is for a caller who cannot do without it: it waits until few others read, and gives a
    reader that has more time. Raises ReaderBusy when too many wait."""

    async def rank(self, query: str, texts: Sequence[str]) -> list[float]: ...

    async def read(self, question: str, texts: Sequence[str]) -> list[Span]: ...

    async def judge(self, olds: Sequence[str], new: str) -> list[Verdict]: ...

    def in_turn(self) -> AbstractAsyncContextManager["Reader"]: ...

    async def close(self) -> None: ...


# A statement, those it may be related to, and whose and of when it is.
RelateCall: TypeAlias = tuple[str, Sequence[Known], Saying]


class Judge(Protocol):
    """Decides about statements. It always answers: a model that is silent, or says what is not
    true, is passed over.

    `relate` says what a new statement is to each known one, most telling first; it is asked in the
    transaction that decides, so it is quick. `relate_ahead` may take long: it is asked before, and
    None where nothing is to be known ahead. `distil` gives what is worth keeping of passages,
    `derive` the facts of a statement, `merge` one statement for several, `expand` a statement in
    words a search would use, `mentions` the things named in a text; `mentions_by_model` is asked by
    a job, where `asks_model`. What ends in `_each` answers for several at once."""

    @property
    def asks_model(self) -> bool: ...

    async def relate(
        self, content: str, known: Sequence[Known], saying: Saying
    ) -> list[Relation]: ...

    async def relate_each(self, asked: Sequence[RelateCall]) -> list[list[Relation]]: ...

    async def relate_ahead(
        self, content: str, known: Sequence[Known], speaker: str | None
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
