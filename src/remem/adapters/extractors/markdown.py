"""Writes HTML elements as markdown: headings, lists, tables, links, emphasis, fenced code."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from lxml.etree import _Element

from remem.adapters.extractors import languages

HIDDEN = frozenset(
    "script style noscript template svg canvas iframe object embed head button input select "
    "textarea img picture video audio map source track link meta title".split()
)
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math nobr q "
    "rp rt ruby s samp small span strike strong sub sup time tt u var wbr br".split()
)
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
LINKABLE = re.compile(r"(?:https?|mailto|ftp):", re.IGNORECASE)
LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|highlight-|brush:\s*|sourceCode\s+)"
    r"([A-Za-z][\w+#.-]*)"
)
NOT_LANGUAGES = frozenset("default none text plain plaintext nohighlight linenums hljs".split())
# What a heading carries so that it can be pointed at.
ANCHORS = ("§", "¶", "#", "🔗", "Link to this heading", "Permalink")
SPACES = re.compile(r"[ \t\r\n\f\u00a0]+")
# A paragraph that begins like a heading would be read as one.
FALSE_HEADING = re.compile(r"^(#{1,6} )", re.MULTILINE)
# Wider than any table people write; a page laid out in one is read cell by cell instead.
MAX_COLUMNS = 60


@dataclass(frozen=True, slots=True)
class Renderer:
    """Where relative links point from, and which blocks are wanted (all, when not said)."""

    base_url: str | None = None
    keeps: Callable[[_Element], bool] | None = None

    def render(self, root: _Element) -> str:
        return "\n\n".join(self._blocks(root))

    def _blocks(self, element: _Element) -> Iterator[str]:
        """The blocks inside an element; runs of inline content between them are paragraphs."""
        run: list[str] = [element.text or ""]
        for child in element:
            if not isinstance(child.tag, str) or child.tag in HIDDEN:
                run.append(child.tail or "")
            elif child.tag in INLINE and not holds_blocks(child):
                run += [self._inline_of(child), child.tail or ""]
            else:
                yield from self._paragraph(element, run)
                yield from self._block(child)
                run = [child.tail or ""]
        yield from self._paragraph(element, run)

    def _paragraph(self, element: _Element, run: list[str]) -> Iterator[str]:
        text = _tidy("".join(run))
        if text and self._wanted(element):
            yield FALSE_HEADING.sub(r"\\\1", text)

    def _block(self, element: _Element) -> Iterator[str]:
        tag = str(element.tag)
        if tag in HEADINGS:
            yield from self._heading(element, int(tag[1]))
        elif tag in ("ul", "ol", "menu"):
            yield from self._list(element)
        elif tag == "pre":
            yield from self._code(element)
        elif tag == "table":
            yield from self._table(element)
        elif tag == "blockquote":
            yield from self._quote(element)
        else:
            yield from self._blocks(element)

    def _heading(self, element: _Element, level: int) -> Iterator[str]:
        text = _tidy(self._inline(element)).replace("\n", " ")
        text = re.sub(r"^\*\*(.+)\*\*$", r"\1", text)
        if text and self._wanted(element):
            yield f"{'#' * level} {text}"

    def _list(self, element: _Element) -> Iterator[str]:
        number = _start_of(element)
        lines: list[str] = []
        for item in element:
            if not isinstance(item.tag, str) or item.tag in HIDDEN:
                continue
            bullet = f"{number}. " if element.tag == "ol" else "- "
            inside = (
                [*self._block(item)] if item.tag in ("ul", "ol", "pre") else [*self._blocks(item)]
            )
            if inside:
                lines.append(_indented(bullet, _loosely(inside)))
                number += 1
        if lines:
            yield "\n".join(lines)

    def _code(self, element: _Element) -> Iterator[str]:
        for line_break in element.iter("br"):
            line_break.tail = "\n" + (line_break.tail or "")
        text = "".join(str(part) for part in element.itertext()).replace("\r\n", "\n")
        text = text.strip("\n").rstrip()
        if text.strip() and self._wanted(element):
            ticks = "`" * max(3, 1 + max((len(t) for t in re.findall("`+", text)), default=0))
            yield f"{ticks}{code_language(element)}\n{text}\n{ticks}"

    def _quote(self, element: _Element) -> Iterator[str]:
        text = "\n\n".join(self._blocks(element))
        if text:
            yield "\n".join(f"> {line}".rstrip() for line in text.split("\n"))

    def _table(self, element: _Element) -> Iterator[str]:
        # Asked before a cell is rendered: each level of nested tables would double the work.
        if _is_layout(element):
            yield from self._blocks(element)
            return
        rows = [[*self._cells(row)] for row in _rows_of(element)]
        rows = [row for row in rows if any(row)]
        width = max((len(row) for row in rows), default=0)
        if not (1 < width <= MAX_COLUMNS and len(rows) > 1):
            yield from self._blocks(element)
            return
        caption = element.find("caption")
        if caption is not None:
            yield from self._blocks(caption)
        padded = [row + [""] * (width - len(row)) for row in rows]
        lines = [f"| {' | '.join(row)} |" for row in padded]
        yield "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])

    def _cells(self, row: _Element) -> Iterator[str]:
        for cell in row:
            if cell.tag in ("td", "th"):
                text = " ".join(" ".join(self._blocks(cell)).split())
                yield text.replace("|", "\\|")

    def _inline(self, element: _Element) -> str:
        parts = [element.text or ""]
        for child in element:
            if isinstance(child.tag, str) and child.tag not in HIDDEN:
                parts.append(self._inline_of(child))
            parts.append(child.tail or "")
        return "".join(parts)

    def _inline_of(self, element: _Element) -> str:
        tag = element.tag
        if tag == "br":
            return "\0"
        text = self._inline(element)
        if tag in ("b", "strong"):
            return _around(text, "**")
        if tag in ("i", "em"):
            return _around(text, "*")
        if tag in ("del", "s", "strike"):
            return _around(text, "~~")
        if tag in ("code", "tt", "kbd", "samp") and "`" not in text:
            return _around(text, "`")
        if tag == "a":
            return self._link(element, text)
        return f" {text} " if tag not in INLINE else text

    def _link(self, element: _Element, text: str) -> str:
        href = (element.get("href") or "").strip()
        words = text.strip()
        if href.startswith("#") and words in ANCHORS:
            return ""
        if not words or not href or href.startswith("#"):
            return text
        target = _joined(self.base_url, href)
        if not LINKABLE.match(target) or any(char in target for char in " \n<>"):
            return text
        target = target.replace("(", "%28").replace(")", "%29")
        return text.replace(words, f"[{words}]({target})")

    def _wanted(self, element: _Element) -> bool:
        return self.keeps is None or self.keeps(element)


def code_language(element: _Element) -> str:
    """What a `pre` says its language is, on itself, its `code`, or a wrapper around it."""
    around = [element, *element.iter("code"), *list(element.iterancestors())[:2]]
    for near in around:
        for name in ("data-lang", "data-language"):
            if (said := (near.get(name) or "").strip().lower()) and said not in NOT_LANGUAGES:
                return said
        classes = near.get("class") or ""
        found = LANGUAGE.search(classes)
        if found and found[1].lower() not in NOT_LANGUAGES:
            return found[1].lower()
        bare = [name for name in classes.lower().split() if name in languages.NAMES]
        if bare and near.tag in ("pre", "code"):
            return bare[0]
    return ""


def holds_blocks(element: _Element) -> bool:
    return any(
        isinstance(child.tag, str) and child.tag not in INLINE and child.tag not in HIDDEN
        for child in element.iterdescendants()
    )


def _tidy(text: str) -> str:
    """White space as a browser shows it; a NUL stands for each line break that is meant."""
    lines = (SPACES.sub(" ", line).strip() for line in text.split("\0"))
    return re.sub(r"\n{2,}", "\n\n", "\n".join(lines)).strip()


def _around(text: str, mark: str) -> str:
    words = text.strip()
    if not words or "\0" in words or mark in words or set(words) <= set("*_~` "):
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{mark}{words}{mark}{after}"


def _joined(base_url: str | None, href: str) -> str:
    try:
        return urljoin(base_url, href) if base_url else href
    except ValueError:
        return ""


def _loosely(blocks: list[str]) -> str:
    """A list inside an item follows on the next line, a second paragraph after a blank one."""
    text = blocks[0]
    for block in blocks[1:]:
        text += ("\n" if re.match(r"(?:- |\d+\. )", block) else "\n\n") + block
    return text


def _indented(bullet: str, text: str) -> str:
    indent = " " * len(bullet)
    first, *rest = text.split("\n")
    return "\n".join([bullet + first, *(indent + line if line else "" for line in rest)])


def _start_of(element: _Element) -> int:
    start = element.get("start") or "1"
    return int(start) if start.isdecimal() and len(start) < 6 else 1


def _rows_of(table: _Element) -> Iterator[_Element]:
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def _is_layout(table: _Element) -> bool:
    return table.get("role") in ("presentation", "none") or table.find(".//table") is not None
