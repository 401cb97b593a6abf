"""The words of table rows without what every row repeats."""

from collections import defaultdict
from collections.abc import Iterator

_NAME_END = ": "
_CELL_END = "|"


def words_of_rows(text: str) -> str:
    """Each column name once, with its different values that are words.

    The rows of a table are alike: most of their text is column names, numbers and repeated values,
    which say little about their meaning and take most of the time of a model."""
    values: dict[str, dict[str, None]] = defaultdict(dict)
    seen: set[str] = set()
    for name, value in _cells(text):
        column = values[name]
        if value not in seen and _is_words(value):
            column[value] = None
            seen.add(value)
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
