"""Metadata of a web page: title, author, date, site, language, canonical URL."""

import json
import re
from collections.abc import Iterator
from typing import Any

from lxml.etree import _Element

from remem.adapters.extractors.dates import iso_date

SITE_IN_TITLE = re.compile(r"(?<!\s)\s++[|–—·»-]\s++[^|–—·»-]{2,40}$")
LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*$")
# Types in JSON-LD that describe the content of the page, not its site or breadcrumbs.
ARTICLES = ("Article", "Posting", "Report", "WebPage", "Recipe", "Review", "Book", "Product")
NAME_CHARS = 80


def page_metadata(root: _Element, url: str | None) -> dict[str, Any]:
    linked = [*_linked_data(root)]
    return {
        "title": title_of(root) or _first(linked, "headline", "name"),
        "author": _author(root, linked),
        "published_at": iso_date(_date(root, linked, url)),
        "language": _language(root),
        "site_name": _meta(root, "og:site_name") or _meta(root, "application-name"),
        "url": _canonical_url(root, url),
        "description": _meta(root, "og:description") or _meta(root, "description"),
    }


def title_of(root: _Element) -> str | None:
    """Return the title without the name of the site after it."""
    if title := _meta(root, "og:title") or _meta(root, "twitter:title"):
        site = _meta(root, "og:site_name")
        return re.sub(rf"\s+[|–—·»-]\s+{re.escape(site)}$", "", title) if site else title
    headings = [_text_of(heading) for heading in root.iter("h1")]
    page_title = _text_of(root.find(".//title"))
    for heading in headings:
        if heading and page_title.lower().startswith(heading.lower()):
            return heading
    return SITE_IN_TITLE.sub("", page_title) or next(filter(None, headings), None)


def _text_of(element: _Element | None) -> str:
    return " ".join("".join(map(str, element.itertext())).split()) if element is not None else ""


def _meta(root: _Element, name: str) -> str | None:
    for element in root.iter("meta"):
        element_name = element.get("property") or element.get("name") or ""
        if element_name.lower() == name and (content := (element.get("content") or "").strip()):
            return " ".join(content.split())
    return None


def _author(root: _Element, linked: list[dict[str, Any]]) -> str | None:
    declared = _first(linked, "author", "creator")
    for name in [declared, *_declared_authors(root)]:
        name = re.sub(
            r"^(?:written |posted )?by:?\s+", "", (name or "").strip(), flags=re.IGNORECASE
        )
        if 2 < len(name) <= NAME_CHARS and "://" not in name:
            return name
    return None


def _declared_authors(root: _Element) -> Iterator[str | None]:
    """Yield the authors that the page declares, the most explicit first. XPath is not used because
    it is very slow for deeply nested elements."""
    yield _meta(root, "author")
    yield _meta(root, "article:author")
    yield _first_text(element for element in root.iter() if _is_name_of_author(element))
    yield _first_text(element for element in root.iter() if element.get("rel") == "author")
    for name in ("author", "byline"):
        yield _first_text(
            element for element in root.iter() if name in (element.get("class") or "").split()
        )


def _is_name_of_author(element: _Element) -> bool:
    return element.get("itemprop") == "name" and any(
        ancestor.get("itemprop") == "author" for ancestor in element.iterancestors()
    )


def _first_text(elements: Iterator[_Element]) -> str | None:
    for element in elements:
        for text in element.itertext():
            if line := " ".join(str(text).split()):
                return line
    return None


def _date(root: _Element, linked: list[dict[str, Any]], url: str | None) -> str | None:
    for date in (
        _first(linked, "datePublished", "dateCreated"),
        _meta(root, "article:published_time"),
        _meta(root, "date"),
        _meta(root, "dc.date"),
    ):
        if date and re.match(r"\d{4}-\d\d-\d\d", date):
            return date
    # Imported here because it takes a third of a second, and most pages declare their date.
    from htmldate import find_date

    return find_date(root, url=url, original_date=True, extensive_search=False)


def _language(root: _Element) -> str | None:
    html = root if root.tag == "html" else root.find(".//html")
    for locale in (
        html.get("lang") if html is not None else None,
        _meta(root, "content-language"),
        _meta(root, "og:locale"),
    ):
        if locale and LANGUAGE.match(locale.strip()):
            return re.split("[-_]", locale.strip())[0].lower()
    return None


def _canonical_url(root: _Element, url: str | None) -> str | None:
    for link in root.iter("link"):
        href = (link.get("href") or "").strip()
        if (link.get("rel") or "").lower() == "canonical" and href.startswith("http"):
            return href
    declared = _meta(root, "og:url")
    return declared if declared and declared.startswith("http") else url


def _linked_data(root: _Element) -> Iterator[dict[str, Any]]:
    """Yield the descriptions of the content in the page's JSON-LD."""
    for script in root.iter("script"):
        if script.get("type") == "application/ld+json" and script.text:
            try:
                loaded = json.loads(script.text, strict=False)
            except (ValueError, RecursionError):
                continue
            yield from _articles(loaded)


def _articles(loaded: Any) -> Iterator[dict[str, Any]]:
    objects = loaded if isinstance(loaded, list) else [loaded]
    for entry in objects[:50]:
        if isinstance(entry, dict):
            if str(entry.get("@type", "")).strip("[]'\"").endswith(ARTICLES):
                yield entry
            graph = entry.get("@graph")
            if isinstance(graph, list):
                yield from _articles(graph[:50])


def _first(linked: list[dict[str, Any]], *keys: str) -> str | None:
    """Return the first value of one of the keys: a text, or the name of a person."""
    for article in linked:
        for key in keys:
            if name := _name_of(article.get(key)):
                return name
    return None


def _name_of(value: Any) -> str | None:
    if isinstance(value, str):
        return " ".join(value.split()) or None
    if isinstance(value, dict):
        return _name_of(value.get("name"))
    if isinstance(value, list):
        names = [name for item in value[:5] if (name := _name_of(item))]
        return ", ".join(names) or None
    return None
