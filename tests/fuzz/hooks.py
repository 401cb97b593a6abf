"""Schemathesis hooks: an API key that is always valid, and rules that a schema cannot express."""

import os
import threading
import typing
from functools import cache
from typing import Any

import requests
import schemathesis
from schemathesis import Case, HookContext
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.core.transport import Response
from schemathesis.openapi.checks import (
    EnsureResourceAvailability,
    RejectedPositiveData,
)
from schemathesis.specs.openapi import checks
from schemathesis.specs.openapi.adapter import responses

# Loopback needs no proxy and no password from a netrc file; looking for them took a tenth of each
# request.
requests.sessions.get_environ_proxies = lambda *_, **__: {}
requests.sessions.get_netrc_auth = lambda *_, **__: None

# These results are the same for each of the thousands of requests.
checks.expand_status_code = responses.expand_status_code = cache(responses.expand_status_code)
if hasattr(typing, "_get_protocol_attrs"):
    typing._get_protocol_attrs = cache(typing._get_protocol_attrs)

URL = os.environ["REMEM_FUZZ_URL"]
OPERATOR_KEY = os.environ["REMEM_FUZZ_OPERATOR_KEY"]
SCOPES = ["read", "write", "admin"]
_LONG_STREAMS = {str(seconds) for seconds in range(2, int(os.environ["REMEM_FUZZ_LONGEST_S"]) + 1)}
_lock = threading.Lock()


class KeyPool:
    """The API key of one user; of a new user once it was revoked or the account deleted."""

    def __init__(self) -> None:
        self.current_key = ""
        self.created = 0

    def get(self) -> str:
        with _lock:
            if not self.current_key:
                self.current_key = self._create()
            return self.current_key

    def drop(self, key: str) -> None:
        with _lock:
            if key == self.current_key:
                self.current_key = ""

    def _create(self) -> str:
        self.created += 1
        browser = requests.Session()
        email = f"fuzz-{os.getpid()}-{self.created}@example.org"
        account = {"email": email, "password": "correct horse battery"}
        registered = browser.post(f"{URL}/v3/auth/register", json=account, timeout=60).json()
        reply = browser.post(
            f"{URL}/v3/api-keys",
            json={"name": "fuzz", "scopes": SCOPES},
            headers={"X-CSRF-Token": registered["csrf_token"]},
            timeout=60,
        )
        return str(reply.json()["key"])


KEY_POOL = KeyPool()


@schemathesis.auth(refresh_interval=None)
class KeyAuth:
    def get(self, case: Case, context: Any) -> str:
        if case.operation.path.startswith("/admin/"):
            # Only for reading: after a tenant is suspended, all its requests fail.
            return OPERATOR_KEY if case.method.upper() == "GET" else "a wrong key"
        return KEY_POOL.get()

    def set(self, case: Case, data: str, context: Any) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Shorten event streams, which last as long as requested: the run would wait for them."""
    seconds = case.query.get("seconds")
    if case.operation.path == "/v3/live" and str(seconds) in _LONG_STREAMS:
        case.query["seconds"] = 1


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """Get a new key when an operation revoked the one it was called with."""
    authorization = response.request.headers.get("Authorization", "")
    if response.status_code == 401:
        KEY_POOL.drop(authorization.removeprefix("Bearer "))


# Rules that JSON Schema cannot express. A request that matches the schema may be refused only for
# these; each is recognised by its error message.
BEYOND_SCHEMA = {
    "is in the past": "a schema has no clock",
    "is too far in the future": "as above",
    "has 0 characters": "white space around a name is removed",
    "give at least one character": "white space around a name is removed",
    "send it alone": "remem treats null as absent, `dependentRequired` does not",
    "is not after valid_from": "a schema cannot compare two fields",
    "is the same memory as": "as above",
    "send exactly one of": "remem treats null as absent, `required` does not",
    "send email and password, or api_key": "as above",
    "is missing; send state, quality": "as above",
    "send one of": "as above",
    "is missing; name the project to move to": "the value of one field requires another one",
    "is empty; give at least one tag": "as above",
    "give the last part of the path alone": "a pattern would obscure the format of a slug",
    "is not a valid cursor": "a cursor is opaque; only those from replies are valid",
    "at least one letter or digit": "in any script, which its patterns cannot express",
    "is not an id; send at least 8": "the length is counted without dashes",
    "NUL byte": "PostgreSQL stores none; excluding it in every pattern would obscure them",
    "surrogate": "as above",
    "takes * only alone": "the position of a star in a path",
    "of a kind that cannot be read": "it depends on the bytes of a file",
    "is not a supported format": "it depends on the bytes of a file",
    "file: is empty": "as above",
    "is not base64": "contentEncoding is an annotation, not a check",
    "is not valid JSON": "a form contains JSON as text",
    "is not a JSON object": "as above",
    "use one of: remem": "the import formats depend on the adapters",
    "not both": "as above",
    "is wrong; check it": "a schema knows no passwords",
    "is not an http or https address": "the type of content depends on content_type",
    "use 1 to 2,048": "the length of a URL is checked after normalisation to ASCII",
    "has a longer key": "the names in an object with free names",
    "project: use at most": "the length of a name is checked after normalisation",
    "keys of at most": "the size of metadata as a whole",
    "nested deeper": "as above",
    "is larger than": "as above",
    "send a name such as Europe/Berlin": "the known time zones are those of the machine",
    "cannot be combined with": "only one of two parameters may be sent",
    "is for all projects; leave it out": "whether a job has a project depends on its type",
    "is blank; send": "white space alone is not allowed",
    "nothing between two dots": "a pattern would obscure the format of a path",
    "is reserved, or looks like an id": "as above",
    "not on the public internet": "private addresses cannot be recognised by a pattern",
    "never sent; leave it out": "as above",
    "white space or a control character": "as above",
    "its host is not a name": "as above",
    "numeric host": "as above",
    "its port does not exist": "as above",
    "this is not an address": "as above",
    "would unpack to": "it depends on the bytes of a file",
    "is not asked for; give": "`GET /v3/connectors` says which fields a service needs",
    "is missing; give": "as above",
    "REMEM_FOLDERS": "which folders may be connected is a setting of the server",
    "give the whole path of the folder": "as above",
    "is not a repository; give": "the possible choices depend on the service",
    "is given by its": "as above",
    "send `at` and `time_zone` together": "the value of one field requires another one",
    "leave it out for other channels": "as above",
    "address: has": "how long an address is depends on the channel",
    "is not a mail address": "what an address is depends on the channel",
    "begins with another scheme": "as above",
    "is not a topic": "as above",
    "send spellings, memory_ids or both": "as above",
    "has no action": "`GET /v3/checkup` says which findings have one",
    "is outside": "date-times may exceed the calendar of PostgreSQL",
}


@schemathesis.hook
def filter_failure(context: HookContext, failure: Failure, case: Case, response: Response) -> bool:
    """Keep a failure unless a rule beyond the schema explains it."""
    if isinstance(failure, AcceptedNegativeData):
        # A query string is only text: `tags=true` is the tag `true`.
        return not (_is_text_in_form(response) or "parameter `tags` in query" in str(failure))
    if response.status_code == 503:
        # The fuzzed server cannot reach external services.
        return "GitHub cannot be reached now" not in response.text
    if response.status_code not in (400, 404):
        return True
    error = str(response.json().get("error", ""))
    if isinstance(failure, EnsureResourceAvailability):
        # The user is missing, not the organization that was just created.
        return not error.startswith(("There is no user ", "There is no member "))
    if not isinstance(failure, RejectedPositiveData):
        return True
    if _is_null_in_form(response) or "/None" in str(response.request.url):
        # "/None" is in links that schemathesis builds from a null in a reply.
        return False
    return not any(phrase in error for phrase in BEYOND_SCHEMA)


def _is_text_in_form(response: Response) -> bool:
    """A form is only text: the number 5 sent for a tag is the tag `5`. The file is required."""
    body = _request_body(response)
    return _is_form(response) and b'name="file"; filename=' in body


def _is_null_in_form(response: Response) -> bool:
    """A form has no null: schemathesis sends the text `null`, which is not an id or a number."""
    return _is_form(response) and b"\r\n\r\nnull\r\n" in _request_body(response)


def _is_form(response: Response) -> bool:
    return response.request.headers.get("Content-Type", "").startswith("multipart/")


def _request_body(response: Response) -> bytes:
    body = response.request.body or b""
    return body if isinstance(body, bytes) else str(body).encode(errors="replace")
