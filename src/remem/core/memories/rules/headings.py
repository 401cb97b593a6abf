"""Whether two statements are about different things because their headings differ; for `relate.py`.

"The dose is 500 mg" under "Amoxicillin" does not update "The dose is 20 mg" under "Prednisone"."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.judgements import KnownMemory
from remem.core.language.claims.outline import SPEAKERS
from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.claims.parse import parse
from remem.core.language.claims.subjects import UNSTATED
from remem.core.language.claims.verbs import BE, find_verb
from remem.core.language.everyday import everyday_share
from remem.core.language.headings import have_different_topics, topic_terms
from remem.core.language.names.lexicon import FIRST_NAMES
from remem.core.language.words import Word, statements, stem, words

_GENERIC = frozenset(
    "the a an this that these those it he she they his her its their him them there here".split()
)
_OF_THINGS = frozenset(map(stem, "cost start begin open close end last take".split()))


def is_under_different_heading(
    content: str, heading: str, known_content: str, known_heading: str
) -> bool:
    """Whether the headings name different things, and neither statement names its own subject."""
    if not heading or not known_heading or not have_different_topics(heading, known_heading):
        return False
    return not (
        names_its_subject(content, heading) or names_its_subject(known_content, known_heading)
    )


def ids_under_different_heading(
    content: str, heading: str, known: Sequence[KnownMemory]
) -> list[UUID]:
    """The known memories that the statement cannot repeat or replace."""
    return [
        memory.id
        for memory in known
        if is_under_different_heading(content, heading, memory.content, memory.heading)
    ]


def names_its_subject(content: str, heading: str) -> bool:
    """Whether a statement is clear about its subject without its heading."""
    first = next(iter(statements(content)), "")
    first_words = words(first)
    verb_at = find_verb(first_words)
    subject = _subject(first_words, verb_at)
    terms = frozenset(terms_of(subject))
    thing = topic_terms(heading)
    if terms & SPEAKERS or (thing and thing <= terms):
        return True
    slot = next((claim.slot for claim in parse(first) if claim.slot), None)
    if slot is not None and slot.subject == UNSTATED:
        return False
    return _is_named(subject, first_words[verb_at] if verb_at is not None else None)


def _subject(words: Sequence[Word], verb_at: int | None) -> Sequence[Word]:
    """The words before the verb, or before the first colon or comma where there is no verb."""
    if verb_at is not None:
        return words[:verb_at]
    end = next((at + 1 for at, word in enumerate(words) if word.breaks), 0)
    return words[:end]


def _is_named(subject: Sequence[Word], verb: Word | None) -> bool:
    if not subject or subject[0].low in _GENERIC:
        return any(word.named for word in subject)
    first = subject[0]
    if any(word.named or word.low == "'s" for word in subject) or first.text in FIRST_NAMES:
        return True
    # A capital on the first word proves nothing, as in "Breakfast is at 7"; but "Balu weighs
    # 12 kg" has a rare word that acts.
    acts = verb is not None and verb.low not in BE and verb.stem not in _OF_THINGS
    return acts and first.text[:1].isupper() and everyday_share(first.stem) == 0
