"""Whether a sentence is worth remembering, as points for and against it.

`distil.py` stores the sentences that reach `WEIGHTS.enough`. "I live in Oslo" scores 2.5 for its
lasting verb, and more for the name; "Could you help me?" is never stored (`objections.py`)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    BASE_FORMS,
    BELONGS,
    CALENDAR,
    ELIDED,
    FUNCTION,
    IMPERATIVES,
    LASTING,
    MENTAL,
    NOT_NAMES,
    NOT_PAST,
    NUMERALS,
    OWN,
    PAST,
    PEOPLE,
    PLAN,
    POINTS,
    PRAISE,
    REFERS,
    SPEAKERS,
    STATES,
)
from remem.core.memories.rules.objections import NEVER, OBJECTIONS
from remem.core.memories.rules.weights import WEIGHTS

_WORD = re.compile(r"[^\W_]+(?:['’.@/:#+-][^\W_]+)*")


_UNITS = re.compile(
    r"[$€£]\s?\d|\d\s?(?:%|€|km|kg|g|mg|ml|gb|mb|tb|ghz|min|minutes?|hours?|days?|weeks?|months?"
    r"|years?|miles?|dollars?|euros?|pounds?|people|percent|am|pm)\b",
    re.I,
)
# The speaker asks for it to be remembered.
_LABELLED = re.compile(
    r"(?:to ?do|action(?: item)?|task|reminder|remind me to|remember to|decision|deadline"
    r"|lessons?(?: learned)?)\b",
    re.I,
)
# "Perks: free pass, meals": a line of a list that was pasted into a conversation.
_PASTED_LINE = re.compile(r"(?!.*\b(?:I|my|we|our)\b)(?:[\w&/’'-]+ ){0,4}[\w&/’'-]+: ")
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[\w,;:'’\"”] )[\"“'‘]?[A-Z][\w'’.-]*\w")
_IS = frozenset("is are was were has".split())
_CONJUNCTIONS = frozenset("also and but so then plus just".split())
# "I paid $20 to attend", "I've tried three different ones".
_MISSING_NOUN = re.compile(
    r"(?<! I )\b(?:to attend|attended|been (?:playing|using|doing|practi[sc]ing)|bought|purchased"
    r"|tried|joined|finished|visited)(?:[.,!;]|$| (?:for|since) )"
    r"|\b(?:different|other|few|couple|two|three|four|five|several|first|last|new|same|best)"
    r" ones?\b(?! of\b)",
    re.I,
)
_EXPLAINS_PRONOUN = re.compile(
    r"(?!(?:it|this|that|these|those|they|he|she)\b)(?:[\w'’]+ ){3,8}[\w'’]+"
    r"(?:[,;]| [–—-]|,? (?:and|but|because|so|since|as|while|when)) (?:it|they|he|she)\b",
    re.I,
)
_LISTENER = re.compile(r"\b(?:you|your|yours|you['’](?:re|ve|ll|d))\b", re.I)
_TWO_WORDS = re.compile(r"[^\W\d_]{2} [^\W_]")


@dataclass(frozen=True, slots=True)
class Worth:
    """Points for the sentence; `unclear` points count references to something named elsewhere.

    The caller subtracts `unclear`, since the sentence before may supply what is missing."""

    points: float
    unclear: float


_WORTHLESS = Worth(-NEVER, 0.0)


def score_sentence(sentence: str, *, noted: bool = False, spoken: bool = False) -> Worth:
    """Score a sentence. `noted`: a note somebody wrote for themselves, which is rarely small talk;
    `spoken`: said in a conversation."""
    if len(sentence) > WEIGHTS.max_chars or not _TWO_WORDS.search(sentence):
        return _WORTHLESS
    spelled = _WORD.findall(sentence)
    if not WEIGHTS.min_words <= len(spelled) <= WEIGHTS.max_words:
        return _WORTHLESS
    penalty = sum(objection.penalty(sentence) for objection in OBJECTIONS)
    if penalty >= NEVER:
        return _WORTHLESS
    words = _split_words(spelled)
    points = (
        _statement_score(sentence, words, noted=noted) + _content_score(sentence, words) - penalty
    )
    if _LABELLED.match(sentence):
        points += WEIGHTS.labelled
    elif spoken and _PASTED_LINE.match(sentence):
        points -= WEIGHTS.pasted_line
    if (
        not noted
        and len(words) <= WEIGHTS.short_past_max_words
        and any(_is_past(word) for word in words)
    ):
        # "We made pizza!"
        points -= WEIGHTS.short_past
    if not noted and next((word for word in words if word not in _CONJUNCTIONS), "") in IMPERATIVES:
        # Advice to the listener; in the user's own note it is a rule to remember.
        points -= WEIGHTS.advice
    return Worth(points, _unclear_score(sentence, words))


def depends_on_previous(sentence: str) -> bool:
    """Whether the sentence cannot be understood without the one before it: "It was a gift"."""
    return _unclear_score(sentence, _split_words(_WORD.findall(sentence))) >= WEIGHTS.unclear_from


def names_its_topic(sentence: str) -> bool:
    """Whether the sentence says what it is about, so that "it" in the next one is clear."""
    words = _split_words(_WORD.findall(sentence))
    if (
        not words
        or _unclear_score(sentence, words) >= WEIGHTS.unclear_from
        or _addresses_listener(sentence)
    ):
        return False
    vague = FUNCTION | PRAISE | MENTAL
    return sum(word not in vague for word in words) >= WEIGHTS.topic_min_words


def _addresses_listener(sentence: str) -> bool:
    return bool(_LISTENER.search(sentence)) or any(
        objection.points == NEVER and objection.penalty(sentence) for objection in OBJECTIONS
    )


def _split_words(spelled: Sequence[str]) -> list[str]:
    """The words in lower case, with contractions split: "I've" is two words."""
    words: list[str] = []
    for word in spelled:
        head, mark, tail = word.lower().replace("’", "'").partition("'")
        if mark and (tail in ("m", "ve", "re", "ll", "d") or (tail == "s" and head in REFERS)):
            words += [head, f"'{tail}"]
        else:
            words.append(head + mark + tail)
    return words


def _statement_score(sentence: str, words: Sequence[str], *, noted: bool) -> float:
    """Points for the subject and its kind of verb."""
    speaker_scores = [
        _speaker_score(words, at) for at, word in enumerate(words) if word in SPEAKERS
    ]
    best = max(speaker_scores, default=0.0)
    if not speaker_scores and _omits_speaker(words, noted=noted):
        best = WEIGHTS.done
    elif best == 0:
        best = _named_subject_score(sentence, words)
    possession = _possession_score(words)
    if words[0].endswith("ing") and words[0] not in ELIDED and best > 0:
        best -= WEIGHTS.participle
    if not speaker_scores and not possession and not noted and best <= WEIGHTS.done:
        # In a conversation, a sentence that is not about the speakers is mostly an opinion.
        best -= WEIGHTS.not_about_speaker
    return best + possession + (WEIGHTS.written_note if noted else 0.0)


def _omits_speaker(words: Sequence[str], *, noted: bool) -> bool:
    """Whether the sentence leaves out "I": "Lost my job", "Been to Rome once".

    In a note, also an imperative: "Use tabs"."""
    first = words[0]
    is_past = (_is_past(first) or first in ELIDED) and first not in AUXILIARIES | BASE_FORMS
    return is_past or (noted and first in IMPERATIVES)


def _speaker_score(words: Sequence[str], at: int) -> float:
    """Points for the verb after the "I" or "we" at position `at`; only thoughts and feelings
    cost points."""
    has_be = False
    for word in words[at + 1 : at + 1 + WEIGHTS.verb_window]:
        if word in STATES:
            return WEIGHTS.state
        if word in LASTING or word in PLAN:
            return WEIGHTS.lasting
        if word in MENTAL:
            return -WEIGHTS.thought
        if _is_past(word) and word not in AUXILIARIES:
            return WEIGHTS.done
        if word.endswith("ing") and len(word) > WEIGHTS.participle_min_chars:
            return WEIGHTS.in_progress
        has_be = has_be or word in ("'m", "am", "was", "were", "'re")
        if has_be and word in ("a", "an"):
            return WEIGHTS.done
        if word not in ADVERBS:
            return WEIGHTS.done if words[at + 1] in ("will", "'ll") else WEIGHTS.other_verb
    return WEIGHTS.other_verb


def _possession_score(words: Sequence[str]) -> float:
    """Points for "my" and the like, more before a relative or a thing people own."""
    phrases = [
        words[at + 1 : at + 1 + WEIGHTS.own_window] for at, word in enumerate(words) if word in OWN
    ]
    if any(PEOPLE.intersection(phrase) or BELONGS.intersection(phrase) for phrase in phrases):
        return WEIGHTS.own_relative_or_thing
    return WEIGHTS.own_other if phrases else 0.0


def _named_subject_score(sentence: str, words: Sequence[str]) -> float:
    """Points for a named subject and a verb that says something about it: "Maya works here"."""
    if words[0].endswith("ing") and words[0] not in ELIDED:
        # "Connecting with people is key": about nobody in particular.
        return -WEIGHTS.about_nobody
    is_named = sentence[:1].isupper() and words[0] not in FUNCTION
    has_determiner = words[0] in ("the", "our")
    after = words[1 : 1 + WEIGHTS.named_verb_window]
    has_verb = any(word in LASTING or word in STATES or _is_past(word) for word in after)
    has_be = any(word in _IS for word in words[1 : 1 + WEIGHTS.named_be_window])
    points = WEIGHTS.named_subject if is_named or has_determiner else 0.0
    return (
        points
        + (WEIGHTS.named_subject_verb if has_verb else 0.0)
        + (WEIGHTS.named_subject_be if has_be else 0.0)
    )


def _content_score(sentence: str, words: Sequence[str]) -> float:
    """Points for concrete content: names, numbers, plain nouns."""
    content_words = [word for word in words if word not in FUNCTION and word not in PRAISE]
    names = [name for name in _NAME.findall(sentence) if name.strip("\"“'‘") not in NOT_NAMES]
    points = WEIGHTS.name * min(len(names), WEIGHTS.max_names)
    if _NUMBER.search(sentence):
        points += WEIGHTS.amount if _UNITS.search(sentence) else WEIGHTS.number
    points += WEIGHTS.numeral if NUMERALS.intersection(words) else 0.0
    points += WEIGHTS.content_word * min(len(content_words), WEIGHTS.max_content_words)
    praise_count = sum(word in PRAISE for word in words)
    points -= WEIGHTS.praise * max(0, praise_count - 1)
    if len(content_words) < WEIGHTS.min_content_words:
        points -= WEIGHTS.too_few_content_words
    elif (
        len(content_words) <= WEIGHTS.min_content_words
        and praise_count
        and not (names or _NUMBER.search(sentence))
    ):
        points -= WEIGHTS.only_praise
    return points


def _unclear_score(sentence: str, words: Sequence[str]) -> float:
    """Points for references to something that is named elsewhere or left out."""
    points = _reference_score(words) + WEIGHTS.missing_noun * bool(_MISSING_NOUN.search(sentence))
    # "I'm passionate about dancing and it brings me joy" explains its own "it".
    return min(points, WEIGHTS.pronoun_explained) if _EXPLAINS_PRONOUN.match(sentence) else points


def _reference_score(words: Sequence[str]) -> float:
    """Points for pronouns and demonstratives; a person or "my" before a pronoun explains it."""
    if words[0] in REFERS:
        return WEIGHTS.pronoun_first
    if words[0] in POINTS:
        return (
            WEIGHTS.this_with_noun
            if len(words) > 1 and words[1] not in FUNCTION
            else WEIGHTS.this_alone
        )
    is_explained = any(word in PEOPLE or word in OWN for word in words[: WEIGHTS.pronoun_window])
    after = words[1 : 1 + WEIGHTS.pronoun_window]
    points = sum(WEIGHTS.pronoun_later for word in after if word in REFERS and not is_explained)
    return points + WEIGHTS.this_later * sum(
        _is_demonstrative(words, at) for at in range(1, len(words))
    )


def _is_demonstrative(words: Sequence[str], at: int) -> bool:
    """Whether the word at `at` refers to something else: "these friends", but not "this month"."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return words[at] in ("this", "these", "those") and after not in CALENDAR


def _is_past(word: str) -> bool:
    has_past_ending = word.endswith("ed") and len(word) > 4 and word not in NOT_PAST
    return word in PAST or has_past_ending
