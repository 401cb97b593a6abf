"""Clients of a real server, for the frameworks to stand on.

Tests import a framework where they use it: each worker reads all files and runs few of them, and
the five frameworks take three seconds of a processor.
"""

from collections.abc import AsyncIterator, Iterator

import pytest

from remem import AsyncRemem, Remem
from tests.conftest import Person, Server


@pytest.fixture
def remem(server: Server, person: Person) -> Iterator[Remem]:
    with Remem(server.url, person.key) as client:
        yield client


@pytest.fixture
async def awaited(server: Server, person: Person) -> AsyncIterator[AsyncRemem]:
    async with AsyncRemem(server.url, person.key) as client:
        yield client
