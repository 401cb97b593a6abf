"""Write notes into a folder that a person writes to as well: theirs always counts more."""

import hashlib
import json
import os
import re
import stat
import tempfile
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from remem.adapters.importers.front_matter import parted
from remem.core.connectors.port import Note, NotesWritten
from remem.core.errors import Unavailable
from remem.core.time import now

# What was written before: an id of it without a file was removed by a person.
LEDGER = ".remem.json"
# With what may be added to it, a name has at most 255 bytes.
NAME_BYTES = 180
# More than this at once is rather a folder that is not mounted than a wish.
MOST_REMOVED, MOST_REMOVED_SHARE = 20, 0.1
# Larger notes are somebody's files.
NOTE_BYTES = 5_000_000
# Names that Windows keeps for devices, with any ending.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_UNSAFE = re.compile(r'[\x00-\x1f\\/:*?"<>|#^\[\]]+')


@dataclass(frozen=True, slots=True)
class WrittenNote:
    """A note of ours in the folder. `base` is the hash of what we wrote, `current` of what is
    there now."""

    path: Path
    data: bytes
    base: str
    current: str


def write_notes(target: Path, notes: Sequence[Note]) -> NotesWritten:
    _stay_within(target)
    target.mkdir(parents=True, exist_ok=True)
    ledger, found = _ledger(target), _notes_in(target)
    wanted = {note.id: note for note in notes}
    gone = [one for id, one in found.items() if id not in wanted and one.base == one.current]
    _brake(len(gone), len(found))
    written, conflicts = 0, []
    for note in wanted.values():
        if (one := found.get(note.id)) is None:
            if note.id not in ledger:
                _put(_free_name(target, note), _text(note))
                written += 1
        elif one.base != _hash(note.text):
            if one.base == one.current and _replace(one, _text(note)):
                written += 1
            elif ledger.get(note.id) != _hash(note.text):
                conflicts.append(_beside(one.path, note))
        ledger[note.id] = _hash(note.text)
    for one in gone:
        one.path.unlink(missing_ok=True)
    kept = {id: base for id, base in ledger.items() if id in wanted}
    _put(target / LEDGER, json.dumps(kept).encode())
    return NotesWritten(written, len(gone), tuple(conflicts))


def is_unchanged(path: Path) -> bool:
    """Whether it is a note that we wrote, as we wrote it."""
    one = _read(path)
    return one is not None and one[1].base == one[1].current


def _brake(gone: int, there: int) -> None:
    if gone > MOST_REMOVED and gone > there * MOST_REMOVED_SHARE:
        raise Unavailable(
            f"{gone} of {there} notes would be removed from the vault at once, so none was. If that"
            " is right, delete them in the vault yourself."
        )


def _notes_in(target: Path) -> dict[str, WrittenNote]:
    """By id, wherever in the folder a person has moved them; what stands beside is nobody's."""
    found = {}
    for path in sorted(target.rglob("*.md")):
        if (one := _read(path)) and one[0]:
            found.setdefault(one[0], one[1])
    return found


def _read(path: Path) -> tuple[str | None, WrittenNote] | None:
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or path.suffix.lower() != ".md":
            return None
        if found.st_size > NOTE_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    fields, text = parted(data.decode("utf-8", "replace"))
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


def _free_name(target: Path, note: Note) -> Path:
    words = _UNSAFE.sub(" ", note.title).encode()[:NAME_BYTES].decode(errors="ignore").strip(" .")
    words = words or note.id
    return _free(target, f"_{words}" if _RESERVED.fullmatch(words) else words)


def _free(folder: Path, stem: str) -> Path:
    """A name that is none of those there: on some systems Tea and tea, or é in one letter and in
    two, are the same."""
    taken = {_plain(path.name) for path in folder.iterdir()}
    name, number = f"{stem}.md", 2
    while _plain(name) in taken:
        name, number = f"{stem} {number}.md", number + 1
    return folder / name


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _beside(path: Path, note: Note) -> str:
    stem = f"{path.stem} (remem conflict {now().date().isoformat()})"
    place = _free(path.parent, stem)
    _put(place, _text(note, remem_conflict_of=note.id))
    return place.name


def _replace(one: WrittenNote, data: bytes) -> bool:
    """Only if it is still what was read; a person may have saved it meanwhile."""
    if one.path.read_bytes() != one.data:
        return False
    _put(one.path, data)
    return True


def _stay_within(folder: Path) -> None:
    """It was checked before; a link may have taken its place since."""
    if folder.resolve() != folder:
        raise Unavailable(f"The folder {folder} leads elsewhere; nothing is written to it.")


def _put(path: Path, data: bytes) -> None:
    """At once or not at all, whatever happens on the way; never through a link."""
    _stay_within(path.parent)
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


def _ledger(target: Path) -> dict[str, str]:
    try:
        found = json.loads((target / LEDGER).read_bytes())
    except (OSError, ValueError):
        return {}
    return {str(id): str(base) for id, base in found.items()} if isinstance(found, dict) else {}
