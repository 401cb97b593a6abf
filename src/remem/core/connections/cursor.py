"""The progress of a connection: nothing yet, in a walk, or following changes."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from remem.core.connectors.model import Mark
from remem.core.time import iso, now


@dataclass(frozen=True, slots=True)
class Cursor:
    """`mark` was taken before the walk began; `at` is where the walk continues. `chosen` is the
    choice that the walk was started with: another choice starts a new one. `pages` counts the pages
    of the current list."""

    phase: Literal["new", "walking", "following"] = "new"
    walk: int = 0
    mark: Mark = None
    at: Mark = None
    chosen: tuple[str, ...] = ()
    walked_at: str | None = None
    pages: int = 0

    @classmethod
    def read(cls, stored: dict[str, Any]) -> "Cursor":
        if "phase" not in stored:
            return cls()
        return cls(
            phase=stored["phase"],
            walk=stored["walk"],
            mark=stored["mark"],
            at=stored["at"],
            chosen=tuple(stored["chosen"]),
            walked_at=stored["walked_at"],
            pages=stored.get("pages", 0),
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "walk": self.walk,
            "mark": self.mark,
            "at": self.at,
            "chosen": list(self.chosen),
            "walked_at": self.walked_at,
            "pages": self.pages,
        }

    def with_walk_started(self, mark: Mark, chosen: tuple[str, ...]) -> "Cursor":
        cursor = replace(self, phase="walking", walk=self.walk + 1, mark=mark, at=None, pages=0)
        return replace(cursor, chosen=chosen)

    def complete(self) -> "Cursor":
        return replace(self, phase="following", at=None, walked_at=iso(now()), pages=0)

    def restarted(self) -> "Cursor":
        """A cursor that lists everything again; known items stay until that is complete."""
        return replace(self, phase="new", mark=None, at=None, pages=0)

    def needs_walk(self, chosen: tuple[str, ...], every_s: int) -> bool:
        if self.phase == "new" or self.chosen != chosen:
            return True
        return self.phase == "following" and _is_past(self.walked_at, every_s)


def _is_past(walked_at: str | None, every_s: int) -> bool:
    moment = datetime.fromisoformat(walked_at) if walked_at else None
    return moment is None or moment + timedelta(seconds=every_s) <= now()
