"""`remem backup`, `remem restore` and `remem reembed`: the whole store, where it is."""

import asyncio
from collections.abc import Callable
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import HERE, Json, Yes
from remem.surfaces.cli.output import MISUSED, confirm, fail, print_json, print_note, say

if TYPE_CHECKING:
    from remem.settings import Settings


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The file to write, such as remem.tar.gz.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    as_json: Json = False,
) -> None:
    """Back up the store of this machine, with all users, to one file, while it is in use.

    Example: remem backup remem-2026-11-15.tar.gz
    """
    if file.exists() and not force:
        fail(f"There is a file {file} already; choose another name, or --force.", MISUSED)
    if not file.parent.is_dir():
        fail(f"There is no folder {file.parent}.", MISUSED)
    settings = here()
    try:
        made = show_progress("Originals", lambda tell: context.obj.back_up(settings, file, tell))
    except FileExistsError:
        fail(f"{file}.part exists: another backup is running, or was interrupted; remove it.")
    except OSError as error:
        fail(f"{file} cannot be written ({error.strerror}); choose another place.")
    if as_json:
        print_json(made)
    else:
        lost = f" ({made['missing']} were lost before)" if made["missing"] else ""
        say(f"{file}: {file.stat().st_size:,} bytes, {made['originals']} originals{lost}.")
    _name_damaged(made["damaged"])


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file that `remem backup` wrote.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace everything in this store.")
    ] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Restore the store of this machine from a backup. A store that is not empty needs --force.

    Example: REMEM_DATA_DIR=~/restored remem restore remem-2026-11-15.tar.gz
    """
    if not file.is_file():
        fail(f"There is no file {file}.", MISUSED)
    settings = here()
    if force:
        confirm("Everything in this store will be replaced by the backup. Continue?", yes)
    made = show_progress(
        "Originals", lambda tell: context.obj.put_back(settings, file, force, tell)
    )
    if as_json:
        print_json(made)
    else:
        say(f"Restored as of {made['made_at']}, with {made['originals']} originals.")
    _name_damaged(made["damaged"])


def _name_damaged(names: list[str]) -> None:
    """Beside the answer: the file is whole, and has them as they are."""
    for name in names:
        print_note(f"damaged: {name} differs from what was saved; save it again.")


def reembed(
    context: typer.Context,
    again: Annotated[
        bool, typer.Option("--again", help="Also items that have a vector of this model.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove the vectors of other models at the end.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Re-embed everything with the configured model.

    Searching goes on meanwhile. Stopped, it goes on when it is run again, or by a server's worker.

    Example: REMEM_EMBEDDING_PROVIDER=ollama REMEM_EMBEDDING_MODEL=nomic-embed-text remem reembed
    """
    settings = here()
    done = show_progress(
        "Embedding", lambda tell: context.obj.reembed(settings, again, prune, tell)
    )
    if as_json:
        print_json(done)
    else:
        say(f"{done['embedded']} embedded with {done['model']}.")


def here() -> "Settings":
    """These need direct access to the store, not a server."""
    from remem.logs import configure
    from remem.settings import load

    if environ.get("REMEM_URL", HERE) != HERE:
        fail(
            "REMEM_URL names a server; run this on its machine without it, or use `remem export`.",
            MISUSED,
        )
    settings = load()
    configure(settings, quiet=True)
    return settings


def show_progress(title: str, work: Callable[[Callable[[int, int | None], None]], Any]) -> Any:
    from remem.surfaces.cli.waiting import progress_bar

    with progress_bar() as bar:
        task = bar.add_task(title, total=None)

        def tell(done: int, total: int | None) -> None:
            bar.update(task, completed=done, total=total)

        return asyncio.run(work(tell))
