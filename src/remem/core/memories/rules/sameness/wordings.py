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


# Of words that mean the same wherever they stand, the first is put in place of the others.
_SYNONYMS = """
booked reserved|books reserves|booking reserving|repaired fixed|repairs fixes|repairing fixing
kilograms kilos kgs|kilogram kilo kg|apartment flat|apartments flats|film movie|films movies
bicycle bike|bicycles bikes|sofa couch|sofas couches|physician doctor|physicians doctors
vacation holiday|vacations holidays|mother mum mom|father dad|phoned called rang|ill sick
car automobile|cars automobiles|shop store|shops stores|children kids|child kid|large big
larger bigger|largest biggest|begins starts|began started|beginning starting|completed finished
"""
_FIRST = {
    word: first
    for line in _SYNONYMS.strip().splitlines()
    for first, *others in (group.split() for group in line.split("|"))
    for word in others
}
_OTHER = re.compile(rf"\b(?:{'|'.join(_FIRST)})\b", re.IGNORECASE)


def in_one_wording(text: str) -> str:
    for pattern, form in _ALIKE:
        text = pattern.sub(form, text)
    return _OTHER.sub(lambda found: _FIRST[found[0].lower()], text)
