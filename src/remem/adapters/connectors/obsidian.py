"""An Obsidian vault: its notes are read, and memories are written into one of its folders."""

import asyncio
import hashlib
import json
import os
import re
import stat
import tempfile
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from remem.adapters.connectors.folder import FolderConnector, is_ignored
from remem.core.chunking.front_matter import split_front_matter
from remem.core.connectors.model import Access, Account
from remem.core.connectors.port import Note, NotesWritten
from remem.core.connectors.provider import Field, Provider
from remem.core.errors import Invalid, Unavailable
from remem.core.time import now


class ObsidianConnector(FolderConnector):
    """Notes that remem wrote and nobody changed are not read back."""

    provider = Provider(
        title="Obsidian vault",
        about="Notes with their front matter, tags and links; memories are written back if you"
        " like.",
        help="Give the whole path of a vault that the operator of the server has allowed by"
        " REMEM_FOLDERS. Memories of the project are written into the folder you name, and nothing"
        " if you name none.",
        fields=(
            Field("path", "the path of a vault on the server", example="/home/me/Vault"),
            Field(
                "write_to",
                "the folder in the vault to write to",
                is_required=False,
                example="remem",
            ),
        ),
        selected="path",
        walk_every_s=0,
        needs_admin=True,
    )

    async def account(self, access: Access) -> Account:
        account = await super().account(access)
        await asyncio.to_thread(self._target, access)
        return account

    def writes_to(self, access: Access) -> str | None:
        return str(access.settings.get("write_to") or "").strip() or None

    async def write_notes(self, access: Access, notes: Sequence[Note]) -> NotesWritten:
        return await asyncio.to_thread(self._write, access, notes)

    def _write(self, access: Access, notes: Sequence[Note]) -> NotesWritten:
        target = self._target(access)
        return write_notes(target, notes) if target else NotesWritten()

    def _target(self, access: Access) -> Path | None:
        """The folder to write to, checked to be inside the vault; None when none is set."""
        root, name = self._root(access), self.writes_to(access)
        if name is None:
            return None
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or any(is_ignored(part) for part in path.parts):
            raise Invalid("write_to", "is not a folder in the vault; give a name such as remem")
        target = root / path
        if target.is_symlink() or not target.resolve().is_relative_to(root):
            raise Invalid("write_to", "leads out of the vault; give a folder in it")
        return target

    def _is_skipped(self, access: Access, root: Path, name: str) -> bool:
        target = self.writes_to(access)
        is_below = target is not None and PurePosixPath(name).is_relative_to(target)
        return is_below and is_unchanged(root / name)


# Write notes into a folder that a person edits as well; their changes always win.


# The notes written so far. An id in it without a file was removed by a person.
LEDGER = ".remem.json"
# Leaves room for suffixes within the 255 bytes that a file name may have.
NAME_BYTES = 180
# More removals than this at once are more likely a mistake than intended.
MAX_REMOVED, MAX_REMOVED_SHARE = 20, 0.1
# Larger notes were not written by remem.
NOTE_BYTES = 5_000_000
# Names that Windows reserves for devices, with any extension.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_UNSAFE = re.compile(r'[\x00-\x1f\\/:*?"<>|#^\[\]]+')


@dataclass(frozen=True, slots=True)
class WrittenNote:
    """A note in the folder that remem wrote. `base` is the hash of the text as written, `current`
    of the text as it is now."""

    path: Path
    data: bytes
    base: str
    current: str


def write_notes(target: Path, notes: Sequence[Note]) -> NotesWritten:
    _check_not_a_link(target)
    target.mkdir(parents=True, exist_ok=True)
    ledger, existing = _read_ledger(target), _notes_in(target)
    wanted = {note.id: note for note in notes}
    obsolete = [
        old_note
        for id, old_note in existing.items()
        if id not in wanted and old_note.base == old_note.current
    ]
    _check_removals(len(obsolete), len(existing))
    written, conflicts = 0, []
    for note in wanted.values():
        if (old_note := existing.get(note.id)) is None:
            if note.id not in ledger:
                _write_atomically(_new_note_path(target, note), _text(note))
                written += 1
        elif old_note.base != _hash(note.text):
            if old_note.base == old_note.current and _replace(old_note, _text(note)):
                written += 1
            elif ledger.get(note.id) != _hash(note.text):
                conflicts.append(_write_conflict_copy(old_note.path, note))
        ledger[note.id] = _hash(note.text)
    for old_note in obsolete:
        old_note.path.unlink(missing_ok=True)
    new_ledger = {id: base for id, base in ledger.items() if id in wanted}
    _write_atomically(target / LEDGER, json.dumps(new_ledger).encode())
    return NotesWritten(written, len(obsolete), tuple(conflicts))


def is_unchanged(path: Path) -> bool:
    """Whether the file is a note that remem wrote and nobody changed."""
    note = _read_note(path)
    return note is not None and note[1].base == note[1].current


def _check_removals(count: int, total: int) -> None:
    if count > MAX_REMOVED and count > total * MAX_REMOVED_SHARE:
        raise Unavailable(
            f"{count} of {total} notes would be removed from the vault at once, so none was. If"
            " that is right, delete them in the vault yourself."
        )


def _notes_in(target: Path) -> dict[str, WrittenNote]:
    """Notes by id, in all subfolders, because a person may have moved them. Notes without an id,
    such as conflict copies, are left out."""
    notes = {}
    for path in sorted(target.rglob("*.md")):
        if (note := _read_note(path)) and note[0]:
            notes.setdefault(note[0], note[1])
    return notes


def _read_note(path: Path) -> tuple[str | None, WrittenNote] | None:
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or path.suffix.lower() != ".md":
            return None
        if status.st_size > NOTE_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    fields, text = split_front_matter(data.decode("utf-8", "replace"))
    if "remem_revision" not in fields:
        return None
    id = fields.get("remem_id")
    base = str(fields["remem_revision"])
    return str(id) if id else None, WrittenNote(path, data, base, _hash(text.strip("\n")))


def _text(note: Note, **fields: str) -> bytes:
    lines = [*(f"{name}: {value}" for name, value in fields.items())]
    if not fields:
        lines.append(f"remem_id: {note.id}")
    lines.append(f'remem_revision: "{_hash(note.text)}"')
    if note.created_at:
        lines.append(f"created: {note.created_at.date().isoformat()}")
    if note.tags:
        lines += ["tags:", *(f"  - {json.dumps(tag, ensure_ascii=False)}" for tag in note.tags)]
    return "\n".join(["---", *lines, "---", note.text.strip("\n"), ""]).encode()


def _hash(text: str) -> str:
    return hashlib.sha256(text.strip("\n").replace("\r\n", "\n").encode()).hexdigest()[:16]


def _new_note_path(target: Path, note: Note) -> Path:
    words = _UNSAFE.sub(" ", note.title).encode()[:NAME_BYTES].decode(errors="ignore").strip(" .")
    words = words or note.id
    return _free_path(target, f"_{words}" if _RESERVED.fullmatch(words) else words)


def _free_path(folder: Path, stem: str) -> Path:
    """Return a path that is not in use. Case and Unicode composition are ignored, because some
    systems do not distinguish Tea from tea, or é as one character from é as two."""
    taken = {_normalize_name(path.name) for path in folder.iterdir()}
    name, number = f"{stem}.md", 2
    while _normalize_name(name) in taken:
        name, number = f"{stem} {number}.md", number + 1
    return folder / name


def _normalize_name(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _write_conflict_copy(path: Path, note: Note) -> str:
    stem = f"{path.stem} (remem conflict {now().date().isoformat()})"
    copy = _free_path(path.parent, stem)
    _write_atomically(copy, _text(note, remem_conflict_of=note.id))
    return copy.name


def _replace(note: WrittenNote, data: bytes) -> bool:
    """Replace a note unless it changed since it was read: a person may have saved it meanwhile."""
    if note.path.read_bytes() != note.data:
        return False
    _write_atomically(note.path, data)
    return True


def _check_not_a_link(folder: Path) -> None:
    """Check again that the folder is not a link: one may have replaced it since the first check."""
    if folder.resolve() != folder:
        raise Unavailable(f"The folder {folder} leads elsewhere; nothing is written to it.")


def _write_atomically(path: Path, data: bytes) -> None:
    """Write a file atomically, and never through a link."""
    _check_not_a_link(path.parent)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".remem-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _read_ledger(target: Path) -> dict[str, str]:
    try:
        ledger = json.loads((target / LEDGER).read_bytes())
    except (OSError, ValueError):
        return {}
    return {str(id): str(base) for id, base in ledger.items()} if isinstance(ledger, dict) else {}
