"""Bad addresses, queries and credentials are refused with the right status and a fix."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from remem.core.time import new_id
from tests.conftest import Person, Server
from tests.surfaces.rest.problems import assert_problem


@dataclass(frozen=True)
class Address:
    """A request with a wrong address."""

    path: str
    status: int
    code: str
    words: tuple[str, ...]
    method: str = "GET"
    body: dict[str, Any] = field(default_factory=dict)


def cursor(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


SOME_ID = "01900000-0000-7000-8000-000000000000"
ADDRESSES: dict[str, Address] = {
    "malformed UUID": Address("/v3/documents/nope", 400, "invalid", ("id: ", "is not a UUID")),
    "malformed UUID to delete": Address(
        "/v3/documents/nope", 400, "invalid", ("id: ", "is not a UUID"), "DELETE"
    ),
    "unknown document": Address(f"/v3/documents/{SOME_ID}", 404, "not_found", (SOME_ID,)),
    "unknown document to delete": Address(
        f"/v3/documents/{SOME_ID}", 404, "not_found", (SOME_ID,), "DELETE"
    ),
    "unknown project": Address("/v3/documents?project=nope", 404, "not_found", ("project nope",)),
    "unknown project by id": Address(f"/v3/projects/{SOME_ID}", 404, "not_found", (SOME_ID,)),
    "limit 0": Address("/v3/documents?limit=0", 400, "invalid", ("limit: ", "equal to 1")),
    "limit 101": Address("/v3/documents?limit=101", 400, "invalid", ("limit: ", "equal to 100")),
    "limit -1": Address("/v3/documents?limit=-1", 400, "invalid", ("limit: ", "equal to 1")),
    "limit of 40 digits": Address(
        f"/v3/documents?limit={'9' * 40}", 400, "invalid", ("limit: ", "equal to 100")
    ),
    "limit of 5,000 digits": Address(
        f"/v3/documents?limit={'9' * 5_000}", 400, "invalid", ("limit: ", "integer")
    ),
    "limit is text": Address(
        "/v3/documents?limit=ten", 400, "invalid", ("limit: ", "whole number")
    ),
    "cursor is text": Address(
        "/v3/documents?cursor=x", 400, "invalid", ("cursor: ", "is not a valid cursor")
    ),
    "cursor with another place": Address(
        f"/v3/documents?cursor={cursor('here|there')}",
        400,
        "invalid",
        ("cursor: ", "is not a valid cursor"),
    ),
    "cursor off the calendar": Address(
        f"/v3/documents?cursor={cursor(f'0001-01-01T00:00:00+12:00|{SOME_ID}')}",
        400,
        "invalid",
        ("cursor: ", "is not a valid cursor"),
    ),
    **{
        f"moment written as {text}": Address(
            f"/api/memories?as_of={text}", 400, "invalid", ("as_of: ", "is not a time")
        )
        for text in ("0.5", "0", "-1", "1e3", "8.5e-185", "1767225600", "20270131", "inf", "now")
    },
    "NUL byte in the path": Address("/v3/projects/a%00b", 400, "invalid", ("address: ", "%00")),
    "NUL byte in the query": Address(
        "/v3/documents?project=a%00b", 400, "invalid", ("address: ", "%00")
    ),
    "NUL byte in a query's name": Address("/v3/documents?%00=1", 400, "invalid", ("address: ",)),
    "invalid UTF-8 in the path": Address("/v3/projects/%ff", 400, "invalid", ("project: ",)),
    "invalid UTF-8 in the query": Address(
        "/v3/documents?project=%ff", 400, "invalid", ("project: ",)
    ),
    "async is no yes or no": Address(
        "/v3/memory?async=perhaps", 400, "invalid", ("async: ", "boolean"), "POST", {"content": "x"}
    ),
    "wrong method": Address("/v3/memory", 405, "method_not_allowed", ("see /docs",), "PUT"),
    "wrong method to read": Address("/v3/recall", 405, "method_not_allowed", ("see /docs",)),
    "unknown path": Address("/v3/nothing", 404, "not_found", ("see /docs",)),
    "unknown version": Address("/v9/memory", 404, "not_found", ("see /docs",), "POST"),
}


@pytest.mark.parametrize("case", ADDRESSES)
def test_a_wrong_address_is_refused(case: str, unchanged_user: Person) -> None:
    wrong = ADDRESSES[case]
    reply = unchanged_user.http.request(wrong.method, wrong.path, json=wrong.body or None)
    assert_problem(reply, wrong.status, wrong.code, *wrong.words)


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/v3/memory", "OPTIONS, POST"),
        ("PUT", "/v3/projects", "GET, HEAD, OPTIONS, POST"),
        ("PUT", "/v3/projects/x", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        # Paths with a fixed name where other paths have an id.
        ("GET", "/v1/documents/list", "OPTIONS, POST"),
        ("PATCH", "/v3/documents/upload", "OPTIONS, POST"),
        ("PUT", "/api/memories/search", "GET, HEAD, OPTIONS"),
        ("DELETE", "/api/memories/merge", "OPTIONS, POST"),
        ("DELETE", "/v1/containers/a/archive", "OPTIONS, POST"),
        ("GET", "/v1/containers/a/b", "DELETE, OPTIONS"),
        ("GET", "/oauth/token", "OPTIONS, POST"),
    ],
)
def test_a_wrong_method_lists_the_allowed_ones(
    user: Person, method: str, path: str, allow: str
) -> None:
    reply = user.http.request(method, path)
    assert_problem(reply, 405, "method_not_allowed", allow)
    assert reply.headers["Allow"] == allow
    options = user.http.options(path)
    assert (options.status_code, options.content) in ((204, b""), (200, b""))
    assert path.startswith("/oauth") or options.headers["Allow"] == allow


def test_head_equals_get_without_the_body(user: Person, server: Server) -> None:
    for path in ("/health/live", "/v3/whoami", "/docs", "/v3/documents/nope", "/v3/export"):
        get, head = user.http.get(path), user.http.head(path)
        assert (head.status_code, head.content) == (get.status_code, b""), path
        assert head.headers["Content-Type"] == get.headers["Content-Type"]
    assert httpx2.head(f"{server.url}/v3/whoami").status_code == 401


# Recall

QUERIES: dict[str, tuple[dict[str, Any], str, str]] = {
    "query is a number": ({"query": 5}, "query", "valid string"),
    "query of 10,001 characters": ({"query": "q" * 10_001}, "query", "at most 10,000"),
    "NUL byte in the query": ({"query": "\x00"}, "query", "NUL byte; remove it"),
    "limit 0": ({"limit": 0}, "limit", "equal to 1"),
    "limit 101": ({"limit": 101}, "limit", "equal to 100"),
    "limit is a fraction": ({"limit": 1.5}, "limit", "integer"),
    "malformed UUID": ({"project_id": "x"}, "project_id", "is not a UUID"),
    "unknown content_type": (
        {"filters": {"content_type": ["bogus"]}},
        "filters.content_type.0",
        "'text', 'markdown'",
    ),
    "content_type is text": ({"filters": {"content_type": "text"}}, "filters.content_type", "list"),
    "created_after is no moment": (
        {"filters": {"created_after": "then"}},
        "filters.created_after",
        "ISO 8601",
    ),
    "created_after off the calendar": (
        {"filters": {"created_after": "0001-01-01T00:00:00+12:00"}},
        "filters.created_after",
        "ISO 8601",
    ),
    "unknown filter": ({"filters": {"colour": "red"}}, "filters.colour", "is not a field here"),
}


@pytest.mark.parametrize("case", QUERIES)
def test_a_wrong_query_is_refused(case: str, unchanged_user: Person) -> None:
    body, path, fix = QUERIES[case]
    problem = assert_problem(
        unchanged_user.post("/v3/recall", body), 400, "invalid", f"{path}: ", fix
    )
    assert problem["details"]["field"] == path


def test_a_query_of_an_unknown_project_is_not_found(user: Person) -> None:
    unknown = str(new_id())
    for reference in ({"project_id": unknown}, {"project": unknown}, {"project": "nope"}):
        reply = user.post("/v3/recall", {"query": "x", **reference})
        assert_problem(reply, 404, "not_found", *reference.values())


# Credentials


SaveWithHeaders = Callable[..., httpx2.Response]


@pytest.fixture
def save_with(anonymous: httpx2.Client, unchanged_user: Person) -> SaveWithHeaders:
    """Save a memory with the given headers instead of a valid key."""

    def save_with(*headers: tuple[str, bytes]) -> httpx2.Response:
        sent: Any = [(name.encode(), value) for name, value in headers]
        return anonymous.post("/v3/memory", json={"content": "From whom?"}, headers=sent)

    return save_with


def test_no_token(save_with: SaveWithHeaders) -> None:
    reply = save_with()
    assert_problem(reply, 401, "unauthenticated", "send `Authorization: Bearer <key>`, or sign in")
    assert reply.headers["WWW-Authenticate"].startswith('Bearer realm="remem", resource_metadata=')


def test_revoked_token(save_with: SaveWithHeaders, unchanged_user: Person) -> None:
    key = unchanged_user.post("/v3/api-keys", {"name": "gone", "scopes": ["write"]}).json()
    assert unchanged_user.http.delete(f"/v3/api-keys/{key['id']}").status_code == 204
    reply = save_with(("Authorization", f"Bearer {key['key']}".encode()))
    assert_problem(reply, 401, "key_revoked", "was revoked; make a new one")
    assert reply.headers["WWW-Authenticate"]


@pytest.mark.parametrize(
    "value",
    [
        b"Bearer",
        b"Basic dXNlcjpwYXNz",
        b"Bearer mc_" + b"x" * 32,
        b"Bearer two words",
        b"mc_" + b"x" * 32,
        b"Bearer " + b"x" * 20_000,
        b"Bearer \xff\xfe",
        b"Bearer ' OR 1=1 --",
        b"Bearer null",
        b"Bearer,",
    ],
    ids=lambda value: value[:20].decode("latin-1"),
)
def test_malformed_authorization_header(value: bytes, save_with: SaveWithHeaders) -> None:
    reply = save_with(("Authorization", value))
    assert_problem(reply, 401, "unauthenticated")
    assert reply.headers["WWW-Authenticate"]


def test_a_bad_bearer_token_is_refused_despite_a_valid_x_api_key(
    save_with: SaveWithHeaders, user: Person
) -> None:
    good = ("X-API-Key", user.key.encode())
    assert save_with(("Authorization", b"Bearer wrong"), good).status_code == 401


def test_a_bad_key_is_never_repeated_in_the_reply(save_with: SaveWithHeaders) -> None:
    key = b"mc_" + b"s3cret" * 5
    assert key.decode() not in save_with(("Authorization", b"Bearer " + key)).text


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/v3/whoami/", "../whoami"),
        ("/dashboard/?x=%41", "../dashboard?x=%41"),
        ("/v3/nowhere/", None),
        ("//evil.example/", None),
    ],
)
def test_a_slash_at_the_end_is_redirected_without_naming_the_host(
    anonymous: httpx2.Client, path: str, location: str | None
) -> None:
    reply = anonymous.get(f"{anonymous.base_url}".rstrip("/") + path, follow_redirects=False)
    assert reply.headers.get("Location") == location
    assert reply.status_code == (307 if location else 404)
