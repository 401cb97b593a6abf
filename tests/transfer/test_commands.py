"""`remem export` and `remem import`, with and without a server."""

import json
from pathlib import Path

from tests.conftest import Person
from tests.e2e.test_cli import remem
from tests.tools.running_database import running_database
from tests.transfer.stores import comparable_lines


def test_a_memory_moves_from_one_machine_to_another(
    data_dir: Path, tmp_path: Path, person: Person
) -> None:
    with running_database(data_dir):
        move(data_dir, tmp_path / "memory.ndjson", person)


def move(data_dir: Path, file: Path, person: Person) -> None:
    assert remem(data_dir, "save", "The spare key is under the blue pot").returncode == 0
    exported = remem(data_dir, "export", str(file), "--vectors")
    assert exported.returncode == 0, exported.stderr
    lines = file.read_text().splitlines()
    assert exported.stdout == f"{len(lines)} lines in {file}.\n"
    assert not file.with_name("memory.ndjson.part").exists()
    target = {"REMEM_URL": str(person.http.base_url), "REMEM_KEY": person.key}
    imported_there = remem(data_dir, "import", str(file), **target)
    assert imported_there.returncode == 0, imported_there.stderr
    assert ", 0 unchanged, 0 left out." in imported_there.stdout
    imported_here = remem(data_dir, "import", "-", stdin=file.read_text())
    assert imported_here.stdout.startswith("0 imported, "), imported_here.stderr
    exported_there = remem(data_dir, "export", "-", "--vectors", **target)
    assert comparable_lines(exported_there.stdout.splitlines()) == comparable_lines(lines)
    assert person.recall("where is the spare key?")[0]["title"].startswith("The spare key")


def test_a_file_is_not_replaced_and_a_cut_one_is_refused(data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "memory.ndjson"
    file.write_text("mine\n")
    refused = remem(data_dir, "export", str(file))
    assert (refused.returncode, file.read_text()) == (2, "mine\n")
    assert "--force" in refused.stderr
    assert remem(data_dir, "export", str(file), "--force").returncode == 0
    lines = file.read_text().splitlines(keepends=True)
    assert json.loads(lines[-1])["kind"] == "footer"
    file.write_text("".join(lines[:-1]))
    cut = remem(data_dir, "import", str(file))
    assert cut.returncode == 1
    assert "cut off" in cut.stderr
    assert remem(data_dir, "import", str(tmp_path / "nothing")).returncode == 2
