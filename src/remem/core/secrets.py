"""The port that encrypts credentials at rest."""

from typing import Protocol

from remem.core.connectors.errors import NeedsAuth


class SecretLost(NeedsAuth):
    """A sealed credential cannot be opened; the account must be connected again."""


class Secrets(Protocol):
    """Seals a credential for one place in the database, so that it opens nowhere else. `open`
    raises SecretLost if the credential is damaged or was moved, or if its key is missing. Keys are
    numbered; `rotate` adds one and returns its number, and `forget` deletes unused ones."""

    @property
    def newest(self) -> int: ...

    def seal(self, secret: bytes, place: str) -> bytes: ...

    def open(self, sealed: bytes, place: str) -> bytes: ...

    def key_number(self, sealed: bytes) -> int: ...

    def rotate(self) -> int: ...

    def forget(self, unused: set[int]) -> None: ...
