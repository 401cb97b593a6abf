"""Combine two statements where the second is about the value of the first; for `insights.py`.

"Maya works at Nordlys" and "Nordlys is in Tromsø" give "Maya works at Nordlys. Nordlys is in
Tromsø": a search for Maya then also finds the town."""

from collections.abc import Sequence

from remem.core.language.claims.parse import Claim, parse
from remem.core.language.claims.values import stems
from remem.core.language.words import stem

CHARS_LIMIT = 200


def insight_of(first: str, second: str) -> str | None:
    """Both statements joined, or None where the second is not about the value of the first, or one
    of them is denied or only supposed."""
    [insight] = find_insights([first, second], [(0, 1)])
    return insight


def find_insights(texts: Sequence[str], pairs: Sequence[tuple[int, int]]) -> list[str | None]:
    """The insight of each pair, given as two positions in `texts`. Each text is parsed once."""
    claims = [_claim(text) for text in texts]
    return [_insight(texts[a], claims[a], texts[b], claims[b]) for a, b in pairs]


def _claim(text: str) -> Claim | None:
    """The claim of a text that makes exactly one, and a plain one."""
    if len(text) > CHARS_LIMIT:
        return None
    claims = parse(text)
    return claims[0] if len(claims) == 1 and _is_plain(claims[0]) else None


def _insight(
    first: str, first_claim: Claim | None, second: str, second_claim: Claim | None
) -> str | None:
    if first_claim is None or second_claim is None or not _leads_to(first_claim, second_claim):
        return None
    beginning = first.rstrip().rstrip(".!")
    return f"{beginning}. {second.strip()}"


def _is_plain(claim: Claim) -> bool:
    mood, slot = claim.mood, claim.slot
    return slot is not None and not (mood.denied or mood.supposed or mood.ended or slot.past)


def _leads_to(first: Claim, second: Claim) -> bool:
    """Whether the subject of the second is a name in the value of the first."""
    assert first.slot is not None, "checked"
    assert second.slot is not None, "checked"
    names = [word for word in (*first.slot.value, *first.slot.extras) if word.named]
    subject = {stem(part) for part in second.slot.subject}
    if not subject or not names or subject == {stem(part) for part in first.slot.subject}:
        return False
    return subject <= set(stems(names))
