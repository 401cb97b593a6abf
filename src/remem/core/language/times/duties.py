"""Whether a day that lies ahead is one on which the speaker has something to do."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
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
    r"(?<!['’]s )(?<!\bhis )(?<!\bher )(?<!\btheir )"
    rf"\b(?:{'|'.join(word_list('duties', 'attended'))})\b",
    re.IGNORECASE,
)
# "The dentist moved it to Friday": it is I who goes there.
_MOVES = re.compile(
    rf"\b(?:the|my|our)\s(?:{'|'.join(word_list('duties', 'services'))})\b[^.;!?]{{0,60}}"
    r"\b(?:moved|shifted|pushed|postponed|rescheduled|changed|brought|comes?|coming|visits?)\b",
    re.IGNORECASE,
)
_FINISHED = re.compile(
    rf"(?:^|[.:;!]\s|\bto\s)(?:{'|'.join(word_list('duties', 'finished'))})\b", re.IGNORECASE
)
# What need not be done, or is off; "don't forget" and "don't miss" are none of these.
_DENIED = re.compile(
    r"\b(?:no need|no longer|(?:was|were|been) due"
    r"|not (?:due|required|necessary|needed|yet due)|isn['’]?t due|needn['’]?t"
    r"|(?:not|never|\w{2,6}n['’]?t) (?:have|need|supposed|obliged) to|nothing (?:is )?due"
    r"|cancell?ed|called off|scrapped|waived|abolished|fell through)\b"
    r"|\b(?:I|we|you|they|he|she|people|everyone) (?:always|usually|normally|typically|generally"
    r"|often|sometimes|tend to) (?!forget)"
    rf"|\b(?:do not|don['’]?t|never) (?:{'|'.join(_ORDERS)})\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|\n")
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{3,400})[\"”“»]")
_DEADLINE = re.compile(
    r"\b(?:due(?! to\b)|deadline|expires?|runs? out|lapses?|no later than|latest|must|needs? to"
    r"|ha(?:s|ve) to|should|to be|payable|last day (?:to|for)|closing date)\b",
    re.I,
)
_WINDOWS = "|".join(name.replace("-", "[- ]") for name in word_list("duties", "windows"))
# "Applications for the grant close on Friday", "the offer is open until Friday".
CLOSES = re.compile(
    rf"\b(?:{_WINDOWS})\s(?:(?:for|to|of|on)\s(?:[\w'’-]{{1,30}}\s){{1,5}})?"
    r"(?:(?:will\s|is\s|are\s)?clos(?:es?|ing)\b(?!\s(?:to|by)\b)"
    r"|(?:is|are|stays?|remains?)\s(?:still\s)?(?:open|available)\s(?:until|till)\b)",
    re.IGNORECASE,
)
_HAS_TO = re.compile(r"\b(?:must|needs? to|ha(?:s|ve) to|should|will)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:deadline|expires?|runs? out|lapses?)\b", re.IGNORECASE)
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
    closes: bool
    attended: bool
    moves_own: bool
    is_moved: bool
    # Where nothing is to be done: sentences that deny it, and what others say in quotes.
    left_out: tuple[tuple[int, int], ...]

    @property
    def are_of_another(self) -> bool:
        """Whether it tells of somebody else than the speaker."""
        return any(kind in ("other", "person", "theirs", "named") for _, kind in self.subjects)

    def has(self, at: int, *, month: bool = False) -> bool:
        """Whether the time that begins at a place, a whole `month` or less, is one of a duty. What
        another person does then, unless they have to, or what only happens then, is none."""
        until = _UNTIL.match(self.text, at) is not None
        if self.of_birth or (until and not (self.obliges or self.closes)):
            return False
        if _is_in(self.left_out, at):
            return False
        subject, by = self._subject(at), _BY.match(self.text, at) is not None
        if subject in ("", "own") or (by and self.has_to is not None and self.has_to <= at):
            return True
        if subject in ("other", "person", "theirs"):
            return subject == "person" and (self.moves_own or self.is_moved)
        if subject == "named":
            return self.ends or self.closes or (self.is_due and not month)
        return by or self.limited or self.closes or self.attended or self.is_moved

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
        obliges=(_OBLIGES.search(text) or _FINISHED.search(text)) is not None,
        has_to=has_to.end() if has_to else None,
        ends=_ENDS.search(text) is not None,
        is_due=_IS_DUE.search(text) is not None,
        limited=_DEADLINE.search(text) is not None,
        closes=CLOSES.search(text) is not None,
        attended=_ATTENDED.search(text) is not None,
        moves_own=_moves_own(text),
        is_moved=_MOVES.search(text) is not None,
        left_out=_joined([*_denied(text), *_quoted(text)]),
    )


def _denied(text: str) -> Iterator[tuple[int, int]]:
    """The sentences that say that there is nothing to do."""
    denials = [found.start() for found in _DENIED.finditer(text)]
    if denials:
        ends = [found.end() for found in _SENTENCE_END.finditer(text)]
        bounds = [0, *ends, len(text) + 1]
        for at in denials:
            place = bisect_right(bounds, at)
            yield bounds[place - 1], bounds[place]


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """A note that is all in quotes is the note's own."""
    most = len(text.strip()) - 2
    for found in _QUOTED.finditer(text):
        if found.end() - found.start() < most:
            yield found.span()


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """In order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def _is_in(spans: Sequence[tuple[int, int]], at: int) -> bool:
    place = bisect_right(spans, at, key=lambda one: one[0])
    return place > 0 and spans[place - 1][1] > at


def _moves_own(text: str) -> bool:
    """ "The dentist moved my appointment"."""
    return any(
        _MINE.search(text[max(0, found.start() - 32) : found.start()])
        for found in _ATTENDED.finditer(text)
    )
