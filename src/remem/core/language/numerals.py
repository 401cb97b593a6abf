"""Numbers and days in one form, however a language writes them."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from remem.core.language.lists import table

# 1.684,22 or 1 684,22 or 1'684.22 or 1,684 or 27,5. Before and after stands no other digit.
_NUMBER = re.compile(
    r"(?<![\d.,'’/:-])(?:(?P<grouped>\d{1,3}(?:(?P<group>[.,'’ \u00a0\u202f])\d{3})"
    r"(?:(?P=group)\d{3}){0,3})(?:[.,](?P<decimals>\d{1,2}))?"
    r"|(?P<whole>\d{1,12}),(?P<rest>\d{1,4}))(?![\d'’/:-]|[.,]\d)"
)
# 27.12. or 27/12/2026 or 12/27 or 2026-12-27.
_DAY = re.compile(
    r"(?<![\d.,/:-])(?:(?:\d{4}[-/.])(?P<iso_month>\d{1,2})[-/.](?P<iso_day>\d{1,2})"
    r"|(?P<first>\d{1,2})(?P<mark>[./])\s?(?P<second>\d{1,2})(?:(?P=mark)(?:\s?\d{4}|\d{2})?)?)"
    r"(?![\d:/-]|[.,]\d)"
)
_CJK_DAY = re.compile(r"(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]")
_VIETNAMESE_DAY = re.compile(r"(\d{1,2})\s+tháng\s+(\d{1,2})", re.I)
_DIGITS = re.compile(r"(?<![\d.,:/-])\d{1,2}(?![\d:/]|[.,-]\d)")
_DIGIT = re.compile(r"\d")
_OTHER_DIGIT, _OTHER_DIGITS = re.compile(r"[^\D0-9]"), re.compile(r"[^\D0-9]+")
_ARABIC_SEPARATORS = str.maketrans("٬٫", ",.")
# "27th of December", "27 de diciembre", "27.-31. Dezember".
_BETWEEN = re.compile(
    r"(?:st|nd|rd|th|º|er|-?го)?\.?(?:\s?[-–]\s?\d{1,2}\.?)?\s*(?:(?:of|de|d)\b)?[\s'’]*"
)
_NAME = re.compile(r"[^\W\d_][^\s\d.,;:!?()/'’–-]*")
_BEFORE = re.compile(r"\.?\s*(?:the\s+)?")
_MONTHS, _DAYS = 12, 31


def numbers_in(text: str) -> Iterator[str]:
    """Numbers with separators, without those of thousands and with a decimal point; and numbers in
    the digits of another script."""
    if not _DIGIT.search(text):
        return
    for digits in _OTHER_DIGITS.findall(text):
        yield _in_ascii(digits)
    text = _in_ascii(text)
    for match in _NUMBER.finditer(text):
        whole = re.sub(r"\D", "", match["grouped"] or match["whole"])
        decimals = (match["decimals"] or match["rest"] or "").rstrip("0")
        yield f"{whole}.{decimals}" if decimals else whole


def days_in(text: str) -> Iterator[tuple[int, int]]:
    """Month and day of each date; both readings of one such as 3/4."""
    if not _DIGIT.search(text):
        return
    text = _in_ascii(text)
    for match in _DAY.finditer(text):
        yield from _readings(match)
    for match in _CJK_DAY.finditer(text):
        yield from _valid(int(match[1]), int(match[2]))
    for match in _VIETNAMESE_DAY.finditer(text):
        yield from _valid(int(match[2]), int(match[1]))
    for word in _NAME.finditer(text):
        for month in month_names().get(word[0].casefold(), ()):
            for day in _days_beside(text, word):
                yield from _valid(month, day)


def _in_ascii(text: str) -> str:
    """With the digits 0 to 9, and the separators of Arabic as commas and points."""
    if not _OTHER_DIGITS.search(text):
        return text
    digits = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    return digits.translate(_ARABIC_SEPARATORS)


def _readings(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    if match["iso_month"]:
        yield from _valid(int(match["iso_month"]), int(match["iso_day"]))
        return
    first, second = int(match["first"]), int(match["second"])
    yield from _valid(second, first)
    if match["mark"] == "/" and first != second:
        yield from _valid(first, second)


def _valid(month: int, day: int) -> Iterator[tuple[int, int]]:
    if 1 <= month <= _MONTHS and 1 <= day <= _DAYS:
        yield month, day


def _days_beside(text: str, month: re.Match[str]) -> Iterator[int]:
    """The number before the name of a month, or else the one after it."""
    before = list(_DIGITS.finditer(text, max(0, month.start() - 16), month.start()))
    if before and _BETWEEN.fullmatch(text, before[-1].end(), month.start()):
        yield int(before[-1][0])
        return
    gap = _BEFORE.match(text, month.end())
    after = _DIGITS.match(text, gap.end() if gap else month.end())
    if after:
        yield int(after[0])


@cache
def month_names() -> dict[str, tuple[int, ...]]:
    """The months that a word in lower case may name, in any language."""
    names: dict[str, set[int]] = {}
    for listed in table("months", "any").values():
        for number, forms in enumerate(listed.split(";"), start=1):
            for form in forms.split():
                names.setdefault(form, set()).add(number)
    return {name: tuple(sorted(numbers)) for name, numbers in names.items()}
