"""Parts of a text: by lines, by section, within a budget."""

import pytest

from remem.core.chunking.token_counter import estimate_tokens
from remem.core.errors import Invalid
from remem.surfaces.mcp.parts import part_of

TEXT = "\n".join(["# One", "a", "## Inside", "b", "# Two", "```", "# no heading", "```", "c"])


@pytest.mark.parametrize(
    ("lines", "section", "first", "last"),
    [
        (None, None, 1, 9),
        ("2-3", None, 2, 3),
        ("4-", None, 4, 9),
        ("2", None, 2, 2),
        ("8-90", None, 8, 9),
        (None, "one", 1, 4),
        (None, "## Inside", 3, 4),
        (None, "Two", 5, 9),
    ],
)
def test_the_chosen_lines(lines: str | None, section: str | None, first: int, last: int) -> None:
    part = part_of(TEXT, lines, section, 1_000)
    assert (part.first, part.last, part.total) == (first, last, 9)
    assert part.text == "\n".join(TEXT.split("\n")[first - 1 : last])
    assert part.sections == ("One", "Inside", "Two")


@pytest.mark.parametrize(
    ("lines", "section"),
    [("0-2", None), ("9-3", None), ("10", None), ("x", None), (None, "no heading"), (None, "")],
)
def test_what_is_not_there_is_refused(lines: str | None, section: str | None) -> None:
    with pytest.raises(Invalid):
        part_of(TEXT, lines, section, 1_000)


@pytest.mark.parametrize("line", ["word " * 30, "字" * 120])
def test_the_budget_holds(line: str) -> None:
    part = part_of("\n".join([line] * 50), None, None, 400)
    assert part.first == 1 and 1 < part.last < 50
    assert estimate_tokens(part.text) <= 400
    assert estimate_tokens(part_of(line * 100, None, None, 400).text) <= 400
    assert part_of("", None, None, 50).text == ""
