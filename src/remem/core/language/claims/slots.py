"""The slot a statement fills: whose, which attribute, with what value, and under which terms."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from remem.core.language.claims.attribute_nouns import (
    arity_of,
    attribute_of,
    is_definite,
    is_one_of_several,
)
from remem.core.language.claims.attributes import (
    ONE_DOER,
    ONE_TYPES,
    PREPOSITIONS,
    TYPES,
    Arity,
    canonical,
    verb_frame,
)
from remem.core.language.claims.places import begins_with_place
from remem.core.language.claims.subjects import subject_of
from remem.core.language.claims.verbs import (
    ADVERBS,
    BE,
    CLAUSES,
    find_verb,
    goes_on_with_verb,
    is_participle,
    is_past,
    last_of_chain,
)
from remem.core.language.quantities import kind_of
from remem.core.language.words import Word, stem

# Said in the past tense, and true ever since.
_CHANGES = frozenset(
    stem(verb)
    for verb in "move relocate settle join marry die switch migrate replace shift originate".split()
)
_MOVE, _REPLACE = stem("move"), stem("replace")
_PLACES = frozenset(stem(name) for name in ("residence", "location", "schedule", "be"))
_WHEN = frozenset("weekday month date time".split())
_PARTICLES = frozenset("up off out down away back".split())
_ARRIVALS = frozenset(stem(name) for name in ("residence", "spouse"))
_INDEFINITE = frozenset("a an".split())
SCHEDULE = stem("schedule")
UNDER_WAY = "toward"
_PHONE_NUMBER, _PHONE_DIGITS = f"{stem('phone')} {stem('number')}", 6


@dataclass(frozen=True, slots=True)
class ClaimSlot:
    subject: tuple[str, ...]
    relation: str
    value: tuple[Word, ...]
    extras: tuple[Word, ...]
    """What stands behind the value: scope, company, time."""
    arity: Arity
    past: bool = False
    typed: bool = False
    """The statement names the kind of its value itself: "the city of …"."""
    gone: tuple[Word, ...] = ()
    """The value it says it left: "from A to B", "A with B", "instead of A"."""


def read_slot(words: Sequence[Word]) -> ClaimSlot | None:
    """The slot of a statement whose denials are taken out already; None when it shows none."""
    at = find_verb(words)
    if at is None:
        return None
    subject = [word for word in words[:at] if word.low not in ADVERBS]
    slot = _after_be(subject, words, at) if words[at].low in BE else _after_verb(subject, words, at)
    if slot is not None and is_one_of_several(subject) and slot.arity != "many":
        # Another of them may be meant, unless this one is said to have changed.
        return replace(slot, arity="now" if slot.arity == "one" else slot.arity)
    return slot


def _after_verb(subject: Sequence[Word], words: Sequence[Word], at: int) -> ClaimSlot | None:
    verb = last_of_chain(words, at)
    rest = _skip(words[verb + 1 :], ADVERBS)
    slot = _fill(subject, words[verb].stem, rest, past=is_past(words[verb]))
    if slot is not None and verb > at and words[at].low == "had":
        # Who "had moved" may have moved again since.
        return replace(slot, past=True)
    return slot


def _after_be(subject: Sequence[Word], words: Sequence[Word], at: int) -> ClaimSlot | None:
    past = words[at].low in ("was", "were")
    rest = list(_skip(words[at + 1 :], ADVERBS | BE))
    if not rest:
        return None
    if rest[0].low in _INDEFINITE and len(rest) > 2 and rest[2].low == "of":
        return _fill(subject, f"be {rest[1].stem}", rest[2:], past)
    if rest[0].low.endswith("ing") and is_participle(rest[0]) and len(rest) > 1:
        slot = _fill(subject, rest[0].stem, rest[1:], past)
        return _in_progress(slot) if rest[0].stem in _CHANGES else slot
    if is_participle(rest[0]) and len(rest) > 1:
        return _fill(subject, f"be {rest[0].stem}", rest[1:], past)
    if rest[0].low in PREPOSITIONS:
        return _fill(subject, "be", rest, past)
    return _identify(subject, rest, past, words[at].low in ("are", "were"))


def _in_progress(slot: ClaimSlot | None) -> ClaimSlot | None:
    """ "Is working at" is "works at"; but who "is moving to" has not arrived."""
    if slot is None or slot.relation not in _ARRIVALS:
        return slot
    return replace(slot, relation=f"{UNDER_WAY} {slot.relation}", arity="open")


def _fill(subject: Sequence[Word], verb: str, rest: Sequence[Word], past: bool) -> ClaimSlot | None:
    if len(rest) > 1 and rest[0].low in _PARTICLES:
        verb, rest = f"{verb} {rest[0].low}", rest[1:]
    rest, gone = _settled(verb, rest)
    preposition = rest[0].stem if rest and rest[0].low in PREPOSITIONS else ""
    noun, after = _typed(rest[1:] if preposition else rest)
    if not after:
        return None
    whose = subject_of(subject)
    value, extras = cut_value(after)
    relation, arity = _relation(verb, preposition, noun, value)
    past = past and verb not in _CHANGES and not (verb.startswith("be ") and arity == "one")
    slot = ClaimSlot(whose, relation, value, extras, arity, past, bool(noun), gone)
    return _scheduled(slot)


def _relation(verb: str, preposition: str, noun: str, value: Sequence[Word]) -> tuple[str, Arity]:
    relation, arity = verb_frame(verb, preposition) or _unknown(verb, preposition)
    if verb == _MOVE and not (noun or begins_with_place(value) or kind_of(value[0]) in _WHEN):
        # One moves to tools and teams as well as to towns.
        return _unknown(verb, preposition)
    if not noun:
        return relation, arity
    single = noun in ONE_TYPES if arity == "many" else _binds(verb, preposition, arity)
    return f"{relation} {noun}", "one" if single else arity


def _binds(verb: str, preposition: str, arity: Arity) -> bool:
    """Unknown, but said as a lasting state: "is associated with the sport of"."""
    return arity != "open" or (verb.startswith("be ") and preposition in ("with", "to", "in", "as"))


def _unknown(verb: str, preposition: str) -> tuple[str, Arity]:
    """A relation that no list has: some passives name their one doer, the rest stays open."""
    done = preposition == "by" and verb.removeprefix("be ") in ONE_DOER
    return f"{verb} {preposition}".strip(), "one" if done else "open"


def _settled(verb: str, rest: Sequence[Word]) -> tuple[Sequence[Word], tuple[Word, ...]]:
    """Of "moved from Friday to Monday" and "replaced A with B": where it ended, what it left."""
    lows = [word.low for word in rest]
    if lows[:1] == ["from"] and "to" in lows:
        return rest[lows.index("to") :], tuple(rest[1 : lows.index("to")])
    if verb == _REPLACE and "with" in lows:
        return rest[lows.index("with") + 1 :], tuple(rest[: lows.index("with")])
    for at in range(1, len(lows) - 1):
        if lows[at : at + 2] in (["instead", "of"], ["rather", "than"]):
            return rest[:at], tuple(rest[at + 2 :])
        if verb == "prefer" and lows[at] in ("over", "to"):
            return rest[:at], cut_value(rest[at + 1 :])[0]
    return rest, ()


def _typed(words: Sequence[Word]) -> tuple[str, list[Word]]:
    """ "The city of Oslo" is Oslo, and of the kind city; "the idea of tea" is no tea."""
    if len(words) < 4 or (words[0].low, words[2].low) != ("the", "of") or words[1].named:
        return "", list(words)
    if words[1].stem in TYPES:
        return words[1].stem, list(words[3:])
    return "", list(words)


def _scheduled(slot: ClaimSlot) -> ClaimSlot:
    """Whatever is at a time, on a day or moved to one, is scheduled."""
    kinds = _WHEN if slot.relation == "be" else _WHEN | {"number"}
    if slot.relation not in _PLACES or kind_of(slot.value[0]) not in kinds:
        return slot
    value = (*slot.value, *slot.extras)
    return replace(slot, relation=SCHEDULE, value=value, extras=(), arity="one")


def _identify(
    subject: Sequence[Word], rest: Sequence[Word], past: bool, plural: bool
) -> ClaimSlot | None:
    """Someone or something is: an attribute and its value, or a thing and what is said of it."""
    if not subject:
        return None
    value, extras = cut_value(rest)
    found = attribute_of(subject)
    if found is None and is_definite(rest) and (found := attribute_of(rest)):
        value, extras = tuple(subject), ()
    if found is None:
        return _scheduled(ClaimSlot(subject_of(subject), "be", value, extras, "each", past))
    attribute, owner = found
    relation = _attribute_name(attribute, value)
    arity = "many" if plural else arity_of(attribute, owner)
    return ClaimSlot(subject_of(owner), relation, value, extras, arity, past)


def _attribute_name(attribute: Sequence[Word], value: Sequence[Word]) -> str:
    name = " ".join(canonical(word.stem) for word in attribute)
    digits = sum(char.isdigit() for word in value for char in word.text)
    # "My number is 7" is on a shirt.
    return _PHONE_NUMBER if name == "number" and digits >= _PHONE_DIGITS else name


def cut_value(words: Sequence[Word]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The value, and what follows it; prepositions inside a name belong to the name."""
    for at in range(1, len(words)):
        if _starts_extra(words, at):
            return tuple(words[:at]), tuple(words[at:])
    return tuple(words), ()


def _starts_extra(words: Sequence[Word], at: int) -> bool:
    word, before, following = words[at], words[at - 1], words[at + 1 : at + 3]
    if before.breaks:
        return not (word.named and before.named)
    if word.low in CLAUSES:
        return word.low not in ("and", "or") or goes_on_with_verb(following)
    if word.low not in PREPOSITIONS or word.low in ("of", "than", "like"):
        return False
    # "Blood on the Tracks" is one name, "Acme in Berlin" are two.
    titled = len(following) == 2 and following[0].low == "the" and following[1].named
    return word.low not in ("on", "in", "at", "with") or not (before.named and titled)


def _skip(words: Sequence[Word], dropped: frozenset[str]) -> Sequence[Word]:
    at = 0
    while at < len(words) and words[at].low in dropped:
        at += 1
    return words[at:]
