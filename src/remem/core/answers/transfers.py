"""Check who gives and who receives; pure.

"I gave Karim a watch" does not say from whom I received one, nor does "I received a ring"."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from remem.core.answers.key_noun import is_same_thing
from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.verbs import BE, CLAUSES
from remem.core.language.detect import may_be_english
from remem.core.language.lists import word_set
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import Word, stem_set, words

_GIVING = stem_set("transfers", "giving")
_RECEIVING = stem_set("transfers", "receiving")
_DIRECTED = stem_set("transfers", "directed")
_GIVEN = stem_set("transfers", "given")
_GENERAL = stem_set("transfers", "general")
_PEOPLE = word_set("vocabulary", "people")
_WHO = frozenset("who whom".split())
_AUXILIARIES = frozenset("did do does has have had will would can could".split())
_ME = frozenset("i me we us myself ourselves".split())
_MINE = frozenset("my our".split())
_DETERMINERS = frozenset(
    "the a an my our his her its their your this that these those some any two three several"
    " another".split()
)
_PRONOUNS = frozenset("i me we us you he him she they them it".split())
_ME_STEM = "<me>"
_PHRASE_WORDS = 5
# Longer questions also tell what is only around the giving.
_QUESTION_WORDS = 20

Phrase = tuple[Word, ...]
_NONE: Phrase = ()


class Transfer(NamedTuple):
    """Who does it to whom, in giving from whom and to whom, and what is given."""

    source: Phrase
    target: Phrase
    thing: Phrase = _NONE


class AskedTransfer(NamedTuple):
    """`asks_source` if the question asks who gives. `verb` is empty for giving and receiving."""

    transfer: Transfer
    asks_source: bool
    verb: str


def is_other_transfer(question: str, sentence: str, answer: str) -> bool:
    """Whether the sentence is about another giver, receiver or thing than the question, or the
    answer is the one that the question names."""
    line = words(question)
    if len(line) > _QUESTION_WORDS or not may_be_english(question):
        return False
    asked = _read_question(line)
    if asked is None:
        return False
    text = words(sentence)
    names = {word.low for phrase in asked.transfer[:2] for word in phrase if _is_name(word)}
    answer_words = words(answer)
    if _is_name_of(text, answer_words, names):
        return True
    found = list(_read_sentence(text, asked.verb))
    fitting = [transfer for transfer in found if _fits(asked.transfer, transfer)]
    if not found or not fitting:
        return bool(found)
    role = 0 if asked.asks_source else 1
    return any(
        _is_in(answer_words, phrase) for transfer in found for phrase in transfer[:2]
    ) and not any(_is_in(answer_words, transfer[role]) for transfer in fitting)


def _fits(known: Transfer, other: Transfer) -> bool:
    if known.thing and other.thing and not _is_thing_asked(known.thing, other.thing):
        return False
    return not _differ(known.source, other.source) and not _differ(known.target, other.target)


def _is_in(answer: Sequence[Word], phrase: Phrase) -> bool:
    lows = {word.low for word in answer if word.low not in _DETERMINERS | STOP_WORDS}
    return bool(lows) and lows <= {word.low for word in phrase}


def _is_thing_asked(asked: Phrase, given: Phrase) -> bool:
    asked_stems, given_stems = _content(asked), _content(given)
    if not asked_stems or not given_stems or (asked_stems | given_stems) & _GENERAL:
        return True
    return any(is_same_thing(one, other) for one in asked_stems for other in given_stems)


def _content(phrase: Phrase) -> frozenset[str]:
    return frozenset(
        word.stem
        for word in phrase
        if word.low not in STOP_WORDS | _DETERMINERS and len(word.low) > 1
    )


def _differ(one: Phrase, other: Phrase) -> bool:
    """Whether two phrases are two people. A name and a relation may be the same person."""
    first, second = _identity(one), _identity(other)
    if not first or not second or not first.isdisjoint(second):
        return False
    if _ME_STEM in first | second:
        return True
    kinds = [_kind(phrase) for phrase in (one, other)]
    return kinds[0] == kinds[1] and kinds[0] != ""


def _identity(phrase: Phrase) -> frozenset[str]:
    """The words for a person; empty for a pronoun that may be anybody."""
    if any(word.low in _ME for word in phrase):
        return frozenset((_ME_STEM,))
    return frozenset(
        word.low for word in phrase if word.low not in _PRONOUNS | _DETERMINERS | {"'s"}
    )


def _kind(phrase: Phrase) -> str:
    if any(word.low in _PEOPLE for word in phrase):
        return "relation"
    return "name" if any(map(_is_name, phrase)) else ""


def _is_name(word: Word) -> bool:
    """Also at the beginning of a sentence."""
    return word.text[:1].isupper() and word.low not in STOP_WORDS | _PRONOUNS | _PEOPLE


def _is_name_of(text: Sequence[Word], answer: Sequence[Word], names: set[str]) -> bool:
    """Whether the answer is a part of a phrase with a name of the question: "my colleague Sven"."""
    if not names or not answer:
        return False
    if names & {word.low for word in answer}:
        return True
    lows = [word.low for word in answer]
    for at in range(len(text) - len(lows)):
        end = at + len(lows)
        is_here = [word.low for word in text[at:end]] == lows
        if is_here and not text[end - 1].breaks and text[end].low in names:
            follows = text[end + 1].low if end + 1 < len(text) else ""
            return follows != "'s" and not answer[-1].named
    return False


# --- questions


def _read_question(line: Sequence[Word]) -> AskedTransfer | None:
    """ "Who gave me a watch?", "From whom did I get it?", "I gave my drill to whom?"."""
    who = next((at for at, word in enumerate(line) if word.low in _WHO), None)
    if who is None or len(line) < 3:
        return None
    before = line[who - 1].low if who else ""
    if who > 1:
        return _read_echo(line[: who - 1], before) if who == len(line) - 1 else None
    final = line[-1].low if line[-1].low in ("from", "to", "by") else ""
    body = line[who + 1 : len(line) - bool(final)]
    return _read_body(body, before or final)


def _read_echo(line: Sequence[Word], preposition: str) -> AskedTransfer | None:
    verb_at = _verb_at(line, 0)
    if verb_at is None or not verb_at:
        return None
    subject, thing = tuple(line[:verb_at]), tuple(line[verb_at + 1 :])
    return _asked_with_subject(line[verb_at], subject, thing, preposition)


def _read_body(body: Sequence[Word], preposition: str) -> AskedTransfer | None:
    """The words after "who"."""
    verb_at = _verb_at(body, 0)
    if verb_at is None:
        return None
    verb, rest = body[verb_at], body[verb_at + 1 :]
    middle = body[:verb_at]
    if any(word.low in BE for word in middle):
        return _read_passive(verb, middle, rest, preposition)
    subject = tuple(word for word in middle if word.low not in _AUXILIARIES and word.low != "still")
    if subject and middle[0].low in _AUXILIARIES:
        return _asked_with_subject(verb, subject, tuple(rest), preposition)
    if subject or preposition:
        return None
    transfer = _after_verb(verb, rest, _NONE)
    return AskedTransfer(transfer, verb.stem not in _RECEIVING, _verb_of(verb))


def _asked_with_subject(
    verb: Word, subject: Phrase, thing: Phrase, preposition: str
) -> AskedTransfer | None:
    if verb.stem in _RECEIVING:
        if preposition != "from":
            return None
        return AskedTransfer(Transfer(_NONE, subject, _first_phrase(thing)), True, "")
    if preposition not in ("", "to"):
        return None
    thing = _first_phrase(thing) if verb.stem in _GIVING else _NONE
    return AskedTransfer(Transfer(subject, _NONE, thing), False, _verb_of(verb))


def _read_passive(
    verb: Word, middle: Sequence[Word], rest: Sequence[Word], preposition: str
) -> AskedTransfer | None:
    """ "Who was I given a watch by?", "Who was the drill given to?"."""
    subject = tuple(word for word in middle if word.low not in BE)
    is_person = any(word.low in _ME or word.named or word.low in _PEOPLE for word in subject)
    if verb.stem in _RECEIVING or not subject:
        return None
    target, thing = (subject, _first_phrase(rest)) if is_person else (_NONE, subject)
    if preposition == "by":
        return AskedTransfer(Transfer(_NONE, target, thing), True, _verb_of(verb))
    if preposition == "to" and not is_person:
        return AskedTransfer(Transfer(_NONE, _NONE, thing), False, _verb_of(verb))
    return None


def _verb_of(verb: Word) -> str:
    return "" if verb.stem in _GIVING | _RECEIVING else verb.stem


def _verb_at(line: Sequence[Word], start: int, verb: str | None = None) -> int | None:
    """The first verb of giving or receiving, or of something that one does to another; with `verb`,
    only this one, or any of giving and receiving if it is empty."""
    stems = _GIVING | _RECEIVING
    if verb is None:
        stems = stems | _DIRECTED
    elif verb:
        stems = frozenset((verb,))
    for at in range(start, len(line)):
        is_noun = at > 0 and line[at - 1].low in _DETERMINERS - {"that"}
        if line[at].stem in stems and not is_noun and not line[at].named:
            return at
    return None


# --- statements


def _read_sentence(text: Sequence[Word], verb: str) -> Iterator[Transfer]:
    subject, at = _NONE, _verb_at(text, 0, verb)
    while at is not None:
        following = _verb_at(text, at + 1, verb)
        end = _clause_end(text, at + 1, following)
        is_passive = any(word.low in BE for word in text[max(0, at - 2) : at])
        own = _subject_before(text, at)
        subject = own or (subject if at and text[at - 1].low in CLAUSES else _NONE)
        rest = text[at + 1 : end]
        if is_passive:
            yield _passive(text[at], subject, rest)
        else:
            yield from _statements(text[at], rest, subject)
        at = following
    if not verb:
        yield from _presents(text)


def _clause_end(text: Sequence[Word], start: int, following: int | None) -> int:
    """Where the object of a verb ends: before the subject of the next one."""
    if following is None:
        return len(text)
    starts = (at for at in range(following - 1, start, -1) if text[at - 1].breaks)
    joint = (at for at in range(following - 1, start, -1) if text[at].low in CLAUSES)
    return max(next(starts, start), next(joint, start)) if following > start else start


def _statements(verb: Word, rest: Sequence[Word], subject: Phrase) -> Iterator[Transfer]:
    first = _after_verb(verb, rest, subject)
    if verb.stem not in _RECEIVING:
        yield first
        return
    # "I got a scarf from my uncle and a watch from my parents."
    sources = [at for at, word in enumerate(rest) if word.low == "from"]
    if not sources:
        yield first
        return
    begin = 0
    for at in sources:
        thing = _last_phrase(rest[begin:at])
        source = _first_phrase(rest[at + 1 :])
        yield Transfer(source, subject, thing)
        begin = at + 1 + len(source)


def _after_verb(verb: Word, rest: Sequence[Word], subject: Phrase) -> Transfer:
    """The roles of an active clause, by the words after the verb."""
    first = _first_phrase(rest)
    following = rest[len(first) :]
    is_for_another = _is_person(first) and following and following[0].low in _DETERMINERS
    if verb.stem in _RECEIVING and not is_for_another:
        return Transfer(_after_preposition(rest, "from"), subject, first)
    if verb.stem in _RECEIVING:
        return Transfer(subject, first, _first_phrase(following))
    if verb.stem not in _GIVING:
        return Transfer(subject, first if _is_person(first) else _NONE)
    if first and _is_person(first):
        split = _bare_thing(first)
        if split:
            return Transfer(subject, first[: len(first) - len(split)], split)
        return Transfer(subject, first, _first_phrase(following))
    if first and following and following[0].low in _DETERMINERS and not first[-1].breaks:
        return Transfer(subject, first, _first_phrase(following))
    return Transfer(subject, _after_preposition(rest, "to"), first)


def _bare_thing(phrase: Phrase) -> Phrase:
    """ "Cameras" in "gave Leo cameras"."""
    named = [at for at, word in enumerate(phrase) if word.named]
    return phrase[named[-1] + 1 :] if named else _NONE


def _passive(verb: Word, subject: Phrase, rest: Sequence[Word]) -> Transfer:
    giver = _after_preposition(rest, "by") or _after_preposition(rest, "from")
    if verb.stem in _RECEIVING:
        return Transfer(_after_preposition(rest, "from"), giver, subject)
    if _is_person(subject):
        return Transfer(giver, subject, _first_phrase(rest))
    return Transfer(giver, _after_preposition(rest, "to"), subject)


def _presents(text: Sequence[Word]) -> Iterator[Transfer]:
    """ "A present from Mia", "a gift for Karim"."""
    for at, word in enumerate(text):
        if word.stem in _GIVEN and at and text[at - 1].low not in _PRONOUNS:
            source = _after_preposition(text[at + 1 : at + 4], "from", text[at + 1 :])
            target = _after_preposition(text[at + 1 : at + 4], "for", text[at + 1 :])
            if source or (target and _is_person(target)):
                yield Transfer(source, target)


def _after_preposition(
    rest: Sequence[Word], preposition: str, full: Sequence[Word] | None = None
) -> Phrase:
    at = next((at for at, word in enumerate(rest) if word.low == preposition), None)
    return _NONE if at is None else _first_phrase((full or rest)[at + 1 :])


def _is_person(phrase: Phrase) -> bool:
    return any(
        word.named or word.low in _PEOPLE or (word.low in _PRONOUNS and word.low != "it")
        for word in phrase
    )


def _first_phrase(line: Sequence[Word]) -> Phrase:
    """The first noun phrase: "my aunt Rosa" of "my aunt Rosa in May"."""
    phrase: list[Word] = []
    for word in line[:_PHRASE_WORDS]:
        is_end = word.low in PREPOSITIONS or word.low in CLAUSES
        is_new = bool(phrase) and word.low in _DETERMINERS | _PRONOUNS
        if (is_end and word.low != "of") or is_new:
            break
        phrase.append(word)
        is_pronoun = word.low in _PRONOUNS or (
            word.low == "her" and len(line) > len(phrase) and line[len(phrase)].low in _DETERMINERS
        )
        if word.breaks or is_pronoun:
            break
    return tuple(phrase)


def _last_phrase(line: Sequence[Word]) -> Phrase:
    """The last noun phrase: "a watch" of "my uncle and a watch"."""
    starts = [at for at, word in enumerate(line) if word.low in _DETERMINERS]
    joints = [at + 1 for at, word in enumerate(line) if word.low in CLAUSES or word.breaks]
    begin = max([0, *starts[-1:], *(at for at in joints if at < len(line))])
    return _first_phrase(line[begin:])


def _subject_before(text: Sequence[Word], verb_at: int) -> Phrase:
    """The noun phrase directly before a verb."""
    phrase: list[Word] = []
    for at in range(verb_at - 1, max(-1, verb_at - 1 - _PHRASE_WORDS), -1):
        word = text[at]
        if word.breaks or word.low in CLAUSES or word.low in PREPOSITIONS:
            break
        if word.low in _AUXILIARIES | BE or (word.low in STOP_WORDS and not _opens(word)):
            continue
        phrase.insert(0, word)
        if _opens(word):
            break
    return tuple(phrase)


def _opens(word: Word) -> bool:
    return word.low in _DETERMINERS or word.low in _PRONOUNS
