"""Sign requests to S3 stores with AWS Signature Version 4."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote

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
