"""URLs of a site: which ones are part of it, and which ones a page or a sitemap links to."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from lxml import etree, html

from remem.adapters.fetch.addresses import validate_url
from remem.core.errors import Invalid
from remem.core.ports import Fetched

PAGE_LIMIT = 500
LINKS_LIMIT = 1_000
ADDRESS_CHARS = 1_000
PARSED_BYTES = 5_000_000
# Files that are not pages; a person can save them one by one.
NON_PAGE_SUFFIXES = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".zip", ".gz", ".mp4",
    ".mp3", ".woff", ".woff2", ".exe", ".dmg", ".iso",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SiteFolder:
    root: str
    folder: str

    def contains(self, url: str) -> bool:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc}" == self.root and parts.path.startswith(
            self.folder
        )


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page with its canonical address."""

    address: str
    title: str
    links: list[str]


def plain_address(url: str) -> str:
    return str(validate_url(url))


def site_folder(url: str) -> SiteFolder:
    """Return the host and folder of a URL. The folder of a sitemap is its whole host."""
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
    urls = (
        []
        if root is None
        else [str(location.text or "") for location in root.iterfind(".//{*}loc")]
    )
    return _in_scope(urls, start, start)


def parse_page(fetched: Fetched, start: str) -> ParsedPage:
    """Parse the title, links and canonical address of a page. Anything but HTML has no links. The
    canonical address counts only within the site."""
    own = urldefrag(fetched.url)[0]
    if "html" not in (fetched.media_type or "") or len(fetched.data) > PARSED_BYTES:
        return ParsedPage(own, "", [])
    try:
        root = html.document_fromstring(fetched.data, html.HTMLParser(no_network=True))
    except (etree.ParserError, ValueError):
        return ParsedPage(own, "", [])
    base = urljoin(own, next(iter(root.xpath("//base/@href")), ""))
    canonical = root.xpath('//link[@rel="canonical"]/@href')[:1]
    address = next(iter(_in_scope(map(str, canonical), base, start)), own)
    title = " ".join("".join(root.xpath("//title[1]//text()")).split())[:300]
    links = [str(href) for href in root.xpath("//a[not(contains(@rel, 'nofollow'))]/@href")]
    return ParsedPage(address, title, _in_scope(links[:LINKS_LIMIT], base, start))


def _in_scope(links: Iterable[str], base: str, start: str) -> list[str]:
    scope, urls = site_folder(start), dict[str, None]()
    for link in links:
        if len(link) > ADDRESS_CHARS:
            continue
        try:
            url = plain_address(urldefrag(urljoin(base, link.strip()))[0])
        except (Invalid, ValueError):
            continue
        if scope.contains(url) and not urlsplit(url).path.lower().endswith(NON_PAGE_SUFFIXES):
            urls[url] = None
    return list(urls)
