"""Decide how a new statement relates to known memories; `RulesJudge` asks when one is saved.

"I live in Berlin" updates "I live in Paris" (`update`), and repeats "I live in Berlin" (`noop`).
"I drink tea and coffee" adds to "I drink tea" (`extend`). In doubt the answer is `similar`, which
keeps both. No model, no network."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from remem.core.judgements import NO_CONTEXT, Action, KnownMemory, Relation, StatementContext
from remem.core.language.claims.attributes import WORDS_OF_RELATION
from remem.core.language.claims.contradiction import contradiction, covers_subject
from remem.core.language.claims.coverage import covers, repeats
from remem.core.language.claims.outline import outline_of
from remem.core.language.claims.parse import Claim, parse
from remem.core.language.claims.slots import ClaimSlot
from remem.core.language.claims.subjects import ME, US
from remem.core.language.claims.verbs import is_past
from remem.core.language.person import depends_on_speaker, is_feed, is_user
from remem.core.language.words import stem
from remem.core.memories.rules.another_subject import is_about_another
from remem.core.memories.rules.extra_details import would_lose_place
from remem.core.memories.rules.says_the_same import says_the_same
from remem.core.memories.rules.temporary import is_temporary
from remem.core.memories.rules.unrelated import are_unrelated, may_repeat

# The reason to keep an old statement of which only a part is out of date.
PARTLY = "replaces only a part of it"
# The reason to keep a statement about another thing.
ANOTHER = "another name or number"
MIN_COSINE = 0.70
_ACTION_ORDER: tuple[Action, ...] = ("noop", "update", "extend", "similar")
_MIN_OVERLAP = 0.3
_FIRST_YEAR = 1900
_CHANGE_VERBS = frozenset(
    stem(verb) for verb in "move relocate settle join marry start begin switch migrate".split()
)

# The action, its confidence and the reason for it.
Verdict = tuple[Action, float, str]


def relate(
    content: str, known: Sequence[KnownMemory], context: StatementContext = NO_CONTEXT
) -> list[Relation]:
    """Relations of the new statement to known ones, strongest first; unrelated ones are left out.

    `noop` comes before `update`: a statement that is stored already is not stored again. An
    `update` hides the old memory, so it is given only when the two cannot both be true."""
    claims = parse(content, context.speaker)
    relations = []
    for memory in known:
        if verdict := _judge(content, claims, memory, context):
            action, confidence, reason = verdict
            relations.append(Relation(action, memory.id, confidence, (reason,)))
    cosines = {memory.id: memory.cosine for memory in known}
    return sorted(
        relations,
        key=lambda r: (
            _ACTION_ORDER.index(r.action),
            -r.confidence,
            -cosines[r.target_id],
            r.target_id,
        ),
    )


def keep_others(
    content: str, known: Sequence[KnownMemory], relations: Sequence[Relation]
) -> list[Relation]:
    """The relations of a model, with `similar` where it replaces or repeats another thing."""
    memories = {memory.id: memory for memory in known}
    return [
        replace(relation, action="similar", reasons=(*relation.reasons, ANOTHER))
        if relation.action in ("noop", "update")
        and _is_refuted(relation, content, memories[relation.target_id])
        else relation
        for relation in relations
    ]


def _is_refuted(relation: Relation, content: str, known: KnownMemory) -> bool:
    """Whether a model cannot be right that the statement replaces or repeats the known one."""
    texts = (content, known.content)
    if relation.action == "noop" and not may_repeat(*texts, known.cosine):
        return True
    return is_about_another(*texts) or are_unrelated(*texts, known.cosine)


def alternative_words(content: str, speaker: str | None = None) -> str:
    """Search words for statements about the same slot, which may use other words: the subject and
    every verb that can fill it. For "I moved to Berlin" also "live", which finds "I live in Paris".

    Empty when the slot has only one wording."""
    slots = [claim.slot for claim in parse(content, speaker) if claim.slot]
    slots = [slot for slot in slots if slot.relation in WORDS_OF_RELATION]
    words = [
        word
        for slot in slots
        for word in (*_subject_words(slot), *sorted(WORDS_OF_RELATION[slot.relation]))
    ]
    return " ".join(dict.fromkeys(words))


def _subject_words(slot: ClaimSlot) -> tuple[str, ...]:
    return () if slot.subject in (ME, US) else slot.subject


def has_same_slot(content: str, known: KnownMemory, speaker: str | None = None) -> bool:
    """Whether both say the same kind of thing about the same subject: where I live, who leads X."""
    new, old = parse(content, speaker), parse(known.content, known.speaker)
    return any(_same_slot(new_claim, old_claim) for new_claim in new for old_claim in old)


def ids_with_same_slot(
    content: str, known: Sequence[KnownMemory], speaker: str | None = None
) -> list[UUID]:
    """The known memories that have the slot of the statement."""
    return [memory.id for memory in known if has_same_slot(content, memory, speaker)]


def _judge(
    content: str, new: tuple[Claim, ...], known: KnownMemory, context: StatementContext
) -> Verdict | None:
    """Weaken `noop` and `update` to `similar` where words, days or places speak against them."""
    verdict = _compare(content, new, known, context)
    if verdict and verdict[0] == "noop" and not says_the_same(content, known.content):
        return "similar", 0.9, "similar words, but not the same meaning"
    if verdict and verdict[0] in ("noop", "update") and is_about_another(content, known.content):
        return "similar", 0.6, ANOTHER
    new_days, old_days = _start_days(context.dates), _start_days(known.dates)
    if verdict and verdict[0] == "noop" and new_days and old_days and new_days != old_days:
        return "similar", 0.6, "about another day"
    if verdict and verdict[0] == "update" and is_temporary(content, known.content, context.day):
        return "similar", 0.6, "only temporary"
    if verdict and verdict[0] == "update" and _would_lose_place(content, known.content):
        return "similar", 0.6, PARTLY
    return verdict


def _would_lose_place(content: str, known: str) -> bool:
    return would_lose_place(outline_of(known), outline_of(content))


def _compare(
    content: str, new: tuple[Claim, ...], known: KnownMemory, context: StatementContext
) -> Verdict | None:
    old = parse(known.content, known.speaker)
    other_speaker = are_different_speakers(context.speaker, known.speaker)
    if other_speaker and not (new and old):
        return _verdict_by_cosine(known.cosine)
    if other_speaker and any(claim.owned for claim in (*new, *old)):
        return _verdict_by_topic(new, old) or _verdict_by_cosine(known.cosine)
    same_words = _normalize(content) == _normalize(known.content)
    if same_words and not (other_speaker and depends_on_speaker(content)):
        return "noop", 1.0, "the same words"
    if not new or not old:
        return _verdict_by_cosine(known.cosine)
    verdict = (
        _verdict_by_claims(new, old)
        or _verdict_by_topic(new, old)
        or _verdict_by_cosine(known.cosine)
    )
    if verdict and verdict[0] == "update" and is_about_earlier_time(new, known):
        return "similar", 0.6, "about an earlier time"
    return verdict


def are_different_speakers(first: str | None, second: str | None) -> bool:
    """Whether "I" means two different people."""
    if is_user(first) or is_user(second):
        return is_user(first) != is_user(second)
    return (first or "").casefold().split() != (second or "").casefold().split()


def speakers_may_relate(first: str | None, second: str | None) -> bool:
    """Whether statements of these speakers may update or repeat each other.

    A statement of a feed relates only to statements of the same feed: feeds are untrusted text."""
    return not (is_feed(first) or is_feed(second)) or not are_different_speakers(first, second)


def _start_days(dates: Sequence[dict[str, Any]]) -> set[Any]:
    return {date["start"] for date in dates if date["start"]}


def is_about_earlier_time(new: tuple[Claim, ...], known: KnownMemory) -> bool:
    """Whether a new statement names a year before the known one became valid.

    "I moved to Rome in 2010" does not contradict a later "I live in Paris"."""
    since = (known.valid_since or known.created_at).year
    return any(
        _is_year(word.low) and int(word.low) < since
        for claim in new
        if any(verb.stem in _CHANGE_VERBS and is_past(verb) for verb in claim.words)
        for word in claim.words
    )


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isascii() and word.isdecimal() and int(word) >= _FIRST_YEAR


def _normalize(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".!")


def _verdict_by_claims(new: tuple[Claim, ...], old: tuple[Claim, ...]) -> Verdict | None:
    """Compare claim by claim.

    An `update` needs every old claim to be contradicted or repeated: it must hide nothing that is
    still true."""
    if all(any(repeats(new_claim, old_claim) for old_claim in old) for new_claim in new):
        return "noop", 0.9, "already known"
    reasons = [_contradiction(new, old_claim) for old_claim in old]
    covered = [any(covers(new_claim, old_claim) for new_claim in new) for old_claim in old]
    if any(reasons):
        if all(reason or is_covered for reason, is_covered in zip(reasons, covered, strict=True)):
            return "update", 0.85, "; ".join(filter(None, reasons))
        return "similar", 0.6, PARTLY
    return ("extend", 0.75, "says it with more detail") if any(covered) else None


def _contradiction(new: tuple[Claim, ...], old_claim: Claim) -> str | None:
    return next(filter(None, (contradiction(new_claim, old_claim) for new_claim in new)), None)


def _verdict_by_topic(new: tuple[Claim, ...], old: tuple[Claim, ...]) -> Verdict | None:
    """`similar` where both have the same slot, or share enough words."""
    if any(_same_slot(new_claim, old_claim) for new_claim in new for old_claim in old):
        return "similar", 0.6, "about the same subject"
    new_terms = {term for claim in new for term in claim.content}
    old_terms = {term for claim in old for term in claim.content}
    overlap = len(new_terms & old_terms) / max(1, len(new_terms | old_terms))
    return ("similar", round(overlap, 2), "shares words") if overlap >= _MIN_OVERLAP else None


def _same_slot(new: Claim, old: Claim) -> bool:
    if new.slot is None or old.slot is None or new.slot.relation != old.slot.relation:
        return False
    return covers_subject(new.slot, old.slot)


def _verdict_by_cosine(cosine: float) -> Verdict | None:
    return (
        ("similar", round(min(cosine, 1.0), 2), "close in meaning")
        if cosine >= MIN_COSINE
        else None
    )
