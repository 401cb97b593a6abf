"""Whether the speaker has something to do on a future day."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from remem.core.language.claims.cancelled import cancellations_in
from remem.core.language.lists import word_list
from remem.core.language.sentences import sentence_starts
from remem.core.language.vocabulary import PAST, PEOPLE

_PERSON = "|".join(sorted(PEOPLE - {"baby", "twins"}))
_IRREGULAR = "|".join(sorted(PAST))
# Where a clause, and so a subject, begins.
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
# Events that the speaker attends, even if somebody else set the day.
_ATTENDED = re.compile(
    r"(?<!['’]s )(?<!\bhis )(?<!\bher )(?<!\btheir )"
    rf"\b(?:{'|'.join(word_list('duties', 'attended'))})\b",
    re.IGNORECASE,
)
# "The dentist moved it to Friday": the speaker goes there.
_MOVES = re.compile(
    rf"\b(?:the|my|our)\s(?:{'|'.join(word_list('duties', 'services'))})\b[^.;!?]{{0,60}}"
    r"\b(?:moved|shifted|pushed|postponed|rescheduled|changed|brought|comes?|coming|visits?)\b",
    re.IGNORECASE,
)
_FINISHED = re.compile(
    rf"(?:^|[.:;!]\s|\bto\s)(?:{'|'.join(word_list('duties', 'finished'))})\b", re.IGNORECASE
)
# What need not be done or is cancelled; "don't forget" and "don't miss" do not count.
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
_CLAUSE_END = re.compile(r";(?=\s|$)|\n")
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
    """Who has something to do according to a text, computed once for all of its times."""

    text: str
    # Where each subject ends, and its kind.
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
    # Ranges without duties: sentences that deny one, and quotations of others.
    left_out: tuple[tuple[int, int], ...]

    @property
    def are_of_another(self) -> bool:
        """Whether the text has a subject other than the speaker."""
        return any(kind in ("other", "person", "theirs", "named") for _, kind in self.subjects)

    def has(self, at: int, *, month: bool = False) -> bool:
        """Whether the time that starts at index `at` is that of a duty; `month` when the time is a
        whole month. What another person does without having to, or what merely happens, is no
        duty."""
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
        """The kind of the last subject before an index; "" when a note has no subject."""
        last = bisect_right(self.subjects, at, key=lambda subject: subject[0]) - 1
        return self.subjects[last][1] if last >= 0 else ""


def duties_of(text: str) -> Duties:
    has_to = _HAS_TO.search(text)
    return Duties(
        text,
        tuple((match.end(), match.lastgroup or "") for match in _SUBJECT.finditer(text)),
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
        left_out=_merge_spans([*_denied(text), *_quoted(text)]),
    )


def _denied(text: str) -> Iterator[tuple[int, int]]:
    """The sentences that say there is nothing to do."""
    denials = [match.start() for match in _DENIED.finditer(text)] + list(cancellations_in(text))
    if denials:
        ends = {match.end() for match in _CLAUSE_END.finditer(text)}
        ends |= set(sentence_starts(text, 0, len(text)))
        bounds = [0, *sorted(ends), len(text) + 1]
        for at in denials:
            index = bisect_right(bounds, at)
            yield bounds[index - 1], bounds[index]


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """Quotations, except one that is the whole text."""
    text_length = len(text.strip()) - 2
    for match in _QUOTED.finditer(text):
        if match.end() - match.start() < text_length:
            yield match.span()


def _merge_spans(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans in order, with overlapping ones merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _is_in(spans: Sequence[tuple[int, int]], at: int) -> bool:
    index = bisect_right(spans, at, key=lambda span: span[0])
    return index > 0 and spans[index - 1][1] > at


def _moves_own(text: str) -> bool:
    """Whether a text mentions the speaker's own event: "the dentist moved my appointment"."""
    return any(
        _MINE.search(text[max(0, match.start() - 32) : match.start()])
        for match in _ATTENDED.finditer(text)
    )
