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
    if max(len(first), len(second)) > CHARS_LIMIT:
        return None
    one, other = parse(first), parse(second)
    if len(one) != 1 or len(other) != 1 or not (_is_plain(one[0]) and _is_plain(other[0])):
        return None
    if not _leads_to(one[0], other[0]):
        return None
    begins = first.rstrip().rstrip(".!")
    return f"{begins}. {second.strip()}"


def insights_of(pairs: Sequence[tuple[str, str]]) -> list[str | None]:
    """Of each pair, in one go."""
    return [insight_of(first, second) for first, second in pairs]


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
