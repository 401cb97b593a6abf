"""The blocks of a page: each element that has words of its own, and how much of it is links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml.etree import _Element

from remem.adapters.extractors.markdown import HEADINGS, HIDDEN, INLINE, holds_blocks

SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """An element with words of its own; `linked` counts the characters that are links."""

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
    def place(self) -> tuple[tuple[str, str], ...]:
        """What it stands in, three levels up: the parts of one text are built alike."""
        near = [self.element, *list(self.element.iterancestors())[:3]]
        return tuple((str(each.tag), each.get("class") or "") for each in near)


def blocks_of(root: _Element) -> list[Block]:
    found: list[Block] = []
    for element in root.iter():
        if is_block(element):
            text = SPACE.sub(" ", "".join(words for words, _ in _own_words(element))).strip()
            if text:
                linked = sum(len(words) for words, in_link in _own_words(element) if in_link)
                found.append(Block(len(found), element, text, linked))
    return found


def is_block(element: _Element) -> bool:
    tag = element.tag
    if not isinstance(tag, str) or tag in HIDDEN:
        return False
    return tag not in INLINE or holds_blocks(element)


def _own_words(element: _Element, in_link: bool = False) -> Iterator[tuple[str, bool]]:
    """The text directly in a block, without that of the blocks inside it."""
    yield element.text or "", in_link
    for child in element:
        if child.tag == "br":
            yield " ", in_link
        elif isinstance(child.tag, str) and child.tag in INLINE and not holds_blocks(child):
            yield from _own_words(child, in_link or child.tag == "a")
        yield child.tail or "", in_link
