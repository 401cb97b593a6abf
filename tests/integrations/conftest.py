"""Clients of a real server, for the tests of the frameworks.

Tests import a framework inside functions: every worker collects all files but runs only a few, and
importing the five frameworks takes three seconds of CPU time.
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
async def async_remem(server: Server, person: Person) -> AsyncIterator[AsyncRemem]:
    async with AsyncRemem(server.url, person.key) as client:
        yield client
