"""Backup and restore of a whole store, key rotation, and re-embedding."""

import base64
import gzip
import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.conformance.test_embedding import good_reply
from tests.conftest import start_server, stop_server
from tests.surfaces.cli.running import Shell
from tests.tools.site import Page, Site, page, serving


def lines(shell: Shell, **more: str) -> list[str]:
    return shell.piped("export", "-", "--vectors", **more).out.splitlines()[1:]


def test_a_restored_store_equals_the_original(fresh: Shell, data_dir: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "all.tar.gz", {"REMEM_DATA_DIR": str(data_dir / "restored")}
    note = tmp_path / "note.txt"
    note.write_text("The ferry leaves at seven.")
    server = start_server(data_dir)
    try:
        assert fresh.piped("save", str(note)).code == 0
        assert fresh.piped("memories", "add", "The ferry is blue.").code == 0
        backup = fresh.piped("backup", str(file))
        assert (backup.code, "damaged" in backup.err) == (0, False), backup
        assert "1 documents, " in backup.out
        assert "empty" not in backup.err
        busy = fresh.piped("restore", str(file), "--force", "--yes")
        assert (busy.code, "stop" in busy.err) == (1, True), busy
    finally:
        stop_server(server)
    assert file.stat().st_mode & 0o777 == 0o600
    assert fresh.piped("backup", str(file)).code == 2
    before = lines(fresh)
    restore = fresh.terminal("restore", str(file), **other)
    assert restore.code == 0, restore
    assert "1 documents, " in restore.out
    assert lines(fresh, **other) == before
    id = json.loads(fresh.piped("documents", "list", "--json", **other).out)["documents"][0]["id"]
    download = fresh.piped("documents", "download", id, "-", **other)
    assert download.out == "The ferry leaves at seven."
    not_empty = fresh.piped("restore", str(file), **other)
    assert (not_empty.code, "--force" in not_empty.err) == (1, True)
    assert fresh.piped("restore", str(file), "--force", **other).code == 2
    damage(file, tmp_path / "cut.tar.gz", tmp_path / "changed.tar.gz")
    for bad in ("cut.tar.gz", "changed.tar.gz"):
        refused = fresh.piped("restore", str(tmp_path / bad), "--force", "--yes", **other)
        assert (refused.code, "Traceback" in refused.err) == (1, False), refused
    assert lines(fresh, **other) == before
    check_damaged_originals(fresh, data_dir / "restored", tmp_path / "other.tar.gz")


@pytest.mark.usefixtures("database")
def test_a_backup_is_checked_by_restoring_it(fresh: Shell, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("The ferry leaves at seven.")
    assert fresh.piped("backup", "--verify").code == 3
    assert fresh.piped("save", str(note)).code == 0
    assert fresh.piped("backup").code == 0
    checked = json.loads(fresh.piped("backup", "--verify", "--json").out)
    assert checked["originals"] == 1 and checked["rows"] > 10 and checked["tables"] > 40
    file = Path(checked["file"])
    changed = tmp_path / "changed.tar.gz"
    changed.write_bytes(
        gzip.compress(gzip.decompress(file.read_bytes()).replace(b"seven", b"eight"))
    )
    refused = fresh.piped("backup", "--verify", str(changed))
    assert (refused.code, refused.err.count("\n")) == (1, 1), refused


def test_an_empty_backup_says_so(fresh: Shell, data_dir: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "all.tar.gz", {"REMEM_DATA_DIR": str(data_dir / "restored")}
    for result in (fresh.piped("backup", str(file)), fresh.piped("restore", str(file), **other)):
        assert result.code == 0, result
        assert "0 documents, 0 memories, 0 originals" in result.out
        assert "is empty; check that REMEM_DATA_DIR" in result.err


def check_damaged_originals(shell: Shell, data_dir: Path, file: Path) -> None:
    """Damaged originals are reported by the backup and by the restore of that backup."""
    (original,) = (path for path in (data_dir / "blobs").rglob("*") if path.is_file())
    original.write_text("The ferry leaves at eight.")
    env = {"REMEM_DATA_DIR": str(data_dir)}
    backup = shell.piped("backup", str(file), **env)
    assert (backup.code, "damaged: note.txt (" in backup.err) == (0, True), backup
    restore = shell.piped("restore", str(file), "--force", "--yes", "--json", **env)
    (name,) = json.loads(restore.out)["damaged"]
    assert name.startswith("note.txt (") and name in restore.err, restore


@pytest.mark.usefixtures("database")
def test_credentials_are_encrypted_with_a_new_key(fresh: Shell, data_dir: Path) -> None:
    """A backup has the encrypted credentials but not the keys, without which it is useless."""
    rotated = json.loads(fresh.piped("secrets", "rotate", "--json").out)
    assert (rotated["sealed"], rotated["lost"]) == (0, 0)
    again = fresh.terminal("secrets", "rotate")
    assert (again.code, f"encrypted with key {rotated['key'] + 1}" in again.out) == (0, True), again
    keys = data_dir / "secret-keys.json"
    assert keys.stat().st_mode & 0o777 == 0o600
    assert list(json.loads(keys.read_text())) == [str(rotated["key"] + 1)]


def damage(file: Path, cut: Path, changed: Path) -> None:
    data = file.read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    text = gzip.decompress(data)
    changed.write_bytes(gzip.compress(text.replace(b"The ferry is blue", b"The ferry is gone")))


@pytest.mark.usefixtures("database")
def test_everything_is_reembedded_and_stays_searchable(fresh: Shell) -> None:
    no_distil = {"REMEM_DISTIL": "false"}
    assert fresh.piped("save", "The ferry leaves at seven.", **no_distil).code == 0
    assert fresh.piped("memories", "add", "The ferry is blue.").code == 0
    nothing = json.loads(fresh.piped("reembed", "--json").out)
    assert nothing["embedded"] == 0
    before = lines(fresh)
    reembedded = fresh.terminal("reembed", "--again", "--prune")
    assert (reembedded.code, "2 embedded" in reembedded.out) == (0, True), reembedded
    vectors = [
        line for line in lines(fresh) if '"kind": "vector"' in line or '"vector"' in line[:30]
    ]
    assert vectors == [
        line for line in before if '"kind": "vector"' in line or '"vector"' in line[:30]
    ]
    assert "leaves at seven" in fresh.piped("recall", "when does the boat go?").out


@pytest.mark.usefixtures("database")
def test_switching_to_another_model_and_back(fresh: Shell) -> None:
    assert fresh.piped("save", "The ferry leaves at seven.", REMEM_DISTIL="false").code == 0
    assert fresh.piped("memories", "add", "The lighthouse is blue.").code == 0
    with serving(Site()) as site:
        site.pages["/v1/embeddings"] = embeddings(site)
        other = {
            "REMEM_EMBEDDING_PROVIDER": "openai",
            "REMEM_EMBEDDING_URL": f"{site.url}/v1",
            "REMEM_EMBEDDING_MODEL": "tiny",
            "REMEM_EMBEDDING_DIMENSIONS": "16",
        }
        assert "leaves at seven" in fresh.piped("recall", "ferry", **other).out
        reembedded = json.loads(fresh.piped("reembed", "--prune", "--json", **other).out)
        assert reembedded["embedded"] == 2, reembedded
        assert models(fresh, **other) == {("tiny", 16)}
        assert "leaves at seven" in fresh.piped("recall", "seven", **other).out
    reembedded_back = json.loads(fresh.piped("reembed", "--prune", "--json").out)
    assert reembedded_back["embedded"] == 2, reembedded_back
    assert models(fresh) == {("remem-multilingual-1", 384)}
    assert "leaves at seven" in fresh.piped("recall", "when does the boat go?").out


def embeddings(site: Site) -> Page:
    def answer(request: BaseHTTPRequestHandler) -> None:
        status, _, body = good_reply(json.loads(site.requests[-1].body), 16)
        page(body, status, Content_Type="application/json")(request)

    return answer


def models(shell: Shell, **more: str) -> set[tuple[str, int]]:
    """The models that have vectors, with their dimensions."""
    entries = [json.loads(line) for line in lines(shell, **more)]
    rows = [entry["row"] for entry in entries if entry["kind"] == "vector"]
    return {(row["model"], len(base64.b64decode(row["vector"])) // 4) for row in rows}
