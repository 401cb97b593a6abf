"""What schemathesis needs to know of remem: a key that is always good, and what no schema says."""

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

# Nobody stands between us and loopback, and no password for it is in a file: to look for a proxy
# took a tenth of each request.
requests.sessions.get_environ_proxies = lambda *_, **__: {}
requests.sessions.get_netrc_auth = lambda *_, **__: None

# What it works out for each of thousands of requests is the same each time.
checks.expand_status_code = responses.expand_status_code = cache(responses.expand_status_code)
if hasattr(typing, "_get_protocol_attrs"):
    typing._get_protocol_attrs = cache(typing._get_protocol_attrs)

URL = os.environ["REMEM_FUZZ_URL"]
OPERATOR_KEY = os.environ["REMEM_FUZZ_OPERATOR_KEY"]
SCOPES = ["read", "write", "admin"]
_LONG = {str(seconds) for seconds in range(2, int(os.environ["REMEM_FUZZ_LONGEST_S"]) + 1)}
_lock = threading.Lock()


class Keys:
    """One person's key; another person's once it was revoked or its account deleted."""

    def __init__(self) -> None:
        self.key = ""
        self.made = 0

    def get(self) -> str:
        with _lock:
            if not self.key:
                self.key = self._make()
            return self.key

    def drop(self, key: str) -> None:
        with _lock:
            if key == self.key:
                self.key = ""

    def _make(self) -> str:
        self.made += 1
        browser = requests.Session()
        email = f"fuzz-{os.getpid()}-{self.made}@example.org"
        account = {"email": email, "password": "correct horse battery"}
        signed = browser.post(f"{URL}/v3/auth/register", json=account, timeout=60).json()
        made = browser.post(
            f"{URL}/v3/api-keys",
            json={"name": "fuzz", "scopes": SCOPES},
            headers={"X-CSRF-Token": signed["csrf_token"]},
            timeout=60,
        )
        return str(made.json()["key"])


KEYS = Keys()


@schemathesis.auth(refresh_interval=None)
class KeyAuth:
    def get(self, case: Case, context: Any) -> str:
        if case.operation.path.startswith("/admin/"):
            # Nothing is changed with it: a tenant that is suspended answers nothing any more.
            return OPERATOR_KEY if case.method.upper() == "GET" else "a wrong key"
        return KEYS.get()

    def set(self, case: Case, data: str, context: Any) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """A stream of news lasts as long as it is asked for, which here is waited for."""
    seconds = case.query.get("seconds")
    if case.operation.path == "/v3/live" and str(seconds) in _LONG:
        case.query["seconds"] = 1


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """The run goes on when an operation ended the credential it was called with."""
    used = response.request.headers.get("Authorization", "")
    if response.status_code == 401:
        KEYS.drop(used.removeprefix("Bearer "))


# Rules of which JSON Schema has no words. A request that fits the schema may be refused for these
# and for nothing else; each is recognised by the sentence of its refusal.
BEYOND_SCHEMA = {
    "is in the past": "a schema has no clock",
    "is too far in the future": "as above",
    "has 0 characters": "white space around a name does not count",
    "give at least one character": "white space around a name does not count",
    "send it alone": "null and absent are the same to us, not to `dependentRequired`",
    "is not after valid_from": "it compares no two fields",
    "send exactly one of": "null and absent are the same to us, not to `required`",
    "send email and password, or api_key": "as above",
    "is missing; send state, quality": "as above",
    "send one of": "as above",
    "is missing; name the project to move to": "one field asks for another by its value",
    "is empty; give at least one tag": "as above",
    "give the last part of the path alone": "a pattern would hide what a slug is made of",
    "is not a valid cursor": "a cursor is opaque; only what a reply gave out is one",
    "at least one letter or digit": "of any script, which its patterns cannot name",
    "is not an id; send at least 8": "digits are counted without the dashes",
    "NUL byte": "PostgreSQL keeps none; to exclude it in every pattern would hide what they say",
    "surrogate": "as above",
    "takes * only alone": "where a star may stand in a path",
    "of a kind that cannot be read": "it is about the bytes of a file",
    "is not a supported format": "it is about the bytes of a file",
    "file: is empty": "as above",
    "is not base64": "contentEncoding describes, and does not check",
    "is not valid JSON": "a form carries JSON as text",
    "is not a JSON object": "as above",
    "use one of: remem": "what can be imported is chosen where the server is put together",
    "not both": "as above",
    "is wrong; check it": "it knows no password",
    "is not an http or https address": "what content is depends on content_type",
    "use 1 to 2,048": "an address is measured as it is kept: normalised, in ASCII",
    "has a longer key": "the names in an object that may have any",
    "project: use at most": "a name is measured once it is normalised",
    "keys of at most": "the size of metadata as a whole",
    "nested deeper": "as above",
    "is larger than": "as above",
    "send a name such as Europe/Berlin": "the names of time zones are those of the machine",
    "cannot be combined with": "of two parameters only one may be sent",
    "is for all projects; leave it out": "whether a job has a project depends on its type",
    "is blank; send": "white space alone says nothing",
    "nothing between two dots": "a pattern would hide what a path is made of",
    "is reserved, or looks like an id": "as above",
    "not on the public internet": "which addresses are private is no matter of spelling",
    "never sent; leave it out": "as above",
    "white space or a control character": "as above",
    "its host is not a name": "as above",
    "numeric host": "as above",
    "its port does not exist": "as above",
    "this is not an address": "as above",
    "would unpack to": "it is about the bytes of a file",
    "is not asked for; give": "`GET /v3/connectors` says which fields a service needs",
    "is missing; give": "as above",
    "REMEM_FOLDERS": "which folders may be connected is a setting of the server",
    "give the whole path of the folder": "as above",
    "is not a repository; give": "what can be chosen depends on the service",
    "is given by its": "as above",
    "is outside": "its date-times go beyond the calendar of PostgreSQL",
}


@schemathesis.hook
def filter_failure(context: HookContext, failure: Failure, case: Case, response: Response) -> bool:
    """Keep a failure unless a rule beyond the schema explains it."""
    if isinstance(failure, AcceptedNegativeData):
        # A query has text only, too: `tags=true` is the tag `true`.
        return not (_is_text_in_form(response) or "parameter `tags` in query" in str(failure))
    if response.status_code == 503:
        # Where the fuzzed server looks for a service, nobody listens.
        return "GitHub cannot be reached now" not in response.text
    if response.status_code not in (400, 404):
        return True
    sentence = str(response.json().get("error", ""))
    if isinstance(failure, EnsureResourceAvailability):
        # What is missing is the person, not the organization that was just made.
        return not sentence.startswith(("There is no user ", "There is no member "))
    if not isinstance(failure, RejectedPositiveData):
        return True
    if _is_null_in_form(response) or "/None" in str(response.request.url):
        # The second is a link that schemathesis made of a null in a reply.
        return False
    return not any(words in sentence for words in BEYOND_SCHEMA)


def _is_text_in_form(response: Response) -> bool:
    """A form has text only: the number 5 sent for a tag is the tag `5`. Its file must be there."""
    body = _sent(response)
    return _is_form(response) and b'name="file"; filename=' in body


def _is_null_in_form(response: Response) -> bool:
    """A form has no null; schemathesis sends the text `null`, which is no id and no number."""
    return _is_form(response) and b"\r\n\r\nnull\r\n" in _sent(response)


def _is_form(response: Response) -> bool:
    return response.request.headers.get("Content-Type", "").startswith("multipart/")


def _sent(response: Response) -> bytes:
    body = response.request.body or b""
    return body if isinstance(body, bytes) else str(body).encode(errors="replace")
