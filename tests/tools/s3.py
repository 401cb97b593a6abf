"""A fake S3 store on loopback: the part of the protocol that obstore uses, checksums included."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

from tests.tools.http_server import QuietHandler, served


@dataclass
class Bucket:
    """Objects by key, and the parts of an unfinished upload; `status` makes requests fail."""

    url: str = ""
    objects: dict[str, bytes] = field(default_factory=dict)
    parts: dict[int, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    status: int = 200

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        split = urlsplit(path)
        key = unquote(split.path).removeprefix("/originals/")
        query = parse_qs(split.query, keep_blank_values=True)
        if method == "PUT" and "partNumber" in query:
            self.parts[int(query["partNumber"][0])] = body
        elif method == "PUT":
            self.objects[key] = body
        elif "uploads" in query:
            return 200, b"<I><Bucket>b</Bucket><Key>k</Key><UploadId>1</UploadId></I>"
        elif "uploadId" in query:
            self.objects[key] = b"".join(part for _, part in sorted(self.parts.items()))
            return 200, b"<C><Location>l</Location><Bucket>b</Bucket><Key>k</Key><ETag>e</ETag></C>"
        elif "delete" in query:
            [deleted] = re.findall(rb"<Key>(.*?)</Key>", body)
            self.objects.pop(deleted.decode(), None)
            return 200, b"<D><Deleted><Key>" + deleted + b"</Key></Deleted></D>"
        elif key in self.objects:
            return 200, self.objects[key]
        else:
            return 404, b"<Error><Code>NoSuchKey</Code></Error>"
        return 200, b""


@contextmanager
def s3_bucket() -> Iterator[Bucket]:
    """The bucket `originals`, for the access key `id`."""
    state = Bucket()

    class Handler(QuietHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            state.requests.append(f"{self.command} {self.path}")
            assert self.headers["x-amz-content-sha256"] == hashlib.sha256(body).hexdigest()
            assert "Credential=id/" in self.headers["Authorization"]
            status, content = (
                state.answer(self.command, self.path, body)
                if state.status == 200
                else (state.status, b"<Error><Code>Failed</Code></Error>")
            )
            self.send_response(status)
            self.send_header("ETag", '"tag"')
            self.send_header("Last-Modified", "Sun, 15 Nov 2026 00:00:00 GMT")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_DELETE = answer

    with served(Handler) as state.url:
        yield state
