"""Check whether a text is about the thing that a question asks about, or about a like one; pure.

"I play tennis with Karim" says nothing about table tennis."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from remem.core.language.claims.attributes import PREPOSITIONS, VERBS
from remem.core.language.claims.verbs import ADVERBS, find_verb, is_past
from remem.core.language.detect import may_be_english
from remem.core.language.lists import phrases, word_set
from remem.core.language.numbers import CARDINALS, ORDINALS
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import Word, stem, words
from remem.core.memories.rules.another_subject import numbered_things

# These say which of several, and seldom what kind of thing.
_LIGHT = word_set("attributes", "adjectives") | frozenset(
    "first second third last next latest previous recent current usual regular normal daily weekly"
    " monthly yearly annual own favorite favourite main total whole entire exact different specific"
    " particular certain actual little real another much many several back".split()
)
_WHO = frozenset("who whom whose what which where when how".split())
_NO_NOUNS = ADVERBS | frozenset("due now today tomorrow".split())
_DO = frozenset("do does did".split())
_LEAST_PREFIX = 4
# "Min" for "minimum".
_LEAST_SHORT_FORM = 3
_ENDS = frozenset(".!?\"'”’)")
_DETERMINERS = frozenset("the a an my our his her its their your".split())
# Each word of a group, with the other words of the group: one of them says which is meant.
_LABELS = {
    word: frozenset(group) - {word} for group in phrases("labels", "groups") for word in group
}
# Other words for the same thing.
_ALIKE = {
    stem(word): stem(first) for first, *others in phrases("labels", "alike") for word in others
}
# Longer questions also tell what is only around the thing.
_MAX_WORDS = 20


def lacks_kind(question: str, sentence: str, before: str = "") -> bool:
    """Whether the sentence has a noun of the question, but neither it nor what is before it has the
    word that says its kind. Hasty notes leave such words out ("lesson $75 x3"), and are about
    something else only if they say another kind."""
    line, text = words(question), words(sentence)
    if len(line) > _MAX_WORDS or not may_be_english(question):
        return False
    is_whole = _is_whole(sentence)
    stems = {word.stem for word in (*text, *words(before))}
    nouns = {word.stem for word in text} if is_whole else {noun.stem for _, noun in _pairs(text)}
    return any(
        noun.stem in nouns and not _has_like(kind.stem, stems) for kind, noun in _compounds(line)
    )


def _pairs(text: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """A noun with the word directly before it that may say its kind."""
    for kind, noun in pairwise(text):
        if not kind.breaks and _is_label(kind) and _is_content(noun):
            yield kind, noun


def _is_whole(sentence: str) -> bool:
    """Whether it is written with a capital and a full stop."""
    text = sentence.strip()
    return text[:1].isupper() and text[-1:] in _ENDS


def is_of_other_label(question: str, sentence: str, headings: str = "") -> bool:
    """Whether the sentence is about another of several: "host beta" where "host alpha" is asked
    about, "downstairs" where "upstairs" is. In hasty notes the word after a noun is no label."""
    line, text = words(question), words(sentence)
    if len(line) > _MAX_WORDS or not may_be_english(question):
        return False
    known = (*text, *words(headings))
    stems, lows = {word.stem for word in known}, {word.low for word in known}
    asked = {word.low for word in line} & _LABELS.keys()
    if any(
        not lows & (asked & (_LABELS[label] | {label})) and lows & _LABELS[label] for label in asked
    ):
        return True
    return _is_whole(sentence) and any(
        not _has_like(label.stem, stems) and _has_other_after(text, head, label)
        for head, label in _labelled(line)
    )


def shares_only_number(question: str, sentence: str) -> bool:
    """Whether the sentence has nothing of the question but the number, of another thing: "Room 5 is
    an office" where "who lives in flat 5" is asked."""
    asked, named = numbered_things(question), numbered_things(sentence)
    if not asked or not named or not may_be_english(question):
        return False
    numbers = set().union(*asked.values())
    stems = {word.stem for word in words(question) if _is_content(word)} - _WHO
    known = {word.stem for word in words(sentence)}
    is_shared = any(_has_like(stem, known) for stem in stems)
    return not is_shared and any(numbers & others for others in named.values())


def _labelled(line: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """Pairs such as "of host alpha": a noun after a preposition, and the word directly after."""
    for at in range(2, len(line)):
        head, label = line[at - 1], line[at]
        is_determined = line[at - 2].low in _DETERMINERS and at > 2
        before = line[at - 3] if is_determined else line[at - 2]
        is_noun = _is_content(head) and head.low not in _LIGHT and not head.breaks
        if before.low in PREPOSITIONS and is_noun and _is_label(label):
            yield head, label


def _has_other_after(text: Sequence[Word], head: Word, label: Word) -> bool:
    return any(
        word.stem == head.stem
        and not word.breaks
        and _is_label(following)
        and following.stem != label.stem
        for word, following in pairwise(text)
    )


def _is_label(word: Word) -> bool:
    """Not a verb: "the host moved", "the host runs"."""
    is_verb = word.stem in VERBS or is_past(word) or word.low.endswith("ing")
    return _is_content(word) and not is_verb and word.low not in _LIGHT | ADVERBS


def _has_like(kind: str, stems: set[str]) -> bool:
    """Whether it is there, also within a compound, in another form or by another word."""
    return any(is_same_thing(kind, other) for other in stems)


def is_same_thing(kind: str, other: str) -> bool:
    """Whether one stem is within the other, or they mean the same."""
    if _ALIKE.get(kind, kind) == _ALIKE.get(other, other):
        return True
    if len(other) >= _LEAST_SHORT_FORM and kind.startswith(other):
        return True
    return kind in other or (len(other) >= _LEAST_PREFIX and other in kind)


def _compounds(line: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """Pairs such as "table tennis": a word that says a kind, directly before a noun."""
    verb_at = find_verb(line)
    for at in range(1, len(line)):
        kind, noun = line[at - 1], line[at]
        if kind.breaks or not (_is_content(kind) and _is_content(noun)):
            continue
        # "The date Mia starts" has no compound.
        if kind.named or noun.named or noun.low in _NO_NOUNS:
            continue
        if verb_at in (at - 1, at) or _is_verb(line, at - 1) or _is_final_verb(line, at, verb_at):
            continue
        if kind.low not in _LIGHT and not kind.low.endswith(("ly", "ing")) and not is_past(kind):
            yield kind, noun


def _is_content(word: Word) -> bool:
    """Not a number: "gate one" is gate 1."""
    return word.low.isalpha() and not (
        word.low in CARDINALS
        or word.low in ORDINALS
        or word.low in STOP_WORDS
        or word.low in PREPOSITIONS
    )


def _is_verb(line: Sequence[Word], at: int) -> bool:
    """ "Buy" after "did Mia"; not "table" after "play"."""
    is_after_noun = at > 0 and _is_content(line[at - 1]) and line[at - 1].stem not in VERBS
    return line[at].stem in VERBS and is_after_noun


def _is_final_verb(line: Sequence[Word], at: int, verb_at: int | None) -> bool:
    """ "Cost" in "how much did the wool sweater cost"."""
    is_last = at + 1 == len(line) or not _is_content(line[at + 1])
    return verb_at is not None and line[verb_at].low in _DO and is_last and at > verb_at
