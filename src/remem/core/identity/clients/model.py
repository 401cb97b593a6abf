"""The data classes of clients."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Client:
    """A program as it describes itself, unverified; only its redirect URIs are enforced."""

    id: UUID
    name: str
    uri: str | None
    redirect_uris: tuple[str, ...]
    secret_hash: str | None
    created_at: datetime

    @property
    def is_public(self) -> bool:
        """Whether it is a public client, which cannot keep a secret, such as a local program."""
        return self.secret_hash is None


@dataclass(frozen=True, slots=True)
class NewClient:
    """A newly registered client, with its raw secret, which is not stored."""

    client: Client
    secret: str | None
