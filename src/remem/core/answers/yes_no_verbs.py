"""Check whether the words of a question belong to the verb it asks about, or to another; pure."""

import re
from collections.abc import Sequence

from remem.core.answers.clauses import Clause
from remem.core.answers.yes_no_question import SAME_MEANING, YesNoQuestion
from remem.core.language.claims.attributes import PREPOSITIONS, VERBS
from remem.core.language.claims.verbs import is_past
from remem.core.language.vocabulary import PAST
from remem.core.language.words import IRREGULAR_FORMS, Word

# A clause after one of these says where, when or why.
_SUBORDINATORS = re.compile(
    r"\b(?:because|while|although|though|since|until|when)\b", re.IGNORECASE | re.ASCII
)
_BEFORE_NOUN = frozenset(
    "the a an this that these those my our your his her its their some any all both two three"
    " it them him us me".split()
)


def belongs_to_other_verb(question: YesNoQuestion, text: str, clauses: Sequence[Clause]) -> bool:
    """ "We sold the Skoda and bought a Kia" does not say that we sold the Kia."""
    has_verb = [_has_asked_verb(question, clause) for clause in clauses]
    if not any(has_verb):
        return False
    same_verb = [
        clause
        for clause, has in zip(clauses, has_verb, strict=True)
        if has or _verb_position(clause) is None
    ]
    missing = question.needed - question.names
    missing = missing - {word.stem for clause in same_verb for word in clause.words}
    first = has_verb.index(True)
    return any(
        _has_missing_object(clause, missing, is_after=position > first)
        for position, clause in enumerate(clauses)
        if clause not in same_verb
        and not _is_subordinate(text, clauses, position)
        and (position > first or not clauses[first].subject)
    )


def _has_asked_verb(question: YesNoQuestion, clause: Clause) -> bool:
    stems = {synonym for verb in question.needed for synonym in SAME_MEANING.get(verb, {verb})}
    position = _verb_position(clause)
    is_first = position is not None and clause.words[position].stem in stems
    return clause.verb in stems or is_first


def _has_missing_object(clause: Clause, missing: frozenset[str], *, is_after: bool) -> bool:
    """Whether a missing word is its object, or, if it follows the other clause, anywhere in it."""
    verb = _verb_position(clause) or 0
    for position, word in enumerate(clause.words):
        if word.stem in missing and position > verb:
            between = {other.low for other in clause.words[verb + 1 : position]}
            if is_after or not between & PREPOSITIONS:
                return True
    return False


def _is_subordinate(text: str, clauses: Sequence[Clause], position: int) -> bool:
    previous_end = clauses[position - 1].span.end if position else 0
    return bool(_SUBORDINATORS.search(text, previous_end, clauses[position].span.start))


def _verb_position(clause: Clause) -> int | None:
    """The position of the verb; a list item such as "used books" may look like one."""
    clause_words = clause.words
    if not clause_words:
        return None
    if _opens_with_verb(clause_words):
        return 0
    position = next((n for n, word in enumerate(clause_words) if word.stem == clause.verb), None)
    return position if clause.verb and position else None


def _opens_with_verb(clause_words: Sequence[Word]) -> bool:
    first, second = clause_words[0], clause_words[1] if len(clause_words) > 1 else None
    if first.low in IRREGULAR_FORMS and not first.low.endswith(("n", "s", "ing")):
        return True
    before_noun = second is not None and second.low in _BEFORE_NOUN
    may_have_object = before_noun or second is None or second.named or second.low in PREPOSITIONS
    if is_past(first) or first.low in PAST:
        return may_have_object
    is_inflected = first.low.endswith("s") and not first.named
    return (is_inflected and before_noun) or (
        first.stem in VERBS and (may_have_object or is_inflected)
    )
