"""Signing in: by browser against a server of the RFCs, by key against the real one."""

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

# What a person's browser does with an address.
BROWSER = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()"


@pytest.fixture
def double() -> Iterator[AuthorizationServer]:
    with AuthorizationServer() as server:
        yield server


@pytest.fixture
def user(tmp_path: Path) -> Shell:
    """With a browser, and no keyring."""
    browser = f"{shlex.quote(sys.executable)} -c {shlex.quote(BROWSER)} %s"
    return Shell(tmp_path, {"BROWSER": browser})


def kept(user: Shell) -> dict[str, Any]:
    return json.loads((user.home / "config/sign-ins.json").read_text())


def test_from_nothing_to_signed_in_and_out_by_browser(
    user: Shell, double: AuthorizationServer
) -> None:
    signed = user.piped("login", "--url", f"{double.url}/", "--no-keyring")
    assert signed.code == 0, signed
    assert "ana@example.org" in signed.out
    file = user.home / "config/sign-ins.json"
    assert file.stat().st_mode & 0o777 == 0o600
    secrets = [*double.access, *double.refresh]
    assert not [one for one in secrets if one in signed.out + signed.err]
    assert next(iter(double.clients.values()))["token_endpoint_auth_method"] == "none"
    who = user.piped("whoami")
    assert (who.code, double.url in who.out) == (0, True), who
    left = user.piped("logout")
    assert left.code == 0, left
    assert sorted(double.revoked) == sorted(secrets)
    assert kept(user) == {"current": None, "servers": {}}
    assert user.piped("logout").code == 3


def test_a_token_is_renewed_silently_and_once_by_many(user: Shell, tmp_path: Path) -> None:
    with AuthorizationServer(expires_in_s=30) as double:
        assert user.piped("login", "--url", double.url, "--no-keyring").code == 0
        double.expires_in_s = 3_600
        with ThreadPoolExecutor(4) as pool:
            ran = list(pool.map(lambda _: user.piped("whoami"), range(4)))
        assert {one.code for one in ran} == {0}, ran
        assert double.asked.count("/token") == 2
        assert sum(double.refresh.values()) == 1


def test_an_assistant_outlives_its_token(user: Shell) -> None:
    about = {"protocolVersion": "2025-06-18", "capabilities": {},
             "clientInfo": {"name": "test", "version": "1"}}  # fmt: skip

    def ask(process: subprocess.Popen[str], id: int, method: str, **params: Any) -> dict[str, Any]:
        assert process.stdin and process.stdout
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        process.stdin.write(f"{json.dumps(message)}\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())["result"]

    with AuthorizationServer(expires_in_s=3_600) as double:
        assert user.piped("login", "--url", double.url, "--no-keyring").code == 0
        with user.started("mcp") as process:
            ask(process, 0, "initialize", **about)
            first = ask(process, 1, "tools/call", name="whoAmI", arguments={})
            assert first["isError"] is False, first
            soon = kept(user)
            soon["servers"][double.url]["expires_at_s"] = time() + 10
            (user.home / "config/sign-ins.json").write_text(json.dumps(soon))
            double.access.clear()
            again = ask(process, 2, "tools/call", name="whoAmI", arguments={})
        assert again["isError"] is False, again
        assert double.asked.count("/token") == 2


def test_a_sign_in_that_is_over_says_what_to_do(user: Shell) -> None:
    with AuthorizationServer(expires_in_s=1) as double:
        assert user.piped("login", "--url", double.url, "--no-keyring").code == 0
        double.refresh.clear()
        over = user.piped("whoami")
        assert over.code == 4
        assert "remem login" in over.err


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"issuer": "https://evil.example"}, "issuer"),
        ({"code_challenge_methods_supported": ["plain"]}, "S256"),
        ({"token_endpoint": "http://memory.example.org/token"}, "https"),
        ({"authorization_response_iss_parameter_supported": True, "iss": 1}, ""),
    ],
)
def test_what_a_server_may_not_offer(
    user: Shell, double: AuthorizationServer, changed: dict[str, Any], says: str
) -> None:
    double.changed = changed
    refused = user.piped("login", "--url", double.url, "--no-keyring")
    assert refused.code == (4 if says else 0), refused
    assert says in refused.err
    assert "/register" not in double.asked or not says


def test_a_stray_answer_is_not_taken(user: Shell, double: AuthorizationServer) -> None:
    """Somebody else on the machine knocks first, with a code and a state of their own."""
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
    signed = user.piped("login", "--url", double.url, "--no-keyring", BROWSER=browser)
    assert signed.code == 0, signed


def test_with_a_key_in_a_file(user: Shell, person: Person) -> None:
    url = str(person.http.base_url).rstrip("/")
    wrong = user.piped("login", "--url", url, "--key", "mc_wrong", "--no-keyring")
    assert wrong.code == 4
    assert not (user.home / "config/sign-ins.json").exists()
    signed = user.piped("login", "--url", url, "--key", "-", "--no-keyring", stdin=person.key)
    assert signed.code == 0, signed
    assert person.key not in signed.out + signed.err
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
    signed = user.piped("login", "--url", url, "--key", person.key, "--json", **ring)
    assert json.loads(signed.out)["kept_in"] == "keyring", signed
    assert person.key not in (user.home / "config/sign-ins.json").read_text()
    assert person.email in user.piped("whoami", **ring).out
    assert user.piped("logout", **ring).code == 0
    assert json.loads((tmp_path / "ring.json").read_text()) == {}
