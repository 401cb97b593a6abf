"""Seal credentials with AES-256-GCM, each bound to its row and column."""

import os
import struct
from pathlib import Path

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from remem.adapters.secrets import key_ring
from remem.core.errors import CannotStart
from remem.core.secrets import SecretLost

VERSION = 1
_HEADER = struct.Struct(">BH")
NONCE_BYTES = 12

log = structlog.get_logger()


class AesSecrets:
    """`version ‖ key number ‖ nonce ‖ ciphertext`. The header and the place are authenticated, so a
    credential that was moved to another row is refused."""

    def __init__(self, path: Path, configured: str | None) -> None:
        self._path = path
        self._is_configured = bool(configured)
        self._keys = key_ring.parse_keys(configured) if configured else {}
        if not configured and (problem := key_ring.problem_of(path)):
            log.warning("secret_keys", problem=problem)

    def seal(self, secret: bytes, place: str) -> bytes:
        keys = self._all_keys(create=True)
        number = max(keys)
        header = _HEADER.pack(VERSION, number)
        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(keys[number]).encrypt(nonce, secret, header + place.encode())
        return header + nonce + sealed

    def open(self, sealed: bytes, place: str) -> bytes:
        header, rest = sealed[: _HEADER.size], sealed[_HEADER.size :]
        if len(sealed) < _HEADER.size + NONCE_BYTES or header[0] != VERSION:
            raise SecretLost("The stored credential is damaged; connect the account again.")
        key = self._find_key(self.key_number(sealed))
        nonce, text = rest[:NONCE_BYTES], rest[NONCE_BYTES:]
        try:
            return AESGCM(key).decrypt(nonce, text, header + place.encode())
        except InvalidTag as error:
            raise SecretLost(
                "The stored credential does not belong here, or is damaged; connect the account"
                " again."
            ) from error

    def key_number(self, sealed: bytes) -> int:
        if len(sealed) < _HEADER.size:
            raise SecretLost("The stored credential is damaged; connect the account again.")
        return int(_HEADER.unpack(sealed[: _HEADER.size])[1])

    def rotate(self) -> int:
        """Add a key that everything is sealed with from now on; return its number."""
        if self._is_configured:
            raise CannotStart(
                "The keys are set by REMEM_SECRET_KEYS: add a new one after the others, restart"
                " every process, and rotate again with --reseal."
            )
        self._keys = key_ring.add_key(self._path)
        return max(self._keys)

    @property
    def newest(self) -> int:
        return max(self._all_keys(create=True))

    def forget(self, unused: set[int]) -> None:
        if not self._is_configured:
            key_ring.remove_keys(self._path, unused)
            self._keys = key_ring.read_file(self._path)

    def _all_keys(self, *, create: bool = False) -> dict[int, bytes]:
        """Read all keys; the file is read again, because another process may have added one."""
        if self._is_configured:
            return self._keys
        self._keys = key_ring.read_file(self._path) or (
            key_ring.add_key(self._path, only_first=True) if create else {}
        )
        return self._keys

    def _find_key(self, number: int) -> bytes:
        key = self._keys.get(number) or self._all_keys().get(number)
        if key is None:
            raise SecretLost(
                "The key that the credential was sealed with is not here, as after a restore"
                " without the key file; connect the account again."
            )
        return key
