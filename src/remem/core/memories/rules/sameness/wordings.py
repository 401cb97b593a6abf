"""Replace synonyms and equivalent phrases by one form; for `compare.py`.

"The flat was reserved" becomes "The apartment was booked"."""

import re

# Patterns and their replacements, applied in this order. The gaps between words are bounded.
_EQUIVALENT_PHRASES = (
    (re.compile(r"\b(?:would|'d|\u2019d) like to\b", re.I), " want to"),
    (re.compile(r"\b(prefers?|preferred)\b([^.;!?]{1,80}?)\bover\b", re.I), r"\1\2to"),
    (re.compile(r"\bsaid to (?=\w)", re.I), "told "),
    (re.compile(r"\bper (?=(?:hour|day|night|week|month|year)\b)", re.I), "a "),
    (re.compile(r"\bwhich(?= \w)", re.I), "that"),
)


# Words that always mean the same. The first of each group replaces the others.
_SYNONYMS = """
booked reserved|books reserves|booking reserving|repaired fixed|repairs fixes|repairing fixing
kilograms kilos kgs|kilogram kilo kg|apartment flat|apartments flats|film movie|films movies
bicycle bike|bicycles bikes|sofa couch|sofas couches|physician doctor|physicians doctors
vacation holiday|vacations holidays|mother mum mom|father dad|phoned called rang|ill sick
car automobile|cars automobiles|shop store|shops stores|children kids|child kid|large big
larger bigger|largest biggest|begins starts|began started|beginning starting|completed finished
"""
_CANONICAL = {
    word: first
    for line in _SYNONYMS.strip().splitlines()
    for first, *others in (group.split() for group in line.split("|"))
    for word in others
}
_SYNONYM = re.compile(rf"\b(?:{'|'.join(_CANONICAL)})\b", re.IGNORECASE)


def normalize_wording(text: str) -> str:
    for pattern, replacement in _EQUIVALENT_PHRASES:
        text = pattern.sub(replacement, text)
    return _SYNONYM.sub(lambda match: _CANONICAL[match[0].lower()], text)
