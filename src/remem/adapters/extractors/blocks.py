"""The blocks of a page: elements with text of their own, and how much of it is links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml.etree import _Element

from remem.adapters.extractors.markdown import HEADINGS, HIDDEN, INLINE, contains_blocks

SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """An element with text of its own; `linked` counts the characters in links."""

    number: int
    element: _Element
    text: str
    linked: int

    @property
    def is_heading(self) -> bool:
        return self.element.tag in HEADINGS

    @property
    def link_share(self) -> float:
        return self.linked / max(1, len(self.text))

    @property
    def layout(self) -> tuple[tuple[str, str], ...]:
        """Tags and classes up to three levels up, which are alike for all parts of a text."""
        elements = [self.element, *list(self.element.iterancestors())[:3]]
        return tuple((str(element.tag), element.get("class") or "") for element in elements)


def blocks_of(root: _Element) -> list[Block]:
    blocks: list[Block] = []
    for element in root.iter():
        if is_block(element):
            text = SPACE.sub(" ", "".join(part for part, _ in _own_text(element))).strip()
            if text:
                linked = sum(len(part) for part, in_link in _own_text(element) if in_link)
                blocks.append(Block(len(blocks), element, text, linked))
    return blocks


def is_block(element: _Element) -> bool:
    tag = element.tag
    if not isinstance(tag, str) or tag in HIDDEN:
        return False
    return tag not in INLINE or contains_blocks(element)


def _own_text(element: _Element, in_link: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the text of a block without that of nested blocks, and whether it is in a link."""
    yield element.text or "", in_link
    for child in element:
        if child.tag == "br":
            yield " ", in_link
        elif isinstance(child.tag, str) and child.tag in INLINE and not contains_blocks(child):
            yield from _own_text(child, in_link or child.tag == "a")
        yield child.tail or "", in_link
