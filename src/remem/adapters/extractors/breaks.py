"""Turn text that is separated only by double line breaks into paragraphs."""

from collections.abc import Iterator
from itertools import pairwise

from lxml.etree import _Element

from remem.adapters.extractors.markdown import HIDDEN, INLINE

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
