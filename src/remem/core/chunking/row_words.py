"""The words of table rows without what every row repeats."""

import re
from collections import defaultdict
from collections.abc import Iterator

_DIGITS = re.compile(r"\d+")
_NAME_END = ": "
_CELL_END = "|"


def words_of_rows(text: str) -> str:
    """Each column name once, with its values that are words; of those that differ only in digits
    ("type 12", "type 40") the first.

    The rows of a table are alike: most of their text is column names, numbers and repeated values,
    which say little about their meaning and take most of the time of a model."""
    values: dict[str, dict[str, None]] = defaultdict(dict)
    seen: set[str] = set()
    for name, value in _cells(text):
        column = values[name]
        if _is_words(value) and (words := _DIGITS.sub("", value)) not in seen:
            column[value] = None
            seen.add(words)
    return "\n".join(filter(None, map(_column_text, values.items())))


def _cells(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, is_named, value = line.partition(_NAME_END)
        if is_named:
            yield name.strip(), value.strip()
        else:
            yield from (("", cell.strip()) for cell in line.split(_CELL_END))


def _is_words(value: str) -> bool:
    letters = sum(character.isalpha() for character in value)
    return letters > sum(character.isdigit() for character in value)


def _column_text(column: tuple[str, dict[str, None]]) -> str:
    name, values = column
    text = ", ".join(values)
    return f"{name}{_NAME_END}{text}" if name and text else name or text
