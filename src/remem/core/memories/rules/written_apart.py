"""Whether how a text is written says that it changes nothing; pure.

Code, a label in brackets, the words of others."""

import re

from remem.core.language.claims.news import has_phrase
from remem.core.language.lists import phrases
from remem.core.language.words import words

_CODE = re.compile(r"[={}#]|://|->|\w\(|^\d{1,3}(?:\.\d{1,3}){3}\b")
_LABEL = re.compile(r"\(([^()]{1,80})\)")
_QUOTED = re.compile(r"^\s*(?:[\"“„«<>]|(?:spam|fwd?|forwarded(?: message)?)\s*:)", re.IGNORECASE)
_OF_OTHERS = phrases("changes", "of_others")


def is_written_apart(new: str, old: str) -> bool:
    return _are_code(new, old) or _are_labelled_apart(new, old) or _is_of_others(new)


def _are_code(new: str, old: str) -> bool:
    """ "timeout = 30" may stand in as many files as there are."""
    return _CODE.search(new) is not None and _CODE.search(old) is not None


def _are_labelled_apart(new: str, old: str) -> bool:
    """ "John Smith (legal)" is not "John Smith (sales)"."""
    mine, theirs = (set(map(str.casefold, _LABEL.findall(text))) for text in (new, old))
    return bool(mine and theirs) and not mine & theirs


def _is_of_others(new: str) -> bool:
    """What a mail, a film or somebody else says."""
    return _QUOTED.match(new) is not None or has_phrase(words(new), _OF_OTHERS)
