"""Web pages: the main content as markdown, and metadata."""

import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from itertools import pairwise

from lxml.etree import LxmlError, TreeBuilder, _Element, iterwalk

from remem.adapters.extractors.article import find_article
from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.draft import Draft, printable
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import HTML_BYTES, read_bytes
from remem.adapters.extractors.markdown import HIDDEN, INLINE, Renderer
from remem.adapters.extractors.page import page_metadata
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original


def extract(original: Original, engines: Engines) -> Extracted:
    root = parse(decode(read_bytes(original.path, HTML_BYTES)))
    metadata = page_metadata(root, original.url)
    base_url = original.url or metadata["url"]
    draft = Draft(engines.html_chars)
    draft.add(main_content(root, metadata["title"], base_url))
    return draft.finish("html", metadata)


def main_content(root: _Element, title: str | None, base_url: str | None) -> str:
    split_paragraphs(root)
    selected = find_article(root, title)
    text = Renderer(base_url, selected.__contains__).render(root)
    return text or Renderer(base_url).render(root)


def whole_content(markup: str, base_url: str | None = None) -> str:
    """Render a whole document as markdown, for those without boilerplate: a message, a chapter."""
    root = parse(markup)
    split_paragraphs(root)
    return Renderer(base_url).render(root)


def parse(markup: str) -> _Element:
    from lxml.html import HTMLParser, document_fromstring

    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    data = printable(markup).encode("utf-8", "replace")
    try:
        root = document_fromstring(data, parser=parser, ensure_head_body=True)
        root = parse_flat(data) if is_too_deep(root) else root
    except (LxmlError, ValueError) as error:
        raise Unreadable("There is no text in this HTML file.") from error
    limit_indents(root)
    return root


# Turn text that is separated only by double line breaks into paragraphs.


SPLIT_TAGS = ("div", "td", "article", "section", "main", "center", "body", "blockquote", "p")


def split_paragraphs(root: _Element) -> None:
    for element in [*root.iter(*SPLIT_TAGS)]:
        if _has_double_break(element):
            _split(element)


def _has_double_break(element: _Element) -> bool:
    children = [*element]
    return any(
        first.tag == "br" and second.tag == "br" and not (first.tail or "").strip()
        for first, second in pairwise(children)
    )


def _split(element: _Element) -> None:
    groups: list[list[str | _Element]] = [[]]
    for item in [*_contents(element)]:
        last = groups[-1]
        if isinstance(item, str):
            last.append(item)
        elif item.tag == "br" and last and not isinstance(last[-1], str) and last[-1].tag == "br":
            groups.append([])
        elif isinstance(item.tag, str) and item.tag not in INLINE | HIDDEN:
            groups += [[item], []]
        else:
            last.append(item)
    element.text = None
    for child in [*element]:
        element.remove(child)
    if element.tag == "p":
        element.tag = "div"
    for group in groups:
        _append(element, group)


def _contents(element: _Element) -> Iterator[str | _Element]:
    """Yield texts and children in order, without white space next to a line break."""
    if (element.text or "").strip():
        yield element.text or ""
    for child in element:
        tail, child.tail = child.tail or "", None
        yield child
        if tail and (child.tag != "br" or tail.strip()):
            yield tail


def _append(element: _Element, group: list[str | _Element]) -> None:
    if len(group) == 1 and not isinstance(group[0], str):
        element.append(group[0])
        return
    paragraph = element.makeelement("p")
    for item in group:
        if not isinstance(item, str):
            paragraph.append(item)
        elif len(paragraph):
            paragraph[-1].tail = (paragraph[-1].tail or "") + item
        else:
            paragraph.text = (paragraph.text or "") + item
    if len(paragraph) or (paragraph.text or "").strip():
        element.append(paragraph)


# Limit how deeply the elements of a page are nested, without losing text.


# Pages nest about 40 levels. The parser drops everything below level 255, and extractors recurse.
MAX_DEPTH = 100
# The parser searches all open elements at every closing tag; beyond this, tags are left out.
MAX_OPEN = 2_000
TAG = re.compile("<[^<>]*+>")
# Each of these indents every line inside it, so deep nesting multiplies the text.
INDENTING = frozenset(("blockquote", "ul", "ol", "menu"))
MAX_INDENTS = 12


def is_too_deep(root: _Element) -> bool:
    depth = 0
    for event, _ in iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def limit_indents(root: _Element) -> None:
    """Replace quotes and lists that are nested beyond a dozen levels by plain blocks."""
    indents = 0
    for event, element in iterwalk(root, events=("start", "end"), tag=tuple(INDENTING)):
        if event == "end":
            indents -= 1
            if indents >= MAX_INDENTS:
                element.tag = "div"
        else:
            indents += 1


def parse_flat(data: bytes) -> _Element:
    """Parse HTML so that anything nested deeper than the limit ends up at the last level."""
    from lxml.html import HTMLParser, html_parser

    target = FlatBuilder(TreeBuilder(element_factory=html_parser.makeelement))
    parser = HTMLParser(target=target, encoding="utf-8", no_network=True)
    try:
        parser.feed(data)
        return parser.close()
    except (LxmlError, TooDeep):
        if target.is_too_deep:
            return _only_text(data)
        raise


def _only_text(data: bytes) -> _Element:
    from lxml.html import document_fromstring

    text = escape(unescape(TAG.sub(" ", data.decode("utf-8", "replace"))))
    return document_fromstring(f"<p>{text}</p>", ensure_head_body=True)


class TooDeep(Exception):
    """Too many elements are open to continue parsing in a reasonable time."""


class FlatBuilder:
    """A parser target that builds elements down to the limit, and adds the text of deeper ones to
    the last level, with blocks separated from each other."""

    def __init__(self, builder: TreeBuilder) -> None:
        self._builder = builder
        self._open: list[str] = []
        self._hidden = 0
        self.is_too_deep = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._open.append(tag)
        if len(self._open) > MAX_OPEN:
            self.is_too_deep = True
            raise TooDeep
        if len(self._open) <= MAX_DEPTH:
            self._builder.start(tag, dict(attributes))
            return
        self._hidden += tag in HIDDEN
        self._separate(tag)

    def end(self, tag: str) -> None:
        if len(self._open) <= MAX_DEPTH:
            self._builder.end(tag)
        else:
            self._hidden -= tag in HIDDEN
            self._separate(tag)
        self._open.pop()

    def data(self, text: str) -> None:
        if not self._hidden:
            self._builder.data(text)

    def comment(self, text: str) -> None:
        """Ignore comments."""

    def close(self) -> _Element:
        return self._builder.close()

    def _separate(self, tag: str) -> None:
        if tag not in INLINE:
            self._builder.data(" ")
        if tag == "br" or tag not in INLINE | HIDDEN:
            self._builder.start("br", {})
            self._builder.end("br")
