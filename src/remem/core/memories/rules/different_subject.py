"""Whether two statements are about different people, things or matters; for `change.py`.

"Ana works in law" is not updated by "Ben works in politics"."""

from collections.abc import Sequence
from itertools import pairwise

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.news import has_phrase
from remem.core.language.claims.outline import SPEAKERS, Outline
from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.claims.verbs import BE
from remem.core.language.lists import word_set
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import Word, stem, stem_set

_INDEFINITE = word_set("changes", "indefinite")
_RESIDENCE_VERBS = stem_set("changes", "resides")
# Verbs that apply to several people at the same time.
_SHARED_VERBS = stem_set("changes", "many") | _RESIDENCE_VERBS
_DETERMINERS = frozenset("the my our your his her their".split())
DETERMINED_WORDS = 3
_NO_LONGER = (("no", "longer"), ("any", "longer"), ("any", "more"), ("anymore",))
_REASON_WORDS = frozenset("since because after from as due".split())
_MINOR_TERMS = SPEAKERS | frozenset(
    map(stem, (*PREPOSITIONS, *STOP_WORDS, *"longer anymore any more not never perhaps".split()))
)
_ARTICLES = _DETERMINERS | frozenset("a an this that".split())
# Not "of": "The purpose of the van …" is about the van.
_MENTIONING = frozenset("with on in using via through by from at".split())
_MIN_ID_CHARS = 16
_BE, _DIE = stem("be"), stem("die")


def has_different_subject(new: Outline, old: Outline, announced: bool) -> bool:
    """Whether they certainly are, so that the reader is not asked.

    `announced`: the new statement says in words that something changed."""
    return (
        _share_only_ids(new, old)
        or _is_indefinite(old)
        or _is_owned_by_another(new, old)
        or _is_about_dead_person(new, old)
        or _is_about_part(new, old)
        or _denies_only_part(new, old)
        or (not announced and _is_fact_of_another(new, old))
        or _have_different_numbers(new, old)
        or _only_mentions(new, old)
        or _only_mentions(old, new)
        or (_is_about_somebody_else(new, old) and not (announced and _have_same_role(new, old)))
    )


def _is_about_somebody_else(new: Outline, old: Outline) -> bool:
    """Whether the names differ, or the same verb has another subject: "Ana works in law", "Ben
    works in politics"."""
    same_verb = new.verb == old.verb
    return _have_different_names(new, old) or (same_verb and _share_no_subject(new, old))


def _have_same_role(new: Outline, old: Outline) -> bool:
    """Whether both fill the same role, which only one person has at a time.

    "Ben leads the project now" updates "Ana leads the project"."""
    return old.verb not in _SHARED_VERBS and bool(_determined_terms(new) & _determined_terms(old))


def _determined_terms(outline: Outline) -> frozenset[str]:
    """The terms after "the" or "our"."""
    terms: set[str] = set()
    for at, word in enumerate(outline.words):
        if word.low in _DETERMINERS:
            terms.update(terms_of(outline.words[at + 1 : at + 1 + DETERMINED_WORDS]))
    return frozenset(terms)


def _have_different_names(new: Outline, old: Outline) -> bool:
    """The office in York is not the one in Leeds."""
    return bool(_names(new) - old.terms and _names(old) - new.terms)


def _have_different_numbers(new: Outline, old: Outline) -> bool:
    """Locker 19 is not locker 18."""
    unshared = (new.subject - old.terms, old.subject - new.terms)
    return all(any(map(str.isdigit, "".join(terms))) for terms in unshared)


def _only_mentions(outline: Outline, definition: Outline) -> bool:
    """Whether it is about something that is done with what the other one says the kind of:
    "Invoices with Lexware go to the tax adviser", "Lexware is a program for invoices"."""
    subject = definition.subject - SPEAKERS
    if not subject or not _says_kind(definition):
        return False
    at = next((at for at, word in enumerate(outline.words) if word.stem in subject), 0)
    before = [word for word in outline.words[:at] if word.low not in _ARTICLES]
    if len(before) < 2 or any(word.breaks for word in before):
        return False
    return before[-1].low in _MENTIONING and before[0].low not in PREPOSITIONS


def _says_kind(outline: Outline) -> bool:
    """ "Lexware is a program …"."""
    return any(
        verb.low in BE and article.low in ("a", "an") for verb, article in pairwise(outline.words)
    )


def _share_only_ids(new: Outline, old: Outline) -> bool:
    """A shared id is not enough: a backup and an error message may contain the same one."""
    shared = (old.terms & new.terms) - SPEAKERS
    return bool(shared) and all(
        len(term) >= _MIN_ID_CHARS and not term.isalpha() for term in shared
    )


def _is_owned_by_another(new: Outline, old: Outline) -> bool:
    """Whether another person owns it: "My manager is Colin", "Colin's manager is Petra"."""
    if new.head != old.head or not old.subject & SPEAKERS or new.subject & SPEAKERS:
        return False
    lows = [word.low for word in new.words]
    return any(
        owner.text[0].isupper() and owner.stem in new.subject and mark == "'s"
        for owner, mark in zip(new.words, lows[1:], strict=False)
    )


def _share_no_subject(new: Outline, old: Outline) -> bool:
    if not new.subject or not old.subject:
        return False
    return not new.subject & old.terms and not old.subject & new.terms


def _is_about_speaker(new: Outline, old: Outline) -> bool:
    return bool((new.subject | old.subject) & SPEAKERS)


def _is_fact_of_another(new: Outline, old: Outline) -> bool:
    """Whether they are plain facts about different things: "The capital of Germany is Berlin",
    "Germany is in Europe".

    What follows a comma or "and" mostly explains why something changed."""
    has_clauses = any(word.breaks or word.low == "and" for word in new.words)
    if not new.subject or not old.subject or has_clauses or _is_about_speaker(new, old):
        return False
    has_own_name = bool(_names(old) - new.terms or _names(new) - old.terms)
    return has_own_name or (new.verb == old.verb == _BE and new.head != old.head)


def _is_about_part(new: Outline, old: Outline) -> bool:
    """ "The museum shop" is not the museum."""
    things = {after.stem for word, after in pairwise(old.words) if word.low in _DETERMINERS}
    if old.head not in things or new.verb != old.verb or new.head in old.terms:
        return False
    stems = [word.stem for word in new.words]
    return any(pair == (old.head, new.head) for pair in pairwise(stems))


def _denies_only_part(new: Outline, old: Outline) -> bool:
    """Whether the new statement denies a special case of the old one.

    "The app no longer works on Android 8": it still works on other versions. A reason or a date
    is not a special case."""
    if not has_phrase(new.words, _NO_LONGER) or old.verb not in {word.stem for word in new.words}:
        return False
    new_terms = frozenset(terms_of(_first_clause(new.words)))
    value = old.terms - old.subject - {old.verb} - _MINOR_TERMS
    return bool(value) and value <= new_terms and bool(new_terms - old.terms - _MINOR_TERMS)


def _first_clause(words: Sequence[Word]) -> list[Word]:
    """The words before a reason, a date or a comma."""
    clause: list[Word] = []
    for word in words:
        if word.low in _REASON_WORDS:
            break
        clause.append(word)
        if word.breaks:
            break
    return clause


def _is_about_dead_person(new: Outline, old: Outline) -> bool:
    """Whether the new statement is about a death that leaves the old one true.

    A dead author still wrote the book, and a marriage still took place; a dead landlord is no
    longer the landlord."""
    if new.verb != _DIE or not new.subject or not old.subject or old.subject & SPEAKERS:
        return False
    others = {word.stem for word in old.words if word.named} - new.terms
    return not new.subject & old.subject or (old.verb not in _RESIDENCE_VERBS and bool(others))


def _is_indefinite(outline: Outline) -> bool:
    """ "Something hums": nobody knows what."""
    return any(word.low in _INDEFINITE for word in outline.words[:2])


def _names(outline: Outline) -> frozenset[str]:
    return frozenset(
        word.stem for word in outline.words if word.named and word.stem in outline.subject
    )
