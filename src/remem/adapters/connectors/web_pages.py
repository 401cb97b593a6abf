"""Addresses of a site: what is part of it, and what a page or a sitemap links to."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from lxml import etree, html

from remem.adapters.fetch.addresses import visitable
from remem.core.errors import Invalid
from remem.core.ports import Fetched

PAGE_LIMIT = 500
LINKS_LIMIT = 1_000
ADDRESS_CHARS = 1_000
PARSED_BYTES = 5_000_000
# Files that are no pages; they are found by saving them by themselves.
NO_PAGES = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".zip", ".gz", ".mp4",
    ".mp3", ".woff", ".woff2", ".exe", ".dmg", ".iso",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SiteFolder:
    root: str
    folder: str

    def has(self, url: str) -> bool:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc}" == self.root and parts.path.startswith(
            self.folder
        )


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page by the address it wants to be known by."""

    address: str
    title: str
    links: list[str]


def plain_address(url: str) -> str:
    return str(visitable(url))


def folder_of(url: str) -> SiteFolder:
    """The host of an address and the folder it is in; a sitemap is about its whole host."""
    parts = urlsplit(url)
    folder = "/" if parts.path.endswith(".xml") else parts.path.rpartition("/")[0] + "/"
    return SiteFolder(f"{parts.scheme}://{parts.netloc}", folder)


def is_sitemap(fetched: Fetched) -> bool:
    start = fetched.data[:2_000].lower()
    return b"<urlset" in start or b"<sitemapindex" in start


def sitemap_addresses(data: bytes, start: str) -> list[str]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(data[:PARSED_BYTES], parser)
    except etree.XMLSyntaxError:
        return []
    found = [] if root is None else [str(one.text or "") for one in root.iterfind(".//{*}loc")]
    return _in_scope(found, start, start)


def links_of(fetched: Fetched, start: str) -> ReadPage:
    """None where it is no HTML; the canonical address only within the site."""
    own = urldefrag(fetched.url)[0]
    if "html" not in (fetched.media_type or "") or len(fetched.data) > PARSED_BYTES:
        return ReadPage(own, "", [])
    try:
        root = html.document_fromstring(fetched.data, html.HTMLParser(no_network=True))
    except (etree.ParserError, ValueError):
        return ReadPage(own, "", [])
    base = urljoin(own, next(iter(root.xpath("//base/@href")), ""))
    canonical = root.xpath('//link[@rel="canonical"]/@href')[:1]
    address = next(iter(_in_scope(map(str, canonical), base, start)), own)
    title = " ".join("".join(root.xpath("//title[1]//text()")).split())[:300]
    links = [str(one) for one in root.xpath("//a[not(contains(@rel, 'nofollow'))]/@href")]
    return ReadPage(address, title, _in_scope(links[:LINKS_LIMIT], base, start))


def _in_scope(links: Iterable[str], base: str, start: str) -> list[str]:
    scope, kept = folder_of(start), dict[str, None]()
    for link in links:
        if len(link) > ADDRESS_CHARS:
            continue
        try:
            url = plain_address(urldefrag(urljoin(base, link.strip()))[0])
        except (Invalid, ValueError):
            continue
        if scope.has(url) and not urlsplit(url).path.lower().endswith(NO_PAGES):
            kept[url] = None
    return list(kept)
