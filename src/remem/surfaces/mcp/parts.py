"""A part of a text: by lines or by section, within a budget of tokens; pure."""

from dataclasses import dataclass

from remem.core.chunking.headings import fences_of, headings_of
from remem.core.chunking.token_counter import TokenCounter
from remem.core.errors import Invalid

SECTIONS_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Part:
    """Lines `first` to `last` of `total`, counted from 1."""

    text: str
    first: int
    last: int
    total: int
    sections: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        return self.first == 1 and self.last == self.total


def part_of(text: str, lines: str | None, section: str | None, max_tokens: int) -> Part:
    """The chosen lines (`10-40`, `10-` or `10`), or those below a heading; else all of them, as far
    as the budget goes."""
    all_lines = text.split("\n")
    headings = _headings(text)
    if section is not None:
        first, last = _section_lines(section, headings, len(all_lines))
    else:
        first, last = _line_range(lines, len(all_lines)) if lines else (1, len(all_lines))
    chosen = all_lines[first - 1 : last]
    fitting = _fit(chosen, max_tokens)
    shown = "\n".join(chosen[:fitting])
    if fitting == 1:
        shown = shown[: TokenCounter(shown).end_within(0, max_tokens)]
    titles = tuple(title for _, _, title in headings)[:SECTIONS_SHOWN]
    return Part(shown, first, first + fitting - 1, len(all_lines), titles)


def _headings(text: str) -> list[tuple[int, int, str]]:
    """The line, level and title of each heading."""
    return [
        (text.count("\n", 0, heading.start) + 1, heading.level, heading.text)
        for heading in headings_of(text, (), fences_of(text))
    ]


def _section_lines(
    section: str, headings: list[tuple[int, int, str]], total: int
) -> tuple[int, int]:
    wanted = section.strip().lstrip("#").strip().casefold()
    for position, (line, level, title) in enumerate(headings):
        if title.casefold() == wanted:
            below = (other for other, depth, _ in headings[position + 1 :] if depth <= level)
            return line, next(below, total + 1) - 1
    known = ", ".join(title for _, _, title in headings[:SECTIONS_SHOWN]) or "none"
    raise Invalid("section", f"is not a heading here; the headings are: {known}")


def _line_range(lines: str, total: int) -> tuple[int, int]:
    start, dash, end = lines.strip().partition("-")
    try:
        first = int(start)
        last = int(end) if end.strip() else (total if dash else first)
    except ValueError:
        raise Invalid("lines", "is not a range such as 10-40; send one") from None
    if not 1 <= first <= min(last, total):
        raise Invalid("lines", f"is outside of the text, which has {total} lines")
    return first, min(last, total)


def _fit(lines: list[str], max_tokens: int) -> int:
    """How many of the lines fit, at least one."""
    tokens = 0
    for number, line in enumerate(lines):
        tokens += TokenCounter(line).tokens(0, len(line)) + 1
        if tokens > max_tokens:
            return max(1, number)
    return len(lines)
