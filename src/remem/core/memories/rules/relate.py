"""How a new statement relates to what is known, by rules alone: no model, no network."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from remem.core.judgements import UNSPOKEN, Action, Known, Relation, Saying
from remem.core.language.claims.attributes import TOLD_BY
from remem.core.language.claims.contradiction import contradiction, speaks_for
from remem.core.language.claims.coverage import covers, repeats
from remem.core.language.claims.outline import outline_of
from remem.core.language.claims.parse import Claim, parse
from remem.core.language.claims.slots import ClaimSlot
from remem.core.language.claims.subjects import ME, US
from remem.core.language.claims.verbs import is_past
from remem.core.language.person import depends_on_speaker, is_feed, is_user
from remem.core.language.words import stem
from remem.core.memories.rules.passing import is_passing
from remem.core.memories.rules.says_more import says_where
from remem.core.memories.rules.says_the_same import says_the_same

# Why a statement stays of which a part is out of date.
PARTLY = "replaces only a part of it"
NEAR = 0.70
_ORDER: tuple[Action, ...] = ("noop", "update", "extend", "similar")
_OVERLAP = 0.3
_FIRST_YEAR = 1900
_TURNS = frozenset(
    stem(verb) for verb in "move relocate settle join marry start begin switch migrate".split()
)

Verdict = tuple[Action, float, str]


def relate(content: str, known: Sequence[Known], said: Saying = UNSPOKEN) -> list[Relation]:
    """What the new statement does to each; the most telling first, nothing for what is unrelated.

    `noop` stands before `update`: what is kept already need not be kept again. An `update` hides
    the old memory, so it is given only where the two cannot both be true; in doubt it is
    `similar`."""
    new = parse(content, said.speaker)
    found = []
    for each in known:
        if verdict := _judge(content, new, each, said):
            action, confidence, reason = verdict
            found.append(Relation(action, each.id, confidence, (reason,)))
    cosines = {each.id: each.cosine for each in known}
    return sorted(
        found,
        key=lambda r: (_ORDER.index(r.action), -r.confidence, -cosines[r.target_id], r.target_id),
    )


def other_words(content: str, speaker: str | None = None) -> str:
    """Of whom or what a statement speaks, and every word that may have expressed its matter: who
    "moved to Berlin" was perhaps said to "live in Paris". Empty when there is only one way."""
    slots = [one.slot for one in parse(content, speaker) if one.slot]
    slots = [slot for slot in slots if slot.relation in TOLD_BY]
    words = [word for slot in slots for word in (*_asked(slot), *sorted(TOLD_BY[slot.relation]))]
    return " ".join(dict.fromkeys(words))


def _asked(slot: ClaimSlot) -> tuple[str, ...]:
    return () if slot.subject in (ME, US) else slot.subject


def is_same_matter(content: str, known: Known, speaker: str | None = None) -> bool:
    new, old = parse(content, speaker), parse(known.content, known.speaker)
    return any(_same_matter(mine, theirs) for mine in new for theirs in old)


def of_same_matter(content: str, known: Sequence[Known], speaker: str | None = None) -> list[UUID]:
    """Those that are of the same matter."""
    return [one.id for one in known if is_same_matter(content, one, speaker)]


def _judge(content: str, new: tuple[Claim, ...], known: Known, said: Saying) -> Verdict | None:
    verdict = _compare(content, new, known, said)
    if verdict and verdict[0] == "noop" and not says_the_same(content, known.content):
        return "similar", 0.9, "nearly the same words"
    mine, theirs = _days(said.dates), _days(known.dates)
    if verdict and verdict[0] == "noop" and mine and theirs and mine != theirs:
        return "similar", 0.6, "of another day"
    if verdict and verdict[0] == "update" and is_passing(content, known.content, said.day):
        return "similar", 0.6, "for a time"
    if verdict and verdict[0] == "update" and _leaves_place(content, known.content):
        return "similar", 0.6, PARTLY
    return verdict


def _leaves_place(content: str, known: str) -> bool:
    return says_where(outline_of(known), outline_of(content))


def _compare(content: str, new: tuple[Claim, ...], known: Known, said: Saying) -> Verdict | None:
    old = parse(known.content, known.speaker)
    apart = is_another(said.speaker, known.speaker)
    if apart and not (new and old):
        return _nearness(known.cosine)
    if apart and any(one.owned for one in (*new, *old)):
        return _kinship(new, old) or _nearness(known.cosine)
    same_words = _flat(content) == _flat(known.content)
    if same_words and not (apart and depends_on_speaker(content)):
        return "noop", 1.0, "the same words"
    if not new or not old:
        return _nearness(known.cosine)
    verdict = _weigh_up(new, old) or _kinship(new, old) or _nearness(known.cosine)
    if verdict and verdict[0] == "update" and is_earlier(new, known):
        return "similar", 0.6, "of an earlier day"
    return verdict


def is_another(one: str | None, other: str | None) -> bool:
    """Whether two people speak: "I" of the one is not "I" of the other."""
    if is_user(one) or is_user(other):
        return is_user(one) != is_user(other)
    return (one or "").casefold().split() != (other or "").casefold().split()


def may_relate(one: str | None, other: str | None) -> bool:
    """What a feed says updates and repeats only what the same feed said: it is a stranger's text,
    whatever it claims."""
    return not (is_feed(one) or is_feed(other)) or not is_another(one, other)


def _days(dates: Sequence[dict[str, Any]]) -> set[Any]:
    return {one["start"] for one in dates if one["start"]}


def is_earlier(new: tuple[Claim, ...], known: Known) -> bool:
    """ "I moved to Rome in 2010" says nothing against where I was known to live after that."""
    since = (known.valid_since or known.created_at).year
    return any(
        _is_year(word.low) and int(word.low) < since
        for each in new
        if any(verb.stem in _TURNS and is_past(verb) for verb in each.words)
        for word in each.words
    )


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isascii() and word.isdecimal() and int(word) >= _FIRST_YEAR


def _flat(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".!")


def _weigh_up(new: tuple[Claim, ...], old: tuple[Claim, ...]) -> Verdict | None:
    """Claim against statement: an update must hide nothing of the old that is still true."""
    if all(any(repeats(mine, theirs) for theirs in old) for mine in new):
        return "noop", 0.9, "already known"
    reasons = [_contradiction(new, theirs) for theirs in old]
    covered = [any(covers(mine, theirs) for mine in new) for theirs in old]
    if any(reasons):
        if all(reason or is_covered for reason, is_covered in zip(reasons, covered, strict=True)):
            return "update", 0.85, "; ".join(filter(None, reasons))
        return "similar", 0.6, PARTLY
    return ("extend", 0.75, "tells it with more detail") if any(covered) else None


def _contradiction(new: tuple[Claim, ...], theirs: Claim) -> str | None:
    return next(filter(None, (contradiction(mine, theirs) for mine in new)), None)


def _kinship(new: tuple[Claim, ...], old: tuple[Claim, ...]) -> Verdict | None:
    if any(_same_matter(mine, theirs) for mine in new for theirs in old):
        return "similar", 0.6, "of the same subject"
    mine = {term for each in new for term in each.content}
    theirs = {term for each in old for term in each.content}
    shared = len(mine & theirs) / max(1, len(mine | theirs))
    return ("similar", round(shared, 2), "shares words") if shared >= _OVERLAP else None


def _same_matter(mine: Claim, theirs: Claim) -> bool:
    if mine.slot is None or theirs.slot is None or mine.slot.relation != theirs.slot.relation:
        return False
    return speaks_for(mine.slot, theirs.slot)


def _nearness(cosine: float) -> Verdict | None:
    return ("similar", round(min(cosine, 1.0), 2), "close in meaning") if cosine >= NEAR else None
