"""Which kind of memory a statement is, by the words that tell it."""

import re

from remem.core.memories.model import Category

_WHO = r"(?:\bI|\b[Ww]e|\b[A-Z][\w'’-]{0,40})"
_ADVERB = r"(?: (?:also|really|still|always|never|just|absolutely|much|strongly|would|generally))?"
_RULES: tuple[tuple[Category, str], ...] = (
    ("task", r"^(?i:to ?do|action(?: item)?|task|remind me to|reminder|remember to|need to|have to"
             r"|must|gotta|don['’]t forget)\b"),
    ("decision", r"^(?i:decision)\b|\b(?i:decided|agreed|chose|settled|opted|resolved)"
                 r" (?:to|on|that|for|not|against|upon)\b|\b[Ww]e(?:['’]re| are) going with\b"
                 r"|\b[Ww]e(?:['’]ll| will) (?:use|go with)\b"
                 r"|\b[Ww]e (?:chose|picked|selected)\b"),
    ("lesson", r"^(?i:lessons?(?: learned)?)\b:?|\blearned (?:that|the hard way)\b"),
    ("preference", rf"{_WHO}{_ADVERB} (?:prefers?|dislikes?|hates?|can['’]t stand|likes?|loves?"
                   r"|enjoys?|adores?|don['’]t like|doesn['’]t like|favou?rs?|avoids?)\b"
                   r"|\b(?i:favou?rite|fave)\b"
                   r"|\b(?i:fan of|fond of|passionate about|would rather)\b"),
    ("task", r"\b(?:I|[Ww]e)(?: also| really| still| just)? (?:need to|have to|must|should|gotta)\b"
             r"|\b(?:is|are) due\b|\b[Dd]eadline\b"),
    ("task", r"\b(?:I['’]m|I am|[Ww]e['’]re|[Ww]e are)(?: also| really| still| now)? (?:going"
             r" to|gonna|planning (?:to|on))\b|\b(?:I|[Ww]e) plan (?:to|on)\b"),
)  # fmt: skip
_KINDS = tuple((kind, re.compile(pattern)) for kind, pattern in _RULES)


def category_of(text: str, *, due: bool = False, past: bool = False) -> Category:
    """A fact in doubt. `due` says that it has a day ahead, `past` that it is over."""
    found = next((kind for kind, pattern in _KINDS if pattern.search(text)), None)
    if found:
        return found
    if due:
        return "task"
    return "episode" if past else "fact"
