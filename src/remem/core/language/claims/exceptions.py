"""What a sentence names only to exclude it: "everyone except Finn", "fish but not meat"; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.claims.attributes import PREPOSITIONS, VERBS
from remem.core.language.claims.mood import extract_mood
from remem.core.language.claims.verbs import ADVERBS, find_verb, is_past
from remem.core.language.lists import phrases, word_set
from remem.core.language.words import Word, words

_EXCEPTION_OPENERS = sorted(phrases("exceptions", "exception_openers"), key=len, reverse=True)
_WHOLES = word_set("exceptions", "wholes")
_AFTER_NOT = word_set("exceptions", "after_not")
# Words allowed between the word for the whole and "but": "all the boys of our class but Finn".
_MAX_WORDS_AFTER_WHOLE = 5
_PIECE = re.compile(r"\S+")
_AUXILIARIES = frozenset(
    "am is are was were be been being have has had do does did will would can could may might must"
    " should shall".split()
)
_AUXILIARIES_AND_ADVERBS = (
    _AUXILIARIES | ADVERBS | frozenset("still also just really or why if".split())
)
_CONJUNCTIONS = frozenset("and but or".split())
_CLAUSE_STARTS = frozenset(
    "because so while although though when since i he she it we they".split()
)
_NO_LONGER = ("no", "longer")


@dataclass(frozen=True, slots=True)
class Exceptions:
    """A sentence without its exception, and the exception.

    `is_of_whole`: the sentence is about a whole, so the opposite is true of the exception.
    `is_subject`: the exception belongs to the subject of the sentence."""

    rest: str
    left_out: str = ""
    is_of_whole: bool = False
    is_subject: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    low: str
    words: tuple[Word, ...]
    breaks: bool

    @property
    def named(self) -> bool:
        return self.low[:1].isalpha() and any(word.named for word in self.words)


def exceptions_in(sentence: str) -> Exceptions:
    pieces = [_piece(match) for match in _PIECE.finditer(sentence)]
    for index in range(1, len(pieces)):
        if length := _exception_length(pieces, index):
            parts = _split_exception(
                sentence, pieces, index, _exception_end(pieces, index, index + length)
            )
            return Exceptions(
                *parts, is_of_whole=True, is_subject=_excludes_from_subject(pieces, index)
            )
        if length := _negation_length(pieces, index):
            parts = _split_exception(
                sentence, pieces, index, _exception_end(pieces, index, index + length)
            )
            return Exceptions(*parts, is_subject=not _has_verb(pieces[:index]))
    return Exceptions(sentence)


def is_denied(clause: Sequence[Word]) -> bool:
    """Whether a clause is negated. A continued negation counts once ("neither Kim nor Alex"), and
    "not only" does not count."""
    lowered = [word.low for word in clause]
    remaining = [
        word
        for index, word in enumerate(clause)
        if word.low != "nor" or not {"neither", "not", "never", "no"} & set(lowered[:index])
        if lowered[index : index + 2] != ["not", "only"]
    ]
    return extract_mood(remaining)[1].denied


def _piece(match: re.Match[str]) -> _Piece:
    # Preceded by a word, so that a capital means a name.
    piece_words = words(f"so {match[0]}")[1:]
    lowered = piece_words[0].low if piece_words else ""
    return _Piece(
        match.start(), match.end(), lowered, piece_words, match[0].endswith((",", ";", ":"))
    )


def _exception_length(pieces: Sequence[_Piece], index: int) -> int:
    """The number of words that open an exception here; 0 when none does."""
    lowered = tuple(piece.low for piece in pieces[index : index + 4])
    length = next(
        (len(opener) for opener in _EXCEPTION_OPENERS if lowered[: len(opener)] == opener), 0
    )
    if length or lowered[0] != "but" or pieces[index - 1].breaks:
        return length
    preceding = pieces[max(0, index - _MAX_WORDS_AFTER_WHOLE) : index]
    whole_index = next(
        (position for position, piece in enumerate(preceding) if piece.low in _WHOLES), None
    )
    following = lowered[1] if len(lowered) > 1 else "not"
    if whole_index is None or _has_verb(preceding[whole_index + 1 :]) or _adds_more(following):
        return 0
    return 1


def _adds_more(lowered: str) -> bool:
    """Whether "but" adds something instead of excluding it: "all fruit but especially plums"."""
    return lowered in _CLAUSE_STARTS | _AUXILIARIES_AND_ADVERBS | {"not", "no"} or lowered.endswith(
        "ly"
    )


def _excludes_from_subject(pieces: Sequence[_Piece], index: int) -> bool:
    """Whether an exception belongs to the subject: "everyone except Finn came", "everyone came
    except Finn"."""
    return not _has_verb(pieces[:index]) or pieces[0].low in _WHOLES


def _negation_length(pieces: Sequence[_Piece], index: int) -> int:
    """The number of words that negate a following phrase without a verb of its own: "fish but not
    meat", "at Ikea now, no longer at Lidl"; 0 when none do."""
    lowered = tuple(piece.low for piece in pieces[index : index + 3])
    length = 2 if lowered[:2] == _NO_LONGER else int(lowered[0] == "not")
    if not length or len(lowered) == length or lowered[length] in _AFTER_NOT:
        return 0
    previous = pieces[index - 1]
    is_separate = previous.breaks or previous.low in _CONJUNCTIONS
    is_separate = is_separate or (lowered[length] != "to" and _has_object(pieces[:index]))
    excluded = pieces[index + length : _exception_end(pieces, index, index + length)]
    is_parenthetical = previous.breaks and excluded[-1].breaks
    if (
        not is_separate
        or not (is_parenthetical or _has_verb(pieces[:index]))
        or _is_clause(excluded)
    ):
        return 0
    return 0 if length == len(_NO_LONGER) and _is_verb(excluded[0]) else length


def _has_object(pieces: Sequence[_Piece]) -> bool:
    """Whether the verb already has an object, so that "not" does not negate the verb: "eats
    fish"."""
    last = pieces[-1]
    if _is_verb(last) or last.low in _AUXILIARIES_AND_ADVERBS:
        return False
    return any(_is_verb(piece) for piece in pieces[:-1])


def _is_clause(phrase: Sequence[_Piece]) -> bool:
    """Whether a negated phrase has a verb: "and not to sell it", "but not knowing why"."""
    if not phrase:
        return True
    first = phrase[0]
    if first.low == "to" and len(phrase) > 1:
        return phrase[1].words[-1:] != () and phrase[1].words[-1].stem in VERBS
    is_finite = first.low in _AUXILIARIES or first.low.endswith("ing") or _is_inflected(first)
    return is_finite or any(piece.low in _AUXILIARIES | _CLAUSE_STARTS for piece in phrase)


def _exception_end(pieces: Sequence[_Piece], start: int, first: int) -> int:
    """The index after the exception: it ends before the verb, another clause or a further
    phrase."""
    is_subject = not _has_verb(pieces[:start])
    for index in range(first, len(pieces)):
        if index > first and pieces[index - 1].breaks and (is_subject or _has_verb(pieces[index:])):
            return index
        if index > first and _starts_new_phrase(pieces, index, is_subject):
            return index
    return len(pieces)


def _starts_new_phrase(pieces: Sequence[_Piece], index: int, is_subject: bool) -> bool:
    piece = pieces[index]
    if is_subject and (piece.low in _AUXILIARIES or (_is_verb(piece) and _is_inflected(piece))):
        return True
    if piece.low in PREPOSITIONS and piece.low != "of":
        return True
    if piece.low in _CONJUNCTIONS:
        return index + 1 < len(pieces) and (
            _is_clause(pieces[index + 1 : index + 2]) or piece.low == "but"
        )
    return piece.low in _CLAUSE_STARTS


def _split_exception(
    sentence: str, pieces: Sequence[_Piece], index: int, end: int
) -> tuple[str, str]:
    start = index - 1 if pieces[index - 1].low in _CONJUNCTIONS else index
    before, after = sentence[: pieces[start - 1].end], sentence[pieces[end - 1].end :]
    rest = f"{before.rstrip(',;:')} {after.lstrip()}" if end < len(pieces) else before
    return rest.rstrip(",;: "), sentence[pieces[index].start : pieces[end - 1].end]


def _has_verb(pieces: Sequence[_Piece]) -> bool:
    clause = tuple(word for piece in pieces for word in piece.words)
    return any(map(_is_verb, pieces)) or find_verb(clause) is not None


def _is_verb(piece: _Piece) -> bool:
    if piece.named or not piece.words:
        return False
    word = piece.words[0]
    return piece.low in _AUXILIARIES or is_past(word) or word.stem in VERBS


def _is_inflected(piece: _Piece) -> bool:
    """Whether a verb has an ending of tense or person."""
    return not piece.named and any(
        is_past(word) or (word.low.endswith("s") and word.stem in VERBS) for word in piece.words
    )
