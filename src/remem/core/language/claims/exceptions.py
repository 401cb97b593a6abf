"""What a sentence names only to leave it out: "everyone except Finn", "fish but not meat"; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.claims.attributes import PREPOSITIONS, VERBS
from remem.core.language.claims.mood import weigh
from remem.core.language.claims.verbs import ADVERBS, find_verb, is_past
from remem.core.language.lists import phrases, word_set
from remem.core.language.words import Word, words

_OPENERS = sorted(phrases("exceptions", "exception_openers"), key=len, reverse=True)
_WHOLES = word_set("exceptions", "wholes")
_AFTER_NOT = word_set("exceptions", "after_not")
# Between the word for all and "but": "all the boys of our class but Finn".
_WHOLE_REACH = 5
_PIECE = re.compile(r"\S+")
_AUXILIARIES = frozenset(
    "am is are was were be been being have has had do does did will would can could may might must"
    " should shall".split()
)
_HELPS = _AUXILIARIES | ADVERBS | frozenset("still also just really or why if".split())
_JOINS = frozenset("and but or".split())
_CLAUSES = frozenset("because so while although though when since i he she it we they".split())
_NO_LONGER = ("no", "longer")


@dataclass(frozen=True, slots=True)
class Exceptions:
    """A sentence without what it leaves out, and that. `is_of_whole` where the sentence is
    about a whole without it, so that of it the opposite is true; `is_subject` where it stands for
    who or what the sentence is about."""

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
    pieces = [_piece(found) for found in _PIECE.finditer(sentence)]
    for at in range(1, len(pieces)):
        if length := _opener(pieces, at):
            cut = _cut(sentence, pieces, at, _end(pieces, at, at + length))
            return Exceptions(*cut, is_of_whole=True, is_subject=_is_of_subject(pieces, at))
        if length := _contrast(pieces, at):
            cut = _cut(sentence, pieces, at, _end(pieces, at, at + length))
            return Exceptions(*cut, is_subject=not _has_verb(pieces[:at]))
    return Exceptions(sentence)


def is_denied(said: Sequence[Word]) -> bool:
    """ "Neither Kim nor Alex": a denial that goes on is not a second one; "not only" is none."""
    lows = [word.low for word in said]
    rest = [
        word
        for at, word in enumerate(said)
        if word.low != "nor" or not {"neither", "not", "never", "no"} & set(lows[:at])
        if lows[at : at + 2] != ["not", "only"]
    ]
    return weigh(rest)[1].denied


def _piece(found: re.Match[str]) -> _Piece:
    # Behind a word, so that a capital is that of a name.
    said = words(f"so {found[0]}")[1:]
    low = said[0].low if said else ""
    return _Piece(found.start(), found.end(), low, said, found[0].endswith((",", ";", ":")))


def _opener(pieces: Sequence[_Piece], at: int) -> int:
    """How many words open an exception here; 0 where none does."""
    lows = tuple(piece.low for piece in pieces[at : at + 4])
    length = next((len(one) for one in _OPENERS if lows[: len(one)] == one), 0)
    if length or lows[0] != "but" or pieces[at - 1].breaks:
        return length
    before = pieces[max(0, at - _WHOLE_REACH) : at]
    whole = next((n for n, piece in enumerate(before) if piece.low in _WHOLES), None)
    follows = lows[1] if len(lows) > 1 else "not"
    if whole is None or _has_verb(before[whole + 1 :]) or _says_more(follows):
        return 0
    return 1


def _says_more(low: str) -> bool:
    """ "All fruit but especially plums"."""
    return low in _CLAUSES | _HELPS | {"not", "no"} or low.endswith("ly")


def _is_of_subject(pieces: Sequence[_Piece], at: int) -> bool:
    """ "Everyone except Finn came", "Everyone came except Finn"."""
    return not _has_verb(pieces[:at]) or pieces[0].low in _WHOLES


def _contrast(pieces: Sequence[_Piece], at: int) -> int:
    """ "Fish but not meat", "at Ikea now, no longer at Lidl": how many words deny what follows,
    which has no verb of its own."""
    lows = tuple(piece.low for piece in pieces[at : at + 3])
    length = 2 if lows[:2] == _NO_LONGER else int(lows[0] == "not")
    if not length or len(lows) == length or lows[length] in _AFTER_NOT:
        return 0
    before = pieces[at - 1]
    is_apart = before.breaks or before.low in _JOINS
    is_apart = is_apart or (lows[length] != "to" and _has_object(pieces[:at]))
    behind = pieces[at + length : _end(pieces, at, at + length)]
    is_inserted = before.breaks and behind[-1].breaks
    if not is_apart or not (is_inserted or _has_verb(pieces[:at])) or _tells(behind):
        return 0
    return 0 if length == len(_NO_LONGER) and _is_verb(behind[0]) else length


def _has_object(pieces: Sequence[_Piece]) -> bool:
    """Whether the verb has what it needs, so that "not" does not belong to it: "eats fish"."""
    last = pieces[-1]
    if _is_verb(last) or last.low in _HELPS:
        return False
    return any(_is_verb(piece) for piece in pieces[:-1])


def _tells(behind: Sequence[_Piece]) -> bool:
    """Whether a denial has a verb: "and not to sell it", "but not knowing why"."""
    if not behind:
        return True
    first = behind[0]
    if first.low == "to" and len(behind) > 1:
        return behind[1].words[-1:] != () and behind[1].words[-1].stem in VERBS
    finite = first.low in _AUXILIARIES or first.low.endswith("ing") or _is_bent(first)
    return finite or any(piece.low in _AUXILIARIES | _CLAUSES for piece in behind)


def _end(pieces: Sequence[_Piece], start: int, behind: int) -> int:
    """Behind the last word that is left out: before the verb, another clause, or more of this."""
    is_subject = not _has_verb(pieces[:start])
    for at in range(behind, len(pieces)):
        if at > behind and pieces[at - 1].breaks and (is_subject or _has_verb(pieces[at:])):
            return at
        if at > behind and _goes_on(pieces, at, is_subject):
            return at
    return len(pieces)


def _goes_on(pieces: Sequence[_Piece], at: int, is_subject: bool) -> bool:
    piece = pieces[at]
    if is_subject and (piece.low in _AUXILIARIES or (_is_verb(piece) and _is_bent(piece))):
        return True
    if piece.low in PREPOSITIONS and piece.low != "of":
        return True
    if piece.low in _JOINS:
        return at + 1 < len(pieces) and (_tells(pieces[at + 1 : at + 2]) or piece.low == "but")
    return piece.low in _CLAUSES


def _cut(sentence: str, pieces: Sequence[_Piece], at: int, end: int) -> tuple[str, str]:
    start = at - 1 if pieces[at - 1].low in _JOINS else at
    before, after = sentence[: pieces[start - 1].end], sentence[pieces[end - 1].end :]
    rest = f"{before.rstrip(',;:')} {after.lstrip()}" if end < len(pieces) else before
    return rest.rstrip(",;: "), sentence[pieces[at].start : pieces[end - 1].end]


def _has_verb(pieces: Sequence[_Piece]) -> bool:
    said = tuple(word for piece in pieces for word in piece.words)
    return any(map(_is_verb, pieces)) or find_verb(said) is not None


def _is_verb(piece: _Piece) -> bool:
    if piece.named or not piece.words:
        return False
    word = piece.words[0]
    return piece.low in _AUXILIARIES or is_past(word) or word.stem in VERBS


def _is_bent(piece: _Piece) -> bool:
    """Whether a verb has the ending of a tense or of a person."""
    return not piece.named and any(
        is_past(word) or (word.low.endswith("s") and word.stem in VERBS) for word in piece.words
    )
