"""Cut a text into statements, each with its place and what stands beside it.

From the line "- valve: £285. fitting thurs" below "boiler" come "valve: £285." and, with the label
"valve", "fitting thurs", both with the heading "boiler". Headings, questions and greetings are no
statements. Pure."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from remem.core.language.claims.verbs import find_verb
from remem.core.language.lists import table
from remem.core.language.person import depends_on_speaker
from remem.core.language.prose.spans import Span, prose_spans
from remem.core.language.sentences import sentence_spans
from remem.core.language.tables import table_rows
from remem.core.language.words import words

_HEADING_WORDS, _HEADING_CHARS, _FEWEST_BELOW = 6, 60, 2
_LABEL_WORDS = 5
_LABEL = re.compile(
    r"([^\W_](?:[^:：;.!?\n]|(?<=\b\w)\.|(?<=\b\w\w)\.){0,39}?)\s*(?::\s+|：\s*)(?=\S)"
)
_LIST_LINE = re.compile(r"\s*(?:[-*•+・–]\s*|\d{1,3}[.)]\s)")
_DAY = re.compile(
    r"(?:[^\W\d_]{2,3}\.?\s)?\d{1,2}([./-])\d{1,2}(?:\1(?:\d\d){1,2})?\.?(?=[\s:])"
    r"|\d{4}-\d\d-\d\d(?=[\s:])|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]"
)
_SENTENCE_END = re.compile(r"[.!?…。！？।؟][\"'”’)」]?\s*\Z")
_QUESTION = re.compile(r"[?？؟][\"'”’)」\s]*\Z")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,2}|[^\W_]+(?:['’.,:-][^\W_]+)*")
# Between two statements on one line.
_SEPARATOR = re.compile(r"(?<=\s)(?://?|•|·|\|)\s+")
_SEMICOLON = re.compile(rf"[;；](?:\s+|(?<=；))|{_SEPARATOR.pattern}")
_MIN_PART_WORDS, _BRACKET_CHARS = 3, 80
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_TALK: dict[str, str] = table("talk", "any")
_OWN_LABELS = frozenset((_TALK["persons"] + " " + _TALK["unspaced"]).split()) | {"me", "i"}
_ANSWERS = frozenset((_TALK["answers"] + " " + _TALK["unspaced"]).split())


@dataclass(frozen=True, slots=True)
class QuotedText:
    """A statement from `start` to `end`. Above it stands `heading`, or the header of its table; on
    its line, before another statement, `label`; and at the beginning of its line in a talk,
    `speaker`. A question or a greeting is no statement."""

    start: int
    end: int
    heading: str = ""
    label: str = ""
    speaker: str = ""
    is_statement: bool = True


def quoted_statements(text: str) -> list[QuotedText]:
    """The statements of a text in its order."""
    return [quoted for line in quoted_lines(text) for quoted in line if quoted.is_statement]


def quoted_lines(text: str) -> list[list[QuotedText]]:
    """The sentences of each line, or of each paragraph of a text that was wrapped."""
    rows = list(table_rows(text))
    row_starts = [row.start for row in rows]
    spans = [span for span in prose_spans(text) if not _has_row(span, row_starts)]
    speakers = _speakers(text, spans)
    lines = [[QuotedText(row.start, row.end, row.header)] for row in rows if not row.is_header]
    for block in _blocks(text, spans):
        heading = ""
        for at, span in enumerate(block):
            if _is_heading(text, block, at):
                heading = text[span[0] : span[1]].strip().rstrip(":：").strip()
                continue
            line = _sentences_of(text, span, speakers)
            lines.append([replace(quoted, heading=heading) for quoted in line])
    return sorted(filter(None, lines), key=lambda line: line[0].start)


def _has_row(span: Span, row_starts: Sequence[int]) -> bool:
    """Whether a row of a table begins in a span."""
    at = bisect_left(row_starts, span[0])
    return at < len(row_starts) and row_starts[at] < span[1]


def _blocks(text: str, spans: Sequence[Span]) -> Iterator[list[Span]]:
    """The spans that no blank line separates."""
    block: list[Span] = []
    for span in spans:
        if block and _BLANK_LINE.search(text, block[-1][1], span[0]):
            yield block
            block = []
        block.append(span)
    if block:
        yield block


def _is_heading(text: str, block: Sequence[Span], at: int) -> bool:
    """Whether a line names what is below it: it ends with a colon; or it is the first of three
    lines or more, is short, has no value after a label and no verb, and does not end like a
    sentence."""
    line = text[block[at][0] : block[at][1]].strip()
    below = len(block) - at - 1
    if not below or "\n" in line:
        return False
    if line.endswith((":", "：")):
        return True
    if at or below < _FEWEST_BELOW or len(line) > _HEADING_CHARS or _SENTENCE_END.search(line):
        return False
    if _LIST_LINE.match(text, text.rfind("\n", 0, block[0][0]) + 1) or _label(line):
        return False
    if len(_WORD.findall(line)) > _HEADING_WORDS or "=" in line:
        return False
    return not depends_on_speaker(line) and find_verb(words(line)) is None


def _speakers(text: str, spans: Sequence[Span]) -> frozenset[str]:
    """The labels of lines that are names of people who talk: one is "me", or several recur."""
    labels = Counter(label.casefold() for start, end in spans if (label := _label(text[start:end])))
    if labels.keys() & _OWN_LABELS and len(labels) <= _LABEL_WORDS:
        return frozenset(labels)
    recurring = [label for label, count in labels.items() if count > 1]
    return frozenset(recurring) if len(recurring) > 1 else frozenset()


def _label(line: str) -> str:
    match = _LABEL.match(line)
    return match[1].strip() if match and len(match[1].split()) <= _LABEL_WORDS else ""


def _sentences_of(text: str, span: Span, speakers: frozenset[str]) -> Iterator[QuotedText]:
    start, end = span
    label = _label(text[start:end])
    speaker = label if label.casefold() in speakers else ""
    day = _DAY.match(text, start, end)
    label = "" if speaker else label or (day[0].strip() if day else "")
    for sentence in _with_whole_brackets(text, sentence_spans(text, start, end, typed=True)):
        for first, last in _separated(text, sentence):
            quote = text[first:last]
            is_statement = not (_QUESTION.search(quote) or _is_filler(quote, speaker))
            own_label = "" if first == start else label
            yield QuotedText(first, last, "", own_label, speaker, is_statement)


def _with_whole_brackets(text: str, sentences: Iterable[Span]) -> Iterator[Span]:
    """The sentences; one that ends inside brackets goes on to the next."""
    begin: int | None = None
    for start, end in sentences:
        begin = start if begin is None else begin
        if (
            text.count("(", begin, end) > text.count(")", begin, end)
            and ")" in text[end : end + _BRACKET_CHARS].split("\n", 1)[0].split("(", 1)[0]
        ):
            continue
        yield begin, end
        begin = None


def _separated(text: str, sentence: Span) -> Iterator[Span]:
    """The parts of a sentence between separators, if each of them may be a statement."""
    start, end = sentence
    is_clean = text[start].isupper() and text[end - 1] == "."
    separator = _SEPARATOR if is_clean else _SEMICOLON
    gaps = [match.span() for match in separator.finditer(text, start, end)]
    starts, ends = [start, *(gap[1] for gap in gaps)], [*(gap[0] for gap in gaps), end]
    parts = [
        (first, first + len(text[first:last].rstrip()))
        for first, last in zip(starts, ends, strict=True)
    ]
    if all(len(_WORD.findall(text, *part)) >= _MIN_PART_WORDS for part in parts):
        yield from parts
    else:
        yield sentence


def _is_filler(quote: str, speaker: str) -> bool:
    """Whether a quote has nothing but words of greeting and answering."""
    said = quote.casefold()
    if speaker and said.startswith(speaker.casefold()):
        said = said[len(speaker) :]
    return all(word in _ANSWERS for word in _WORD.findall(said))
