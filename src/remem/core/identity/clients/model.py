"""The values of clients."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Client:
    """What a program says of itself; only its redirect addresses bind it."""

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
    """A client as it is made: the only moment its secret is known."""

    client: Client
    secret: str | None
