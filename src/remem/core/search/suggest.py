"""The query as it was probably meant, for a query that found nothing."""

import re
from collections.abc import Mapping, Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.index.match import choose
from remem.core.index.spell import completed_terms, repaired_terms
from remem.core.language.tokens import query_terms
from remem.core.memories.browse import read_many
from remem.core.scope import Scope
from remem.core.search import store

_WORD = re.compile(r"[^\W\d_]+")
_KINDS = (CHUNK, MEMORY)


async def suggest(
    tx: Tx, scope: Scope, text: str, project_ids: Sequence[UUID] | None
) -> str | None:
    """With each word that stands nowhere replaced by the nearest one that does, as it is written
    there; None when there is nothing to correct."""
    asked = query_terms(text)
    chosen = await choose(tx, scope, _KINDS, asked, project_ids, 1)
    missing = [term for term in asked if term not in chosen.words.weights]
    guess = completed_terms if len(text.split()) == 1 else repaired_terms
    nearest: dict[str, str] = {}
    for found, term in (await guess(tx, scope, _KINDS, missing)).items():
        nearest.setdefault(term, found)
    written = {
        term: await _as_written(tx, scope, found, project_ids) for term, found in nearest.items()
    }
    suggested = _replaced(text, {term: word for term, word in written.items() if word})
    return suggested if suggested != text else None


async def _as_written(
    tx: Tx, scope: Scope, term: str, project_ids: Sequence[UUID] | None
) -> str | None:
    """The index has stems; a text that has the term has the whole word."""
    chosen = await choose(tx, scope, _KINDS, [term], project_ids, 1)
    chunks = [id for id, kind in chosen.ids.items() if kind == CHUNK]
    memories = [id for id, kind in chosen.ids.items() if kind == MEMORY]
    contents = [one.content for one in (await store.candidates(tx, scope, chunks)).values()]
    contents += [one.content for one in (await read_many(tx, scope, memories)).values()]
    words = (word for content in contents for word in _WORD.findall(content))
    return next((word for word in words if query_terms(word) == [term]), None)


def _replaced(text: str, written: Mapping[str, str]) -> str:
    def instead(word: re.Match[str]) -> str:
        terms = query_terms(word.group())
        return written.get(terms[0], word.group()) if len(terms) == 1 else word.group()

    return _WORD.sub(instead, text)
