"""Finds the main content of a page: the best of several readings, then grown and trimmed."""

import re
from collections import Counter
from collections.abc import Iterable
from copy import deepcopy

from lxml.etree import _Element

from remem.adapters.extractors.blocks import Block, blocks_of
from remem.adapters.extractors.markdown import INLINE

# A block is labelled by three signs that survive every cleaning step and are no words.
FIRST_SIGN, SIGNS = 0x4DC0, 64
LABEL = re.compile("[\u4dc0-\u4dff]{3}")
# Weighing a page of more takes minutes; such a page is a listing, and all of it is meant.
MOST_BLOCKS = 20_000
# The library's second opinion looks from every block at all before and after it.
COMPARED_BLOCKS = 2_000

# The precise reading is taken unless it lost this much of the balanced one.
PRECISE_SHARE = 0.5
# A reading this much smaller than the prose of the page has missed the point.
PROSE_SHARE = 0.3
# Without article or main the prose is everything on the page, comments and all.
BARE_SHARE = 0.05
# What belongs to a text may at most triple it: more is another text.
GROWTH = 2.0
# A title often carries the name of the site.
TITLE_SHARE = 0.6
PROSE_CHARS = 40
ASIDE_CHARS = 200
BOILERPLATE = ("nav", "footer", "header", "aside", "form", "dialog")
LEADS_AWAY = re.compile(
    r"\W*(?:related|read (?:more|next|also)|see (?:more|also)|more (?:from|on|in|stories)|"
    r"also read|don.?t miss|recommended|you (?:may|might) (?:also )?like|watch|listen|"
    r"subscribe|sign up|click here|follow us|share this|advertisement|"
    r"lire aussi|à lire|lesen sie auch|mehr zum thema|lee también|leer más|te puede interesar|"
    r"leia (?:também|mais)|saiba mais|veja também|baca juga|leggi anche|lees ook|läs också|"
    r"читайте также|смотрите также|関連記事|相关阅读|延伸阅读|관련기사)\b",
    re.IGNORECASE,
)
# A longer text that begins so is about the law.
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
    """The elements whose own words are the page's main content."""
    blocks = blocks_of(root)
    kept = _best_reading(root, blocks)
    kept = _trimmed(blocks, _with_headings(blocks, _grown(blocks, kept)), title)
    return {blocks[number].element for number in kept}


def _best_reading(root: _Element, blocks: list[Block]) -> set[int]:
    if len(blocks) > MOST_BLOCKS or any(LABEL.search(block.text) for block in blocks):
        return _prose(blocks)[0]
    labelled = _labelled(root, blocks)
    is_long = len(blocks) > COMPARED_BLOCKS
    precise = _read(labelled, is_precise=True, is_long=is_long)
    balanced = _read(labelled, is_precise=False, is_long=is_long)
    best = (
        precise if _size(blocks, precise) >= PRECISE_SHARE * _size(blocks, balanced) else balanced
    )
    prose, is_framed = _prose(blocks)
    share = PROSE_SHARE if is_framed else BARE_SHARE
    return best if _size(blocks, best) >= share * _size(blocks, prose) else prose


def _labelled(root: _Element, blocks: list[Block]) -> _Element:
    """A copy in which each block's words begin with its label."""
    copy = deepcopy(root)
    numbers = {block.element: block.number for block in blocks}
    for original, copied in zip(root.iter(), [*copy.iter()], strict=True):
        if original in numbers:
            _prefix(copied, _label(numbers[original]))
    return copy


def _label(number: int) -> str:
    return "".join(chr(FIRST_SIGN + (number // SIGNS**power) % SIGNS) for power in (2, 1, 0))


def _number(label: str) -> int:
    high, middle, low = (ord(sign) - FIRST_SIGN for sign in label)
    return (high * SIGNS + middle) * SIGNS + low


def _prefix(element: _Element, label: str) -> bool:
    """Put a label before the first word of an element; false when it has none of its own."""
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


def _read(labelled: _Element, *, is_precise: bool, is_long: bool) -> set[int]:
    # Imported here because it takes a third of a second, and most kinds do without.
    from trafilatura import extract

    text = extract(labelled, include_comments=False, favor_precision=is_precise, fast=is_long) or ""
    return {_number(label) for label in LABEL.findall(text)}


def _prose(blocks: list[Block]) -> tuple[set[int], bool]:
    """The source's own rule: the text of article or main (said by the second value), else of
    the body, without its frame."""
    bare = [b for b in blocks if not any(a.tag in BOILERPLATE for a in b.element.iterancestors())]
    bare = [block for block in bare if block.link_share < 0.5]
    inner = {block.number for block in bare if _frame(block) is not None}
    if _size(blocks, inner) >= PROSE_CHARS:
        return inner, True
    return {block.number for block in bare}, False


def _frame(block: Block) -> _Element | None:
    return next(block.element.iterancestors("article", "main"), None)


def _size(blocks: list[Block], numbers: Iterable[int]) -> int:
    return sum(len(blocks[number].text) for number in numbers if number < len(blocks))


def _grown(blocks: list[Block], kept: set[int]) -> set[int]:
    """Take in paragraphs that are built like most of the text, such as those after an advert."""
    places: Counter[object] = Counter()
    for number in kept:
        places[_setting(blocks[number])] += len(blocks[number].text)
    if not places:
        return kept
    (usual, chars), *_ = places.most_common(1)
    if chars < 0.5 * places.total():
        return kept
    more = {
        block.number
        for block in blocks
        if _setting(block) == usual and len(block.text) >= PROSE_CHARS and block.link_share < 0.3
    }
    return kept | more if _size(blocks, more - kept) <= GROWTH * places.total() else kept


def _with_headings(blocks: list[Block], kept: set[int]) -> set[int]:
    """Take in headings whose text was kept, and code beside it: readers drop both when they are
    links, or short."""
    grown = set(kept)
    for block in reversed(blocks):
        if block.is_heading and _belongs(blocks, block, block.number + 1, grown):
            grown.add(block.number)
    for block in blocks:
        if block.element.tag == "pre" and any(
            _belongs(blocks, block, beside, kept) for beside in (block.number - 1, block.number + 1)
        ):
            grown.add(block.number)
    return grown


def _belongs(blocks: list[Block], block: Block, beside: int, kept: set[int]) -> bool:
    """Whether a neighbour was kept that stands in the same part of the page."""
    if beside not in kept or beside >= len(blocks):
        return False
    # Headings may have a wrapper of their own; a first heading in one is the site's.
    reach = 1 if block.element.tag == "h1" else 2
    near = [*block.element.iterancestors()][:reach]
    return any(around in near for around in blocks[beside].element.iterancestors())


def _setting(block: Block) -> object:
    return block.place, _frame(block)


def _trimmed(blocks: list[Block], kept: set[int], title: str | None) -> set[int]:
    left = [
        blocks[number]
        for number in sorted(kept)
        if not _is_title(blocks[number], title)
        and not _leads_away(blocks[number])
        and not _is_legalese(blocks[number])
    ]
    while left and left[-1].is_heading:
        left.pop()
    return {block.number for block in left}


def _is_title(block: Block, title: str | None) -> bool:
    if not title or not block.is_heading:
        return False
    heading, said = _plain(block.text), _plain(title)
    shorter, longer = sorted((heading, said), key=len)
    return bool(shorter) and shorter in longer and len(shorter) >= TITLE_SHARE * len(longer)


def _is_legalese(block: Block) -> bool:
    if len(block.text) < COPYRIGHT_CHARS and COPYRIGHT.match(block.text):
        return True
    return len(block.text) < LEGALESE_CHARS and bool(LEGALESE.match(block.text))


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _leads_away(block: Block) -> bool:
    label = LEADS_AWAY.match(block.text)
    if not label or block.is_heading or len(block.text) > ASIDE_CHARS:
        return False
    return block.link_share > 0.4 or label.end() >= len(block.text) - 2
