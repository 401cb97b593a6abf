"""Web pages: the main content as markdown, and metadata."""

from lxml.etree import LxmlError, _Element

from remem.adapters.extractors.article import find_article
from remem.adapters.extractors.breaks import split_paragraphs
from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.draft import Draft, printable
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import HTML_BYTES, read_bytes
from remem.adapters.extractors.markdown import Renderer
from remem.adapters.extractors.nesting import is_too_deep, limit_indents, parse_flat
from remem.adapters.extractors.page import page_metadata
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original


def extract(original: Original, engines: Engines) -> Extracted:
    root = parse(decode(read_bytes(original.path, HTML_BYTES)))
    metadata = page_metadata(root, original.url)
    base_url = original.url or metadata["url"]
    draft = Draft(engines.html_chars)
    draft.add(main_content(root, metadata["title"], base_url))
    return draft.finish("html", metadata)


def main_content(root: _Element, title: str | None, base_url: str | None) -> str:
    split_paragraphs(root)
    selected = find_article(root, title)
    text = Renderer(base_url, selected.__contains__).render(root)
    return text or Renderer(base_url).render(root)


def whole_content(markup: str, base_url: str | None = None) -> str:
    """Render a whole document as markdown, for those without boilerplate: a message, a chapter."""
    root = parse(markup)
    split_paragraphs(root)
    return Renderer(base_url).render(root)


def parse(markup: str) -> _Element:
    from lxml.html import HTMLParser, document_fromstring

    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    data = printable(markup).encode("utf-8", "replace")
    try:
        root = document_fromstring(data, parser=parser, ensure_head_body=True)
        root = parse_flat(data) if is_too_deep(root) else root
    except (LxmlError, ValueError) as error:
        raise Unreadable("There is no text in this HTML file.") from error
    limit_indents(root)
    return root
