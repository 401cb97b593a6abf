"""Access to a connection's account: its settings, its choice and its decrypted credential."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

import structlog

from remem.core.connections.model import Connection
from remem.core.connectors.errors import (
    WRONG_SHAPE,
    AskedTooOften,
    Ended,
    MarkExpired,
)
from remem.core.connectors.model import Access, Meter
from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import iso

UNKNOWN_REPLY = (
    "The service answers in an unknown format; it is tried again. If the problem persists, update"
    " remem."
)

log = structlog.get_logger()


@contextmanager
def translate_service_errors() -> Iterator[None]:
    """Raise Unavailable with a message for the person who waits; a job would simply be retried."""
    try:
        yield
    except AskedTooOften as error:
        raise Unavailable(
            f"The service answers no more requests before {iso(error.until)}; try again then."
        ) from error
    except MarkExpired as error:
        raise Unavailable("The account changed while it was read; try again.") from error
    except Ended as error:
        raise Unavailable(error.message) from error
    except WRONG_SHAPE as error:
        log.warning("reply_not_understood", error=type(error).__name__)
        raise Unavailable(UNKNOWN_REPLY) from error


def access_of(ports: Ports, scope: Scope, connection: Connection) -> Access:
    """Raises NeedsAuth when the credential cannot be opened."""
    return Access(
        settings=connection.settings,
        chosen=tuple(connection.chosen),
        credential=open_credential(ports, scope, connection.id, connection.token),
        meter=Meter(**connection.cursor.get("meter", {})),
    )


def seal_credential(
    ports: Ports, scope: Scope, id: UUID, credential: Mapping[str, str]
) -> bytes | None:
    if not credential:
        return None
    return ports.secrets.seal(json.dumps(dict(credential)).encode(), token_place(scope, id))


def open_credential(ports: Ports, scope: Scope, id: UUID, sealed: bytes | None) -> dict[str, str]:
    if sealed is None:
        return {}
    return json.loads(ports.secrets.open(sealed, token_place(scope, id)))


def token_place(scope: Scope, id: UUID) -> str:
    return f"connections|{scope.tenant_id}|{id}|token"
