"""Objects of a bucket in S3 or any compatible store."""

import asyncio
import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qs, quote, unquote_plus, urlsplit

import httpx2
from lxml import etree

from remem.adapters.connectors.http import ServiceApi
from remem.adapters.fetch.addresses import Guard, validate_url
from remem.adapters.fetch.transport import guarded_transport
from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import Field, Provider
from remem.core.errors import Invalid, TooLarge, Unavailable
from remem.core.items import Item, LeftOut
from remem.core.time import now

PAGE = 1_000
HOUR_S = 3_600
REGION = "us-east-1"
BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,62}")
TEXTS = {".md": "markdown", ".markdown": "markdown", ".txt": "text"}
# A longer text is stored as a file.
TEXT_BYTES = 400_000
REFUSED = (
    "The store does not accept the key pair, or it may not list and read the bucket; make a new one"
    " with read access to it, and connect again."
)


@dataclass(frozen=True, slots=True)
class Bucket:
    """The location of a bucket: `root` is the store's URL, `prefix` selects the keys to read."""

    root: str
    name: str
    prefix: str
    region: str

    @classmethod
    def read(cls, url: str) -> "Bucket":
        """Parse `s3://bucket/prefix?region=…`, or the URL of a bucket in another store."""
        parts = urlsplit(url.strip())
        region = parse_qs(parts.query).get("region", [REGION])[0]
        if parts.scheme == "s3":
            root = f"https://s3.{region}.amazonaws.com"
            name, prefix = parts.netloc, parts.path.lstrip("/")
        else:
            checked_url = validate_url(url)
            root = f"{checked_url.scheme}://{checked_url.netloc.decode('ascii')}"
            name, _, prefix = parts.path.lstrip("/").partition("/")
        if not BUCKET.fullmatch(name) or not re.fullmatch(r"[a-z0-9-]{1,40}", region):
            raise Invalid(
                "url", "is not a bucket; give s3://bucket/prefix or https://store.example/bucket"
            )
        return cls(root, name, prefix, region)


class S3Connector:
    """Every sync lists all keys of the bucket, a thousand at a time."""

    def __init__(
        self, allow_private: Sequence[str], max_bytes: int = 100_000_000, **options: Any
    ) -> None:
        transport = partial(guarded_transport, Guard(allow_private))
        self._api = ServiceApi("", "The S3 store", REFUSED, transport=transport, **options)
        self._max_bytes = max_bytes

    provider = Provider(
        title="S3 bucket",
        about="Files in a bucket of AWS S3, MinIO, Cloudflare R2, Backblaze B2 and others.",
        help="Make a key pair that may list and read the bucket (s3:ListBucket, s3:GetObject).",
        fields=(
            Field(
                "url",
                "the bucket, with a prefix if only a part is to be read",
                example="s3://bucket/notes?region=eu-central-1",
            ),
            Field("access_key_id", "the id of a key pair", is_secret=True),
            Field("secret_access_key", "the secret of the key pair", is_secret=True),
        ),
        selected="url",
        interval_s=HOUR_S,
        walk_every_s=0,
    )

    async def account(self, access: Access) -> Account:
        bucket = _bucket(access)
        await self._list(access, bucket, None, 1)
        return Account(str(access.settings["url"]), f"{bucket.name}/{bucket.prefix}".rstrip("/"))

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        bucket = _bucket(access)
        return ResourcePage((Resource(str(access.settings["url"]), bucket.name),))

    async def begin(self, access: Access) -> Mark:
        return None

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        seen, after = await self._list(access, _bucket(access), at, PAGE)
        if after is not None and after == at:
            raise Unavailable("The store gives the same part of a list again; it is tried again.")
        return WalkPage(tuple(seen), after)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        return ChangePage((), mark)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        size = int(seen.revision.split(" ")[0])
        if size > self._max_bytes:
            raise TooLarge(f"it is larger than {self._max_bytes / 1e6:,.0f} MB")
        if not size:
            return LeftOut("document", seen.reference, "it is empty")
        bucket, target = _bucket(access), folder / "object"
        url, headers = _request(access, bucket, f"/{quote(seen.reference, safe='/-_.~')}", {})
        reply = await self._api.download(url, headers, None, target, self._max_bytes)
        if reply.status_code == 404:
            return None
        _check_status(reply)
        return await asyncio.to_thread(_item, seen, target)

    async def close(self) -> None:
        await self._api.close()

    async def _list(
        self, access: Access, bucket: Bucket, after: str | None, size: int
    ) -> tuple[list[SeenItem], str | None]:
        query = {"list-type": "2", "max-keys": str(size), "encoding-type": "url"}
        if bucket.prefix:
            query["prefix"] = bucket.prefix
        if after:
            query["start-after"] = after
        url, headers = _request(access, bucket, "", query)
        reply = await self._api.get(url, headers)
        _check_status(reply)
        return await asyncio.to_thread(_parse_listing, reply.content)


def _bucket(access: Access) -> Bucket:
    return Bucket.read(str(access.settings.get("url", "")))


def _request(
    access: Access, bucket: Bucket, path: str, query: dict[str, str]
) -> tuple[str, dict[str, str]]:
    keys = KeyPair(
        access.credential.get("access_key_id", ""), access.credential.get("secret_access_key", "")
    )
    if not (keys.id + keys.secret).isascii() or not keys.id.isprintable():
        raise NeedsAuth(REFUSED)
    path = f"/{bucket.name}{path}"
    headers = {"Host": urlsplit(bucket.root).netloc, "x-amz-content-sha256": EMPTY_SHA256}
    signed = signed_headers(keys, (bucket.region, "s3"), path, query, headers, now())
    return f"{bucket.root}{path}" + (f"?{canonical_query(query)}" if query else ""), signed


def _check_status(reply: httpx2.Response) -> None:
    if reply.status_code == 200:
        return
    if reply.status_code in (400, 403):
        raise NeedsAuth(REFUSED)
    if reply.status_code == 404:
        raise Invalid("url", "there is no such bucket; check its name and the region")
    if reply.status_code in (301, 307):
        region = reply.headers.get("x-amz-bucket-region", "another one")
        raise Invalid("url", f"the bucket is in another region; add ?region={region[:40]}")
    raise Unavailable(f"The S3 store answers {reply.status_code}; it is tried again.")


def _parse_listing(data: bytes) -> tuple[list[SeenItem], str | None]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
        entries = [_fields(entry) for entry in root.iterfind("{*}Contents")]
        seen = [_seen_item(entry) for entry in entries if not entry["Key"].endswith("/")]
        more = (root.findtext("{*}IsTruncated") or "").strip() == "true"
    except (etree.XMLSyntaxError, KeyError, ValueError) as error:
        raise Unavailable("The S3 store gave a list that cannot be read.") from error
    return seen, unquote_plus(entries[-1]["Key"]) if more and entries else None


def _fields(entry: etree._Element) -> dict[str, str]:
    return {etree.QName(child).localname: (child.text or "") for child in entry}


def _seen_item(entry: dict[str, str]) -> SeenItem:
    key = unquote_plus(entry["Key"])
    # With the time, because content that is restored is another revision.
    tag, changed = entry.get("ETag", "").strip('"'), entry.get("LastModified", "")
    return SeenItem(key, f"{int(entry['Size'])} {tag} {changed}", path=key)


def _item(seen: SeenItem, target: Path) -> Item:
    name = PurePosixPath(seen.reference).name
    kind = TEXTS.get(PurePosixPath(name).suffix.lower())
    changed = seen.revision.rpartition(" ")[2]
    common: dict[str, Any] = {
        "kind": "document",
        "reference": seen.reference,
        "title": name,
        "created_at": _parse_time(changed),
        "metadata": {"path": seen.reference},
    }
    if kind and target.stat().st_size <= TEXT_BYTES:
        text = target.read_bytes().decode("utf-8-sig", "replace")
        return Item(**common, content=text, content_type=kind)
    return Item(**common, file=target)


def _parse_time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


# Sign requests to S3 stores with AWS Signature Version 4.


EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True)
class KeyPair:
    id: str
    secret: str = field(repr=False)


def signed_headers(
    keys: KeyPair,
    scope: tuple[str, str],
    path: str,
    query: Mapping[str, str],
    headers: Mapping[str, str],
    moment: datetime,
) -> dict[str, str]:
    """Return the headers of a GET request with its signature. `scope` is the region and the
    service. `path` is already percent-encoded, `query` is not."""
    stamp = moment.strftime("%Y%m%dT%H%M%SZ")
    signed = {name.lower(): value for name, value in headers.items()} | {"x-amz-date": stamp}
    names = ";".join(sorted(signed))
    canonical_headers = "".join(f"{name}:{signed[name].strip()}\n" for name in sorted(signed))
    payload_hash = signed.get("x-amz-content-sha256", EMPTY_SHA256)
    canonical_request = "\n".join(
        ("GET", path, canonical_query(query), canonical_headers, names, payload_hash)
    )
    credential_scope = "/".join((stamp[:8], *scope, "aws4_request"))
    digest = hashlib.sha256(canonical_request.encode()).hexdigest()
    string_to_sign = "\n".join(("AWS4-HMAC-SHA256", stamp, credential_scope, digest))
    key = f"AWS4{keys.secret}".encode()
    for part in (stamp[:8], *scope, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.new(key, string_to_sign.encode(), "sha256").hexdigest()
    credential = (
        f"Credential={keys.id}/{credential_scope}, SignedHeaders={names}, Signature={signature}"
    )
    return {**signed, "Authorization": f"AWS4-HMAC-SHA256 {credential}"}


def canonical_query(query: Mapping[str, str]) -> str:
    """Encode a query in the order and form that is signed. Send it exactly like this."""
    pairs = sorted((quote(name, safe="-_.~"), quote(query[name], safe="-_.~")) for name in query)
    return "&".join(f"{name}={value}" for name, value in pairs)
