"""Whether a statement is about the future or the past, by its verbs."""

import re

from remem.core.language.lists import word_list
from remem.core.language.times import calendar as cal
from remem.core.language.times.duties import CLOSES

_ORDERS = "|".join(word_list("duties", "orders"))
_HAPPENS = "|".join(word_list("duties", "happens"))
# A note of something to do: "book the train", "me: call Anna", "remember to pay".
_ORDER = re.compile(
    r"(?:^|[.;:!]\s|^\s*(?:[-*•]|\[ \])\s)(?:please\s|remem?ber to\s|don['’]?t forget to\s)?"
    rf"(?:{_ORDERS})\b(?!['’:-]|\s(?:is|was|are|were|has|had)\b)"
    r"|\b(?:remem?ber|do not forget|don['’]?t forget|wants? me|asked me|told me) to\b",
    re.IGNORECASE,
)
# A note that names an event to attend and only says when it is.
_ATTENDED = re.compile(rf"\b(?:{'|'.join(word_list('duties', 'attended'))})\b", re.IGNORECASE)
_PLANNED_ACTION = re.compile(
    rf"\b(?:I|[Ww]e)\s(?:{_HAPPENS})\b"
    rf"|\b(?:I|[Ww]e)(?:['’]ve|\shave)(?:\sgot)?\s(?:an?|my|our)\s(?:\w{{1,30}}\s){{0,2}}"
    rf"(?:{'|'.join(word_list('duties', 'attended'))})\b"
)
# "I've got a viewing on Saturday"; "a letter from a meeting on Saturday" is in the past.
_PLANNED_EVENT = re.compile(
    r"\b(?:I|[Ww]e)(?:['’]ve|\shave)\s(?:got|an?|my|our|another)\s"
    r"(?:(?!(?:from|since|that|who|which|after|about|because|when|to)\b)[\w'’-]{1,30}\s){1,5}"
    r"(?:on|at|this|next)\b"
)
_DAY_NAMES = "|".join((*cal.WEEKDAYS, *cal.MONTHS))
_OCCASIONS = "|".join(
    name.replace("parents-", r"\w{1,20}s['’]?-").replace("-", "[- ]")
    for name in (*word_list("duties", "occasions"), *word_list("duties", "services"))
)
# At the beginning of a note; "the concert" takes place anyway.
_OCCASION = re.compile(
    r"(?:^|\n)[ \t]{0,8}(?:[-*•]\s|\[ \]\s)?"
    r"(?:(?!(?:the|an?|his|her|their|no|photos?|notes?|minutes|after|from|about)\b)"
    r"[\w.&-]{1,30}\s){0,3}"
    rf"(?:{_OCCASIONS})(?=\s*(?:$|[,(–—])|\s(?:on|at|with|for|in|this|next|tomorrow|\d{{1,2}}"
    rf"|{_DAY_NAMES})\b)",
    re.IGNORECASE,
)
# "Handover with Imke, Thurs 10am"; two times are opening hours.
_TIMED = re.compile(r"\b\d{1,2}(?::\d\d(?!\d)|(?::\d\d)? ?[ap]m\b)|\b(?:noon|midday)\b", re.I)
_UNTIMED = re.compile(r"\b(?:open|hours|daily|the|sunrise|sunset|until|till)\b", re.IGNORECASE)
_NOTE_CHARS = 60
_VERB = re.compile(
    r"\b(?:is|are|am|was|were|be|been|has|have|had|do|does|did|not|never|previous|former|earlier"
    r"|went|\w{3,}ed)\b|['’](?:s|re|m|ve|d)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)? (?:to|on)|planned for|scheduled"
    r"|needs? to|ha(?:ve|s) to|must|should|(?<!was )(?<!were )(?<!been )due(?! to\b)"
    r"|(?<!tight )deadline|remind|upcoming|next"
    r"|by (?:the )?(?:end|next|tomorrow)"
    r"|tomorrow|intend(?:s)? to|expect(?:s)? to|hop(?:e|es|ing) to|want(?:s)? to|about to|let's"
    r"|looking forward|starts|begins|ends|expires|runs out|lapses|falls due|opens|leaves|arrives"
    r"|takes place|is on|are on|comes on|payable|last day (?:to|for)|closing date)\b"
    r"|\b\w+'ll\b|\b(?:i'm|is|are|'re|am|be) \w+ing\b|\btodo\b",
    re.IGNORECASE,
)
_PAST_FORMS = (
    "was were had did went came got made took saw met bought sold told said gave found left felt"
    " began ran wrote read heard held kept brought thought spent built lost won paid sent taught"
    " caught broke chose drove flew ate drank slept grew knew spoke stood sang swam wore woke rode"
    " fell forgot led hosted threw drew rang hung hit set put cut let quit shut beat"
)
_PAST_TENSE = re.compile(
    rf"\b(?:{'|'.join(_PAST_FORMS.split())}|\w{{2,}}[^e\W]ed|\w+'d been"
    r"|last(?! (?:name|minute|page|line|resort|straw|day (?:to|for))s?\b)|previous|ago)\b",
    re.I,
)
# A state, not an event: "is called", "we're based", "a dog named Rex", "with smoked fish".
_STATE = re.compile(
    r"\b(?:is|are|am|'re|'m|be|being|a|an|the|my|our|his|her|their|your|some|of|with|in|for|at"
    r"|from|to|very|too|use|uses|like|likes|eat|eats|get|gets)"
    r"(?: not| also| still| now| \w{1,20}ly)?"
    r" (?:\w{2,40}ed|held|paid|sold|sent|taught|made|built|kept|led|shut|set|put|cut)\b"
    r"|(?:['’]ve|\bhave|\bhas) got\b"
    r"|'s (?:called|named|based|located|married|divorced|retired|allergic|certified|interested)\b"
    r"|\b(?:an?|one|two|three) (?:[\w-]{1,30} ){1,2}(?:called|named|titled|based)\b",
    re.IGNORECASE,
)
_CLEARLY_FUTURE = re.compile(
    r"\b(?:will|going to|tomorrow|next|due(?! to\b)|(?<!tight )deadline|must|\w+'ll)\b", re.I
)


def looks_ahead(text: str) -> bool | None:
    """True for the future, False for the past, None for neither or both."""
    patterns = (_FUTURE, _ORDER, _PLANNED_ACTION, _PLANNED_EVENT, CLOSES)
    is_future = any(pattern.search(text) for pattern in patterns)
    is_past = _PAST_TENSE.search(_STATE.sub(" ", text)) is not None
    if is_future and is_past:
        return True if _CLEARLY_FUTURE.search(text) else None
    return None if is_future == is_past else is_future


def notes_event(text: str) -> bool:
    """Whether a note names an event to attend and only says when it is: its day is the nearest one,
    past or future."""
    if _VERB.search(text):
        return False
    return any(pattern.search(text) for pattern in (_ATTENDED, _OCCASION)) or _is_timed(text)


def _is_timed(text: str) -> bool:
    """Whether a text is a short note with one time of day."""
    if len(text) > _NOTE_CHARS or _UNTIMED.search(text):
        return False
    return len(_TIMED.findall(text)) == 1
