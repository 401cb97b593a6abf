"""Find the main content of a page: choose the best of several extractions, extend and trim it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass

from lxml.etree import _Element

from remem.adapters.extractors.markdown import HEADINGS, HIDDEN, INLINE, contains_blocks

# The blocks of a page: elements with text of their own, and how much of it is links.


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


# A block is labelled by three characters that survive every cleaning step and never occur in words.
FIRST_LABEL_CHAR, LABEL_CHARS = 0x4DC0, 64
LABEL = re.compile("[\u4dc0-\u4dff]{3}")
# Comparing more blocks takes minutes; such a page is a listing, and all of it is content.
MAX_BLOCKS = 20_000
# Above this, trafilatura's fallback is skipped: it compares every block with all others.
COMPARED_BLOCKS = 2_000

# The precise extraction is used if it has at least this share of the balanced one.
PRECISE_SHARE = 0.5
# An extraction with a smaller share of the page's prose missed the main content.
PROSE_SHARE = 0.3
# Without article or main, the prose is everything on the page, including comments.
BARE_SHARE = 0.05
# Added blocks may at most triple the text; more than that is another text.
GROWTH = 2.0
# A title often contains the name of the site.
TITLE_SHARE = 0.6
PROSE_CHARS = 40
ASIDE_CHARS = 200
BOILERPLATE = ("nav", "footer", "header", "aside", "form", "dialog")
TEASER = re.compile(
    r"\W*(?:related|read (?:more|next|also)|see (?:more|also)|more (?:from|on|in|stories)|"
    r"also read|don.?t miss|recommended|you (?:may|might) (?:also )?like|watch|listen|"
    r"subscribe|sign up|click here|follow us|share this|advertisement|"
    r"lire aussi|à lire|lesen sie auch|mehr zum thema|lee también|leer más|te puede interesar|"
    r"leia (?:também|mais)|saiba mais|veja também|baca juga|leggi anche|lees ook|läs också|"
    r"читайте также|смотрите также|関連記事|相关阅读|延伸阅读|관련기사)\b",
    re.IGNORECASE,
)
# A longer text that begins like this is about copyright.
COPYRIGHT_CHARS = 100
COPYRIGHT = re.compile(r"\W*(?:copyright\b|©)", re.IGNORECASE)
LEGALESE_CHARS = 500
LEGALESE = re.compile(
    r"\W*(?:copyright (?:©|\(c\)|\d{4})|© ?(?:copyright )?\d{4}|all rights reserved|"
    r"this copy is for your personal|"
    r"an error has occurred|thank you for (?:signing|subscribing)|thanks for signing up)",
    re.IGNORECASE,
)


def find_article(root: _Element, title: str | None = None) -> set[_Element]:
    """Return the elements whose own text is the main content of a page."""
    blocks = blocks_of(root)
    selected = _best_extraction(root, blocks)
    selected = _trim(blocks, _add_headings(blocks, _extend(blocks, selected)), title)
    return {blocks[number].element for number in selected}


def _best_extraction(root: _Element, blocks: list[Block]) -> set[int]:
    if len(blocks) > MAX_BLOCKS or any(LABEL.search(block.text) for block in blocks):
        return _prose(blocks)[0]
    labelled = _with_labels(root, blocks)
    is_long = len(blocks) > COMPARED_BLOCKS
    precise = _run_trafilatura(labelled, is_precise=True, is_long=is_long)
    balanced = _run_trafilatura(labelled, is_precise=False, is_long=is_long)
    chosen = (
        precise if _size(blocks, precise) >= PRECISE_SHARE * _size(blocks, balanced) else balanced
    )
    prose, has_article = _prose(blocks)
    share = PROSE_SHARE if has_article else BARE_SHARE
    return chosen if _size(blocks, chosen) >= share * _size(blocks, prose) else prose


def _with_labels(root: _Element, blocks: list[Block]) -> _Element:
    """Return a copy in which the text of each block begins with its label."""
    copy = deepcopy(root)
    numbers = {block.element: block.number for block in blocks}
    for original, copied in zip(root.iter(), [*copy.iter()], strict=True):
        if original in numbers:
            _prefix(copied, _label(numbers[original]))
    return copy


def _label(number: int) -> str:
    return "".join(
        chr(FIRST_LABEL_CHAR + (number // LABEL_CHARS**power) % LABEL_CHARS) for power in (2, 1, 0)
    )


def _number(label: str) -> int:
    high, middle, low = (ord(char) - FIRST_LABEL_CHAR for char in label)
    return (high * LABEL_CHARS + middle) * LABEL_CHARS + low


def _prefix(element: _Element, label: str) -> bool:
    """Put a label before the first word of an element; False when it has no text of its own."""
    if (element.text or "").strip():
        element.text = label + (element.text or "").lstrip()
        return True
    for child in element:
        if isinstance(child.tag, str) and child.tag in INLINE and _prefix(child, label):
            return True
        if (child.tail or "").strip():
            child.tail = " " + label + (child.tail or "").lstrip()
            return True
    return False


def _run_trafilatura(labelled: _Element, *, is_precise: bool, is_long: bool) -> set[int]:
    # Imported here because it takes a third of a second and few kinds of files need it.
    from trafilatura import extract

    text = extract(labelled, include_comments=False, favor_precision=is_precise, fast=is_long) or ""
    return {_number(label) for label in LABEL.findall(text)}


def _prose(blocks: list[Block]) -> tuple[set[int], bool]:
    """Return the blocks of article or main, and True; else those of the body, and False. Page
    boilerplate is left out."""
    candidates = [
        candidate
        for candidate in blocks
        if not any(ancestor.tag in BOILERPLATE for ancestor in candidate.element.iterancestors())
    ]
    candidates = [block for block in candidates if block.link_share < 0.5]
    inner = {block.number for block in candidates if _article_of(block) is not None}
    if _size(blocks, inner) >= PROSE_CHARS:
        return inner, True
    return {block.number for block in candidates}, False


def _article_of(block: Block) -> _Element | None:
    return next(block.element.iterancestors("article", "main"), None)


def _size(blocks: list[Block], numbers: Iterable[int]) -> int:
    return sum(len(blocks[number].text) for number in numbers if number < len(blocks))


def _extend(blocks: list[Block], selected: set[int]) -> set[int]:
    """Add paragraphs in the same layout as most of the text, such as those after an advert."""
    chars_by_layout: Counter[object] = Counter()
    for number in selected:
        chars_by_layout[_layout_of(blocks[number])] += len(blocks[number].text)
    if not chars_by_layout:
        return selected
    (usual, chars), *_ = chars_by_layout.most_common(1)
    if chars < 0.5 * chars_by_layout.total():
        return selected
    same_layout = {
        block.number
        for block in blocks
        if _layout_of(block) == usual and len(block.text) >= PROSE_CHARS and block.link_share < 0.3
    }
    return (
        selected | same_layout
        if _size(blocks, same_layout - selected) <= GROWTH * chars_by_layout.total()
        else selected
    )


def _add_headings(blocks: list[Block], selected: set[int]) -> set[int]:
    """Add headings of selected text, and code next to it: extractors drop both when they are links
    or short."""
    extended = set(selected)
    for block in reversed(blocks):
        if block.is_heading and _belongs(blocks, block, block.number + 1, extended):
            extended.add(block.number)
    for block in blocks:
        if block.element.tag == "pre" and any(
            _belongs(blocks, block, neighbour, selected)
            for neighbour in (block.number - 1, block.number + 1)
        ):
            extended.add(block.number)
    return extended


def _belongs(blocks: list[Block], block: Block, neighbour: int, selected: set[int]) -> bool:
    """Whether a neighbour in the same part of the page is selected."""
    if neighbour not in selected or neighbour >= len(blocks):
        return False
    # A heading may have its own wrapper, but an h1 in a wrapper is the site's heading.
    levels = 1 if block.element.tag == "h1" else 2
    wrappers = [*block.element.iterancestors()][:levels]
    return any(ancestor in wrappers for ancestor in blocks[neighbour].element.iterancestors())


def _layout_of(block: Block) -> object:
    return block.layout, _article_of(block)


def _trim(blocks: list[Block], selected: set[int], title: str | None) -> set[int]:
    remaining = [
        blocks[number]
        for number in sorted(selected)
        if not _is_title(blocks[number], title)
        and not _is_teaser(blocks[number])
        and not _is_legalese(blocks[number])
    ]
    while remaining and remaining[-1].is_heading:
        remaining.pop()
    return {block.number for block in remaining}


def _is_title(block: Block, title: str | None) -> bool:
    if not title or not block.is_heading:
        return False
    heading, plain_title = _letters_and_digits(block.text), _letters_and_digits(title)
    shorter, longer = sorted((heading, plain_title), key=len)
    return bool(shorter) and shorter in longer and len(shorter) >= TITLE_SHARE * len(longer)


def _is_legalese(block: Block) -> bool:
    if len(block.text) < COPYRIGHT_CHARS and COPYRIGHT.match(block.text):
        return True
    return len(block.text) < LEGALESE_CHARS and bool(LEGALESE.match(block.text))


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _is_teaser(block: Block) -> bool:
    match = TEASER.match(block.text)
    if not match or block.is_heading or len(block.text) > ASIDE_CHARS:
        return False
    return block.link_share > 0.4 or match.end() >= len(block.text) - 2
