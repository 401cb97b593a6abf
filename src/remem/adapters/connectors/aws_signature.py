"""Requests signed as S3 stores want them (AWS Signature Version 4)."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote

EMPTY = hashlib.sha256(b"").hexdigest()


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
    """The headers of a GET with its signature; `scope` is the region and the service. `path` is
    encoded already, `query` not yet."""
    stamp = moment.strftime("%Y%m%dT%H%M%SZ")
    signed = {name.lower(): value for name, value in headers.items()} | {"x-amz-date": stamp}
    names = ";".join(sorted(signed))
    lines = "".join(f"{name}:{signed[name].strip()}\n" for name in sorted(signed))
    payload = signed.get("x-amz-content-sha256", EMPTY)
    request = "\n".join(("GET", path, written(query), lines, names, payload))
    place = "/".join((stamp[:8], *scope, "aws4_request"))
    digest = hashlib.sha256(request.encode()).hexdigest()
    text = "\n".join(("AWS4-HMAC-SHA256", stamp, place, digest))
    key = f"AWS4{keys.secret}".encode()
    for part in (stamp[:8], *scope, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.new(key, text.encode(), "sha256").hexdigest()
    credential = f"Credential={keys.id}/{place}, SignedHeaders={names}, Signature={signature}"
    return {**signed, "Authorization": f"AWS4-HMAC-SHA256 {credential}"}


def written(query: Mapping[str, str]) -> str:
    """In the one order and spelling that is signed; sent in the same."""
    pairs = sorted((quote(name, safe="-_.~"), quote(query[name], safe="-_.~")) for name in query)
    return "&".join(f"{name}={value}" for name, value in pairs)
