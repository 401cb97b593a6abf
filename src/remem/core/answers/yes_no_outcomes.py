"""Check whether something happened, or was only tried, claimed or supposed; pure."""

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
_ASKS_FOR_ACTIONS = frozenset("did has have had was were is are am".split())


def outcome_of(question: YesNoQuestion, clauses: Sequence[Clause]) -> Outcome | None:
    """The outcome of what is asked about, if it depends on "refused to" or the like; None if it is
    stated directly, or if the question asks about the refusal itself."""
    for position, clause in enumerate(clauses):
        governed = governed_in(clause.words)
        is_ahead = governed is not None and governed.is_pledge and question.is_ahead
        if governed is None or governed.by in question.stems or is_ahead:
            continue
        if _is_asked_about(question, clauses, position, governed):
            return governed.outcome
    return None


def is_conditional(question: YesNoQuestion, sentence: str) -> bool:
    """Whether it depends on a condition that the question does not name."""
    if question.stems & _CONDITIONS:
        return False
    return is_supposed(sentence) or (question.is_future and _depends(question, sentence))


def _depends(question: YesNoQuestion, sentence: str) -> bool:
    sentence_words = words(sentence)
    condition = condition_in(sentence_words)
    if condition is None:
        return False
    position, asks = condition
    return not asks or not question.needed <= {word.stem for word in sentence_words[:position]}


def task_outcome(question: YesNoQuestion, sentence: str) -> Outcome | None:
    """The outcome of an unchecked task: not done, and still to be done."""
    if not is_open_task(sentence):
        return None
    if question.auxiliary in _ASKS_FOR_ACTIONS:
        return "undone"
    is_duty = question.auxiliary in ("do", "does") and question.stems & _DUTY
    return "done" if is_duty or question.is_future else "open"


def _is_asked_about(
    question: YesNoQuestion, clauses: Sequence[Clause], position: int, governor: Governed
) -> bool:
    clause_words = clauses[position].words
    following = clause_words[governor.start :]
    question_stems = {stem for word in question.needed for stem in SAME_MEANING.get(word, {word})}
    families = {stem for verb in question.verbs for stem in FAMILIES[verb]}
    continuation = [clause for clause in clauses[position + 1 : position + 2] if _continues(clause)]
    others = [
        clause
        for clause in clauses
        if clause is not clauses[position] and clause not in continuation
    ]
    other_stems = {word.stem for clause in others for word in clause.words}
    if following[0].stem in families | question_stems - question.names:
        return following[0].stem not in other_stems
    governed = {
        word.stem
        for words in (following, *(clause.words for clause in continuation))
        for word in words
    }
    direct_stems = other_stems | {word.stem for word in clause_words[: governor.start]}
    return not governor.is_of_next and bool(
        (question_stems & governed) - question.names - direct_stems
    )


def _continues(clause: Clause) -> bool:
    """ "Tried to reach the hut and fix the roof"."""
    first = clause.words[0] if clause.words else None
    if first is None or first.named or first.stem not in VERBS:
        return False
    return not is_past(first) and not first.low.endswith("s")
