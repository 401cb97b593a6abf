"""Turns of phrase that say the same, in one form: pure."""

import re

# What is put in place of what, in this order. Each has a bound on what stands between its words.
_ALIKE = (
    (re.compile(r"\b(?:would|'d|\u2019d) like to\b", re.I), " want to"),
    (re.compile(r"\b(prefers?|preferred)\b([^.;!?]{1,80}?)\bover\b", re.I), r"\1\2to"),
    (re.compile(r"\bsaid to (?=\w)", re.I), "told "),
    (re.compile(r"\bper (?=(?:hour|day|night|week|month|year)\b)", re.I), "a "),
    (re.compile(r"\bwhich(?= \w)", re.I), "that"),
)


def in_one_wording(text: str) -> str:
    for pattern, form in _ALIKE:
        text = pattern.sub(form, text)
    return text
