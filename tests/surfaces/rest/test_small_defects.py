"""Headers, streams of errors, files of keys: what is refused or warned about."""

import errno
import socket
from pathlib import Path

import pytest
import structlog
import typer

from remem.adapters.secrets.aes import AesSecrets
from remem.core.language.names.mentions import entities_in
from remem.owner import _warn_if_readable
from remem.surfaces.cli.output import plain_errors
from tests.conftest import Person, Server
from tests.surfaces.cli.running import Shell


@pytest.mark.parametrize(("size", "status"), [(64_000, b"200"), (66_000, b"431"), (90_000, b"431")])
@pytest.mark.parametrize("each", [1_000, 30_000])
def test_headers_have_the_documented_limit(
    server: Server, size: int, status: bytes, each: int
) -> None:
    host, _, port = server.url.removeprefix("http://").rpartition(":")
    count = size // each
    filler = "".join(f"X-{number}: {'a' * (each - 10)}\r\n" for number in range(count))
    filler += f"X-Rest: {'a' * (size - len(filler) - 60)}\r\n"
    request = f"GET /health HTTP/1.1\r\nHost: {host}:{port}\r\n{filler}\r\n"
    with socket.create_connection((host, int(port)), timeout=30) as wire:
        wire.sendall(request.encode())
        assert wire.recv(100).split()[1] == status


@pytest.mark.parametrize("name", ["Authorization", "X-API-Key"])
def test_two_credentials_are_refused(person: Person, name: str) -> None:
    value = f"Bearer {person.key}" if name == "Authorization" else person.key
    headers = [(name, value), (name, value)]
    reply = person.http.build_request("GET", "/v3/whoami")
    reply.headers = type(reply.headers)([*headers, ("Host", reply.headers["Host"])])
    refused = person.http.send(reply)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert name.lower() in refused.json()["error"]


@pytest.mark.parametrize(
    "text",
    [
        "The OpenAI key is sk-proj-abcDEF1234567890abcdefGHIJ.",
        "Github has ghp_abcdefghij1234567890abcdefghij123456 for us.",
        "The wifi password is Xk9mQz2PlW7.",
        "Stripe key sk_live_4eC39HqLyjWDarjtT1zdp7dc is in use.",
        "The token for Hetzner is 8f14e45fceea167a5a36dedd4bea2543.",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0TH",
    ],
)
def test_a_secret_is_no_entity(text: str) -> None:
    known = {"OpenAI", "Stripe", "Hetzner", "Github", "GitHub"}
    assert {mention.name for mention in entities_in(text)} <= known


def test_names_beside_secrets_stay() -> None:
    assert "AuthService" in {mention.name for mention in entities_in("AuthService signs tokens.")}


def test_a_full_disk_ends_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), plain_errors():
        raise OSError(errno.ENOSPC, "No space left on device", "/data/x")
    assert "make room" in capsys.readouterr().err


def test_a_server_that_cannot_start_says_why_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret-keys.json").write_text("[]")
    address = "postgresql://nobody@127.0.0.1:1/none"
    shell = Shell(tmp_path, {"REMEM_DATA_DIR": str(tmp_path / "data")})
    failed = shell.piped("serve", "--port", "0", REMEM_DATABASE_URL=address)
    assert failed.code == 1
    assert "does not answer" in failed.err and "Traceback" not in failed.err, failed


@pytest.mark.parametrize("text", ["[]", "{", '{"1": "YQ=="}', '{"1": 5}', "[" * 100_000])
def test_a_damaged_key_file_is_warned_about(tmp_path: Path, text: str) -> None:
    path = tmp_path / "secret-keys.json"
    path.write_text(text)
    path.chmod(0o600)
    with structlog.testing.capture_logs() as logs:
        AesSecrets(path, None)
    assert "is damaged" in logs[0]["problem"]


def test_files_that_others_can_read_are_warned_about(tmp_path: Path) -> None:
    keys, owner = tmp_path / "secret-keys.json", tmp_path / "owner.key"
    AesSecrets(keys, None).seal(b"x", "place")
    owner.write_text("mc_x")
    for mode, count in ((0o644, 2), (0o600, 0)):
        keys.chmod(mode)
        owner.chmod(mode)
        with structlog.testing.capture_logs() as logs:
            AesSecrets(keys, None)
            _warn_if_readable(owner)
        assert len(logs) == count, logs
