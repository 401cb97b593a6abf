"""Limit how deeply the elements of a page are nested, without losing text."""

import re
from collections.abc import Mapping
from html import escape, unescape

from lxml.etree import LxmlError, TreeBuilder, _Element, iterwalk

from remem.adapters.extractors.markdown import HIDDEN, INLINE

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
