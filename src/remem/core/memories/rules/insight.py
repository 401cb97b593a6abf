"""What follows from two statements together: the one speaks of what the other ends with. Pure."""

from collections.abc import Sequence

from remem.core.language.claims.parse import Claim, parse
from remem.core.language.claims.values import stems
from remem.core.language.words import stem

CHARS_LIMIT = 200


def insight_of(first: str, second: str) -> str | None:
    """Both, one after the other in their own words, where the second is about the value of the
    first: "Maya works at Nordlys" and "Nordlys is in Tromsø". None where they do not belong
    together so, or one is denied or only supposed."""
    [found] = insights_among([first, second], [(0, 1)])
    return found


def insights_among(texts: Sequence[str], pairs: Sequence[tuple[int, int]]) -> list[str | None]:
    """Of each pair, by the places of its texts. Each text is read once."""
    claims = [_claim(text) for text in texts]
    return [_insight(texts[a], claims[a], texts[b], claims[b]) for a, b in pairs]


def _claim(text: str) -> Claim | None:
    """The one plain claim of a text that makes no other."""
    if len(text) > CHARS_LIMIT:
        return None
    found = parse(text)
    return found[0] if len(found) == 1 and _is_plain(found[0]) else None


def _insight(first: str, one: Claim | None, second: str, other: Claim | None) -> str | None:
    if one is None or other is None or not _leads_to(one, other):
        return None
    begins = first.rstrip().rstrip(".!")
    return f"{begins}. {second.strip()}"


def _is_plain(statement: Claim) -> bool:
    mood, slot = statement.mood, statement.slot
    return slot is not None and not (mood.denied or mood.supposed or mood.ended or slot.past)


def _leads_to(one: Claim, other: Claim) -> bool:
    assert one.slot is not None, "checked"
    assert other.slot is not None, "checked"
    named = [word for word in (*one.slot.value, *one.slot.extras) if word.named]
    subject = {stem(part) for part in other.slot.subject}
    if not subject or not named or subject == {stem(part) for part in one.slot.subject}:
        return False
    return subject <= set(stems(named))
