"""Whether the form of a text rules out that it updates another one; for `guards.py`.

Code and configuration, different labels in brackets, and quotations update nothing:
"timeout = 30" may be in many files."""

import re

from remem.core.language.claims.news import has_phrase
from remem.core.language.lists import phrases
from remem.core.language.words import words

_CODE = re.compile(r"[={}#]|://|->|\w\(|^\d{1,3}(?:\.\d{1,3}){3}\b")
_LABEL = re.compile(r"\(([^()]{1,80})\)")
_QUOTED = re.compile(r"^\s*(?:[\"“„«<>]|(?:spam|fwd?|forwarded(?: message)?)\s*:)", re.IGNORECASE)
_QUOTE_PHRASES = phrases("changes", "of_others")


def form_rules_out_update(new: str, old: str) -> bool:
    return _are_code(new, old) or _have_different_labels(new, old) or _is_quotation(new)


def _are_code(new: str, old: str) -> bool:
    """ "timeout = 30" may be in any number of files."""
    return _CODE.search(new) is not None and _CODE.search(old) is not None


def _have_different_labels(new: str, old: str) -> bool:
    """ "John Smith (legal)" is not "John Smith (sales)"."""
    new_labels, old_labels = (set(map(str.casefold, _LABEL.findall(text))) for text in (new, old))
    return bool(new_labels and old_labels) and not new_labels & old_labels


def _is_quotation(new: str) -> bool:
    """Whether a mail, a film or another person says it."""
    return _QUOTED.match(new) is not None or has_phrase(words(new), _QUOTE_PHRASES)
