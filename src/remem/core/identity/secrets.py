"""Credentials: made at random, shown once, kept only as hashes."""

import base64
import hashlib
import secrets
import string

KEY_PREFIX = "mc_"
ACCESS_PREFIX = "mct_"
REFRESH_PREFIX = "mcr_"
KEY_LENGTH = 32
SHOWN_LENGTH = 8

_ALPHABET = string.ascii_letters + string.digits


def new_key() -> str:
    return KEY_PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(KEY_LENGTH))


def shown(raw: str) -> str:
    return raw[: len(KEY_PREFIX) + SHOWN_LENGTH]


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()


def proves(verifier: str, challenge: str) -> bool:
    """Whether this is what the challenge was made from: its SHA-256, in URL-safe base64."""
    hashed = hashlib.sha256(verifier.encode()).digest()
    made = base64.urlsafe_b64encode(hashed).rstrip(b"=")
    return secrets.compare_digest(made, challenge.encode())


def csrf_token(token: str) -> str:
    """What a page must send back: known only to who can read the cookie's own page."""
    return digest(f"csrf:{token}")
