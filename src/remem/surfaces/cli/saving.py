"""Save many files: select them, upload several at once, show progress and a summary."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from remem.client import AsyncRemem
from remem.core.errors import RememError
from remem.surfaces.cli.command import shell_command
from remem.surfaces.cli.waiting import progress_bar, wait_until_processed, why_not_done
from remem.surfaces.duplicate_notes import duplicate_note

CONCURRENCY = 8
# Fields that are sent for every file, not given by the user.
_OWN_FIELDS = ("source_url", "metadata")
# Folders of generated files.
SKIPPED_FOLDERS = frozenset(
    {"node_modules", "__pycache__", "venv", "site-packages", "target", "dist"}
)


@dataclass
class Summary:
    saved: int = 0
    unchanged: int = 0
    queued: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    # Stored, and retried automatically.
    waiting: list[tuple[str, str]] = field(default_factory=list)
    # What a save of a known file added to it.
    notes: list[tuple[str, str]] = field(default_factory=list)

    def sentence(self) -> str:
        waiting = f", {len(self.waiting)} waiting" if self.waiting else ""
        failed = f"{len(self.failed)} failed"
        done = f"{self.saved} saved, {self.unchanged} unchanged{waiting}, {failed}."
        if not self.queued:
            return done
        return f"{done} {self.queued} still queued; `{shell_command()} status` shows them."

    def as_json(self) -> dict[str, Any]:
        return {
            "saved": self.saved,
            "unchanged": self.unchanged,
            "queued": self.queued,
            "failed": [{"path": path, "reason": reason} for path, reason in self.failed],
            "waiting": [{"path": path, "reason": reason} for path, reason in self.waiting],
            "notes": [{"path": path, "note": note} for path, note in self.notes],
        }


def files_in(paths: list[Path]) -> Iterator[Path]:
    """Yield the named files, and those in folders in order, without hidden and generated ones."""
    for path in paths:
        if path.is_dir():
            yield from _files_below(path)
        else:
            yield path


def _files_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir() and path.name not in SKIPPED_FOLDERS:
            yield from _files_below(path)
        elif path.is_file():
            yield path


async def save_files(
    client: AsyncRemem,
    paths: list[Path],
    fields: dict[str, Any],
    metadata: dict[str, Any],
    wait: bool = True,
) -> Summary:
    files = list(files_in(paths))
    summary = Summary()
    with progress_bar() as progress:
        task = progress.add_task("Saving", total=len(files))
        semaphore = asyncio.Semaphore(CONCURRENCY)

        async def save_one(path: Path) -> None:
            async with semaphore:
                await _save(client, path, fields, metadata, summary, wait)
            progress.advance(task)

        await asyncio.gather(*(save_one(path) for path in files))
    return summary


async def _save(
    client: AsyncRemem,
    path: Path,
    fields: dict[str, Any],
    metadata: dict[str, Any],
    summary: Summary,
    wait: bool,
) -> None:
    try:
        metadata = {"modified_at": _modified_at(path), **metadata}
        saved = await client.upload(path, source_url=_address(path), metadata=metadata, **fields)
        if saved["duplicate"]:
            summary.unchanged += 1
            if note := duplicate_note(saved, _OWN_FIELDS):
                summary.notes.append((str(path), note))
            return
        if saved["status"] != "done" and not wait:
            summary.queued += 1
            return
        state = (
            saved if saved["status"] == "done" else await wait_until_processed(client, saved["id"])
        )
    except (RememError, OSError) as error:
        summary.failed.append((str(path), str(error)))
        return
    if state["status"] == "failed":
        summary.failed.append((str(path), state["error_message"] or "failed"))
    elif state["status"] != "done":
        summary.waiting.append((str(path), why_not_done(state)))
    elif state.get("duplicate_of"):
        summary.unchanged += 1
    else:
        summary.saved += 1


def _modified_at(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")


def _address(path: Path) -> str:
    """Return the file's URL, which makes a changed file a new version of the same document."""
    return path.absolute().as_uri()
