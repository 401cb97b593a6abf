"""Whether two statements are of two things because they stand under two headings; pure."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.judgements import Known
from remem.core.language.claims.outline import SPEAKERS
from remem.core.language.claims.parse import content as terms_of
from remem.core.language.claims.parse import parse
from remem.core.language.claims.subjects import UNTOLD
from remem.core.language.claims.verbs import BE, find_verb
from remem.core.language.everyday import everyday_share
from remem.core.language.headings import name_different_things, thing_of
from remem.core.language.names.lexicon import FIRST_NAMES
from remem.core.language.words import Word, statements, stem, words

_GENERIC = frozenset(
    "the a an this that these those it he she they his her its their him them there here".split()
)
_OF_THINGS = frozenset(map(stem, "cost start begin open close end last take".split()))


def is_of_another_heading(
    content: str, heading: str, known_content: str, known_heading: str
) -> bool:
    """ "The dose is 500 mg" below "Amoxicillin" says nothing of the dose below "Prednisone"."""
    if not heading or not known_heading or not name_different_things(heading, known_heading):
        return False
    return not (
        names_its_subject(content, heading) or names_its_subject(known_content, known_heading)
    )


def under_another_heading(content: str, heading: str, known: Sequence[Known]) -> list[UUID]:
    """Those that the statement neither repeats nor replaces."""
    return [
        one.id for one in known if is_of_another_heading(content, heading, one.content, one.heading)
    ]


def names_its_subject(content: str, heading: str) -> bool:
    """Whether a statement says of whom or what it is without its heading."""
    first = next(iter(statements(content)), "")
    found = words(first)
    at = find_verb(found)
    subject = _subject(found, at)
    terms = frozenset(terms_of(subject))
    thing = thing_of(heading)
    if terms & SPEAKERS or (thing and thing <= terms):
        return True
    slot = next((one.slot for one in parse(first) if one.slot), None)
    if slot is not None and slot.subject == UNTOLD:
        return False
    return _is_named(subject, found[at] if at is not None else None)


def _subject(found: Sequence[Word], at: int | None) -> Sequence[Word]:
    """What stands before the verb, or before the colon where there is none."""
    if at is not None:
        return found[:at]
    end = next((n + 1 for n, word in enumerate(found) if word.breaks), 0)
    return found[:end]


def _is_named(subject: Sequence[Word], verb: Word | None) -> bool:
    if not subject or subject[0].low in _GENERIC:
        return any(word.named for word in subject)
    first = subject[0]
    if any(word.named or word.low == "'s" for word in subject) or first.text in FIRST_NAMES:
        return True
    # The capital of the first word tells nothing: "Breakfast is at 7", but "Balu weighs 12 kg".
    acts = verb is not None and verb.low not in BE and verb.stem not in _OF_THINGS
    return acts and first.text[:1].isupper() and everyday_share(first.stem) == 0
