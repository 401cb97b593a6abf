"""Why each line came into a prompt, from the log of this machine."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from remem.surfaces.cli.hooks.given import logged_lines


def why_rows(limit: int) -> list[dict[str, Any]]:
    return logged_lines()[::-1][:limit]


def render_lines(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return "No line was added to a prompt yet."
    shown = [_render(row) for row in rows]
    return "\n\n".join([*shown, "Not one of them again: remem hook mute ID"])


def _render(row: dict[str, Any]) -> str:
    moment = datetime.fromtimestamp(row["at"]).strftime("%Y-%m-%d %H:%M")
    words = ", ".join(row["words"]) or "none"
    return "\n".join(
        [
            f"{moment}  {row['client']}: {row['prompt']}",
            f"  {row['line']}",
            f"  relevance {row['relevance']:.2f}; words in common: {words};"
            f" {row['kind']} {row['id']}",
        ]
    )
