"""Whether what a question names stands beside the verb that it asks for, or another; pure."""

import re
from collections.abc import Sequence

from remem.core.answers.clauses import Clause
from remem.core.answers.yes_no_question import SAME_MEANING, YesNoQuestion
from remem.core.language.claims.attributes import PREPOSITIONS, VERBS
from remem.core.language.claims.verbs import is_past
from remem.core.language.vocabulary import PAST
from remem.core.language.words import IRREGULAR_FORMS, Word

# A clause behind one of these tells where, when or why the other was.
_BESIDE = re.compile(
    r"\b(?:because|while|although|though|since|until|when)\b", re.IGNORECASE | re.ASCII
)
_BEFORE_NOUN = frozenset(
    "the a an this that these those my our your his her its their some any all both two three"
    " it them him us me".split()
)


def are_of_another_verb(question: YesNoQuestion, text: str, clauses: Sequence[Clause]) -> bool:
    """ "We sold the Skoda and bought a Kia" does not say that we sold the Kia."""
    verbs = [_has_asked_verb(question, clause) for clause in clauses]
    if not any(verbs):
        return False
    beside = [
        clause
        for clause, has in zip(clauses, verbs, strict=True)
        if has or _verb_at(clause) is None
    ]
    missing = question.needed - question.names
    missing = missing - {word.stem for clause in beside for word in clause.words}
    first = verbs.index(True)
    return any(
        _names_of_its_own(clause, missing, is_after=at > first)
        for at, clause in enumerate(clauses)
        if clause not in beside
        and not _stands_beside(text, clauses, at)
        and (at > first or not clauses[first].subject)
    )


def _has_asked_verb(question: YesNoQuestion, clause: Clause) -> bool:
    asked = {one for verb in question.needed for one in SAME_MEANING.get(verb, {verb})}
    at = _verb_at(clause)
    is_first = at is not None and clause.words[at].stem in asked
    return clause.verb in asked or is_first


def _names_of_its_own(clause: Clause, missing: frozenset[str], *, is_after: bool) -> bool:
    """Whether it has a missing word as its object, or for whatever it tells after the other."""
    verb = _verb_at(clause) or 0
    for at, word in enumerate(clause.words):
        if word.stem in missing and at > verb:
            between = {one.low for one in clause.words[verb + 1 : at]}
            if is_after or not between & PREPOSITIONS:
                return True
    return False


def _stands_beside(text: str, clauses: Sequence[Clause], at: int) -> bool:
    before = clauses[at - 1].span.end if at else 0
    return bool(_BESIDE.search(text, before, clauses[at].span.start))


def _verb_at(clause: Clause) -> int | None:
    """Where it has a verb; "used books", beside which nothing stands, may be one more thing."""
    said = clause.words
    if not said:
        return None
    if _opens_with_verb(said):
        return 0
    at = next((n for n, word in enumerate(said) if word.stem == clause.verb), None)
    return at if clause.verb and at else None


def _opens_with_verb(said: Sequence[Word]) -> bool:
    first, second = said[0], said[1] if len(said) > 1 else None
    if first.low in IRREGULAR_FORMS and not first.low.endswith(("n", "s", "ing")):
        return True
    before_noun = second is not None and second.low in _BEFORE_NOUN
    takes = before_noun or second is None or second.named or second.low in PREPOSITIONS
    if is_past(first) or first.low in PAST:
        return takes
    is_bent = first.low.endswith("s") and not first.named
    return (is_bent and before_noun) or (first.stem in VERBS and (takes or is_bent))
