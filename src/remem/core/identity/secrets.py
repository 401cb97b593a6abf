"""Credentials: random, shown once, stored only as hashes."""

import base64
import hashlib
import secrets
import string

KEY_PREFIX = "mc_"
ACCESS_PREFIX = "mct_"
REFRESH_PREFIX = "mcr_"
KEY_LENGTH = 32
VISIBLE_LENGTH = 8

_ALPHABET = string.ascii_letters + string.digits


def new_key() -> str:
    return KEY_PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(KEY_LENGTH))


def visible_prefix(raw: str) -> str:
    return raw[: len(KEY_PREFIX) + VISIBLE_LENGTH]


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()


def verifies_challenge(verifier: str, challenge: str) -> bool:
    """Whether the challenge is the SHA-256 of the verifier, in URL-safe base64 (PKCE)."""
    hashed = hashlib.sha256(verifier.encode()).digest()
    expected = base64.urlsafe_b64encode(hashed).rstrip(b"=")
    return secrets.compare_digest(expected, challenge.encode())


def csrf_token(token: str) -> str:
    """The token that a page must send back, known only to pages of the cookie's own site."""
    return digest(f"csrf:{token}")
