"""What rules add to the reader's word that a new statement replaces a known one.

They are few: the reader knows every language and how notes are typed, but takes "Gate 2 has code
6620" for news about gate 1."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from remem.core.language.claims.news import announces_change, has_phrase, is_unsure
from remem.core.language.claims.outline import Outline
from remem.core.language.claims.verbs import is_past
from remem.core.language.lists import phrases
from remem.core.language.tokens import has_unspaced
from remem.core.language.word_keys import query_words
from remem.core.language.words import stem, stem_set
from remem.core.memories.rules.another_subject import (
    has_english_grammar,
    have_different_numbers,
    is_about_another,
)
from remem.core.memories.rules.different_subject import has_different_subject
from remem.core.memories.rules.extra_details import has_extra_details
from remem.core.memories.rules.temporary import is_temporary
from remem.core.memories.rules.text_form import form_rules_out_update
from remem.core.memories.rules.unrelated import name_two_things

# The shares of words that two statements of one form have in common, for names and for numbers. In
# notes of other forms, names and numbers say little: a change often names somebody else.
ONE_FORM, NEAR_FORM = 0.5, 0.3
_LABELLED = re.compile(r"\w[^:\n]{1,40}: ")
_ENDED = re.compile(r"[.!。।۔][\"'”’»)]?\Z")
_VISIT_VERBS = stem_set("changes", "visits")
_RESIDENCE_VERBS = stem_set("changes", "resides")
_SEVERAL_VERBS = stem_set("changes", "many")
_SEVERAL_STATES = stem_set("changes", "many_states")
_ADDITION_PHRASES = phrases("changes", "added_phrases")
_FOR_GOOD = phrases("changes", "for_good")
_AUXILIARIES = frozenset(map(stem, ("have", "can", "need")))
# With one of these words, a statement does not add to a list.
_EXCLUSIVE = frozenset("instead only rather not never stopped quit".split())
_TIMES_OF_DAY = frozenset(
    map(stem, "morning noon afternoon evening night day week weekend".split())
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A new statement and the known one that it may replace. `announced`: the new one says in words
    that something changed."""

    new_text: str
    old_text: str
    new: Outline
    old: Outline
    announced: bool
    today: date | None


@dataclass(frozen=True, slots=True)
class Guard:
    """A rule against an update that the reader sees: it forbids it, or the reader must be more
    certain."""

    name: str
    applies: Callable[[Pair], bool]
    effect: Literal["forbid", "doubt"]


def _is_about_another(pair: Pair) -> bool:
    texts = (pair.new_text, pair.old_text)
    share = _shared_form(pair)
    if share >= ONE_FORM or (all(map(is_sentence, texts)) and _is_read(texts, share)):
        return is_about_another(*texts)
    return share >= NEAR_FORM and have_different_numbers(*texts)


def _shared_form(pair: Pair) -> float:
    spelled = ([word.low for word in outline.words] for outline in (pair.new, pair.old))
    return SequenceMatcher(None, *spelled, autojunk=False).ratio()


def is_sentence(text: str) -> bool:
    """Whether it is written as a sentence, in any script, or begins with a name as a label."""
    text = text.strip()
    is_capital = text[:1].upper() == text[:1]
    return is_capital and (_ENDED.search(text) or _LABELLED.match(text)) is not None


def _is_read(sentences: tuple[str, str], share: float) -> bool:
    """Whether their subjects can be compared: in English, of labels, or of one form."""
    is_known = all(map(has_english_grammar, sentences)) or all(map(_LABELLED.match, sentences))
    return is_known or share >= NEAR_FORM or any(map(has_unspaced, sentences))


def _has_different_subject(pair: Pair) -> bool:
    are_english = has_english_grammar(pair.new_text) and has_english_grammar(pair.old_text)
    return are_english and has_different_subject(pair.new, pair.old, pair.announced)


def _share_no_word(pair: Pair) -> bool:
    """Whether notes have no word of meaning in common; numbers are in most of them."""
    if all(map(_is_english_sentence, (pair.new_text, pair.old_text))):
        return False
    return _terms(pair.new_text).isdisjoint(_terms(pair.old_text))


def _is_english_sentence(text: str) -> bool:
    is_written = text.strip()[:1].isupper() and _ENDED.search(text.strip()) is not None
    return is_written and has_english_grammar(text)


def _terms(text: str) -> set[str]:
    return {word for word in query_words(text).words if not any(map(str.isdigit, word))}


def _is_visit(new: Outline, old: Outline) -> bool:
    """Whether the new statement is about a visit, which changes no residence unless for good."""
    if old.verb not in _RESIDENCE_VERBS or old.verb in new.terms:
        return False
    verbs = {new.verb} if new.verb else new.terms
    return bool(_VISIT_VERBS & verbs) and not has_phrase(new.words, _FOR_GOOD)


def _adds_one_more(new: Outline, old: Outline) -> bool:
    """Whether the new statement adds one more of something there may be several of."""
    if has_phrase(new.words, _ADDITION_PHRASES):
        return True
    if new.words[0].low == old.words[0].low == "there":
        return True
    stems = {word.stem for word in new.words}
    may_be_several = old.verb in _SEVERAL_VERBS and _has_main_verb(new, old.verb)
    may_be_several = may_be_several or any(
        word.stem in _SEVERAL_STATES & stems for word in old.words
    )
    value = old.terms - old.subject - {old.verb} - _TIMES_OF_DAY - _SEVERAL_STATES - {"to"}
    is_exclusive = any(word.low in _EXCLUSIVE for word in new.words)
    return may_be_several and not is_exclusive and not value & new.terms


def _has_main_verb(outline: Outline, verb: str) -> bool:
    """Whether the verb is there and not as an auxiliary, as in "has shaved it off"."""
    return any(
        word.stem == verb and not (verb in _AUXILIARIES and is_past(after))
        for word, after in pairwise(outline.words)
    )


def _says_less(pair: Pair) -> bool:
    """Whether details of a sentence would be lost: the room, when the hour has changed."""
    has_grammar = _is_english_sentence(pair.old_text)
    return has_grammar and has_extra_details(pair.old, pair.new, pair.old_text)


def _was_over(pair: Pair) -> bool:
    """Of typed notes this is not known: a bike shed is no past tense."""
    is_past_tense = pair.old.past and is_sentence(pair.old_text)
    return is_past_tense and not announces_change(pair.old.words, pair.old.terms)


def _repeats_verb(old: Outline, new: Outline) -> bool:
    """Whether the new statement has the old one's verb: "In winter the kiosk opens at 9"."""
    return not old.verb or any(word.stem == old.verb for word in new.words)


def _is_exception(pair: Pair) -> bool:
    return is_temporary(pair.new_text, pair.old_text, pair.today)


GUARDS: tuple[Guard, ...] = (
    Guard("another name or number", _is_about_another, "forbid"),
    Guard("another subject", _has_different_subject, "forbid"),
    Guard("two things", lambda pair: name_two_things(pair.new_text, pair.old_text), "forbid"),
    Guard(
        "code, another label, or words of others",
        lambda pair: form_rules_out_update(pair.new_text, pair.old_text),
        "forbid",
    ),
    Guard("it was over before", _was_over, "forbid"),
    Guard("says less", _says_less, "forbid"),
    Guard("one more of several", lambda pair: _adds_one_more(pair.new, pair.old), "forbid"),
    Guard("a visit", lambda pair: _is_visit(pair.new, pair.old), "forbid"),
    Guard("no word in common", _share_no_word, "doubt"),
    Guard(
        "only for a while",
        lambda pair: _is_exception(pair) and _repeats_verb(pair.old, pair.new),
        "forbid",
    ),
    Guard("may be an exception", _is_exception, "doubt"),
    Guard("not certain", lambda pair: is_unsure(pair.new.words), "doubt"),
)
