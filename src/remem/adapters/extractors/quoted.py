"""The parts of a mail's body by author: quoted replies and forwarded mails are others' words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from remem.core.chunking.messenger import SYSTEM

# The author of a quotation that names none.
UNNAMED = "Quoted text"
_NAME_CHARS, _INTRODUCTION_CHARS, _INTRODUCTION_LINES = 80, 300, 3
_QUOTE = re.compile(r"[ \t]{0,3}((?:>[ \t]?)+)")
_WORD = r"[^\s<>\[\]()@:;,]"
_ADDRESS = re.compile(rf"(?:[<\[(]|(?<!{_WORD}))(?:mailto:)?({_WORD}++@{_WORD}++)[>\])]?")
_WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|scrisse|schreef|escreveu|skrev"
    r"|kirjoitti|napisał(?:\(a\)|a)?|napsal(?:\(a\)|a)?|írta|a scris|yazdı|έγραψε)\b"
    r"|написал(?:\(а\)|а)?|пишет|пише|写道|寫道|のメッセージ|(?:さん)?[はが]?書きました"
    r"|님이 작성|كتب",
    re.I,
)
# What stands between a date and a name: "um 10:00 Uhr schrieb", "a las 10:00 AM".
_BESIDE_NAMES = re.compile(
    r"(?:^|(?<=\s))(?:on|at|am|pm|[ap]\.m\.|um|uhr|le|à|el|a|las|il|giorno|alle|ore|op|om|uur"
    r"|em|às|den|kl\.?|o|dnia|dne|v|в|于|在|[+-]\d{4}|gmt|utc|cet|cest)(?=\s|$)",
    re.I,
)
_MOMENT = re.compile(r"\b(?:19|20)\d\d\b|\d[:.]\d\d|\d[./-]\d{1,2}[./-]\d")
# The words after these are what somebody says about a letter, not its text.
_PRONOUNS = frozenset("i we you he she they ich wir er sie je nous il elle yo él ella ik".split())
_FROM = frozenset(
    (
        "from von de da van från fra od от від kimden feladó από lähettäjä expéditeur remitente"
        " mittente afzender absender 差出人 发件人 發件人 寄件者 寄件人 보낸사람 מאת من"
    ).split()
)
_FIELD = re.compile(
    r"[*_ \t]{0,4}(?P<label>[^\W\d_][^:：\n*]{0,24}?)[*_ ]{0,3}[:：][*_ ]{0,3}(?P<value>.*)"
)
# "-----Original Message-----", in any language.
_BANNER = re.compile(r"[-_*]{2,}[^\n]{0,60}?[-_*]{2,}")


@dataclass(frozen=True, slots=True)
class BodyPart:
    """Consecutive lines of one author; None is the sender of the mail."""

    author: str | None
    text: str


@dataclass(frozen=True, slots=True)
class _Line:
    depth: int
    text: str


def parts_of(body: str) -> list[BodyPart]:
    """The body in parts. Lines that introduce a quotation are nobody's words."""
    parts: list[BodyPart] = []
    author: str | None = None
    pending: list[str] = []
    for line_author, text in _lines_with_authors([_line(text) for text in body.split("\n")]):
        if line_author != author and text.strip():
            parts.append(BodyPart(author, "\n".join(pending)))
            author, pending = line_author, []
        pending.append(text)
    parts.append(BodyPart(author, "\n".join(pending)))
    return [part for part in parts if part.text.strip()]


def _line(written: str) -> _Line:
    quote = _QUOTE.match(written)
    depth = quote[1].count(">") if quote else 0
    return _Line(depth, written[quote.end() :] if quote else written)


def _lines_with_authors(lines: Sequence[_Line]) -> Iterator[tuple[str | None, str]]:
    """Each line with its author, by how deep it is quoted and what introduces that depth."""
    authors: dict[int, str | None] = {0: None}
    place = 0
    while place < len(lines):
        line = lines[place]
        if not line.text.strip():
            yield authors.get(line.depth, authors[0]), line.text
            place += 1
            continue
        authors = {depth: name for depth, name in authors.items() if depth <= line.depth}
        author = authors.setdefault(line.depth, UNNAMED)
        length, name = _introduction(lines, place)
        for introduced in lines[place : place + max(1, length)]:
            yield SYSTEM if length else author, introduced.text
        place += max(1, length)
        if length:
            following = next((after for after in lines[place:] if after.text.strip()), line)
            authors[max(following.depth, line.depth)] = name


def _introduction(lines: Sequence[_Line], place: int) -> tuple[int, str]:
    """How many lines from here on introduce the words of another, and who that is."""
    header = _header_block(lines, place)
    return header if header[0] else _attribution(lines, place)


def _header_block(lines: Sequence[_Line], place: int) -> tuple[int, str]:
    """The header lines of a forwarded mail: its sender and two more fields."""
    depth, fields, end = lines[place].depth, list[re.Match[str]](), place
    for line in lines[place : place + 10]:
        match = _FIELD.fullmatch(line.text.strip()) if line.depth == depth else None
        if match is None:
            break
        fields.append(match)
        end += 1
    senders = [field["value"] for field in fields if _label(field) in _FROM]
    before = next(
        (line.text for line in reversed(lines[max(0, place - 3) : place]) if line.text.strip()), ""
    )
    least = 2 if _BANNER.fullmatch(before.strip()) else 3
    if len(fields) < least or not senders:
        return 0, UNNAMED
    return end - place, _name(senders[0])


def _label(field: re.Match[str]) -> str:
    return field["label"].replace(" ", "").casefold()


def _attribution(lines: Sequence[_Line], place: int) -> tuple[int, str]:
    """A line such as "On 3 Nov 2026, Ann wrote:", which may be wrapped."""
    texts: list[str] = []
    for length, line in enumerate(lines[place : place + _INTRODUCTION_LINES], 1):
        if line.depth != lines[place].depth or not line.text.strip():
            break
        texts.append(line.text.strip())
        text = " ".join(texts)
        if len(text) > _INTRODUCTION_CHARS:
            break
        if text[-1] in ":：" and _is_attribution(text, lines, place + length):
            is_later = length > 1 and (texts[0][-1] in ".!?。" or _has_date(texts[1:]))
            return (0, UNNAMED) if is_later else (length, _name(text.rstrip(":： ")))
    return 0, UNNAMED


def _has_date(texts: Sequence[str]) -> bool:
    return any(char.isdigit() for char in _ADDRESS.sub("", " ".join(texts)))


def _is_attribution(text: str, lines: Sequence[_Line], after: int) -> bool:
    """Whether a line names who wrote the quotation that follows, and when or from where."""
    has_address, is_deeper = bool(_ADDRESS.search(text)), _is_deeper(lines, after)
    if not _WROTE.search(text):
        return is_deeper and (has_address or any(char.isdigit() for char in text))
    is_named = _name(text).split()[0].casefold() not in _PRONOUNS
    return is_named and (is_deeper or has_address or bool(_MOMENT.search(text)))


def _is_deeper(lines: Sequence[_Line], after: int) -> bool:
    following = next((line for line in lines[after : after + 3] if line.text.strip()), None)
    return following is not None and following.depth > lines[after - 1].depth


def _name(text: str) -> str:
    """The name in an introduction or header: before the address, after or before the verb."""
    address = _ADDRESS.search(text)
    verb = _WROTE.search(text)
    spans = [text[: address.start()]] if address else []
    if verb:
        sides = (text[: verb.start()], text[verb.end() :])
        is_after = any(char.isdigit() for char in sides[0])
        spans += reversed(sides) if is_after else sides
    else:
        spans.append(text)
    names = (_last_name(_ADDRESS.sub("", span)) for span in spans)
    name = next(filter(None, names), address[1] if address else UNNAMED)
    return name[:_NAME_CHARS]


def _last_name(span: str) -> str:
    """The last words of a span that are no date, verb or preposition."""
    plain = _BESIDE_NAMES.sub(",", _WROTE.sub(",", span))
    runs = re.split(r"[\d,:;|()（）年月日时時分/]+", plain)
    names = [" ".join(run.split()).strip(" \"“”„«»'.<>*_-") for run in runs]
    return next((name for name in reversed(names) if any(char.isalpha() for char in name)), "")
