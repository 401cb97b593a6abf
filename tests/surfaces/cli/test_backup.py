"""The whole store in one file and back, and new vectors while it is used."""

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


def test_a_store_comes_back_as_it_was(fresh: Shell, data_dir: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "all.tar.gz", {"REMEM_DATA_DIR": str(data_dir / "restored")}
    note = tmp_path / "note.txt"
    note.write_text("The ferry leaves at seven.")
    server = start_server(data_dir)
    try:
        assert fresh.piped("save", str(note)).code == 0
        assert fresh.piped("memories", "add", "The ferry is blue.").code == 0
        made = fresh.piped("backup", str(file))
        assert (made.code, "damaged" in made.err) == (0, False), made
        busy = fresh.piped("restore", str(file), "--force", "--yes")
        assert (busy.code, "stop" in busy.err) == (1, True), busy
    finally:
        stop_server(server)
    assert file.stat().st_mode & 0o777 == 0o600
    assert fresh.piped("backup", str(file)).code == 2
    before = lines(fresh)
    back = fresh.terminal("restore", str(file), **other)
    assert back.code == 0, back
    assert lines(fresh, **other) == before
    id = json.loads(fresh.piped("documents", "list", "--json", **other).out)["documents"][0]["id"]
    got = fresh.piped("documents", "download", id, "-", **other)
    assert got.out == "The ferry leaves at seven."
    full = fresh.piped("restore", str(file), **other)
    assert (full.code, "--force" in full.err) == (1, True)
    assert fresh.piped("restore", str(file), "--force", **other).code == 2
    damage(file, tmp_path / "cut.tar.gz", tmp_path / "changed.tar.gz")
    for bad in ("cut.tar.gz", "changed.tar.gz"):
        refused = fresh.piped("restore", str(tmp_path / bad), "--force", "--yes", **other)
        assert (refused.code, "Traceback" in refused.err) == (1, False), refused
    assert lines(fresh, **other) == before
    name_damaged_originals(fresh, data_dir / "restored", tmp_path / "other.tar.gz")


def name_damaged_originals(shell: Shell, data_dir: Path, file: Path) -> None:
    """When they are backed up, and when an archive that has them is restored."""
    (original,) = (path for path in (data_dir / "blobs").rglob("*") if path.is_file())
    original.write_text("The ferry leaves at eight.")
    here = {"REMEM_DATA_DIR": str(data_dir)}
    made = shell.piped("backup", str(file), **here)
    assert (made.code, "damaged: note.txt (" in made.err) == (0, True), made
    back = shell.piped("restore", str(file), "--force", "--yes", "--json", **here)
    (name,) = json.loads(back.out)["damaged"]
    assert name.startswith("note.txt (") and name in back.err, back


@pytest.mark.usefixtures("database")
def test_credentials_are_sealed_with_a_new_key(fresh: Shell, data_dir: Path) -> None:
    """A backup has the sealed credentials and not the keys: without them it opens nothing."""
    done = json.loads(fresh.piped("secrets", "rotate", "--json").out)
    assert (done["sealed"], done["lost"]) == (0, 0)
    again = fresh.terminal("secrets", "rotate")
    assert (again.code, f"encrypted with key {done['key'] + 1}" in again.out) == (0, True), again
    keys = data_dir / "secret-keys.json"
    assert keys.stat().st_mode & 0o777 == 0o600
    assert list(json.loads(keys.read_text())) == [str(done["key"] + 1)]


def damage(file: Path, cut: Path, changed: Path) -> None:
    whole = file.read_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    text = gzip.decompress(whole)
    changed.write_bytes(gzip.compress(text.replace(b"The ferry is blue", b"The ferry is gone")))


@pytest.mark.usefixtures("database")
def test_everything_gets_a_new_vector_and_is_found_meanwhile(fresh: Shell) -> None:
    alone = {"REMEM_DISTIL": "false"}
    assert fresh.piped("save", "The ferry leaves at seven.", **alone).code == 0
    assert fresh.piped("memories", "add", "The ferry is blue.").code == 0
    nothing = json.loads(fresh.piped("reembed", "--json").out)
    assert nothing["embedded"] == 0
    before = lines(fresh)
    done = fresh.terminal("reembed", "--again", "--prune")
    assert (done.code, "2 embedded" in done.out) == (0, True), done
    vectors = [one for one in lines(fresh) if '"kind": "vector"' in one or '"vector"' in one[:30]]
    assert vectors == [one for one in before if '"kind": "vector"' in one or '"vector"' in one[:30]]
    assert "leaves at seven" in fresh.piped("recall", "when does the boat go?").out


@pytest.mark.usefixtures("database")
def test_another_model_takes_over_and_back(fresh: Shell) -> None:
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
        done = json.loads(fresh.piped("reembed", "--prune", "--json", **other).out)
        assert done["embedded"] == 2, done
        assert models(fresh, **other) == {("tiny", 16)}
        assert "leaves at seven" in fresh.piped("recall", "seven", **other).out
    back = json.loads(fresh.piped("reembed", "--prune", "--json").out)
    assert back["embedded"] == 2, back
    assert models(fresh) == {("all-MiniLM-L6-v2-int8", 384)}
    assert "leaves at seven" in fresh.piped("recall", "when does the boat go?").out


def embeddings(site: Site) -> Page:
    def answer(request: BaseHTTPRequestHandler) -> None:
        status, _, body = good_reply(json.loads(site.asked[-1].body), 16)
        page(body, status, Content_Type="application/json")(request)

    return answer


def models(shell: Shell, **more: str) -> set[tuple[str, int]]:
    """Of whom there are vectors, and how wide they are."""
    body = [json.loads(line) for line in lines(shell, **more)]
    rows = [one["row"] for one in body if one["kind"] == "vector"]
    return {(row["model"], len(base64.b64decode(row["vector"])) // 4) for row in rows}
