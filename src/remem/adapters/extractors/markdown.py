"""Render HTML elements as markdown: headings, lists, tables, links, emphasis, fenced code."""

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
# Texts of links from a heading to itself.
ANCHORS = ("§", "¶", "#", "🔗", "Link to this heading", "Permalink")
SPACES = re.compile(r"[ \t\r\n\f\u00a0]+")
# A paragraph that begins like a heading would be parsed as one.
FALSE_HEADING = re.compile(r"^(#{1,6} )", re.MULTILINE)
# Wider than any real table; a wider one is page layout and is rendered cell by cell.
MAX_COLUMNS = 60


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders elements. Relative links are resolved with `base_url`; `keeps` selects the blocks,
    all by default."""

    base_url: str | None = None
    keeps: Callable[[_Element], bool] | None = None

    def render(self, root: _Element) -> str:
        return "\n\n".join(self._blocks(root))

    def _blocks(self, element: _Element) -> Iterator[str]:
        """Yield the blocks in an element; inline content between them becomes paragraphs."""
        run: list[str] = [element.text or ""]
        for child in element:
            if not isinstance(child.tag, str) or child.tag in HIDDEN:
                run.append(child.tail or "")
            elif child.tag in INLINE and not contains_blocks(child):
                run += [self._render_inline(child), child.tail or ""]
            else:
                yield from self._paragraph(element, run)
                yield from self._block(child)
                run = [child.tail or ""]
        yield from self._paragraph(element, run)

    def _paragraph(self, element: _Element, run: list[str]) -> Iterator[str]:
        text = _tidy("".join(run))
        if text and self._is_wanted(element):
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
        text = _tidy(self._inline_text(element)).replace("\n", " ")
        text = re.sub(r"^\*\*(.+)\*\*$", r"\1", text)
        if text and self._is_wanted(element):
            yield f"{'#' * level} {text}"

    def _list(self, element: _Element) -> Iterator[str]:
        number = _list_start(element)
        lines: list[str] = []
        for item in element:
            if not isinstance(item.tag, str) or item.tag in HIDDEN:
                continue
            bullet = f"{number}. " if element.tag == "ol" else "- "
            blocks = (
                [*self._block(item)] if item.tag in ("ul", "ol", "pre") else [*self._blocks(item)]
            )
            if blocks:
                lines.append(_indent_item(bullet, _join_item_blocks(blocks)))
                number += 1
        if lines:
            yield "\n".join(lines)

    def _code(self, element: _Element) -> Iterator[str]:
        for line_break in element.iter("br"):
            line_break.tail = "\n" + (line_break.tail or "")
        text = "".join(str(part) for part in element.itertext()).replace("\r\n", "\n")
        text = text.strip("\n").rstrip()
        if text.strip() and self._is_wanted(element):
            ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
            yield f"{ticks}{code_language(element)}\n{text}\n{ticks}"

    def _quote(self, element: _Element) -> Iterator[str]:
        text = "\n\n".join(self._blocks(element))
        if text:
            yield "\n".join(f"> {line}".rstrip() for line in text.split("\n"))

    def _table(self, element: _Element) -> Iterator[str]:
        # Checked before a cell is rendered, or each level of nested tables would double the work.
        if _is_layout(element):
            yield from self._blocks(element)
            return
        rows = [[*self._cells(row)] for row in _table_rows(element)]
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

    def _inline_text(self, element: _Element) -> str:
        parts = [element.text or ""]
        for child in element:
            if isinstance(child.tag, str) and child.tag not in HIDDEN:
                parts.append(self._render_inline(child))
            parts.append(child.tail or "")
        return "".join(parts)

    def _render_inline(self, element: _Element) -> str:
        tag = element.tag
        if tag == "br":
            return "\0"
        text = self._inline_text(element)
        if tag in ("b", "strong"):
            return _wrap(text, "**")
        if tag in ("i", "em"):
            return _wrap(text, "*")
        if tag in ("del", "s", "strike"):
            return _wrap(text, "~~")
        if tag in ("code", "tt", "kbd", "samp") and "`" not in text:
            return _wrap(text, "`")
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
        target = _resolve_link(self.base_url, href)
        if not LINKABLE.match(target) or any(char in target for char in " \n<>"):
            return text
        target = target.replace("(", "%28").replace(")", "%29")
        return text.replace(words, f"[{words}]({target})")

    def _is_wanted(self, element: _Element) -> bool:
        return self.keeps is None or self.keeps(element)


def code_language(element: _Element) -> str:
    """Return the language that a `pre` declares on itself, its `code`, or a wrapper."""
    candidates = [element, *element.iter("code"), *list(element.iterancestors())[:2]]
    for candidate in candidates:
        for name in ("data-lang", "data-language"):
            if (
                declared := (candidate.get(name) or "").strip().lower()
            ) and declared not in NOT_LANGUAGES:
                return declared
        classes = candidate.get("class") or ""
        match = LANGUAGE.search(classes)
        if match and match[1].lower() not in NOT_LANGUAGES:
            return match[1].lower()
        class_names = [name for name in classes.lower().split() if name in languages.NAMES]
        if class_names and candidate.tag in ("pre", "code"):
            return class_names[0]
    return ""


def contains_blocks(element: _Element) -> bool:
    return any(
        isinstance(child.tag, str) and child.tag not in INLINE and child.tag not in HIDDEN
        for child in element.iterdescendants()
    )


def _tidy(text: str) -> str:
    """Normalize white space as browsers do; a NUL represents an intended line break."""
    lines = (SPACES.sub(" ", line).strip() for line in text.split("\0"))
    return re.sub(r"\n{2,}", "\n\n", "\n".join(lines)).strip()


def _wrap(text: str, marker: str) -> str:
    words = text.strip()
    if not words or "\0" in words or marker in words or set(words) <= set("*_~` "):
        return text
    leading, trailing = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{leading}{marker}{words}{marker}{trailing}"


def _resolve_link(base_url: str | None, href: str) -> str:
    try:
        return urljoin(base_url, href) if base_url else href
    except ValueError:
        return ""


def _join_item_blocks(blocks: list[str]) -> str:
    """Join the blocks of an item: a nested list on the next line, a paragraph after a blank one."""
    text = blocks[0]
    for block in blocks[1:]:
        text += ("\n" if re.match(r"(?:- |\d+\. )", block) else "\n\n") + block
    return text


def _indent_item(bullet: str, text: str) -> str:
    indent = " " * len(bullet)
    first, *rest = text.split("\n")
    return "\n".join([bullet + first, *(indent + line if line else "" for line in rest)])


def _list_start(element: _Element) -> int:
    start = element.get("start") or "1"
    return int(start) if start.isdecimal() and len(start) < 6 else 1


def _table_rows(table: _Element) -> Iterator[_Element]:
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def _is_layout(table: _Element) -> bool:
    return table.get("role") in ("presentation", "none") or table.find(".//table") is not None
