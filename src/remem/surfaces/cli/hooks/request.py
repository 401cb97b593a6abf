"""One small request to the server, without the HTTP library.

Importing that takes longer than the request. To the server of this machine over its socket; to
another one, with `remem login` or REMEM_URL, by the standard library."""

import json
import socket
from os import environ
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from remem.client.local_server import find_server, owner_key
from remem.folders import default_config_dir

LOCAL = "local"
READ_BYTES = 65_536


class NoServer(Exception):
    """No server answers, or it refuses."""


class Refusal(NoServer):
    """The server answers with an error."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the server answered with {status}")
        self.status = status


class _Place(NamedTuple):
    url: str
    key: str | None
    socket: str | None = None


def send(method: str, path: str, body: dict[str, Any] | None, limit_s: float) -> Any:
    """Return what the server answers."""
    place = _place()
    content = json.dumps(body or {}).encode()
    try:
        status, answer = (_over_socket if place.socket else _over_network)(
            place, method, path, content, limit_s
        )
        if status >= 300:
            raise Refusal(status)
        return json.loads(answer)
    except (OSError, ValueError) as error:
        raise NoServer(str(error) or type(error).__name__) from error


def _place() -> _Place:
    url = environ.get("REMEM_URL") or environ.get("MEMORY_API_URL")
    key = environ.get("REMEM_KEY") or environ.get("MEMORY_API_KEY")
    if url != LOCAL and not key and (default_config_dir() / "sign-ins.json").exists():
        from remem.surfaces.cli.signing.session import find_credential

        if found := find_credential(url):
            return _Place(*found)
    if url and url != LOCAL:
        return _Place(url, key)
    server = find_server()
    if server is None:
        raise NoServer("no server runs on this machine; start one with `remem serve`")
    return _Place(server.url, key or owner_key(), server.socket)


def _headers(place: _Place, content: bytes) -> dict[str, str]:
    headers = {
        "Host": urlsplit(place.url).netloc,
        "Content-Type": "application/json",
        "Content-Length": str(len(content)),
        "Connection": "close",
    }
    return headers | ({"Authorization": f"Bearer {place.key}"} if place.key else {})


def _over_socket(
    place: _Place, method: str, path: str, content: bytes, limit_s: float
) -> tuple[int, bytes]:
    lines = [f"{method} {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in _headers(place, content).items()]
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(limit_s)
        connection.connect(place.socket or "")
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + content)
        answer = b""
        while part := connection.recv(READ_BYTES):
            answer += part
    head, _, answer_body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), answer_body


def _over_network(
    place: _Place, method: str, path: str, content: bytes, limit_s: float
) -> tuple[int, bytes]:
    from http.client import HTTPConnection, HTTPSConnection

    parts = urlsplit(place.url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.netloc, timeout=limit_s)
    try:
        connection.request(method, f"{parts.path}{path}", content, _headers(place, content))
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()
