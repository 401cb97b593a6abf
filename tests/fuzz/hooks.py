"""What schemathesis needs to know of remem: a key that is always good."""

import os
import threading
from typing import Any

import requests
import schemathesis
from schemathesis import Case, HookContext
from schemathesis.core.transport import Response

URL = os.environ["REMEM_FUZZ_URL"]
SCOPES = ["read", "write", "admin"]
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
        return KEYS.get()

    def set(self, case: Case, data: str, context: Any) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """The run goes on when an operation ended the credential it was called with."""
    used = response.request.headers.get("Authorization", "")
    if response.status_code == 401:
        KEYS.drop(used.removeprefix("Bearer "))
