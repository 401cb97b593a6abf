"""The contract of the adapter that encrypts credentials."""

import base64
import stat
from pathlib import Path

import pytest

from remem.adapters.secrets.aes import AesSecrets
from remem.core.errors import CannotStart
from remem.core.secrets import SecretLost

PLACE = "connections|tenant|id|token"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "secret-keys.json"


def test_a_sealed_value_opens_only_in_its_place(path: Path) -> None:
    secrets = AesSecrets(path, None)
    sealed = secrets.seal(b"xyzzy-token", PLACE)
    assert b"xyzzy" not in sealed and secrets.seal(b"xyzzy-token", PLACE) != sealed
    assert secrets.open(sealed, PLACE) == b"xyzzy-token"
    for other_place in ("connections|other|id|token", "connections|tenant|2|token", PLACE + "x"):
        with pytest.raises(SecretLost):
            secrets.open(sealed, other_place)


@pytest.mark.parametrize("at", [0, 2, 5, 20, -1])
def test_a_damaged_value_does_not_open(path: Path, at: int) -> None:
    secrets = AesSecrets(path, None)
    sealed = bytearray(secrets.seal(b"xyzzy-token", PLACE))
    sealed[at] ^= 1
    with pytest.raises(SecretLost):
        secrets.open(bytes(sealed), PLACE)
    with pytest.raises(SecretLost):
        secrets.open(bytes(sealed[:5]), PLACE)


def test_keys_are_a_private_file_that_processes_share(path: Path) -> None:
    first, second = AesSecrets(path, None), AesSecrets(path, None)
    sealed = first.seal(b"xyzzy-token", PLACE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert second.open(sealed, PLACE) == b"xyzzy-token"
    assert first.rotate() == 2
    fresh = second.seal(b"xyzzy-token", PLACE)
    assert second.key_number(fresh) == 2 and first.open(fresh, PLACE) == b"xyzzy-token"
    first.forget({1})
    assert first.open(fresh, PLACE) == b"xyzzy-token"
    with pytest.raises(SecretLost, match="key"):
        AesSecrets(path, None).open(sealed, PLACE)


def test_the_newest_key_is_never_forgotten(path: Path) -> None:
    secrets = AesSecrets(path, None)
    sealed = secrets.seal(b"xyzzy-token", PLACE)
    secrets.forget({1})
    assert secrets.open(sealed, PLACE) == b"xyzzy-token"


def test_keys_can_be_configured(path: Path) -> None:
    keys = [base64.b64encode(bytes([n]) * 32).decode() for n in (1, 2)]
    old, both = AesSecrets(path, keys[0]), AesSecrets(path, ",".join(keys))
    sealed = old.seal(b"xyzzy-token", PLACE)
    assert both.open(sealed, PLACE) == b"xyzzy-token"
    assert both.key_number(both.seal(b"", PLACE)) == 2 and not path.exists()
    with pytest.raises(CannotStart):
        both.rotate()
    with pytest.raises(CannotStart, match="REMEM_SECRET_KEYS"):
        AesSecrets(path, "not base64!")


def test_a_damaged_key_file_is_reported(path: Path) -> None:
    path.write_text("{broken")
    with pytest.raises(CannotStart, match="damaged"):
        AesSecrets(path, None).seal(b"x", PLACE)
