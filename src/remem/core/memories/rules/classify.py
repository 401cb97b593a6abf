"""Which category a statement has, by its wording; for new memories, facts and statements.

"We decided to use Postgres" is a decision, "I prefer tea" a preference."""

import re

from remem.core.judgements import Category
from remem.core.language.times.duties import duties_of

_WHO = r"(?:\bI|\b[Ww]e|\b[A-Z][\w'’-]{0,40})"
_ADVERB = r"(?: (?:also|really|still|always|never|just|absolutely|much|strongly|would|generally))?"
_DECIDED = r"(?:decided|agreed|chosen|chose|settled|opted|resolved)"
_CHORE = (
    "fix|update|add|remove|implement|write|review|refactor|investigate|deploy|migrate|rewrite|test"
    "|check|call|email|send|buy|book|pay|renew|order|schedule|cancel|finish|submit|prepare|clean"
    "|upgrade|rename|document|repair|delete|replace"
)
_RULES: tuple[tuple[Category, str], ...] = (
    ("task", r"^(?i:to ?do|action(?: item)?|task|remind me to|reminder|remember to|need to|have to"
             r"|must|gotta|don['’]t forget)\b"),
    ("decision", rf"^(?i:decision|decided|agreed|settled:|resolved:)|\b(?i:{_DECIDED})"
                 r" (?:to|on|that|for|not|against|upon)\b|\b[Ww]e(?:['’]re| are) going with\b"
                 r"|\b[Ww]e(?:['’]ll| will) (?:use|go with)\b"
                 r"|\b[Ww]e (?:chose|picked|selected)\b"
                 r"|\b(?:I|[Ww]e)(?:['’]ve| have)?(?: all| both| just| finally| now)? decided\b"
                 r"|\b[Ww]e(?:['’]ve| have)?(?: all| both| just| finally| now)? agreed with\b"),
    ("lesson", r"^(?i:lessons?(?: learned)?)\b:?|\blearned (?:that|the hard way)\b"),
    ("preference", rf"{_WHO}{_ADVERB} (?:prefers?|dislikes?|hates?|can['’]t stand|likes?|loves?"
                   r"|enjoys?|adores?|don['’]t like|doesn['’]t like|favou?rs?|avoids?)\b"
                   r"|\b(?i:favou?rite|fave)\b"
                   r"|\b(?i:fan of|fond of|passionate about|would rather)\b"),
    # Statements without a subject, as assistants save them.
    ("insight", r"^(?i:(?:the )?user|asks|struggles|tends)\b[^.!?]{0,200}\b(?i:frequently|often"
                r"|regularly|repeatedly|tends to)\b"),
    ("preference", r"^(?i:(?:(?:the )?user )?(?:strongly |really |usually |always |generally )?"
                   r"(?:prefers|likes|loves|dislikes|hates|enjoys|avoids|favou?rs))\b"),
    ("preference", r"^(?i:always|never) (?!mind\b|been\b|had\b|was\b|were\b|again\b|knew\b|saw\b)"
                   r"(?![a-z]+(?:ed|ing)\b)[a-z]+ \S"),
    ("preference", r"^(?i:(?:please )?(?:don['’]t|do not) (?!(?:know|have|think|worry|mind|care|see"
                   r"|remember|understand|believe|need|want|feel|expect|seem)\b)[a-z]+ \S"
                   r"|(?:prefer|avoid) \S)"),
    ("episode", r"^(?:[\w-]+ )?(?i:meeting|stand-?up|workshop|conference) (?:on|at|with) "),
    ("task", rf"^(?i:{_CHORE}) (?:the|a|an|my|our|all|this|that|these|those)\b"),
    # Names, and days that recur every year.
    ("fact", r"\b(?:is|are) (?:called|named)\b|\b(?:birthday|anniversary) (?:is|falls)\b"),
    ("task", r"\b(?:I|[Ww]e)(?: also| really| still| just)? (?:need to|have to|must|should|gotta)\b"
             r"|(?<!tight )\b[Dd]eadline\b"),
    ("task", r"\b(?:I['’]m|I am|[Ww]e['’]re|[Ww]e are)(?: also| really| still| now)? (?:going"
             r" to|gonna|planning (?:to|on))\b|\b(?:I|[Ww]e) plan (?:to|on)\b"),
)  # fmt: skip
_IS_DUE = re.compile(r"\b(?:is|are) due\b(?! to\b)")
_PATTERNS = tuple((category, re.compile(pattern)) for category, pattern in _RULES)


def category_of(text: str, *, due: bool = False, past: bool = False) -> Category:
    """The category of a text, `fact` in doubt. `due`: it has a due date; `past`: it is over."""
    category = next((category for category, pattern in _PATTERNS if pattern.search(text)), None)
    if category:
        return category
    if due or ((match := _IS_DUE.search(text)) and duties_of(text).has(match.end())):
        return "task"
    return "episode" if past else "fact"
