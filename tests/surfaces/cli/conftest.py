"""Users of the command line: one with a server, and one without any configuration."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Person
from tests.surfaces.cli.running import Shell
from tests.tools.running_database import running_database


def shell_of(person: Person, home: Path) -> Shell:
    """A shell whose environment points to the tests' server."""
    return Shell(home, {"REMEM_URL": str(person.http.base_url), "REMEM_KEY": person.key})


@pytest.fixture
def shell(person: Person, tmp_path: Path) -> Shell:
    return shell_of(person, tmp_path)


@pytest.fixture
def fresh(tmp_path: Path, data_dir: Path) -> Shell:
    """A shell of a user who has just installed remem, except for the data folder."""
    return Shell(tmp_path, {"REMEM_DATA_DIR": str(data_dir), "REMEM_PORT": "1"})


@pytest.fixture
def database(data_dir: Path) -> Iterator[None]:
    """A running database for `fresh`, so that many commands start faster."""
    with running_database(data_dir):
        yield
