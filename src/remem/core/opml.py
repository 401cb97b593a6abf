"""Read the feed URLs of an OPML file."""

from xml.etree import ElementTree

from remem.core.errors import Invalid
from remem.core.validate import check_url

SIZE_LIMIT = 5_000_000


class NotOpml(ValueError):
    """The file is not an OPML list of feeds."""


def feed_addresses(data: bytes) -> list[str]:
    """Return the feed URLs of the file in order, without duplicates. A file that declares entities
    is refused, because their expansion can fill the memory."""
    if len(data) > SIZE_LIMIT:
        raise NotOpml("it is larger than 5 MB")
    # UTF-16 has a zero byte next to every ASCII letter.
    if b"<!" in data.replace(b"\0", b"").replace(b"<!--", b"").replace(b"<![CDATA[", b""):
        raise NotOpml("it declares a document type, which no OPML file needs")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise NotOpml("it is not XML") from error
    if root.tag.lower() != "opml":
        raise NotOpml(f"it is a file of another kind ({root.tag[:40]})")
    return list(dict.fromkeys(filter(None, map(_address, root.iter("outline")))))


def _address(outline: ElementTree.Element) -> str | None:
    attributes = {name.lower(): value.strip() for name, value in outline.attrib.items()}
    address = attributes.get("xmlurl", "")
    try:
        check_url("xmlUrl", address)
    except Invalid:
        return None
    return address
