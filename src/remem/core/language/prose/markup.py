"""Leave Markdown out of a text; code and identifiers stay as they are. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from remem.core.language.lists import table

# Stands for text that is kept as it is.
_KEPT = "\ue000"
_AS_IT_IS = re.compile(
    r"(?<!`)(?P<ticks>`{1,3})(?!`)(?P<code>[^`\n]{1,500})(?P=ticks)(?!`)"
    r"|\\(?P<escaped>[\\`*_{}\[\]()#+\-.!~|=<>])|\ue000"
)
_SIGN = re.compile(r"[*_`<>\[\]~=\\]")
_IMAGE = re.compile(
    r"!\[[^\]\n\ue000]{0,300}\]\([^)\n\ue000]{0,1000}\)|!\[\[[^\]\n\ue000]{0,300}\]\]"
)
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\([^()\s\ue000]{1,1000}(?: \"[^\"\n\ue000]{0,200}\")?\)")
_WIKI = re.compile(r"\[\[(?:[^\]|\n\ue000]{1,200}\|)?([^\]|\n]{1,200})\]\]")
_AUTOLINK = re.compile(r"<([a-z]{3,10}:[^\s<>\ue000]{1,1000})>")
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|li"
    r"|mark|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)"
    r"(?:\s[^<>\n\ue000]{0,300}|/)?>",
    re.IGNORECASE,
)
_PATH = re.compile(r"\b[A-Za-z]:\\|\\\\\w")
# Runs of signs that emphasise what is between two of them.
_RUN = re.compile(r"\*{1,3}|_{1,3}|~~|==")
_LONGER_RUN = {"*": "*", "_": "_", "~": "~", "=": "=<>!"}
# A letter or digit of a script that separates words by spaces.
_WORD = re.compile(
    r"[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    r"\uf900-\ufaff]"
)
_QUOTES = frozenset("'\"’”")
_IDENTIFIERS = frozenset(table("identifiers", "any")["names"].split())
_CUT_SIGN = re.compile(r"[*_~=`]+")
_HAS_TEXT = re.compile(r"[^\W_]|\ue000")
_FIRST_WORD = re.compile(r"[^\W_]\w*")
_FENCE = re.compile(r"^\s{0,12}(?:`{3,}[^`]*|~{3,}.*)$")
_RULES = ({"-"}, {"*"}, {"_"}, {"="})
_TABLE_RULE = frozenset("|-: ")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_START = re.compile(r"^(?:\s*>)*\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?)?")
_ITEM = re.compile(r"^(?:\s*>)*\s*(?:[-*+•]|\d{1,4}[.)])\s")
_ROW = re.compile(r"^\s*\|(.*)\|\s*$")
_COMMENT = re.compile(r"<!--[^\n]{0,2000}?-->")


def plain_text(text: str) -> str:
    """A Markdown text line by line, without markup; code in fences stays as it is."""
    return "\n".join(_plain_blocks(text)).strip()


def plain_line(text: str) -> str:
    """The same on one line: a title, a sentence, a value."""
    return " ".join(plain_text(text).split())


def plain_value(value: str, sentence: str) -> str:
    """A value that was cut out of a sentence, where emphasis may begin or end outside of it; the
    sentence is without markup."""
    plain = plain_line(value) or value
    readings = (value, inline(value), plain, " ".join(_CUT_SIGN.sub("", plain).split()))
    return next((reading for reading in readings if reading in sentence), plain)


def blank_emphasis(text: str) -> str:
    """With spaces for the signs of emphasis around words, so that every character keeps its
    place."""
    if not _SIGN.search(text):
        return text
    kept = _AS_IT_IS.sub(lambda match: _KEPT * len(match[0]), text)
    signs = list(text)
    for start, end in _emphasis(kept):
        is_in_word = text[max(0, start - 1) : start].isalnum() and text[end : end + 1].isalnum()
        # What is struck out stays so.
        if text[start] != "~" and not is_in_word:
            signs[start:end] = " " * (end - start)
    return "".join(signs)


def inline(text: str) -> str:
    """Without emphasis, code marks, links, pictures, HTML and escapes."""
    if not _SIGN.search(text):
        return text
    kept: list[str] = []
    has_path = _PATH.search(text) is not None

    def keep(match: re.Match[str]) -> str:
        kept.append(match["code"] or (not has_path and match["escaped"]) or match[0])
        return _KEPT

    text = _IMAGE.sub(" ", _AS_IT_IS.sub(keep, text))
    text = _AUTOLINK.sub(r"\1", _WIKI.sub(r"\1", _LINK.sub(r"\1", text)))
    text = _without_emphasis(_TAG.sub("", text))
    parts = text.split(_KEPT)
    return "".join(part for pair in zip(parts, [*kept, ""], strict=False) for part in pair)


def _plain_blocks(text: str) -> Iterator[str]:
    """The lines; emphasis may begin on one line of a paragraph and end on another."""
    block: list[str] = []
    is_fenced = False
    for line in text.split("\n"):
        is_fence = _FENCE.match(line) is not None
        is_separate = is_fence or is_fenced or not line.strip() or _is_rule(line)
        starts_block = is_separate or _HEADING.match(line) or _ITEM.match(line) or _ROW.match(line)
        if starts_block and block:
            yield inline("\n".join(block))
            block = []
        if is_fence:
            is_fenced = not is_fenced
        elif is_fenced:
            yield line
        elif not is_separate:
            block.append(_without_line_signs(line))
            if _HEADING.match(line):
                yield inline(block.pop())
        elif not line.strip():
            yield ""
    if block:
        yield inline("\n".join(block))


def _without_line_signs(line: str) -> str:
    if row := _ROW.match(line):
        return ", ".join(filter(None, (cell.strip() for cell in row[1].split("|"))))
    if heading := _HEADING.match(line):
        return without_closing(line[heading.end() :].strip())
    return _START.sub("", _COMMENT.sub("", line)).rstrip()


def without_closing(heading: str) -> str:
    """Without the signs that end a heading: "## Hours ##", but not "## C#"."""
    text = heading.rstrip().rstrip("#")
    return text.rstrip() if text[-1:].isspace() else heading.rstrip()


def _is_rule(line: str) -> bool:
    signs = "".join(line.split())
    if set(signs) in _RULES:
        return len(signs) > 2
    return "--" in signs and _TABLE_RULE.issuperset(signs)


@dataclass(slots=True)
class _Run:
    """Signs from `start` to `end` that may open emphasis."""

    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start


def _without_emphasis(text: str) -> str:
    return _cut(text, _emphasis(text))


def _emphasis(text: str) -> list[tuple[int, int]]:
    """Where the signs of emphasis are."""
    left_out: list[tuple[int, int]] = []
    openers: dict[str, list[_Run]] = {sign: [] for sign in _LONGER_RUN}
    for match in _RUN.finditer(text):
        sign, run = match[0][0], _Run(*match.span())
        if _is_part_of_code(text, run, sign):
            continue
        if openers[sign] and _may_close(text, run, sign):
            left_out += _close(text, openers[sign], run, sign)
        if run.length and _may_open(text, run, sign):
            openers[sign].append(run)
    return [*left_out, *_unclosed_at_start(text, openers)]


def _close(text: str, openers: list[_Run], run: _Run, sign: str) -> Iterator[tuple[int, int]]:
    """The signs of the last openers that this run closes; it keeps those that close nothing."""
    while openers and run.length:
        opener = openers[-1]
        length = min(opener.length, run.length)
        if sign in "~=" and length != 2:
            return
        inside = text[opener.end : run.start]
        if not _HAS_TEXT.search(inside) or (sign * length == "__" and inside in _IDENTIFIERS):
            return
        yield opener.end - length, opener.end
        yield run.start, run.start + length
        opener.end -= length
        run.start += length
        if not opener.length:
            openers.pop()


def _is_part_of_code(text: str, run: _Run, sign: str) -> bool:
    """Whether it is part of a longer run, of an operator, or a quoted character."""
    before, after = text[max(run.start - 1, 0) : run.start], text[run.end : run.end + 1]
    if any(char and char in _LONGER_RUN[sign] for char in (before, after)):
        return True
    return before == after and before in _QUOTES


def _may_open(text: str, run: _Run, sign: str) -> bool:
    before, after = text[max(run.start - 1, 0) : run.start], text[run.end : run.end + 1]
    if not after or after.isspace() or after in "/,;.)" or before in ("/", "\\"):
        return False
    if run.length == 1 and sign == "*" and before in (")", "]"):
        return False
    return not _is_word(before, sign)


def _may_close(text: str, run: _Run, sign: str) -> bool:
    before, after = text[max(run.start - 1, 0) : run.start], text[run.end : run.end + 1]
    if not before or before.isspace() or before in "/(" or after == "/":
        return False
    if run.length == 1 and sign == "*" and after == "(":
        return False
    # "**Haus**aufgabe"
    is_inside_word = after.isalpha() and sign != "_" and run.length > 1
    return is_inside_word or not _is_word(after, sign)


def _is_word(char: str, sign: str) -> bool:
    return bool(char) and (char == "_" or _WORD.match(char) is not None)


def _unclosed_at_start(text: str, openers: dict[str, list[_Run]]) -> Iterator[tuple[int, int]]:
    """Emphasis that ends in a later sentence; not `**kwargs` or `_private`."""
    for sign in "*~=":
        for run in openers[sign][:1]:
            word = _FIRST_WORD.match(text, run.end)
            if not text[: run.start].strip() and word and word[0] not in _IDENTIFIERS:
                yield run.start, run.end


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    parts, last = [], 0
    for start, end in sorted(spans):
        parts.append(text[last:start])
        last = end
    return "".join([*parts, text[last:]])
