"""Check whether a sentence says, without a negation, that something is over; pure."""

import re

from remem.core.answers.yes_no_question import YesNoQuestion
from remem.core.language.lists import word_list
from remem.core.language.words import stem, stem_set, words

_FLAGS = re.IGNORECASE | re.ASCII


def _any_of(name: str) -> str:
    return "|".join(word_list("over", name))


# Somebody who is back from hospital is no longer there: what follows is over.
_AWAY = re.compile(
    rf"\b(?P<sign>{_any_of('away')}) (?:again )?(?:from|of)\b(?P<behind>[^.;!?]{{1,80}})", _FLAGS
)
_GIVEN_BACK = re.compile(rf"\b(?:{_any_of('given')})\b[^.;!?]{{0,60}}\bback\b|\breturned\b", _FLAGS)
_SETTLED = re.compile(
    rf"\b(?:is|are|was|were|been|got|all|now)\s(?P<sign>{_any_of('settled')})\b", _FLAGS
)
_WISHES = re.compile(rf"\b(?:{_any_of('wishes')})(?:ing)? (?:to|of)\b", _FLAGS)
_CONTINUING = frozenset(map(stem, ("still", "must", "need", "yet")))
_TROUBLES = stem_set("over", "troubles")
_HAS = frozenset(map(stem, ("have", "own", "get")))
_RETURNS = frozenset(map(stem, ("back", "return")))
_ASKER_STEMS, _GIVER_WORDS = frozenset(map(stem, ("i", "we"))), 3
_DONE = frozenset(("has", "have", "had", "did", "was", "were"))


def is_over(question: YesNoQuestion, sentence: str) -> bool:
    """ "Lucian is back from leave" answers "Is Lucian on leave?", but not "Is Lucian back?"."""
    if not question.is_present:
        return False
    if (away := _AWAY.search(sentence)) and not _asks_for(question, away["sign"]):
        following = {word.stem for word in words(away["behind"])}
        if following & question.needed:
            return True
    if _is_given_back(question, sentence):
        return True
    settled = _SETTLED.search(sentence)
    if settled is None or question.stems & _CONTINUING:
        return settled is not None
    return bool(question.stems & _TROUBLES) and not _asks_for(question, settled["sign"])


def has_given_back(question: YesNoQuestion, sentence: str) -> bool:
    """Whether the person in question gave back what is asked about."""
    if not question.is_present or not question.verbs & _HAS:
        return False
    sentence_words = words(sentence)
    giver = {word.stem for word in sentence_words[:_GIVER_WORDS]}
    people = _ASKER_STEMS if question.is_of_asker else question.names
    stems = {word.stem for word in sentence_words}
    return bool(giver & people) and question.needed <= stems and _is_given_back(question, sentence)


def _is_given_back(question: YesNoQuestion, sentence: str) -> bool:
    return _GIVEN_BACK.search(sentence) is not None and not question.stems & _RETURNS


def is_only_wished(question: YesNoQuestion, sentence: str) -> bool:
    """Somebody who wants to go to Japan has not been there."""
    asks_about_past = question.auxiliary in _DONE and not question.is_ahead
    return asks_about_past and _WISHES.search(sentence) is not None


def _asks_for(question: YesNoQuestion, sign: str) -> bool:
    return stem(sign.lower()) in question.stems
