"""Credentials at rest: the port that seals them."""

from typing import Protocol

from remem.core.connectors.errors import NeedsAuth


class SecretLost(NeedsAuth):
    """A sealed credential that cannot be opened; the person connects the account again."""


class Secrets(Protocol):
    """Seals a credential to one place of the database, so that it opens nowhere else. `open`
    raises SecretLost for what is damaged, was moved, or whose key is gone. Keys have numbers;
    `rotate` adds one, and `forget` removes those that nothing is sealed with any more."""

    @property
    def newest(self) -> int: ...

    def seal(self, secret: bytes, place: str) -> bytes: ...

    def open(self, sealed: bytes, place: str) -> bytes: ...

    def key_number(self, sealed: bytes) -> int: ...

    def rotate(self) -> int: ...

    def forget(self, unused: set[int]) -> None: ...
