"""What is specific to S3: signatures, unusual keys, regions, long and damaged lists."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remem.adapters.connectors.s3 import Bucket, KeyPair, S3Connector, signed_headers
from remem.core.connectors.errors import AskedTooOften, NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid, Unavailable
from tests.tools.mirror import Mirror
from tests.tools.places import BucketPlace, bucket_place

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(tmp_path: Path) -> Iterator[BucketPlace]:
    with bucket_place(tmp_path) as bucket:
        yield bucket


@pytest.fixture
async def mirror(place: BucketPlace) -> AsyncIterator[Mirror]:
    connector = place.connector
    yield Mirror(connector, access(place))
    await connector.close()


def access(place: BucketPlace, **other: str) -> Access:
    fields = {**place.fields, **other}
    return Access({"url": fields.pop("url")}, (), fields)


async def test_keys_of_any_kind_in_many_pages(mirror: Mirror, place: BucketPlace) -> None:
    place.fake.page_size = 2
    names = ["a b+c", "d&e<f>", "größe", "x/y/z", "100%", "it's (1)"]
    for name in names:
        place.write(name, f"Text of {name}.")
    place.fake.put("my files/folder/", b"")
    place.fake.put("other/outside.md", b"Not below the prefix.")
    place.fake.put("my files/empty.md", b"")
    place.fake.put("my files/large.bin", b"x" * 1_200_000)
    place.fake.put("my files/picture.png", b"\x89PNG")
    await mirror.sync()
    texts = {f"Text of {name}." for name in names}
    assert texts < set(mirror.texts) and len(mirror.items) == len(names) + 1
    assert mirror.skipped == {
        "my files/empty.md": "it is empty",
        "my files/large.bin": "it is larger than 1 MB",
    }
    reads = mirror.reads
    await mirror.sync()
    assert mirror.reads == reads


async def test_a_pause_a_damaged_list_and_a_revoked_key(mirror: Mirror, place: BucketPlace) -> None:
    place.write("first", "The kettle.")
    place.fake.limit = 1
    with pytest.raises(AskedTooOften):
        await mirror.sync()
    place.fake.limit = None
    await mirror.sync()
    assert mirror.texts == ["The kettle."]
    place.fake.status = 301
    with pytest.raises(Invalid, match="region=eu-central-1"):
        await mirror.sync()
    place.fake.status = 500
    with pytest.raises(Unavailable):
        await mirror.sync()
    place.fake.status = 403
    with pytest.raises(NeedsAuth, match="read access"):
        await mirror.sync()
    assert mirror.texts == ["The kettle."]


async def test_private_addresses_are_refused(place: BucketPlace) -> None:
    guarded = S3Connector([], waits_s=())
    with pytest.raises(Invalid, match="public internet"):
        await guarded.account(access(place))
    assert not place.fake.calls
    await guarded.close()


def test_bucket_urls_are_parsed() -> None:
    aws = Bucket.read("s3://notes/a/b?region=eu-central-1")
    assert aws == Bucket("https://s3.eu-central-1.amazonaws.com", "notes", "a/b", "eu-central-1")
    other = Bucket.read("https://store.example:9000/notes")
    assert other == Bucket("https://store.example:9000", "notes", "", "us-east-1")
    for bad_url in (
        "s3://",
        "https://store.example",
        "s3://notes?region=evil.example/",
        "ftp://x/y",
    ):
        with pytest.raises(Invalid):
            Bucket.read(bad_url)


def test_the_signature_of_the_published_example() -> None:
    """`get-vanilla` of AWS's test suite for Signature Version 4."""
    keys = KeyPair("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    time = datetime(2015, 8, 30, 12, 36, tzinfo=UTC)
    host = {"Host": "example.amazonaws.com"}
    headers = signed_headers(keys, ("us-east-1", "service"), "/", {}, host, time)
    assert headers["Authorization"].endswith(
        "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
    )
