"""How much a sentence is worth remembering: the sum of what speaks for it and against it."""

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
from remem.core.memories.rules.points import WORTH

_WORD = re.compile(r"[^\W_]+(?:['’.@/:#+-][^\W_]+)*")


_UNITS = re.compile(
    r"[$€£]\s?\d|\d\s?(?:%|€|km|kg|g|mg|ml|gb|mb|tb|ghz|min|minutes?|hours?|days?|weeks?|months?"
    r"|years?|miles?|dollars?|euros?|pounds?|people|percent|am|pm)\b",
    re.I,
)
# Somebody says themselves that it is to be kept.
_LABELLED = re.compile(
    r"(?:to ?do|action(?: item)?|task|reminder|remind me to|remember to|decision|deadline"
    r"|lessons?(?: learned)?)\b",
    re.I,
)
# "Perks: free pass, meals": a line of a list that was pasted into a talk.
_PASTED = re.compile(r"(?!.*\b(?:I|my|we|our)\b)(?:[\w&/’'-]+ ){0,4}[\w&/’'-]+: ")
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[\w,;:'’\"”] )[\"“'‘]?[A-Z][\w'’.-]*\w")
_IS = frozenset("is are was were has".split())
_JOINTS = frozenset("also and but so then plus just".split())
# "I paid $20 to attend", "I've tried three different ones".
_LEFT_OUT = re.compile(
    r"(?<! I )\b(?:to attend|attended|been (?:playing|using|doing|practi[sc]ing)|bought|purchased"
    r"|tried|joined|finished|visited)(?:[.,!;]|$| (?:for|since) )"
    r"|\b(?:different|other|few|couple|two|three|four|five|several|first|last|new|same|best)"
    r" ones?\b(?! of\b)",
    re.I,
)
_SAYS_ITSELF = re.compile(
    r"(?!(?:it|this|that|these|those|they|he|she)\b)(?:[\w'’]+ ){3,8}[\w'’]+"
    r"(?:[,;]| [–—-]|,? (?:and|but|because|so|since|as|while|when)) (?:it|they|he|she)\b",
    re.I,
)
_LISTENER = re.compile(r"\b(?:you|your|yours|you['’](?:re|ve|ll|d))\b", re.I)
_HINT = re.compile(r"[^\W\d_]{2} [^\W_]")


@dataclass(frozen=True, slots=True)
class Worth:
    """Points for what is said, and those that it costs to speak of something named elsewhere."""

    points: float
    unclear: float


_NOTHING = Worth(-NEVER, 0.0)


def weigh(sentence: str, *, noted: bool = False, spoken: bool = False) -> Worth:
    """`noted` says that somebody wrote it down for themselves, where every word is meant; `spoken`
    that it was said in a talk."""
    if len(sentence) > WORTH.chars_most or not _HINT.search(sentence):
        return _NOTHING
    spelt = _WORD.findall(sentence)
    if not WORTH.words_least <= len(spelt) <= WORTH.words_most:
        return _NOTHING
    against = sum(one.taken(sentence) for one in OBJECTIONS)
    if against >= NEVER:
        return _NOTHING
    words = _parted(spelt)
    points = _said(sentence, words, noted=noted) + _content_score(sentence, words) - against
    if _LABELLED.match(sentence):
        points += WORTH.labelled
    elif spoken and _PASTED.match(sentence):
        points -= WORTH.pasted
    if not noted and len(words) <= WORTH.curt_words and any(_is_past(word) for word in words):
        # "We made pizza!"
        points -= WORTH.curt
    if not noted and next((word for word in words if word not in _JOINTS), "") in IMPERATIVES:
        # Advice to the listener; in a note of one's own it is a rule to keep.
        points -= WORTH.advice
    return Worth(points, _unclear(sentence, words))


def points_back(sentence: str) -> bool:
    """Whether it cannot be understood without the sentence before it."""
    return _unclear(sentence, _parted(_WORD.findall(sentence))) >= WORTH.unclear


def names_something(sentence: str) -> bool:
    """Whether it says by itself what it is about, so that the next sentence can say "it"."""
    words = _parted(_WORD.findall(sentence))
    if not words or _unclear(sentence, words) >= WORTH.unclear or _to_listener(sentence):
        return False
    vague = FUNCTION | PRAISE | MENTAL
    return sum(word not in vague for word in words) >= WORTH.naming_words


def _to_listener(sentence: str) -> bool:
    return bool(_LISTENER.search(sentence)) or any(
        one.points == NEVER and one.taken(sentence) for one in OBJECTIONS
    )


def _parted(spelt: Sequence[str]) -> list[str]:
    """ "I've" is two words; the rest in lower case."""
    words: list[str] = []
    for word in spelt:
        head, mark, tail = word.lower().replace("’", "'").partition("'")
        if mark and (tail in ("m", "ve", "re", "ll", "d") or (tail == "s" and head in REFERS)):
            words += [head, f"'{tail}"]
        else:
            words.append(head + mark + tail)
    return words


def _said(sentence: str, words: Sequence[str], *, noted: bool) -> float:
    """Of whom it speaks, and with which kind of verb."""
    by_speaker = [_of_speaker(words, n) for n, word in enumerate(words) if word in SPEAKERS]
    best = max(by_speaker, default=0.0)
    if not by_speaker and _leaves_out_speaker(words, noted=noted):
        best = WORTH.did
    elif best == 0:
        best = _of_named(sentence, words)
    owned = _owned(words)
    if words[0].endswith("ing") and words[0] not in ELIDED and best > 0:
        best -= WORTH.participle
    if not by_speaker and not owned and not noted and best <= WORTH.did:
        # In a talk, what is not said of those who talk is seldom more than an opinion.
        best -= WORTH.unsaid
    return best + owned + (WORTH.noted if noted else 0.0)


def _leaves_out_speaker(words: Sequence[str], *, noted: bool) -> bool:
    """ "Lost my job", "Been to Rome once"; in a note also "Use tabs"."""
    first = words[0]
    did = (_is_past(first) or first in ELIDED) and first not in AUXILIARIES | BASE_FORMS
    return did or (noted and first in IMPERATIVES)


def _of_speaker(words: Sequence[str], at: int) -> float:
    """What "I" does: nothing counts that is only thought or felt."""
    be = False
    for word in words[at + 1 : at + 1 + WORTH.verb_within]:
        if word in STATES:
            return WORTH.state
        if word in LASTING or word in PLAN:
            return WORTH.lasting
        if word in MENTAL:
            return -WORTH.mental
        if _is_past(word) and word not in AUXILIARIES:
            return WORTH.did
        if word.endswith("ing") and len(word) > WORTH.ending_letters:
            return WORTH.doing
        be = be or word in ("'m", "am", "was", "were", "'re")
        if be and word in ("a", "an"):
            return WORTH.did
        if word not in ADVERBS:
            return WORTH.did if words[at + 1] in ("will", "'ll") else WORTH.any_verb
    return WORTH.any_verb


def _owned(words: Sequence[str]) -> float:
    near = [
        words[n + 1 : n + 1 + WORTH.owned_within] for n, word in enumerate(words) if word in OWN
    ]
    if any(PEOPLE.intersection(after) or BELONGS.intersection(after) for after in near):
        return WORTH.owned_named
    return WORTH.owned if near else 0.0


def _of_named(sentence: str, words: Sequence[str]) -> float:
    """Somebody or something by name, with a verb that says what is so."""
    if words[0].endswith("ing") and words[0] not in ELIDED:
        # "Connecting with people is key": true of nobody in particular.
        return -WORTH.nobody
    named = sentence[:1].isupper() and words[0] not in FUNCTION
    owner = words[0] in ("the", "our")
    after = words[1 : 1 + WORTH.named_verb_within]
    verb = any(word in LASTING or word in STATES or _is_past(word) for word in after)
    is_so = any(word in _IS for word in words[1 : 1 + WORTH.is_within])
    points = WORTH.named if named or owner else 0.0
    return points + (WORTH.named_verb if verb else 0.0) + (WORTH.is_so if is_so else 0.0)


def _content_score(sentence: str, words: Sequence[str]) -> float:
    """How much of it is a thing of its own: names, numbers, plain nouns."""
    telling = [word for word in words if word not in FUNCTION and word not in PRAISE]
    names = [name for name in _NAME.findall(sentence) if name.strip("\"“'‘") not in NOT_NAMES]
    points = WORTH.name * min(len(names), WORTH.names_most)
    if _NUMBER.search(sentence):
        points += WORTH.amount if _UNITS.search(sentence) else WORTH.number
    points += WORTH.numeral if NUMERALS.intersection(words) else 0.0
    points += WORTH.telling * min(len(telling), WORTH.telling_most)
    praise = sum(word in PRAISE for word in words)
    points -= WORTH.praise * max(0, praise - 1)
    if len(telling) < WORTH.telling_least:
        points -= WORTH.empty
    elif len(telling) <= WORTH.telling_least and praise and not (names or _NUMBER.search(sentence)):
        points -= WORTH.only_praise
    return points


def _unclear(sentence: str, words: Sequence[str]) -> float:
    """What points at something that stands elsewhere, or leaves it out."""
    points = _pointing(words) + WORTH.left_out * bool(_LEFT_OUT.search(sentence))
    # "I'm passionate about dancing and it brings me joy" says itself what "it" is.
    return min(points, WORTH.said_itself) if _SAYS_ITSELF.match(sentence) else points


def _pointing(words: Sequence[str]) -> float:
    if words[0] in REFERS:
        return WORTH.refers_first
    if words[0] in POINTS:
        return (
            WORTH.shows_first if len(words) > 1 and words[1] not in FUNCTION else WORTH.shows_alone
        )
    known = any(word in PEOPLE or word in OWN for word in words[: WORTH.refers_within])
    after = words[1 : 1 + WORTH.refers_within]
    points = sum(WORTH.refers for word in after if word in REFERS and not known)
    return points + WORTH.shows * sum(_is_shown(words, n) for n in range(1, len(words)))


def _is_shown(words: Sequence[str], at: int) -> bool:
    """ "These friends"; "this month" points at nothing but the calendar."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return words[at] in ("this", "these", "those") and after not in CALENDAR


def _is_past(word: str) -> bool:
    ends = word.endswith("ed") and len(word) > 4 and word not in NOT_PAST
    return word in PAST or ends
