"""Signing in: by browser with a fake OAuth server, by key with the real server."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import time
from typing import Any

import pytest

from tests.conftest import Person
from tests.surfaces.cli.running import Shell
from tests.tools.oauth import AuthorizationServer

# A stand-in for a browser that opens an address.
BROWSER = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()"


@pytest.fixture
def oauth_server() -> Iterator[AuthorizationServer]:
    with AuthorizationServer() as server:
        yield server


@pytest.fixture
def user(tmp_path: Path) -> Shell:
    """A user with a browser but without a keyring."""
    browser = f"{shlex.quote(sys.executable)} -c {shlex.quote(BROWSER)} %s"
    return Shell(tmp_path, {"BROWSER": browser})


def stored_sign_ins(user: Shell) -> dict[str, Any]:
    return json.loads((user.home / "config/sign-ins.json").read_text())


def test_signing_in_and_out_by_browser(user: Shell, oauth_server: AuthorizationServer) -> None:
    login = user.piped("login", "--url", f"{oauth_server.url}/", "--no-keyring")
    assert login.code == 0, login
    assert "ana@example.org" in login.out
    file = user.home / "config/sign-ins.json"
    assert file.stat().st_mode & 0o777 == 0o600
    secrets = [*oauth_server.access, *oauth_server.refresh]
    assert not [secret for secret in secrets if secret in login.out + login.err]
    assert next(iter(oauth_server.clients.values()))["token_endpoint_auth_method"] == "none"
    whoami = user.piped("whoami")
    assert (whoami.code, oauth_server.url in whoami.out) == (0, True), whoami
    logout = user.piped("logout")
    assert logout.code == 0, logout
    assert sorted(oauth_server.revoked) == sorted(secrets)
    assert stored_sign_ins(user) == {"current": None, "servers": {}}
    assert user.piped("logout").code == 3


def test_a_token_is_renewed_once_by_concurrent_commands(user: Shell, tmp_path: Path) -> None:
    with AuthorizationServer(expires_in_s=30) as oauth_server:
        assert user.piped("login", "--url", oauth_server.url, "--no-keyring").code == 0
        oauth_server.expires_in_s = 3_600
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda _: user.piped("whoami"), range(4)))
        assert {result.code for result in results} == {0}, results
        assert oauth_server.requests.count("/token") == 2
        assert sum(oauth_server.refresh.values()) == 1


def test_an_assistant_renews_its_token(user: Shell) -> None:
    params = {"protocolVersion": "2025-06-18", "capabilities": {},
             "clientInfo": {"name": "test", "version": "1"}}  # fmt: skip

    def ask(process: subprocess.Popen[str], id: int, method: str, **params: Any) -> dict[str, Any]:
        assert process.stdin and process.stdout
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        process.stdin.write(f"{json.dumps(message)}\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())["result"]

    with AuthorizationServer(expires_in_s=3_600) as oauth_server:
        assert user.piped("login", "--url", oauth_server.url, "--no-keyring").code == 0
        with user.started("mcp") as process:
            ask(process, 0, "initialize", **params)
            first = ask(process, 1, "tools/call", name="whoAmI", arguments={})
            assert first["isError"] is False, first
            sign_ins = stored_sign_ins(user)
            sign_ins["servers"][oauth_server.url]["expires_at_s"] = time() + 10
            (user.home / "config/sign-ins.json").write_text(json.dumps(sign_ins))
            oauth_server.access.clear()
            again = ask(process, 2, "tools/call", name="whoAmI", arguments={})
        assert again["isError"] is False, again
        assert oauth_server.requests.count("/token") == 2


def test_an_expired_sign_in_says_what_to_do(user: Shell) -> None:
    with AuthorizationServer(expires_in_s=1) as oauth_server:
        assert user.piped("login", "--url", oauth_server.url, "--no-keyring").code == 0
        oauth_server.refresh.clear()
        expired = user.piped("whoami")
        assert expired.code == 4
        assert "remem login" in expired.err


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"issuer": "https://evil.example"}, "issuer"),
        ({"code_challenge_methods_supported": ["plain"]}, "S256"),
        ({"token_endpoint": "http://memory.example.org/token"}, "https"),
        ({"authorization_response_iss_parameter_supported": True, "iss": 1}, ""),
    ],
)
def test_unsafe_server_metadata_is_refused(
    user: Shell, oauth_server: AuthorizationServer, changed: dict[str, Any], error: str
) -> None:
    oauth_server.changed = changed
    refused = user.piped("login", "--url", oauth_server.url, "--no-keyring")
    assert refused.code == (4 if error else 0), refused
    assert error in refused.err
    assert "/register" not in oauth_server.requests or not error


def test_a_callback_with_another_state_is_ignored(
    user: Shell, oauth_server: AuthorizationServer
) -> None:
    """Another program on the machine calls back first, with its own code and state."""
    stray = (
        "import sys, urllib.request as u, urllib.parse as p, urllib.error as e\n"
        "q = p.parse_qs(p.urlsplit(sys.argv[1]).query)\n"
        "try: u.urlopen(q['redirect_uri'][0] + '?code=evil&state=guess')\n"
        "except e.HTTPError: pass\n"
        "u.urlopen(sys.argv[1]).read()"
    )
    script = user.home / "stray.py"
    script.write_text(stray)
    browser = f"{shlex.quote(sys.executable)} {shlex.quote(str(script))} %s"
    login = user.piped("login", "--url", oauth_server.url, "--no-keyring", BROWSER=browser)
    assert login.code == 0, login


def test_with_a_key_in_a_file(user: Shell, person: Person) -> None:
    url = str(person.http.base_url).rstrip("/")
    wrong = user.piped("login", "--url", url, "--key", "mc_wrong", "--no-keyring")
    assert wrong.code == 4
    assert not (user.home / "config/sign-ins.json").exists()
    login = user.piped("login", "--url", url, "--key", "-", "--no-keyring", stdin=person.key)
    assert login.code == 0, login
    assert person.key not in login.out + login.err
    assert person.email in user.piped("whoami").out
    assert "none; the store" not in user.piped("whoami").out
    assert user.piped("logout").code == 0
    assert person.key not in (user.home / "config/sign-ins.json").read_text()


def test_with_a_key_in_the_keyring(user: Shell, person: Person, tmp_path: Path) -> None:
    (tmp_path / "filed_keyring.py").write_text(
        "import json, pathlib\n"
        "from keyring.backend import KeyringBackend\n"
        f"FILE = pathlib.Path({str(tmp_path / 'ring.json')!r})\n"
        "class Filed(KeyringBackend):\n"
        "    priority = 1\n"
        "    def _all(self): return json.loads(FILE.read_text()) if FILE.exists() else {}\n"
        "    def get_password(self, service, name): return self._all().get(name)\n"
        "    def set_password(self, service, name, value):\n"
        "        FILE.write_text(json.dumps({**self._all(), name: value}))\n"
        "    def delete_password(self, service, name):\n"
        "        FILE.write_text(json.dumps({k: v for k, v in self._all().items() if k != name}))\n"
    )
    ring = {"PYTHONPATH": str(tmp_path), "PYTHON_KEYRING_BACKEND": "filed_keyring.Filed"}
    url = str(person.http.base_url).rstrip("/")
    login = user.piped("login", "--url", url, "--key", person.key, "--json", **ring)
    assert json.loads(login.out)["kept_in"] == "keyring", login
    assert person.key not in (user.home / "config/sign-ins.json").read_text()
    assert person.email in user.piped("whoami", **ring).out
    assert user.piped("logout", **ring).code == 0
    assert json.loads((tmp_path / "ring.json").read_text()) == {}
