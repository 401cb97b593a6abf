"""Whether a day that lies ahead is one on which the speaker has something to do."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from remem.core.language.lists import word_list
from remem.core.language.vocabulary import PAST, PEOPLE

_PERSON = "|".join(sorted(PEOPLE - {"baby", "twins"}))
_IRREGULAR = "|".join(sorted(PAST))
# Where a clause begins, and with it a subject.
_CLAUSE = r"(?:^|[.:;,!(–—]\s|\b(?:and|but|because|so|since|that|when|while|said|says)\s)"
_NAME = r"[A-Z][\w-]{1,40}"
_DOES = (
    rf"(?:\w{{2,40}}s|\w{{2,40}}ed|{_IRREGULAR}|is|are|has|have|will|can|may|must|should|would|needs"
    rf"|wants|plans)(?<!ss)"
)
_ORDERS = word_list("duties", "orders")
_SUBJECT = re.compile(
    r"\b(?P<own>(?:I|[Ww]e|me|us)\b)"
    r"|\b(?P<other>(?i:he|she|they|who)\b)"
    rf"|{_CLAUSE}(?P<person>(?i:(?:my|our|his|her|their|the|an?)|{_NAME}['’]s)\s(?:\w{{1,40}}\s){{0,2}}?"
    rf"(?i:{_PERSON})\b(?!['’]s))"
    rf"|{_CLAUSE}(?P<named>(?!(?:{'|'.join(_ORDERS)})\b){_NAME}(?:(?:\s{_NAME}){{0,2}}\s{_DOES}\b"
    rf"|\sand\s{_NAME}\s[a-z]))"
    rf"|{_CLAUSE}(?P<theirs>(?:{_NAME}['’]s|(?i:his|her|their))\s)"
    rf"|{_CLAUSE}(?P<thing>(?i:the|our|my|this|that|these|those|all|an?|it)\s)"
)
# What one has to be at, even if somebody else fixed the day.
_ATTENDED = re.compile(
    r"(?<!['’]s )(?<!\bhis )(?<!\bher )(?<!\btheir )\b(?:appointment|interview|exam|flight|train"
    r"|booking|reservation|check-?up|surgery|operation|viewing|lesson|shift|trip|holiday|vacation"
    r"|meeting|course|viva)\b",
    re.IGNORECASE,
)
_DEADLINE = re.compile(
    r"\b(?:due(?! to\b)|deadline|expires?|no later than|must|needs? to|ha(?:s|ve) to|should"
    r"|to be)\b",
    re.I,
)
_HAS_TO = re.compile(r"\b(?:must|needs? to|ha(?:s|ve) to|should|will)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:deadline|expires?)\b", re.IGNORECASE)
_OBLIGES = re.compile(
    r"\b(?:have|has|need|needs|must|should|get|got|due(?! to\b)|deadline)\b", re.I
)
_IS_DUE = re.compile(r"\bdue\b(?! to\b)", re.IGNORECASE)
_BIRTH = re.compile(
    r"\b(?:pregnan\w+|expecting|baby|babies|bab(?:y|ies)['’]s|twins|newborn|birth)\b"
    r"|\b(?:I['’]m|I am|we['’]re|we are|(?:s?he|they|wife|sister|friend)(?:['’]s| is| are)) due\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:my|our)\s(?:\w{1,25}\s)?$", re.IGNORECASE)
_BY = re.compile(r"(?:by|before|due)\b(?! to\b)", re.IGNORECASE)
_UNTIL = re.compile(r"(?:until|till)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Duties:
    """What a text says of who has something to do; it is read once for all of its times."""

    text: str
    # Where each subject ends, and of which kind it is.
    subjects: tuple[tuple[int, str], ...]
    of_birth: bool
    obliges: bool
    has_to: int | None
    ends: bool
    is_due: bool
    limited: bool
    attended: bool
    moves_own: bool

    def has(self, at: int, *, month: bool = False) -> bool:
        """Whether the time that begins at a place, a whole `month` or less, is one of a duty. What
        another person does then, unless they have to, or what only happens then, is none."""
        if self.of_birth or (_UNTIL.match(self.text, at) and not self.obliges):
            return False
        subject, by = self._subject(at), _BY.match(self.text, at) is not None
        if subject in ("", "own") or (by and self.has_to is not None and self.has_to <= at):
            return True
        if subject in ("other", "person", "theirs"):
            return subject == "person" and self.moves_own
        if subject == "named":
            return self.ends or (self.is_due and not month)
        return by or self.limited or self.attended

    def _subject(self, at: int) -> str:
        """The kind of the last one before a place; "" where a note leaves it out."""
        last = bisect_right(self.subjects, at, key=lambda one: one[0]) - 1
        return self.subjects[last][1] if last >= 0 else ""


def duties_of(text: str) -> Duties:
    has_to = _HAS_TO.search(text)
    return Duties(
        text,
        tuple((found.end(), found.lastgroup or "") for found in _SUBJECT.finditer(text)),
        of_birth=_BIRTH.search(text) is not None,
        obliges=_OBLIGES.search(text) is not None,
        has_to=has_to.end() if has_to else None,
        ends=_ENDS.search(text) is not None,
        is_due=_IS_DUE.search(text) is not None,
        limited=_DEADLINE.search(text) is not None,
        attended=_ATTENDED.search(text) is not None,
        moves_own=_moves_own(text),
    )


def _moves_own(text: str) -> bool:
    """ "The dentist moved my appointment"."""
    return any(
        _MINE.search(text[max(0, found.start() - 32) : found.start()])
        for found in _ATTENDED.finditer(text)
    )
