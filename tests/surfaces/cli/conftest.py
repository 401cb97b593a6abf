"""A user of the command line: signed in to a server, or with nothing at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Person
from tests.surfaces.cli.running import Shell
from tests.tools.running_database import running_database


def speaking_as(person: Person, home: Path) -> Shell:
    """Speaks to the tests' server by the environment."""
    return Shell(home, {"REMEM_URL": str(person.http.base_url), "REMEM_KEY": person.key})


@pytest.fixture
def shell(person: Person, tmp_path: Path) -> Shell:
    return speaking_as(person, tmp_path)


@pytest.fixture
def fresh(tmp_path: Path, data_dir: Path) -> Shell:
    """Somebody who has just installed remem; only the data folder is not their own."""
    return Shell(tmp_path, {"REMEM_DATA_DIR": str(data_dir), "REMEM_PORT": "1"})


@pytest.fixture
def database(data_dir: Path) -> Iterator[None]:
    """That of `fresh`, for a test of many commands."""
    with running_database(data_dir):
        yield
