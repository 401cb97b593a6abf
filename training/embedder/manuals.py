"""Parallel paragraphs from translated manuals, which are Debian packages.

python manuals.py FOLDER manuals.txt.xz    FOLDER has the packages libreoffice-help-* (MPL 2.0) and
                                           debian-handbook (CC BY-SA 3.0), from `apt-get download`
"""

import collections
import lzma
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import html

_BLOCKS = frozenset("p h1 h2 h3 h4 h5 h6 li dt dd td th figcaption caption".split())
_HELP = {
    "de": "de", "fr": "fr", "es": "es", "it": "it", "pt": "pt", "pt-BR": "pt", "nl": "nl",
    "pl": "pl", "ru": "ru", "tr": "tr", "ja": "ja", "ko": "ko", "hi": "hi", "sv": "sv",
    "cs": "cs", "zh-CN": "zh", "zh-TW": "zh",
}  # fmt: skip
_HANDBOOK = frozenset("ar cs de es fr it ja ko nl pl pt ru sv tr zh".split())
_OTHER_SCRIPTS = frozenset("ru uk ar hi zh ja ko".split())
_ENGLISH_CHARS, _OTHER_CHARS = range(12, 1_501), 6


class Block(NamedTuple):
    tag: str
    id: str
    text: str


def blocks(path: Path) -> list[Block]:
    """The elements of a page that have text and no other block in them."""
    if not path.exists():
        return []
    tree = html.fromstring(path.read_bytes(), parser=html.HTMLParser(encoding="utf8"))
    return [
        Block(str(element.tag), element.get("id") or "", " ".join(element.text_content().split()))
        for element in tree.iter(*_BLOCKS)
        if next(element.iterdescendants(*_BLOCKS), None) is None
    ]


def by_id(english: list[Block], other: list[Block]) -> Iterator[tuple[str, str]]:
    counts = collections.Counter(block.id for block in english)
    texts = {block.id: block.text for block in other}
    other_counts = collections.Counter(block.id for block in other)
    for block in english:
        if block.id and counts[block.id] == other_counts[block.id] == 1:
            yield block.text, texts[block.id]


def by_place(english: list[Block], other: list[Block]) -> Iterator[tuple[str, str]]:
    if [block.tag for block in english] == [block.tag for block in other]:
        yield from ((a.text, b.text) for a, b in zip(english, other, strict=True))


def is_translated(language: str, english: str, other: str) -> bool:
    if len(english) not in _ENGLISH_CHARS or len(other) < _OTHER_CHARS:
        return False
    letters = [char for char in other if char.isalpha()]
    latin = sum(char.isascii() for char in letters)
    is_latin = language in _OTHER_SCRIPTS and latin > 0.6 * len(letters)
    return english.lower() != other.lower() and not is_latin


def unpack(package: Path, folder: Path) -> None:
    with subprocess.Popen(["dpkg", "--fsys-tarfile", package], stdout=subprocess.PIPE) as process:
        pages = ["tar", "-x", "-C", str(folder), "--wildcards", "*.html"]
        subprocess.run(pages, stdin=process.stdout, check=True)


def paragraphs(root: Path) -> Iterator[tuple[str, str, str]]:
    """Language, text and English of every paragraph."""
    help_folder = root / "usr/share/libreoffice/help"
    pages = sorted((help_folder / "en-US").rglob("text/**/*.html"))
    english_pages = {page.relative_to(help_folder / "en-US"): blocks(page) for page in pages}
    for folder, language in _HELP.items():
        for name, english in english_pages.items():
            for text, other in by_id(english, blocks(help_folder / folder / name)):
                yield language, other, text
    handbook = root / "usr/share/doc/debian-handbook/html"
    for page in sorted((handbook / "en-US").glob("*.html")):
        english = blocks(page)
        for folder in sorted(handbook.iterdir()):
            if (language := folder.name[:2]) in _HANDBOOK:
                for text, other in by_place(english, blocks(folder / page.name)):
                    yield language, other, text


def main(packages: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for package in sorted(packages.glob("*.deb")):
            unpack(package, Path(folder))
        found = {
            (language, other, text)
            for language, other, text in paragraphs(Path(folder))
            if is_translated(language, text, other)
        }
    with lzma.open(target, "wt", encoding="utf8", preset=9) as file:
        file.writelines(f"{language}\t{other}\t{text}\n" for language, other, text in sorted(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
