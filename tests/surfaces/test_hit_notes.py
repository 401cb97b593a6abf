"""The notes after a hit in a line of text."""

from typing import Any

import pytest

from remem.surfaces.hit_notes import with_notes
from remem.surfaces.statement_text import with_speaker

NEWER = {"content": "It is\nnow 33.", "since": "2026-11-18T16:00:00.000Z"}
DAY, MOMENT = "2026-11-03T00:00:00.000Z", "2026-12-15T14:30:00.000Z"


@pytest.mark.parametrize(
    ("hit", "notes"),
    [
        ({}, ""),
        ({"occurred_at": None, "due_at": None, "replaced_by": None}, ""),
        ({"occurred_at": DAY}, " (happened 2026-11-03)"),
        ({"occurredAt": DAY, "dueAt": MOMENT}, " (happened 2026-11-03, due 2026-12-15 14:30)"),
        ({"replaced_by": NEWER}, " (Outdated: It is now 33. (since 2026-11-18))"),
        (
            {"due_at": DAY, "kind": "chunk", "chunkId": "1", "replacedBy": NEWER},
            " (due 2026-11-03) (Outdated: It is now 33. (since 2026-11-18))",
        ),
        ({"kind": "memory", "replacedBy": NEWER}, " (Outdated: It is now 33. (since 2026-11-18))"),
        ({"kind": "memory", "chunkId": "1", "replacedBy": NEWER}, ""),
    ],
)
def test_notes_have_times_and_replacement(hit: dict[str, Any], notes: str) -> None:
    assert with_notes("It is 12.", hit) == f"It is 12.{notes}"


def test_a_statement_shows_its_stored_time_unless_its_text_has_one() -> None:
    statement = {"content": "I ran.", "speaker": "Ann", "dates": [], "occurred_at": DAY}
    assert with_speaker(statement) == "Ann: I ran. (happened 2026-11-03)"
    assert with_speaker(statement | {"dates": [{"text": "today"}]}) == "Ann: I ran."
