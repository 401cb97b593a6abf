"""A user of the command line: signed in to a server, or with nothing at all."""

from pathlib import Path

import pytest

from tests.conftest import Person
from tests.surfaces.cli.running import Shell


@pytest.fixture
def shell(person: Person, tmp_path: Path) -> Shell:
    """Speaks to the tests' server by the environment."""
    there = {"REMEM_URL": str(person.http.base_url), "REMEM_KEY": person.key}
    return Shell(tmp_path, there)


@pytest.fixture
def fresh(tmp_path: Path, data_dir: Path) -> Shell:
    """Somebody who has just installed remem; only the data folder is not their own."""
    return Shell(tmp_path, {"REMEM_DATA_DIR": str(data_dir), "REMEM_PORT": "1"})
