"""What is said beside a memory or a search hit in a line of text: its times, what replaces it."""

from typing import Any

_MIDNIGHT = "00:00"


def stored_times(hit: dict[str, Any]) -> str:
    """ "happened 2026-11-03, due 2026-12-15 14:00"; empty where there is neither. Of a reply of any
    dialect: /api names its fields in camelCase."""
    happened = hit.get("occurred_at") or hit.get("occurredAt")
    due = hit.get("due_at") or hit.get("dueAt")
    named = (("happened", happened), ("due", due))
    return ", ".join(f"{name} {_day(moment)}" for name, moment in named if moment)


def replacement(hit: dict[str, Any]) -> str:
    """ "Our dentist is now Dr. Wirth. (since 2026-11-18)"; empty for what is not outdated, as a
    memory is whose chunk says other things that are."""
    newer = hit.get("replaced_by") or hit.get("replacedBy")
    if not newer or (hit.get("kind") == "memory" and hit.get("chunkId")):
        return ""
    return f"{' '.join(newer['content'].split())} (since {newer['since'][:10]})"


def with_notes(text: str, hit: dict[str, Any]) -> str:
    """The text of a hit with both behind it."""
    times, newer = stored_times(hit), replacement(hit)
    notes = [f"({times})" if times else "", f"(Outdated: {newer})" if newer else ""]
    return " ".join([text, *filter(None, notes)])


def _day(moment: str) -> str:
    """A moment of the API to the minute; a day alone where it begins with the day."""
    return moment[:10] if moment[11:16] == _MIDNIGHT else moment[:16].replace("T", " ")
