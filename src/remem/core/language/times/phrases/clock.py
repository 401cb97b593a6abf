"""The time of day beside a date."""

import re
from collections.abc import Sequence
from datetime import time

from remem.core.language.times.phrases.symbols import AT_MOST, Found, TimeSymbol

_CLOCKS = tuple(
    re.compile(pattern.replace(*AT_MOST))
    for pattern in (
        # From one hour to another: the first one.
        r"[CF]*(?<![NJ.])(?P<h>N)(?:[.:H](?P<i>N))?H?(?:-|[CF]*[JC][CF]*)N(?:[:H]N|(?:\.N)?H)",
        r"(?P<P>P)?F*p(?P<h>N)H?",
        r"b(?P<b>[Nn])",
        r"(?P<P>P)?[CF]*(?P<h>N)[:H](?P<i>N)H?(?:-NH?)?(?:[:]N)?F*(?P<P2>P)?",
        r"(?P<P>P)?[CF]*(?P<h>N)H?(?P<half>h)H?F*(?P<P2>P)?",
        # After "and" and the like, 7.12 is another day.
        r"(?P<P>P)?[CF]*(?<!J)(?<!JF)(?P<h>N)\.(?P<i>N)H?F*(?P<P2>P)?",
        r"(?P<P>P)?[CF]*(?P<h>N)(?:-N)?H+F*(?P<P2>P)?",
        r"(?P<P>P)?(?:C[CF.]*(?P<h>n)|(?P<h2>n)H)(?P<half>h)?F*(?P<P2>P)?",
        r"(?P<h>N)(?:-N)?[F|]?(?P<P2>P)",
        r"(?P<P>P)?[CJL][CF.]*(?P<h>N)(?![.DF]*M|[./-][NQ])F*(?P<P2>P)?",
        r"(?P<P>P)F*(?P<h>N)",
        r"(?P<h>N)-N",
        r"(?P<four>N)",
        r"(?P<noon>P)",
    )
)
_AFTERNOON = ("pm", "noon")
# A bare hour below this is in the afternoon: nobody meets at three at night.
_FIRST_HOUR = 7
# Languages in which "at 3" and "3:30" may be in the afternoon.
TWELVE_HOURS = frozenset("en ar hi ja ko zh".split())


def clock_beside(
    symbols: str, items: Sequence[TimeSymbol], dated: re.Match[str], *, has_halves: bool
) -> tuple[time, int, int] | None:
    """The time of day in the rest of a phrase, behind the date or else before it, with the first
    and last of its items."""
    behind = (symbols[dated.end() :], dated.end())
    before = (symbols[: dated.start()], 0)
    for rest, start in (behind, before):
        for pattern in _CLOCKS:
            if (match := pattern.search(rest)) and (
                clock := _time(
                    Found(match, items[start : start + len(rest)]), has_halves=has_halves
                )
            ):
                return clock, start + match.start(), start + match.end() - 1
    return None


def _time(found: Found, *, has_halves: bool) -> time | None:
    part = found["P"] or found["P2"]
    if noon := found["noon"]:
        return {"noon": time(12), "midnight": time()}.get(str(noon.value))
    if half := found.number("b"):
        return _at(half - 1, 30, part, has_halves=True)
    if four := found["four"]:
        hour, minute = divmod(int(four.value), 100)
        return time(hour, minute) if four.digits == 4 and hour < 24 and minute < 60 else None
    minute = found["i"]
    if minute is not None and minute.digits != 2:
        return None
    minutes = 30 if found["half"] or "p" in found.match[0] else found.number("i") or 0
    hour = found["h"] or found["h2"]
    if hour and hour.digits == 2 and int(hour.value) < 10:
        return _at(int(hour.value), minutes, part or TimeSymbol("P", "am"), has_halves=has_halves)
    return _at(found.number("h", "h2"), minutes, part, has_halves=has_halves)


def _at(hour: int | None, minute: int, part: TimeSymbol | None, *, has_halves: bool) -> time | None:
    if hour is None or hour > 24 or minute > 59:
        return None
    named = str(part.value) if part else ""
    if _is_afternoon(hour, named, has_halves=has_halves):
        hour += 12
    elif named == "am" and hour == 12:
        hour = 0
    return time(hour % 24, minute)


def _is_afternoon(hour: int, part: str, *, has_halves: bool) -> bool:
    if part in _AFTERNOON:
        return hour < 12
    if part == "night":
        return 6 <= hour < 12
    return not part and has_halves and 0 < hour < _FIRST_HOUR
