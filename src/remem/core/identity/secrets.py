"""Credentials: made at random, shown once, kept only as hashes."""

import asyncio
import base64
import hashlib
import secrets
import string
from functools import cache

from pwdlib import PasswordHash

from remem.core.errors import Invalid

KEY_PREFIX = "mc_"
ACCESS_PREFIX = "mct_"
REFRESH_PREFIX = "mcr_"
KEY_LENGTH = 32
SHOWN_LENGTH = 8
PASSWORD_MIN, PASSWORD_MAX = 8, 1_000

_ALPHABET = string.ascii_letters + string.digits
_passwords = PasswordHash.recommended()


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


async def hash_password(password: str, field: str = "password") -> str:
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        raise Invalid(field, f"use {PASSWORD_MIN} to {PASSWORD_MAX:,} characters")
    return await asyncio.to_thread(_passwords.hash, password)


async def password_matches(password: str, hashed: str | None) -> bool:
    """Take as long for somebody unknown as for somebody known, so that time tells nothing."""
    matches = await asyncio.to_thread(_verify, password[:PASSWORD_MAX], hashed)
    return matches and hashed is not None


def _verify(password: str, hashed: str | None) -> bool:
    return _passwords.verify(password, hashed or _nobody())


@cache
def _nobody() -> str:
    return _passwords.hash("nobody's password")
