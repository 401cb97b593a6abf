"""The feeds of an OPML file as feed readers export it; other files are rejected."""

import pytest

from remem.core.opml import NotOpml, feed_addresses

FILE = b"""<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
<outline text="Science"><outline type="rss" text="A" xmlUrl="https://example.org/a"/>
<outline type="rss" xmlurl=" https://example.org/b "/></outline>
<outline xmlUrl="https://example.org/a"/><outline xmlUrl="file:///etc/passwd"/><outline text="x"/>
</body></opml>"""


def test_every_address_is_returned_once_whatever_its_folder() -> None:
    assert feed_addresses(FILE) == ["https://example.org/a", "https://example.org/b"]


@pytest.mark.parametrize(
    "data",
    [
        b"hello",
        b"<rss/>",
        b'<!DOCTYPE opml [<!ENTITY a "b">]><opml/>',
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE o [<!ENTITY a "b">]><opml/>'.encode(
            "utf-16"
        ),
        b"<opml>" + b" " * 5_000_001 + b"</opml>",
    ],
    ids=["no xml", "another kind", "entities", "entities in UTF-16", "too large"],
)
def test_what_is_no_opml_is_refused(data: bytes) -> None:
    with pytest.raises(NotOpml):
        feed_addresses(data)
