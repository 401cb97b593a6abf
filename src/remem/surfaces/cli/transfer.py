"""`remem export` and `remem import`: everything out into a file, and in again."""

import asyncio
import hashlib
import json
import sys
import tempfile
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from remem.client import BLOCK_BYTES
from remem.surfaces.cli.context import Json, Key, Url, memory
from remem.surfaces.cli.output import FAILED, MISUSED, err, fail, out, plain_errors, print_json
from remem.surfaces.cli.saving import files_in

CHECK_S = 0.2


def export(
    file: Annotated[Path, typer.Argument(help="The file to write; `-` is standard output.")],
    originals: Annotated[
        bool, typer.Option("--originals/--no-originals", help="With files as they were saved.")
    ] = True,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="With vectors, for a server of the same model.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Write everything into one file of lines, of one moment.

    Example: remem export memory.ndjson
    """
    if str(file) != "-" and file.exists() and not force:
        fail(f"There is a file {file} already; choose another name, or --force.", MISUSED)
    with plain_errors():
        footer = asyncio.run(_export(file, url, key, originals, vectors))
    if str(file) != "-":
        out.print(f"{footer['lines']} lines in {file}.", highlight=False, soft_wrap=True)


async def _export(
    file: Path, url: str | None, key: str | None, originals: bool, vectors: bool
) -> dict[str, Any]:
    async with memory(url, key) as client:
        lines = client.export(originals=originals, vectors=vectors)
        if str(file) == "-":
            return await _write(lines, sys.stdout.buffer)
        # Under its name there is a whole file or none: a cut one is begun anew.
        fresh = file.with_name(f"{file.name}.part")
        try:
            with fresh.open("wb") as target:
                footer = await _write(lines, target)
            fresh.replace(file)
        except OSError as error:
            fail(f"{file} cannot be written ({error.strerror}); choose another place.")
        finally:
            fresh.unlink(missing_ok=True)
        return footer


async def _write(lines: AsyncIterator[bytes], target: IO[bytes]) -> dict[str, Any]:
    """Give back the footer, once it is the right one."""
    digest, last, header = hashlib.sha256(), b"", b""
    with _progress() as progress:
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
        fail("The export was cut off; nothing was kept, begin it anew.")
    return footer


def bring_in(
    path: Annotated[
        Path,
        typer.Argument(help="An export, or a folder of notes; `-` is standard input."),
    ],
    origin: Annotated[
        str | None, typer.Option("--from", help="Whose export it is, if that is not plain.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Where its things go.")] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Fetch the pages that bookmarks only name.")
    ] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Bring an export in, of remem or of another product. The same file twice changes nothing.

    Example: remem import memory.ndjson
    """
    if str(path) != "-" and not path.exists():
        fail(f"There is no file {path}.", MISUSED)
    options = {"from": origin, "project": project, "fetch": fetch or None}
    with plain_errors():
        job = asyncio.run(_import(path, _given(options), url, key))
    if as_json:
        print_json(job)
    elif job["status"] == "failed":
        fail(job["error"])
    else:
        _print_summary(job)
    if job["status"] == "failed":
        raise typer.Exit(FAILED)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


async def _import(
    path: Path, options: dict[str, Any], url: str | None, key: str | None
) -> dict[str, Any]:
    async with memory(url, key) as client:
        with _opened(path) as file:
            begun = await client.request(
                "POST", "/v3/import", params=options, content=_blocks(file)
            )
        with _progress() as progress:
            task = progress.add_task("queued", total=begun["total"] or None)
            while True:
                job = await client.job(begun["job_id"])
                told = {"completed": job["done"], "total": job["total"] or None}
                progress.update(task, description=job["stage"], **told)
                if job["status"] in ("completed", "failed"):
                    return job
                await asyncio.sleep(CHECK_S)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    if str(path) == "-":
        yield sys.stdin.buffer
    elif path.is_dir():
        with tempfile.TemporaryFile(prefix="remem-") as packed:
            _pack(path.absolute(), packed)
            yield packed
    else:
        with path.open("rb") as file:
            yield file


def _pack(folder: Path, packed: IO[bytes]) -> None:
    """A folder as one file, named as it is, without what is hidden or was generated."""
    with zipfile.ZipFile(packed, "w", strict_timestamps=False) as archive:
        for file in files_in([folder]):
            archive.write(file, file.relative_to(folder.parent).as_posix())
    packed.seek(0)


async def _blocks(file: IO[bytes]) -> AsyncIterator[bytes]:
    while block := await asyncio.to_thread(file.read, BLOCK_BYTES):
        yield block


def _print_summary(job: dict[str, Any]) -> None:
    sums = {
        name: sum(each.get(name, 0) for kind, each in job["counts"].items() if kind != "vector")
        for name in ("imported", "unchanged", "left_out")
    }
    out.print(
        f"{sums['imported']} imported, {sums['unchanged']} unchanged, {sums['left_out']} left out.",
        highlight=False,
    )
    for kind, each in job["counts"].items():
        told = ", ".join(
            f"{each[name]} {name.replace('_', ' ')}" for name in sums if each.get(name)
        )
        out.print(f"  {kind}: {told}", highlight=False)
    for one in job["problems"]:
        out.print(
            f"  {one['line']}, {one['kind']} {one['id']}: {one['problem']}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
