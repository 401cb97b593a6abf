"""An Obsidian vault in both directions: notes of a person are never lost."""

import os
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from remem.adapters.connectors import obsidian
from remem.adapters.connectors.obsidian import ObsidianConnector
from remem.core.connections.connect import connect
from remem.core.connections.manage import get_connection
from remem.core.connections.model import NewConnection, SyncRun
from remem.core.connections.sync import sync_connection
from remem.core.connectors.model import Access
from remem.core.connectors.port import Note
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Invalid, Unavailable
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.tools.idle_queue import IdleQueue

pytestmark = pytest.mark.anyio


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    vault_dir = tmp_path / "Vault"
    vault_dir.mkdir()
    yield vault_dir


@pytest.fixture
def target(root: Path) -> Path:
    return root / "remem"


def note(number: int = 1, text: str = "The kettle is blue.") -> Note:
    return Note(f"id-{number}", f"Kettle {number}", text, ("tea",))


def texts(target: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(target.glob("*.md"))}


def test_a_note_is_written_renamed_and_changed_under_its_id(target: Path) -> None:
    assert obsidian.write_notes(target, [note()]).written == 1
    assert "The kettle is blue." in texts(target)["Kettle 1.md"]
    (target / "Kettle 1.md").rename(target / "My kettle.md")
    result = obsidian.write_notes(target, [note(text="The kettle is red.")])
    assert result.written == 1 and list(texts(target)) == ["My kettle.md"]
    assert "red" in texts(target)["My kettle.md"]
    assert obsidian.write_notes(target, [note(text="The kettle is red.")]).written == 0
    assert obsidian.is_unchanged(target / "My kettle.md")


def test_a_note_changed_by_a_person_is_never_overwritten(target: Path) -> None:
    obsidian.write_notes(target, [note()])
    path = target / "Kettle 1.md"
    path.write_text(path.read_text() + "\nAnd it leaks.\n")
    assert obsidian.write_notes(target, [note()]).written == 0
    result = obsidian.write_notes(target, [note(text="The kettle is red.")])
    (name,) = result.conflicts
    assert "(remem conflict " in name and "red" in texts(target)[name]
    assert "And it leaks." in path.read_text() and "blue" in path.read_text()
    again = obsidian.write_notes(target, [note(text="The kettle is red.")])
    assert again.conflicts == () and len(texts(target)) == 2


def test_a_note_saved_by_a_person_at_the_same_time_is_kept(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    obsidian.write_notes(target, [note()])
    path = target / "Kettle 1.md"
    read = obsidian._notes_in

    def read_then_save(folder: Path) -> dict[str, obsidian.WrittenNote]:
        notes = read(folder)
        path.write_text("Mine now.")
        return notes

    monkeypatch.setattr(obsidian, "_notes_in", read_then_save)
    result = obsidian.write_notes(target, [note(text="The kettle is red.")])
    assert path.read_text() == "Mine now." and len(result.conflicts) == 1


def test_a_note_deleted_by_a_person_is_not_written_again(target: Path) -> None:
    obsidian.write_notes(target, [note(1), note(2)])
    (target / "Kettle 1.md").unlink()
    obsidian.write_notes(target, [note(1, "Changed."), note(2)])
    assert list(texts(target)) == ["Kettle 2.md"]


def test_notes_of_deleted_memories_are_removed_unless_changed(target: Path) -> None:
    obsidian.write_notes(target, [note(1), note(2), note(3)])
    changed = target / "Kettle 2.md"
    changed.write_text(changed.read_text() + "Mine.\n")
    assert obsidian.write_notes(target, [note(3)]).removed == 1
    assert list(texts(target)) == ["Kettle 2.md", "Kettle 3.md"]


def test_a_large_part_of_the_notes_is_not_removed_at_once(target: Path) -> None:
    obsidian.write_notes(target, [note(number) for number in range(30)])
    with pytest.raises(Unavailable, match="at once"):
        obsidian.write_notes(target, [])
    assert len(texts(target)) == 30


@pytest.mark.parametrize("title", ["../../etc/passwd", "a/b\\c", "CON: x?*", "\0", "..", "🍵" * 90])
def test_no_title_leads_out_of_the_folder(target: Path, title: str) -> None:
    obsidian.write_notes(target, [replace(note(), title=title)])
    (path,) = target.rglob("*.md")
    assert path.parent == target and len(path.name.encode()) <= 255
    assert [entry.name for entry in target.parent.iterdir()] == ["remem"]


def test_hostile_text_and_tags_stay_text(target: Path) -> None:
    hostile = replace(note(), text="---\nremem_id: other\n---\nHi", tags=('a"\nremem_id: x',))
    obsidian.write_notes(target, [hostile])
    assert obsidian.write_notes(target, [hostile]).written == 0
    (path,) = target.glob("*.md")
    assert obsidian.is_unchanged(path)


@pytest.mark.parametrize("name", ["/etc", "../out", ".obsidian", "link"])
async def test_only_a_folder_of_the_vault_is_written_to(
    root: Path, tmp_path: Path, name: str
) -> None:
    (root / "link").symlink_to(tmp_path)
    connector = ObsidianConnector([tmp_path], 1_000_000)
    with pytest.raises(Invalid, match="write_to"):
        await connector.account(Access({"path": str(root), "write_to": name}))


async def sync(store: Ports, scope: Scope, id: UUID) -> SyncRun:
    await sync_connection(store, scope, id)
    connection, runs = await get_connection(store, scope, id)
    assert runs[0].outcome == "done", connection.error
    return runs[0]


async def test_memories_are_written_notes_are_read_and_written_notes_are_not_read_back(
    ports: Ports, scope: Scope, root: Path, tmp_path: Path
) -> None:
    connector = ObsidianConnector([tmp_path], 1_000_000)
    store = replace(ports, connectors={"obsidian": connector}, queue=IdleQueue())  # type: ignore[arg-type]
    (root / "mine.md").write_text("The bakery closes on Monday.")
    fields = {"path": str(root), "write_to": "remem"}
    id = (await connect(store, scope, NewConnection("obsidian", fields)))[0].id
    await save_memory(store, scope, MemoryDraft("The kettle stands on the shelf."))
    assert (await sync(store, scope, id)).added == 1
    (path,) = (root / "remem").glob("*.md")
    assert "The kettle stands on the shelf." in path.read_text()
    run = await sync(store, scope, id)
    assert (run.added, run.updated, run.deleted, run.skipped) == (0, 0, 0, 0)
    path.write_text(path.read_text() + "\nIt leaks.\n")
    assert (await sync(store, scope, id)).added == 1


async def test_saved_texts_are_written_too(
    ports: Ports, scope: Scope, root: Path, tmp_path: Path
) -> None:
    connector = ObsidianConnector([tmp_path], 1_000_000)
    store = replace(ports, connectors={"obsidian": connector}, queue=IdleQueue())  # type: ignore[arg-type]
    (root / "mine.md").write_text("The bakery closes on Monday.")
    fields = {"path": str(root), "write_to": "remem"}
    id = (await connect(store, scope, NewConnection("obsidian", fields)))[0].id
    drafts = (
        Draft(content="The attic key is under the pot."),
        Draft(content="A page.", source_url="https://example.org/"),
        Draft(content="A long one. " * 2_000),
        Draft(content="An import.", source="pocket"),
    )
    for draft in drafts:
        await ingest(store, scope, draft)
    await sync(store, scope, id)
    (path,) = (root / "remem").glob("*.md")
    assert "The attic key is under the pot." in path.read_text()
    run = await sync(store, scope, id)
    assert (run.added, run.updated, run.deleted, run.skipped) == (0, 0, 0, 0)


# Paths out of the vault

TITLES = (
    "../../outside",
    "..\\..\\outside",
    "/etc/passwd",
    "C:\\outside",
    "~/outside",
    "..",
    ".",
    ".obsidian/app",
    ".remem",
    "a\x00b",
    "a\nb",
    "CON",
    "nul.txt",
    "Lpt1",
    "x" * 10_000,
    "é" * 10_000,
    "ends with a dot.",
    "stream:name",
    "",
    "   ",
    "\u202egpj.md",
)


def test_file_names_are_safe_on_every_system(root: Path, target: Path) -> None:
    before = sorted(path for path in root.parent.rglob("*"))
    notes = [Note(f"id-{number}", title, "Words.") for number, title in enumerate(TITLES)]
    assert obsidian.write_notes(target, notes).written == len(TITLES)
    created = set(root.parent.rglob("*")) - set(before) - {target}
    assert all(path.parent == target for path in created)
    names = [path.name for path in created if path.name != obsidian.LEDGER]
    assert len(names) == len(TITLES)
    for name in names:
        stem = name.removesuffix(".md")
        assert len(name.encode()) <= 255 and not name.startswith(".")
        assert not set(name) & set('\\/:*?"<>|\0\n') and stem == stem.strip(" .")
        assert stem.partition(".")[0].lower() not in ("con", "nul", "lpt1")
    assert obsidian.write_notes(target, notes).written == 0


def test_names_that_are_equal_on_other_systems_get_separate_files(target: Path) -> None:
    titles = ("Tea", "tea", "TEA", "Caf\u00e9", "Cafe\u0301", "Straße", "STRASSE")
    notes = [Note(f"id-{number}", title, "Words.") for number, title in enumerate(titles)]
    assert obsidian.write_notes(target, notes).written == len(titles)
    plain = {unicodedata.normalize("NFC", name).casefold() for name in texts(target)}
    assert len(plain) == len(titles)


def test_links_pipes_and_large_files_in_the_folder_are_ignored(
    root: Path, target: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    secret = outside / "secret.md"
    secret.write_text('---\nremem_id: id-1\nremem_revision: "x"\n---\nA secret.')
    target.mkdir()
    (target / "Kettle 1.md").symlink_to(secret)
    (target / "below").symlink_to(outside)
    (target / obsidian.LEDGER).symlink_to(outside / "ledger.json")
    os.mkfifo(target / "pipe.md")
    with (target / "large.md").open("wb") as file:
        file.truncate(10_000_000_000)
    assert obsidian.write_notes(target, [note(), note(2)]).written == 2
    obsidian.write_notes(target, [note(text="Other words."), note(2)])
    obsidian.write_notes(target, [])
    assert "A secret." in secret.read_text()
    assert sorted(path.name for path in outside.iterdir()) == ["secret.md"]


def test_a_folder_that_became_a_link_is_not_written_to(
    root: Path, target: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    connector = ObsidianConnector([tmp_path], 1_000_000)
    for folder_name in ("remem", "a/b"):
        access = Access({"path": str(root), "write_to": folder_name})
        connector._write(access, [note()])
        top = root / folder_name.partition("/")[0]
        shutil.rmtree(top)
        top.symlink_to(outside)
        with pytest.raises(Invalid, match="leads out"):
            connector._write(access, [note()])
        # The link was made between the check and the write.
        with pytest.raises(Unavailable, match="leads elsewhere"):
            obsidian.write_notes(root / folder_name, [note()])
        top.unlink()
        assert not list(outside.rglob("*.md"))
    for name in ("..", "../x", "/etc", "a/../../x", ".obsidian", "a/.git", "~", "C:/x\x00"):
        access = Access({"path": str(root), "write_to": name})
        with suppress(Invalid, Unavailable, ValueError):
            connector._write(access, [note()])
        assert not list(outside.rglob("*")) and not (tmp_path / "x").exists()
