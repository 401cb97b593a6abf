"""A store in this process, and the notes of people saved in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from remem.adapters.reader.local import LocalReader
from remem.bootstrap import open_ports
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.identity.authenticate import authenticate_key
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.owner import ensure_owner_key
from remem.settings import load
from sets.embeddings import CachedEmbedder
from sets.people import Person


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[Ports, Scope]]:
    settings = load(data_dir=folder)
    async with open_ports(settings) as ports:
        ports = replace(
            ports, reader=LocalReader(deadline_s=60), embedder=CachedEmbedder(ports.embedder)
        )
        yield ports, await authenticate_key(ports, await ensure_owner_key(ports, settings) or "")


async def save_person(ports: Ports, scope: Scope, person: Person) -> dict[UUID, str]:
    """Each note as a document; the ids of their documents."""
    labels = {}
    for note in person.notes:
        draft = Draft(
            note.text,
            content_type="text",
            project=person.name,
            create_project=True,
            metadata={"date": note.written_at},
        )
        labels[(await ingest(ports, scope, draft)).document.id] = note.id
    return labels
