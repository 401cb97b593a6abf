"""Notes on a memory or search hit in a line of text: its times and its replacement."""

from typing import Any

from remem.core.language.prose.markup import plain_line

_MIDNIGHT = "00:00"


def stored_times(hit: dict[str, Any]) -> str:
    """Return "happened 2026-11-03, due 2026-12-15 14:00", or an empty string without times. Accepts
    responses of all dialects: the fields of /api are in camelCase."""
    happened = hit.get("occurred_at") or hit.get("occurredAt")
    due = hit.get("due_at") or hit.get("dueAt")
    times = (("happened", happened), ("due", due))
    return ", ".join(f"{name} {_format_time(moment)}" for name, moment in times if moment)


def replacement(hit: dict[str, Any]) -> str:
    """Return "Our dentist is now Dr. Wirth. (since 2026-11-18)", or an empty string for a hit that
    is not outdated. That includes a memory if only other parts of its chunk are outdated."""
    newer = hit.get("replaced_by") or hit.get("replacedBy")
    if not newer or (hit.get("kind") == "memory" and hit.get("chunkId")):
        return ""
    return f"{plain_line(newer['content'])} (since {newer['since'][:10]})"


def with_notes(text: str, hit: dict[str, Any]) -> str:
    """The text of a hit, followed by its times and its replacement."""
    times, newer = stored_times(hit), replacement(hit)
    notes = [f"({times})" if times else "", f"(Outdated: {newer})" if newer else ""]
    return " ".join([text, *filter(None, notes)])


def _format_time(moment: str) -> str:
    """Format a time to the minute, or as a day if it is midnight."""
    return moment[:10] if moment[11:16] == _MIDNIGHT else moment[:16].replace("T", " ")
