"""Find chains of three statements, each about what the one before ends with; for `insights.py`.

"Maya works at Nordlys", "Nordlys is in Tromsø" and "Tromsø is in Norway" say together where Maya
works."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

from remem.core.language.claims.news import announces_change, is_unsure
from remem.core.language.claims.parse import Claim, parse
from remem.core.language.claims.slots import ClaimSlot
from remem.core.language.claims.subjects import subject_of
from remem.core.language.claims.values import stems
from remem.core.language.claims.verbs import find_verb
from remem.core.language.names.lexicon import FIRST_NAMES
from remem.core.language.words import Word, stem

CHARS_LIMIT = 200
CHAINS_LIMIT = 100
Chain = tuple[int, int, int]
Name = tuple[str, ...]


def find_chains(texts: Sequence[str]) -> list[Chain]:
    """The chains among the texts, as positions; each set of three once. A text is in none if
    another one gives its attribute another value."""
    claims = [_claim(text) for text in texts]
    slots = _consistent(claims)
    by_subject: dict[Name, list[int]] = defaultdict(list)
    for at, slot in slots.items():
        by_subject[_subject(slot)].append(at)
    chains: dict[frozenset[int], Chain] = {}
    for chain in _chains(slots, by_subject):
        chains.setdefault(frozenset(chain), chain)
        if len(chains) == CHAINS_LIMIT:
            break
    return list(chains.values())


def _claim(text: str) -> Claim | None:
    """The claim of a text that says one thing."""
    claims = parse(text) if len(text) <= CHARS_LIMIT else ()
    return claims[0] if len(claims) == 1 else None


def _is_plain(claim: Claim, slot: ClaimSlot) -> bool:
    mood = claim.mood
    is_certain = not (slot.past or mood.supposed or is_unsure(claim.words))
    return is_certain and not _is_change(claim)


def _is_change(claim: Claim) -> bool:
    """Whether it says that something ended, changed or is not so: "The trip was cancelled"."""
    return claim.mood.denied or claim.mood.ended or announces_change(claim.words, ())


def _consistent(claims: Sequence[Claim | None]) -> dict[int, ClaimSlot]:
    """The slots by position, without those of which another text gives another value, and without
    those of a subject of which something ended or changed."""
    values: dict[tuple[Name, str], set[Name]] = defaultdict(set)
    changed: set[Name] = set()
    slots = [(claim, claim.slot if claim else None) for claim in claims]
    for claim, slot in slots:
        if slot:
            values[_subject(slot), slot.relation].add(tuple(stems(slot.value)))
        if claim and _is_change(claim):
            subject = claim.words[: find_verb(claim.words) or 0]
            changed.add(tuple(map(stem, subject_of(subject))))
    return {
        at: slot
        for at, (claim, slot) in enumerate(slots)
        if claim
        and slot
        and _is_plain(claim, slot)
        and _subject(slot) not in changed
        and (slot.arity == "many" or len(values[_subject(slot), slot.relation]) == 1)
    }


def _chains(slots: dict[int, ClaimSlot], by_subject: dict[Name, list[int]]) -> Iterator[Chain]:
    for first, slot in slots.items():
        for second in _next(slot, by_subject):
            seen = {_subject(slot), _subject(slots[second])}
            for third in _next(slots[second], by_subject):
                # Three different subjects, and an end that none of them is: no circle.
                ends = {_subject(slots[third]), *_names(slots[third])}
                if not seen & ends and _subject(slot) not in _names(slots[second]):
                    yield first, second, third


def _next(slot: ClaimSlot, by_subject: dict[Name, list[int]]) -> list[int]:
    """The statements about a name in the value. A first name alone may be of another person."""
    return [
        at for name in _names(slot) for at in by_subject.get(name, []) if name != _subject(slot)
    ]


def _subject(slot: ClaimSlot) -> Name:
    return tuple(stem(part) for part in slot.subject)


def _names(slot: ClaimSlot) -> list[Name]:
    """The complete names in the value: of "at Nordlys Bank", not "Nordlys"."""
    runs: list[list[Word]] = []
    for named, group in groupby((*slot.value, *slot.extras), key=lambda word: word.named):
        if named:
            runs.append(list(group))
    return [tuple(stems(run)) for run in runs if len(run) > 1 or run[0].text not in FIRST_NAMES]
