"""What every adapter that seals credentials keeps to."""

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


def test_what_is_sealed_opens_in_its_place_alone(path: Path) -> None:
    secrets = AesSecrets(path, None)
    sealed = secrets.seal(b"xyzzy-token", PLACE)
    assert b"xyzzy" not in sealed and secrets.seal(b"xyzzy-token", PLACE) != sealed
    assert secrets.open(sealed, PLACE) == b"xyzzy-token"
    for moved in ("connections|other|id|token", "connections|tenant|2|token", PLACE + "x"):
        with pytest.raises(SecretLost):
            secrets.open(sealed, moved)


@pytest.mark.parametrize("at", [0, 2, 5, 20, -1])
def test_what_is_damaged_does_not_open(path: Path, at: int) -> None:
    secrets = AesSecrets(path, None)
    sealed = bytearray(secrets.seal(b"xyzzy-token", PLACE))
    sealed[at] ^= 1
    with pytest.raises(SecretLost):
        secrets.open(bytes(sealed), PLACE)
    with pytest.raises(SecretLost):
        secrets.open(bytes(sealed[:5]), PLACE)


def test_keys_are_a_private_file_that_processes_share(path: Path) -> None:
    one, other = AesSecrets(path, None), AesSecrets(path, None)
    sealed = one.seal(b"xyzzy-token", PLACE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert other.open(sealed, PLACE) == b"xyzzy-token"
    assert one.rotate() == 2
    fresh = other.seal(b"xyzzy-token", PLACE)
    assert other.key_number(fresh) == 2 and one.open(fresh, PLACE) == b"xyzzy-token"
    one.forget({1})
    assert one.open(fresh, PLACE) == b"xyzzy-token"
    with pytest.raises(SecretLost, match="key"):
        AesSecrets(path, None).open(sealed, PLACE)


def test_the_newest_key_is_never_forgotten(path: Path) -> None:
    secrets = AesSecrets(path, None)
    sealed = secrets.seal(b"xyzzy-token", PLACE)
    secrets.forget({1})
    assert secrets.open(sealed, PLACE) == b"xyzzy-token"


def test_keys_may_be_given(path: Path) -> None:
    keys = [base64.b64encode(bytes([n]) * 32).decode() for n in (1, 2)]
    old, both = AesSecrets(path, keys[0]), AesSecrets(path, ",".join(keys))
    sealed = old.seal(b"xyzzy-token", PLACE)
    assert both.open(sealed, PLACE) == b"xyzzy-token"
    assert both.key_number(both.seal(b"", PLACE)) == 2 and not path.exists()
    with pytest.raises(CannotStart):
        both.rotate()
    with pytest.raises(CannotStart, match="REMEM_SECRET_KEYS"):
        AesSecrets(path, "not base64!")


def test_a_damaged_file_of_keys_is_said(path: Path) -> None:
    path.write_text("{broken")
    with pytest.raises(CannotStart, match="damaged"):
        AesSecrets(path, None).seal(b"x", PLACE)
