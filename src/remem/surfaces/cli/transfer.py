"""`remem export` and `remem import`: snapshot files out of and into the store."""

import asyncio
import hashlib
import json
import sys
import tempfile
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Call, Key, Url, drop_unset, run_with_client
from remem.surfaces.cli.files import atomic_file
from remem.surfaces.cli.output import MISUSED, fail, print_json, say
from remem.surfaces.cli.waiting import (
    NoWait,
    progress_bar,
    still_queued,
    wait_until_indexed,
)

if TYPE_CHECKING:
    from remem.client import AsyncRemem

CHECK_S = 0.2


def export(
    file: Annotated[Path, typer.Argument(help="The file to write; `-` is standard output.")],
    originals: Annotated[
        bool, typer.Option("--originals/--no-originals", help="Include original files.")
    ] = True,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="Include vectors, for a server with the same model.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Write everything into a snapshot file (NDJSON).

    Example: remem export memory.ndjson
    """
    if str(file) != "-" and file.exists() and not force:
        fail(f"{file} exists already; choose another name, or pass --force.", MISUSED)
    footer = run_with_client(url, key, lambda remem: _export(remem, file, originals, vectors))
    if str(file) != "-":
        say(f"{footer['lines']} lines in {file}.")


async def _export(
    remem: "AsyncRemem", file: Path, originals: bool, vectors: bool
) -> dict[str, Any]:
    lines = remem.export(originals=originals, vectors=vectors)
    if str(file) == "-":
        return await _write(lines, sys.stdout.buffer)
    with atomic_file(file) as target:
        return await _write(lines, target)


async def _write(lines: AsyncIterator[bytes], target: IO[bytes]) -> dict[str, Any]:
    """Write the lines and return the footer after verifying its checksum."""
    digest, last, header = hashlib.sha256(), b"", b""
    with progress_bar() as progress:
        task = progress.add_task("Exporting", total=None)
        async for line in lines:
            if not header:
                header = line
                progress.update(task, total=sum(json.loads(line)["counts"].values()))
            else:
                digest.update(last)
                last = line
            target.write(line)
            progress.advance(task)
    target.flush()
    footer = json.loads(last) if last.endswith(b"\n") else {}
    if footer.get("kind") != "footer" or footer["sha256"] != digest.hexdigest():
        fail("The export was interrupted and nothing was saved; start it again.")
    return footer


def bring_in(
    call: Call,
    path: Annotated[
        Path,
        typer.Argument(help="An export, or a folder of notes; `-` is standard input."),
    ],
    origin: Annotated[
        str | None, typer.Option("--from", help="The format, if it is not detected.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="The project to import into.")] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Fetch the pages of bookmarks.")] = False,
    no_wait: NoWait = False,
) -> None:
    """Import an export of remem or of another product. Importing a file twice changes nothing.

    Examples: remem import memory.ndjson · remem import file agents
    """
    if str(path) != "-" and not path.exists():
        fail(f"There is no file {path}.", MISUSED)
    options = drop_unset({"from": origin, "project": project, "fetch": fetch or None})
    job, stats = call.run(lambda remem: _import_all(remem, path, options, not no_wait))
    if call.as_json:
        print_json({**job, "embedding_coverage": stats["embedding_coverage"]})
    elif job["status"] != "failed":
        _print_summary(job)
        if queued_note := still_queued(stats):
            say(queued_note)
    if job["status"] == "failed":
        fail(job["error"])


async def _import_all(
    remem: "AsyncRemem", path: Path, options: dict[str, Any], wait: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Import the file, then wait until its content can be found."""
    job = await _import(remem, path, options)
    wait = wait and job["status"] != "failed"
    return job, await (wait_until_indexed(remem) if wait else remem.stats())


async def _import(remem: "AsyncRemem", path: Path, options: dict[str, Any]) -> dict[str, Any]:
    with _open_input(path) as file:
        upload = await remem.bring_in(file, **options)
    with progress_bar() as progress:
        task = progress.add_task("queued", total=upload["total"] or None)
        while True:
            job = await remem.job(upload["job_id"])
            state = {"completed": job["done"], "total": job["total"] or None}
            progress.update(task, description=job["stage"], **state)
            if job["status"] in ("completed", "failed"):
                return job
            await asyncio.sleep(CHECK_S)


@contextmanager
def _open_input(path: Path) -> Iterator[IO[bytes]]:
    if str(path) == "-":
        yield sys.stdin.buffer
    elif path.is_dir():
        with tempfile.TemporaryFile(prefix="remem-") as archive_file:
            _pack(path.absolute(), archive_file)
            yield archive_file
    else:
        with path.open("rb") as file:
            yield file


def _pack(folder: Path, target: IO[bytes]) -> None:
    """Zip a folder under its own name, without hidden and generated files."""
    from remem.surfaces.cli.saving import files_in

    with zipfile.ZipFile(target, "w", strict_timestamps=False) as archive:
        for file in files_in([folder]):
            archive.write(file, file.relative_to(folder.parent).as_posix())
    target.seek(0)


def _print_summary(job: dict[str, Any]) -> None:
    sums = {
        name: sum(counts.get(name, 0) for kind, counts in job["counts"].items() if kind != "vector")
        for name in ("imported", "unchanged", "left_out")
    }
    say(f"{sums['imported']} imported, {sums['unchanged']} unchanged, {sums['left_out']} left out.")
    for kind, counts in job["counts"].items():
        counted = ", ".join(
            f"{counts[name]} {name.replace('_', ' ')}" for name in sums if counts.get(name)
        )
        say(f"  {kind}: {counted}")
    for problem in job["problems"]:
        say(f"  {problem['line']}, {problem['kind']} {problem['id']}: {problem['problem']}")
