"""What a save of known content added to it and what it left as it was, as text."""

from collections.abc import Collection
from typing import Any


def duplicate_note(saved: dict[str, Any], unsent: Collection[str] = ()) -> str:
    """Return "now yours; tags added: home; not changed: title", or an empty string. Accepts
    responses of all dialects; `unsent` are fields that the caller added to those of the user."""
    added = saved.get("added_tags") or saved.get("addedTags") or []
    sent = saved.get("not_taken") or saved.get("notTaken") or []
    unchanged = [name for name in sent if name not in unsent]
    notes = (("tags added", added), ("not changed", unchanged))
    lists = [f"{name}: {', '.join(values)}" for name, values in notes if values]
    return "; ".join([*(["now yours"] if saved.get("made_mine") else []), *lists])
