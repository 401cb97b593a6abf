"""Parse untrusted XML, without entities, network access or external files."""

import re

from lxml import etree
from lxml.etree import _Element

from remem.core.errors import Unreadable

# In UTF-16 there is a NUL between the letters.
ENTITY = re.compile(rb"<\0?!\0?(?:E\0?N\0?T\0?I\0?T\0?Y)\b", re.IGNORECASE)


def parse_xml(data: bytes) -> _Element:
    """Parse XML; raises Unreadable if it is broken or declares entities."""
    refuse_entities(data)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(f"The XML in it is broken ({error}); save it again.") from error


def refuse_entities(data: bytes) -> None:
    if ENTITY.search(data):
        raise Unreadable(
            "The XML in it declares entities of its own, which can be made to grow without end; "
            "save the file again with an ordinary program."
        )


def local_name(element: _Element) -> str:
    """Return the name of an element without its namespace; "" for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
