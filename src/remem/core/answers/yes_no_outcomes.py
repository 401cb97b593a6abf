"""Whether what is asked came about, or was only tried, claimed or supposed; pure."""

from collections.abc import Sequence

from remem.core.answers.clauses import Clause
from remem.core.answers.yes_no_question import FAMILIES, SAME_MEANING, YesNoQuestion
from remem.core.language.claims.attributes import VERBS
from remem.core.language.claims.outcomes import (
    Governed,
    Outcome,
    condition_in,
    governed_in,
    is_open_task,
    is_supposed,
)
from remem.core.language.claims.verbs import is_past
from remem.core.language.words import stem, words

_DUTY = frozenset(map(stem, "need have must ought should supposed".split()))
_CONDITIONS = frozenset(map(stem, "if unless provided assuming".split()))
_ASKS_FOR_DEEDS = frozenset("did has have had was were is are am".split())


def outcome_of(question: YesNoQuestion, clauses: Sequence[Clause]) -> Outcome | None:
    """What the sentence says of what is asked, where that stands behind "refused to" or the like;
    None where it is said plainly, or the question asks for the refusal itself."""
    for at, clause in enumerate(clauses):
        found = governed_in(clause.words)
        is_ahead = found is not None and found.is_pledge and question.is_ahead
        if found is None or found.by in question.said or is_ahead:
            continue
        if _is_asked(question, clauses, at, found):
            return found.outcome
    return None


def is_conditional(question: YesNoQuestion, sentence: str) -> bool:
    """Whether it depends on something that the question does not name."""
    if question.said & _CONDITIONS:
        return False
    return is_supposed(sentence) or (question.is_future and _depends(question, sentence))


def _depends(question: YesNoQuestion, sentence: str) -> bool:
    said = words(sentence)
    found = condition_in(said)
    if found is None:
        return False
    at, asks = found
    return not asks or not question.needed <= {word.stem for word in said[:at]}


def of_task(question: YesNoQuestion, sentence: str) -> Outcome | None:
    """What a task that is not ticked says: it is not done, and has to be."""
    if not is_open_task(sentence):
        return None
    if question.auxiliary in _ASKS_FOR_DEEDS:
        return "undone"
    is_duty = question.auxiliary in ("do", "does") and question.said & _DUTY
    return "done" if is_duty or question.is_future else "open"


def _is_asked(question: YesNoQuestion, clauses: Sequence[Clause], at: int, found: Governed) -> bool:
    said = clauses[at].words
    behind = said[found.start :]
    asked = {one for word in question.needed for one in SAME_MEANING.get(word, {word})}
    families = {one for verb in question.verbs for one in FAMILIES[verb]}
    goes_on = [clause for clause in clauses[at + 1 : at + 2] if _goes_on(clause)]
    others = [one for one in clauses if one is not clauses[at] and one not in goes_on]
    elsewhere = {word.stem for clause in others for word in clause.words}
    if behind[0].stem in families | asked - question.names:
        return behind[0].stem not in elsewhere
    governed = {word.stem for words in (behind, *(one.words for one in goes_on)) for word in words}
    plain = elsewhere | {word.stem for word in said[: found.start]}
    return not found.is_of_next and bool((asked & governed) - question.names - plain)


def _goes_on(clause: Clause) -> bool:
    """ "Tried to reach the hut and fix the roof"."""
    first = clause.words[0] if clause.words else None
    if first is None or first.named or first.stem not in VERBS:
        return False
    return not is_past(first) and not first.low.endswith("s")
