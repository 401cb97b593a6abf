"""The values of the check-up."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

FindingKind: TypeAlias = Literal[
    "duplicates", "contradictions", "lost_sources", "never_recalled", "without_vectors",
    "capture_gaps", "languages", "secrets", "backups",
]  # fmt: skip
SubjectKind: TypeAlias = Literal["memory", "document", "connection", "agent", "server"]
Action: TypeAlias = Literal["merge", "keep_newer", "trash", "embed", "sync", "mask", "back_up"]

# More findings of one kind are not counted.
COUNT_LIMIT = 1_000
PAGE_LIMIT = 100
FIX_LIMIT = 100


@dataclass(frozen=True, slots=True)
class FindingText:
    """What a finding means, for one and for several; `action` is what fixes it, if anything."""

    one: str
    several: str
    action: Action | None


TEXTS: dict[FindingKind, FindingText] = {
    "duplicates": FindingText(
        "1 memory or document says the same as another one of its project.",
        "{count} memories or documents say the same as another one of their project.",
        "merge",
    ),
    "contradictions": FindingText(
        "1 pair of memories contradict each other, and both count as true.",
        "{count} pairs of memories contradict each other, and both count as true.",
        "keep_newer",
    ),
    "lost_sources": FindingText(
        "1 memory was taken from a document that is no longer there.",
        "{count} memories were taken from documents that are no longer there.",
        "trash",
    ),
    "never_recalled": FindingText(
        "1 memory is older than 90 days and was never recalled.",
        "{count} memories are older than 90 days and were never recalled.",
        "trash",
    ),
    "without_vectors": FindingText(
        "1 document or memory is found by its words only, because it has no vector yet.",
        "{count} documents or memories are found by their words only, because they have no vectors"
        " yet.",
        "embed",
    ),
    "capture_gaps": FindingText(
        "1 assistant or connection saved regularly and has stopped.",
        "{count} assistants or connections saved regularly and have stopped.",
        "sync",
    ),
    "languages": FindingText(
        "1 document is in a language that the models do not read, so it is found by words only.",
        "{count} documents are in languages that the models do not read, so they are found by words"
        " only.",
        None,
    ),
    "secrets": FindingText(
        "1 memory or document contains a password or key in plain text.",
        "{count} memories or documents contain a password or key in plain text.",
        "mask",
    ),
    "backups": FindingText("{detail}", "{detail}", "back_up"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """`says` is one sentence. `is_more`: there are more than `count`. `action` is None where
    nothing can be done with a click."""

    kind: FindingKind
    count: int
    is_more: bool
    says: str
    action: Action | None


@dataclass(frozen=True, slots=True)
class FindingItem:
    """One item of a finding. `key` names it in a fix. `id` is that of its memory, document or
    connection, `other_id` that of the one it is compared with."""

    key: str
    subject: SubjectKind
    id: str
    text: str
    detail: str
    other_id: str | None = None
    at: datetime | None = None
    is_fixable: bool = True


@dataclass(frozen=True, slots=True)
class FindingPage:
    items: list[FindingItem]
    next: str | None


@dataclass(frozen=True, slots=True)
class FixOutcome:
    """`undo` undoes the fix; None if there is nothing to undo."""

    key: str
    undo: str | None = None
    error: str | None = None


def describe(kind: FindingKind, count: int, *, is_more: bool = False, detail: str = "") -> Finding:
    text = TEXTS[kind]
    shown = f"More than {count:,}" if is_more else f"{count:,}"
    says = (text.one if count == 1 else text.several).format(count=shown, detail=detail)
    return Finding(kind, count, is_more, says, text.action)
