"""A fake S3 store on loopback with one bucket. It verifies every signature by the published
algorithm (AWS Signature Version 4), and its lists have the documented shape of ListObjectsV2. No
contract for this protocol is checked here."""

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from urllib.parse import quote
from xml.sax.saxutils import escape

from tests.tools.fake_service import Call, FakeService, Reply

KEY, SECRET = "AKIDXYZZY", "xyzzy/never+to be seen"
LIST_PARAMETERS = {"list-type", "max-keys", "encoding-type", "prefix", "start-after"}


@dataclass
class FakeStore(FakeService):
    objects: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    page_size: int = 1_000
    region: str = "us-east-1"
    status: int | None = None

    def __post_init__(self) -> None:
        """Load no contract: there is none."""

    def put(self, key: str, data: bytes) -> None:
        self.objects[key] = (data, self.tick())

    def answer_checked(self, call: Call) -> Reply:
        try:
            return self._answer(call)
        except AssertionError as error:
            self.violations.append(f"{call.path} {call.query}: {error}")
            return Reply(b"", 500)

    def _answer(self, call: Call) -> Reply:
        self.calls.append(call)
        if self.limit is not None:
            self.limit -= 1
            if self.limit < 0:
                return self.paused()
        if self.status:
            other_region = {"x-amz-bucket-region": "eu-central-1"}
            return Reply(b"<Error><Code>Failed</Code></Error>", self.status, other_region)
        if not self._is_signed(call):
            return Reply(b"<Error><Code>SignatureDoesNotMatch</Code></Error>", 403)
        if call.path == "/notes":
            return self._list(call.query)
        entry = self.objects.get(call.path.removeprefix("/notes/"))
        return Reply(entry[0]) if entry else Reply(b"<Error><Code>NoSuchKey</Code></Error>", 404)

    def _is_signed(self, call: Call) -> bool:
        """Compute the signature from the request as it was received, and compare."""
        match = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([\w-]+)/s3/aws4_request,"
            r" SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})",
            call.headers["authorization"],
        )
        assert match, "the signature is not one"
        assert {"host", "x-amz-date", "x-amz-content-sha256"} <= set(match[4].split(";"))
        path, _, query = call.headers[":target"].partition("?")
        lines = "".join(f"{name}:{call.headers[name]}\n" for name in match[4].split(";"))
        payload = hashlib.sha256(b"").hexdigest()
        request = "\n".join((call.method, path, query, lines, match[4], payload))
        scope = f"{match[2]}/{match[3]}/s3/aws4_request"
        digest = hashlib.sha256(request.encode()).hexdigest()
        text = "\n".join(("AWS4-HMAC-SHA256", call.headers["x-amz-date"], scope, digest))
        key = f"AWS4{SECRET}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        expected = hmac.new(key, text.encode(), "sha256").hexdigest()
        return (
            match[1] == KEY and match[3] == self.region and hmac.compare_digest(expected, match[5])
        )

    def _list(self, query: dict[str, str]) -> Reply:
        assert set(query) <= LIST_PARAMETERS and query["list-type"] == "2"
        after, prefix = query.get("start-after", ""), query.get("prefix", "")
        keys = sorted(key for key in self.objects if key.startswith(prefix) and key > after)
        size = min(int(query["max-keys"]), self.page_size)
        entries = "".join(self._entry(key) for key in keys[:size])
        more = str(len(keys) > size).lower()
        namespace = "http://s3.amazonaws.com/doc/2006-03-01/"
        return Reply(
            f'<?xml version="1.0"?><ListBucketResult xmlns="{namespace}"><Name>notes</Name>'
            f"<IsTruncated>{more}</IsTruncated>{entries}</ListBucketResult>".encode()
        )

    def _entry(self, key: str) -> str:
        data, changed = self.objects[key]
        tag = f"&quot;{hashlib.md5(data).hexdigest()}&quot;"
        return (
            f"<Contents><Key>{escape(quote(key))}</Key><LastModified>{changed}</LastModified>"
            f"<ETag>{tag}</ETag><Size>{len(data)}</Size></Contents>"
        )
