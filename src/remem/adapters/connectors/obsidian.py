"""An Obsidian vault: its notes are read, and memories are written into one of its folders."""

import asyncio
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from remem.adapters.connectors.folder import FolderConnector, is_ignored
from remem.adapters.connectors.vault import is_unchanged, write_notes
from remem.core.connectors.model import Access, Account
from remem.core.connectors.port import Note, NotesWritten
from remem.core.connectors.provider import Field, Provider
from remem.core.errors import Invalid


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
