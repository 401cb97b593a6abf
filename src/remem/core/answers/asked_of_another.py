"""Ask a question about one speaker of a talk of what another says, as if it were about them.

"What did Ana buy?" may be answered by what Ben says that he bought."""

import re
from collections.abc import Sequence
from itertools import islice

import structlog

from remem.core.answers.model import NOT_ASKED, Source
from remem.core.answers.people import first_name, named_speakers
from remem.core.errors import ReaderBusy, Unavailable
from remem.core.ports import Ports

# Those who say what is found first; in a group each costs a reading of all they say.
OTHERS = 4
_WORD = re.compile(r"[^\W\d_]+")

log = structlog.get_logger()


async def asked_of_another(ports: Ports, question: str, sources: Sequence[Source]) -> float:
    """The relevance of the best turn of another to the same question about them."""
    named = named_speakers(question, sources)
    if ports.reader is None or len(named) != 1:
        return NOT_ASKED
    said: dict[str, list[str]] = {}
    for source in sources:
        if (name := first_name(source)) and name not in named:
            said.setdefault(name, []).append(source.content)
    relevance = [NOT_ASKED]
    try:
        for name, texts in islice(said.items(), OTHERS):
            relevance += await ports.reader.rank(_about(question, named, name), texts)
    except ReaderBusy:
        raise
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
    return max(relevance)


def _about(question: str, named: frozenset[str], other: str) -> str:
    return _WORD.sub(
        lambda word: other.capitalize() if word[0].lower() in named else word[0], question
    )
