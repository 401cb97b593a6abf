"""Check a question about one speaker against what the others say about themselves.

"What did Ana buy?" may be answered by what Ben says that he bought."""

import re
from collections.abc import Sequence
from itertools import islice

import structlog

from remem.core.answers.model import NOT_ASKED, Source
from remem.core.answers.people import first_name, named_speakers
from remem.core.errors import ReaderBusy, Unavailable
from remem.core.ports import Ports

# The speakers of the first results; in a group, each costs a reading of all of their texts.
MAX_SPEAKERS = 4
_WORD = re.compile(r"[^\W\d_]+")

log = structlog.get_logger()


async def relevance_for_other_speakers(
    ports: Ports, question: str, sources: Sequence[Source]
) -> float:
    """The relevance of the best turn of another speaker to the same question about that speaker."""
    named = named_speakers(question, sources)
    if ports.reader is None or len(named) != 1:
        return NOT_ASKED
    texts_by_name: dict[str, list[str]] = {}
    for source in sources:
        if (name := first_name(source)) and name not in named:
            texts_by_name.setdefault(name, []).append(source.content)
    relevance = [NOT_ASKED]
    try:
        for name, texts in islice(texts_by_name.items(), MAX_SPEAKERS):
            relevance += await ports.reader.rank(_replace_name(question, named, name), texts)
    except ReaderBusy:
        raise
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
    return max(relevance)


def _replace_name(question: str, named: frozenset[str], other: str) -> str:
    return _WORD.sub(
        lambda word: other.capitalize() if word[0].lower() in named else word[0], question
    )
