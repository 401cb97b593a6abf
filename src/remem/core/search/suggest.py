"""Suggest a corrected query when nothing was found."""

import re
from collections.abc import Mapping, Sequence
from uuid import UUID

from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.index.match import choose_texts
from remem.core.index.spell import complete_terms, correct_terms
from remem.core.language.tokens import query_terms
from remem.core.memories.browse import read_many
from remem.core.search import store
from remem.core.transaction import Tx

_WORD = re.compile(r"[^\W\d_]+")
_KINDS = (CHUNK, MEMORY)


async def suggest(tx: Tx, text: str, project_ids: Sequence[UUID] | None) -> str | None:
    """The query with each word that is in no text replaced by the nearest one that is, as written
    there; None if there is nothing to correct."""
    terms = query_terms(text)
    chosen = await choose_texts(tx, _KINDS, terms, project_ids, 1)
    missing = [term for term in terms if term not in chosen.stats.weights]
    guess = complete_terms if len(text.split()) == 1 else correct_terms
    nearest: dict[str, str] = {}
    for similar, term in (await guess(tx, _KINDS, missing)).items():
        nearest.setdefault(term, similar)
    spelling = {
        term: await _find_spelling(tx, similar, project_ids) for term, similar in nearest.items()
    }
    suggested = _replace_words(text, {term: word for term, word in spelling.items() if word})
    return suggested if suggested != text else None


async def _find_spelling(tx: Tx, term: str, project_ids: Sequence[UUID] | None) -> str | None:
    """The index has stems; a text that has the term has the full word."""
    chosen = await choose_texts(tx, _KINDS, [term], project_ids, 1)
    chunks = [id for id, kind in chosen.ids.items() if kind == CHUNK]
    memories = [id for id, kind in chosen.ids.items() if kind == MEMORY]
    contents = [item.content for item in (await store.candidates(tx, chunks)).values()]
    contents += [item.content for item in (await read_many(tx, memories)).values()]
    words = (word for content in contents for word in _WORD.findall(content))
    return next((word for word in words if query_terms(word) == [term]), None)


def _replace_words(text: str, spelling: Mapping[str, str]) -> str:
    def replacement(word: re.Match[str]) -> str:
        terms = query_terms(word.group())
        return spelling.get(terms[0], word.group()) if len(terms) == 1 else word.group()

    return _WORD.sub(replacement, text)
