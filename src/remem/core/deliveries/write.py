"""Write messages: the morning page as text and as data, a test, a code. Pure."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any
from uuid import UUID

from remem.core.deliveries.morning import Due, MorningPage
from remem.core.delivery_ports import Letter
from remem.core.language.prose.markup import plain_line
from remem.core.text import shorten
from remem.core.time import iso

PAGE = "/today"
REVIEW = "/memories?tab=review"
_LINE_CHARS = 300


def write_morning(
    page: MorningPage, id: UUID, created_at: datetime, base_url: str, *, is_test: bool = False
) -> Letter:
    title = _long_day(page.day)
    return Letter(
        id=id,
        kind="test" if is_test else "morning",
        title=f"Test: {title}" if is_test else title,
        text="\n\n".join([*_sections(page, base_url), f"{base_url}{PAGE}"]),
        data=_data(page),
        url=f"{base_url}{PAGE}",
        created_at=created_at,
    )


def write_code(code: str, id: UUID, created_at: datetime, base_url: str) -> Letter:
    """It has no word of the sender's: the address may be somebody else's."""
    text = (
        f"Your code is {code}.\n\nSomebody asked remem to send their morning page to this address."
        " Enter the code in Settings, Reminders. If it was not you, do nothing: without the code"
        " nothing is sent."
    )
    url = f"{base_url}/settings/reminders"
    return Letter(id, "code", f"{code} is your code for remem", text, {}, url, created_at)


def _sections(page: MorningPage, base_url: str) -> Iterator[str]:
    if page.is_empty:
        yield "A quiet day: nothing is due, and nothing changed since yesterday."
    if page.due:
        yield _section("Due today, or still open", (_due_line(due, page.day) for due in page.due))
    if page.changed:
        changes = (f"{_line(item.now)} (was: {_line(item.before)})" for item in page.changed)
        yield _section("Changed since yesterday", changes)
    if page.saved:
        yield _section("Saved since yesterday", map(_line, page.saved))
    if page.past:
        yield _section("A year ago", [_past_line(page.past.title, page.past.excerpt)])
    if page.question:
        newer, older = page.question.content, page.question.older
        asked = f"{_line(older)} → {_line(newer)}\n  Did this change?" if older else None
        yield _section("One question", [asked or f"{_line(newer)}\n  Is this right?"]) + (
            f"\n  {base_url}{REVIEW}"
        )


def _section(title: str, lines: Iterator[str] | list[str]) -> str:
    return "\n".join([title, *(f"- {line}" for line in lines)])


def _due_line(due: Due, today: date) -> str:
    when = [] if due.day == today else [f"{due.day.day} {due.day:%B}"]
    if due.at:
        when.append(f"{due.at:%H:%M}")
    return f"{', '.join(when)}: {_line(due.content)}" if when else _line(due.content)


def _past_line(title: str, excerpt: str) -> str:
    title, excerpt = _line(title), _line(excerpt)
    start = title.rstrip("…")
    return excerpt if excerpt.startswith(start) else f"{title}: {excerpt}" if excerpt else title


def _line(text: str) -> str:
    return shorten(plain_line(" ".join(text.split())), _LINE_CHARS)


def _long_day(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B}"


def _data(page: MorningPage) -> dict[str, Any]:
    question = page.question
    return {
        "day": page.day.isoformat(),
        "due": [
            {
                "content": due.content,
                "day": due.day.isoformat(),
                "due_at": iso(due.at) if due.at else None,
            }
            for due in page.due
        ],
        "changed": [{"before": item.before, "now": item.now} for item in page.changed],
        "saved": list(page.saved),
        "year_ago": page.past
        and {
            "title": page.past.title,
            "excerpt": page.past.excerpt,
            "day": page.past.day.isoformat(),
        },
        "question": question and {"content": question.content, "older": question.older},
    }
