"""What a web page says about itself: title, author, date, site, language, its own address."""

import json
import re
from collections.abc import Iterator
from typing import Any

from lxml.etree import _Element

from remem.adapters.extractors.dates import iso_date

SITE_IN_TITLE = re.compile(r"(?<!\s)\s++[|–—·»-]\s++[^|–—·»-]{2,40}$")
LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*$")
# The type of a thing in JSON-LD that is the page's content, and not its site or a crumb.
ARTICLES = ("Article", "Posting", "Report", "WebPage", "Recipe", "Review", "Book", "Product")
NAME_CHARS = 80


def found_in(root: _Element, url: str | None) -> dict[str, Any]:
    linked = [*_linked_data(root)]
    return {
        "title": title_of(root) or _first(linked, "headline", "name"),
        "author": _author(root, linked),
        "published_at": iso_date(_date(root, linked, url)),
        "language": _language(root),
        "site_name": _meta(root, "og:site_name") or _meta(root, "application-name"),
        "url": _address(root, url),
        "description": _meta(root, "og:description") or _meta(root, "description"),
    }


def title_of(root: _Element) -> str | None:
    """The title as a reader sees it, without the name of the site after it."""
    if said := _meta(root, "og:title") or _meta(root, "twitter:title"):
        site = _meta(root, "og:site_name")
        return re.sub(rf"\s+[|–—·»-]\s+{re.escape(site)}$", "", said) if site else said
    headings = [_words(heading) for heading in root.iter("h1")]
    titled = _words(root.find(".//title"))
    for heading in headings:
        if heading and titled.lower().startswith(heading.lower()):
            return heading
    return SITE_IN_TITLE.sub("", titled) or next(filter(None, headings), None)


def _words(element: _Element | None) -> str:
    return " ".join("".join(map(str, element.itertext())).split()) if element is not None else ""


def _meta(root: _Element, name: str) -> str | None:
    for each in root.iter("meta"):
        named = each.get("property") or each.get("name") or ""
        if named.lower() == name and (content := (each.get("content") or "").strip()):
            return " ".join(content.split())
    return None


def _author(root: _Element, linked: list[dict[str, Any]]) -> str | None:
    said = _first(linked, "author", "creator")
    for name in [said, *_named_authors(root)]:
        name = re.sub(
            r"^(?:written |posted )?by:?\s+", "", (name or "").strip(), flags=re.IGNORECASE
        )
        if 2 < len(name) <= NAME_CHARS and "://" not in name:
            return name
    return None


def _named_authors(root: _Element) -> Iterator[str | None]:
    """What the page marks as its author, the plainest mark first. No XPath: steps through
    elements inside each other take it time without proportion."""
    yield _meta(root, "author")
    yield _meta(root, "article:author")
    yield _first_words(each for each in root.iter() if _is_name_of_author(each))
    yield _first_words(each for each in root.iter() if each.get("rel") == "author")
    for name in ("author", "byline"):
        yield _first_words(
            each for each in root.iter() if name in (each.get("class") or "").split()
        )


def _is_name_of_author(element: _Element) -> bool:
    return element.get("itemprop") == "name" and any(
        around.get("itemprop") == "author" for around in element.iterancestors()
    )


def _first_words(elements: Iterator[_Element]) -> str | None:
    for element in elements:
        for text in element.itertext():
            if words := " ".join(str(text).split()):
                return words
    return None


def _date(root: _Element, linked: list[dict[str, Any]], url: str | None) -> str | None:
    for said in (
        _first(linked, "datePublished", "dateCreated"),
        _meta(root, "article:published_time"),
        _meta(root, "date"),
        _meta(root, "dc.date"),
    ):
        if said and re.match(r"\d{4}-\d\d-\d\d", said):
            return said
    # Imported here because it takes a third of a second, and most pages say their date plainly.
    from htmldate import find_date

    return find_date(root, url=url, original_date=True, extensive_search=False)


def _language(root: _Element) -> str | None:
    html = root if root.tag == "html" else root.find(".//html")
    for said in (
        html.get("lang") if html is not None else None,
        _meta(root, "content-language"),
        _meta(root, "og:locale"),
    ):
        if said and LANGUAGE.match(said.strip()):
            return re.split("[-_]", said.strip())[0].lower()
    return None


def _address(root: _Element, url: str | None) -> str | None:
    for link in root.iter("link"):
        href = (link.get("href") or "").strip()
        if (link.get("rel") or "").lower() == "canonical" and href.startswith("http"):
            return href
    said = _meta(root, "og:url")
    return said if said and said.startswith("http") else url


def _linked_data(root: _Element) -> Iterator[dict[str, Any]]:
    """The descriptions of the content that stand in the page as JSON-LD."""
    for script in root.iter("script"):
        if script.get("type") == "application/ld+json" and script.text:
            try:
                loaded = json.loads(script.text, strict=False)
            except (ValueError, RecursionError):
                continue
            yield from _articles(loaded)


def _articles(loaded: Any) -> Iterator[dict[str, Any]]:
    things = loaded if isinstance(loaded, list) else [loaded]
    for thing in things[:50]:
        if isinstance(thing, dict):
            if str(thing.get("@type", "")).strip("[]'\"").endswith(ARTICLES):
                yield thing
            graph = thing.get("@graph")
            if isinstance(graph, list):
                yield from _articles(graph[:50])


def _first(linked: list[dict[str, Any]], *keys: str) -> str | None:
    """The first thing said under one of these keys: a text, or the name of a person."""
    for thing in linked:
        for key in keys:
            if said := _name_of(thing.get(key)):
                return said
    return None


def _name_of(value: Any) -> str | None:
    if isinstance(value, str):
        return " ".join(value.split()) or None
    if isinstance(value, dict):
        return _name_of(value.get("name"))
    if isinstance(value, list):
        names = [name for each in value[:5] if (name := _name_of(each))]
        return ", ".join(names) or None
    return None
