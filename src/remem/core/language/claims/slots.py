"""The slot of a statement: subject, attribute, value and conditions."""

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
    is_participle,
    is_past,
    last_verb_index,
    starts_clause,
)
from remem.core.language.quantities import kind_of
from remem.core.language.words import Word, stem

# Verbs that in the past tense describe what is true since then.
_CHANGE_VERBS = frozenset(
    stem(verb)
    for verb in "move relocate settle join marry die switch migrate replace shift originate".split()
)
_MOVE, _REPLACE = stem("move"), stem("replace")
_PLACE_RELATIONS = frozenset(stem(name) for name in ("residence", "location", "schedule", "be"))
_TIME_KINDS = frozenset("weekday month date time".split())
_PARTICLES = frozenset("up off out down away back".split())
_ARRIVAL_RELATIONS = frozenset(stem(name) for name in ("residence", "spouse"))
_INDEFINITE = frozenset("a an".split())
SCHEDULE = stem("schedule")
IN_PROGRESS = "toward"
_PHONE_NUMBER, _PHONE_DIGITS = f"{stem('phone')} {stem('number')}", 6


@dataclass(frozen=True, slots=True)
class ClaimSlot:
    subject: tuple[str, ...]
    relation: str
    value: tuple[Word, ...]
    extras: tuple[Word, ...]
    """What follows the value: scope, company, time."""
    arity: Arity
    past: bool = False
    typed: bool = False
    """Whether the statement names the kind of its value: "the city of …"."""
    former: tuple[Word, ...] = ()
    """The former value: A in "from A to B", "replaced A with B", "instead of A"."""


def read_slot(words: Sequence[Word]) -> ClaimSlot | None:
    """The slot of a statement whose negations are already removed; None when it has none."""
    verb_index = find_verb(words)
    if verb_index is None:
        return None
    subject = [word for word in words[:verb_index] if word.low not in ADVERBS]
    slot = (
        _after_be(subject, words, verb_index)
        if words[verb_index].low in BE
        else _after_verb(subject, words, verb_index)
    )
    if slot is not None and is_one_of_several(subject) and slot.arity != "many":
        # Another one may be meant, unless the statement says that this one changed.
        return replace(slot, arity="now" if slot.arity == "one" else slot.arity)
    return slot


def _after_verb(subject: Sequence[Word], words: Sequence[Word], at: int) -> ClaimSlot | None:
    last_verb = last_verb_index(words, at)
    rest = _skip_leading(words[last_verb + 1 :], ADVERBS)
    slot = _build_slot(subject, words[last_verb].stem, rest, past=is_past(words[last_verb]))
    if slot is not None and last_verb > at and words[at].low == "had":
        # Someone who "had moved" may have moved again since.
        return replace(slot, past=True)
    return slot


def _after_be(subject: Sequence[Word], words: Sequence[Word], at: int) -> ClaimSlot | None:
    past = words[at].low in ("was", "were")
    rest = list(_skip_leading(words[at + 1 :], ADVERBS | BE))
    if not rest:
        return None
    if rest[0].low in _INDEFINITE and len(rest) > 2 and rest[2].low == "of":
        return _build_slot(subject, f"be {rest[1].stem}", rest[2:], past)
    if rest[0].low.endswith("ing") and is_participle(rest[0]) and len(rest) > 1:
        slot = _build_slot(subject, rest[0].stem, rest[1:], past)
        return _mark_in_progress(slot) if rest[0].stem in _CHANGE_VERBS else slot
    if is_participle(rest[0]) and len(rest) > 1:
        return _build_slot(subject, f"be {rest[0].stem}", rest[1:], past)
    if rest[0].low in PREPOSITIONS:
        return _build_slot(subject, "be", rest, past)
    return _slot_of_identity(subject, rest, past, words[at].low in ("are", "were"))


def _mark_in_progress(slot: ClaimSlot | None) -> ClaimSlot | None:
    """Mark arrivals in progress. "Is working at" means "works at", but someone who "is moving to" a
    place has not arrived."""
    if slot is None or slot.relation not in _ARRIVAL_RELATIONS:
        return slot
    return replace(slot, relation=f"{IN_PROGRESS} {slot.relation}", arity="open")


def _build_slot(
    subject: Sequence[Word], verb: str, rest: Sequence[Word], past: bool
) -> ClaimSlot | None:
    if len(rest) > 1 and rest[0].low in _PARTICLES:
        verb, rest = f"{verb} {rest[0].low}", rest[1:]
    rest, former = _split_former(verb, rest)
    preposition = rest[0].stem if rest and rest[0].low in PREPOSITIONS else ""
    noun, value_words = _split_type(rest[1:] if preposition else rest)
    if not value_words:
        return None
    slot_subject = subject_of(subject)
    value, extras = cut_value(value_words)
    relation, arity = _relation(verb, preposition, noun, value)
    past = past and verb not in _CHANGE_VERBS and not (verb.startswith("be ") and arity == "one")
    slot = ClaimSlot(slot_subject, relation, value, extras, arity, past, bool(noun), former)
    return _as_schedule(slot)


def _relation(verb: str, preposition: str, noun: str, value: Sequence[Word]) -> tuple[str, Arity]:
    relation, arity = verb_frame(verb, preposition) or _unlisted_relation(verb, preposition)
    if verb == _MOVE and not (noun or begins_with_place(value) or kind_of(value[0]) in _TIME_KINDS):
        # People move to tools and teams as well as to towns.
        return _unlisted_relation(verb, preposition)
    if not noun:
        return relation, arity
    is_single = noun in ONE_TYPES if arity == "many" else _has_one_value(verb, preposition, arity)
    return f"{relation} {noun}", "one" if is_single else arity


def _has_one_value(verb: str, preposition: str, arity: Arity) -> bool:
    """Whether a typed value has only one value: the relation is known, or phrased as a lasting
    state such as "is associated with the sport of"."""
    return arity != "open" or (verb.startswith("be ") and preposition in ("with", "to", "in", "as"))


def _unlisted_relation(verb: str, preposition: str) -> tuple[str, Arity]:
    """An unlisted relation. Some passives name their only doer; everything else is `open`."""
    has_one_doer = preposition == "by" and verb.removeprefix("be ") in ONE_DOER
    return f"{verb} {preposition}".strip(), "one" if has_one_doer else "open"


def _split_former(verb: str, rest: Sequence[Word]) -> tuple[Sequence[Word], tuple[Word, ...]]:
    """Split "moved from Friday to Monday" or "replaced A with B" into the new value and the former
    one."""
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


def _split_type(words: Sequence[Word]) -> tuple[str, list[Word]]:
    """Split "the city of Oslo" into its kind and its value. "The idea of tea" is left as it is."""
    if len(words) < 4 or (words[0].low, words[2].low) != ("the", "of") or words[1].named:
        return "", list(words)
    if words[1].stem in TYPES:
        return words[1].stem, list(words[3:])
    return "", list(words)


def _as_schedule(slot: ClaimSlot) -> ClaimSlot:
    """Turn a slot whose value is a day or a time into a schedule."""
    kinds = _TIME_KINDS if slot.relation == "be" else _TIME_KINDS | {"number"}
    if slot.relation not in _PLACE_RELATIONS or kind_of(slot.value[0]) not in kinds:
        return slot
    value = (*slot.value, *slot.extras)
    return replace(slot, relation=SCHEDULE, value=value, extras=(), arity="one")


def _slot_of_identity(
    subject: Sequence[Word], rest: Sequence[Word], past: bool, is_plural: bool
) -> ClaimSlot | None:
    """The slot of "A is B": an attribute and its value, or a thing and its description."""
    if not subject:
        return None
    value, extras = cut_value(rest)
    attribute_and_owner = attribute_of(subject)
    if (
        attribute_and_owner is None
        and is_definite(rest)
        and (attribute_and_owner := attribute_of(rest))
    ):
        value, extras = tuple(subject), ()
    if attribute_and_owner is None:
        return _as_schedule(ClaimSlot(subject_of(subject), "be", value, extras, "each", past))
    attribute, owner = attribute_and_owner
    relation = _attribute_name(attribute, value)
    arity = "many" if is_plural else arity_of(attribute, owner)
    return ClaimSlot(subject_of(owner), relation, value, extras, arity, past)


def _attribute_name(attribute: Sequence[Word], value: Sequence[Word]) -> str:
    name = " ".join(canonical(word.stem) for word in attribute)
    digits = sum(char.isdigit() for word in value for char in word.text)
    # "My number is 7" is not a phone number.
    return _PHONE_NUMBER if name == "number" and digits >= _PHONE_DIGITS else name


def cut_value(words: Sequence[Word]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Split the value from what follows it. Prepositions inside a name belong to the name."""
    for at in range(1, len(words)):
        if _starts_extra(words, at):
            return tuple(words[:at]), tuple(words[at:])
    return tuple(words), ()


def _starts_extra(words: Sequence[Word], at: int) -> bool:
    word, previous, following = words[at], words[at - 1], words[at + 1 : at + 3]
    if previous.breaks:
        return not (word.named and previous.named)
    if word.low in CLAUSES:
        return word.low not in ("and", "or") or starts_clause(following)
    if word.low not in PREPOSITIONS or word.low in ("of", "than", "like"):
        return False
    # "Blood on the Tracks" is one name, "Acme in Berlin" is two.
    is_title = len(following) == 2 and following[0].low == "the" and following[1].named
    return word.low not in ("on", "in", "at", "with") or not (previous.named and is_title)


def _skip_leading(words: Sequence[Word], skipped: frozenset[str]) -> Sequence[Word]:
    at = 0
    while at < len(words) and words[at].low in skipped:
        at += 1
    return words[at:]
