"""How a new statement relates to what is known, by rules alone: no model, no network."""

from collections.abc import Sequence

from remem.core.memories.model import Action, Known, Relation
from remem.core.memories.rules.contradiction import contradiction
from remem.core.memories.rules.coverage import covers, repeats
from remem.core.memories.rules.statement import Statement, read
from remem.core.memories.rules.subjects import same_subject

NEAR = 0.70
_ORDER: dict[Action, int] = {"noop": 0, "update": 1, "extend": 2, "similar": 3}
_OVERLAP = 0.3

Verdict = tuple[Action, float, str]


def relate(content: str, known: Sequence[Known]) -> list[Relation]:
    """What the new statement does to each; the most telling first, nothing for what is unrelated.

    `noop` stands before `update`: what is kept already need not be kept again. An `update` hides
    the old memory, so it is given only where the two cannot both hold; in doubt it is `similar`."""
    new = read(content)
    found = []
    for each in known:
        if verdict := _judge(content, new, each):
            action, confidence, reason = verdict
            found.append(Relation(action, each.id, confidence, (reason,)))
    cosines = {each.id: each.cosine for each in known}
    return sorted(
        found, key=lambda r: (_ORDER[r.action], -r.confidence, -cosines[r.target_id], r.target_id)
    )


def _judge(content: str, new: tuple[Statement, ...], known: Known) -> Verdict | None:
    if _flat(content) == _flat(known.content):
        return "noop", 1.0, "the same words"
    old = read(known.content)
    if not new or not old:
        return _nearness(known.cosine)
    return _weigh_up(new, old) or _kinship(new, old) or _nearness(known.cosine)


def _flat(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


def _weigh_up(new: tuple[Statement, ...], old: tuple[Statement, ...]) -> Verdict | None:
    """Statement against statement: an update must hide nothing of the old that still holds."""
    if all(any(repeats(mine, theirs) for theirs in old) for mine in new):
        return "noop", 0.9, "already told"
    reasons = [_contradiction(new, theirs) for theirs in old]
    covered = [any(covers(mine, theirs) for mine in new) for theirs in old]
    if any(reasons):
        if all(reason or told for reason, told in zip(reasons, covered, strict=True)):
            return "update", 0.85, "; ".join(filter(None, reasons))
        return "similar", 0.6, "replaces only a part of it"
    return ("extend", 0.75, "tells it with more detail") if any(covered) else None


def _contradiction(new: tuple[Statement, ...], theirs: Statement) -> str | None:
    return next(filter(None, (contradiction(mine, theirs) for mine in new)), None)


def _kinship(new: tuple[Statement, ...], old: tuple[Statement, ...]) -> Verdict | None:
    if any(_same_matter(mine, theirs) for mine in new for theirs in old):
        return "similar", 0.6, "of the same subject"
    mine = {term for each in new for term in each.content}
    theirs = {term for each in old for term in each.content}
    shared = len(mine & theirs) / max(1, len(mine | theirs))
    return ("similar", round(shared, 2), "shares words") if shared >= _OVERLAP else None


def _same_matter(mine: Statement, theirs: Statement) -> bool:
    if mine.slot is None or theirs.slot is None or mine.slot.relation != theirs.slot.relation:
        return False
    return same_subject(mine.slot.subject, theirs.slot.subject)


def _nearness(cosine: float) -> Verdict | None:
    return ("similar", round(min(cosine, 1.0), 2), "close in meaning") if cosine >= NEAR else None
