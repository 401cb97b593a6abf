"""`remem backup`, `remem restore` and `remem reembed`, which work on the store of this machine."""

import asyncio
from collections.abc import Callable
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import LOCAL, Json, Yes
from remem.surfaces.cli.output import (
    MISUSED,
    NOTHING_FOUND,
    confirm,
    fail,
    print_json,
    print_note,
    say,
)

if TYPE_CHECKING:
    from remem.settings import Settings


def backup(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(help="The file to write; a new one next to the nightly backups if absent."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Check a backup instead, by default the latest nightly one: restore it into a"
            " scratch store and compare.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Back up the store of this machine, with all users, to one file, while it is in use.

    Example: remem backup remem-2026-11-15.tar.gz
    """
    settings = local_settings()
    if verify:
        _verify(context, file or _latest(settings), as_json)
        return
    file = file or new_backup(settings)
    if file.exists() and not force:
        fail(f"{file} exists already; choose another name, or pass --force.", MISUSED)
    if not file.parent.is_dir():
        fail(f"There is no folder {file.parent}.", MISUSED)
    try:
        report = show_progress("Originals", lambda tell: context.obj.back_up(settings, file, tell))
    except FileExistsError:
        fail(f"{file}.part exists: another backup is running, or was interrupted; remove it.")
    except OSError as error:
        fail(f"{file} cannot be written ({error.strerror}); choose another place.")
    if as_json:
        print_json({"file": str(file), **report})
    else:
        lost = f" ({report['missing']} were lost before)" if report["missing"] else ""
        say(f"{file}: {file.stat().st_size:,} bytes, {_contents(report)}{lost}.")
    _warn_empty(report, "This store")
    _warn_damaged(report["damaged"])


def new_backup(settings: "Settings") -> Path:
    """A file next to the nightly backups that does not exist yet."""
    from remem.core.backup.nightly import new_file, prepare_folder
    from remem.core.time import now

    folder = _nightly_folder(settings)
    prepare_folder(folder, settings.min_free_bytes)
    return new_file(folder, now())


def _latest(settings: "Settings") -> Path:
    from remem.core.backup.nightly import nightly_files

    folder = _nightly_folder(settings)
    files = nightly_files(folder)
    if not files:
        fail(f"There is no backup in {folder} yet; `remem backup` makes one.", NOTHING_FOUND)
    return files[-1]


def _nightly_folder(settings: "Settings") -> Path:
    if settings.backups_folder is None:
        fail("There are no nightly backups here; name a file, or set REMEM_BACKUPS.", MISUSED)
    return settings.backups_folder


def _verify(context: typer.Context, file: Path, as_json: bool) -> None:
    import tempfile

    if not file.is_file():
        fail(f"There is no file {file}.", MISUSED)
    with tempfile.TemporaryDirectory(prefix="remem-") as folder:
        scratch = Path(folder) / "scratch"
        report = show_progress(
            "Originals", lambda tell: context.obj.compare_backup(scratch, file, tell)
        )
    if as_json:
        print_json({"file": str(file), **report})
    else:
        say(
            f"{file} is whole: {report['rows']:,} rows of {report['tables']} tables and"
            f" {report['originals']:,} originals were restored and are equal."
        )


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file that `remem backup` wrote.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace everything in this store.")
    ] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Replace the store of this machine with a backup. A store that is not empty needs --force.

    Example: REMEM_DATA_DIR=~/restored remem restore remem-2026-11-15.tar.gz
    """
    if not file.is_file():
        fail(f"There is no file {file}.", MISUSED)
    settings = local_settings()
    if force:
        confirm("Everything in this store will be replaced by the backup. Continue?", yes)
    report = show_progress(
        "Originals", lambda tell: context.obj.restore_backup(settings, file, force, tell)
    )
    if as_json:
        print_json(report)
    else:
        say(f"Restored as of {report['made_at']}, with {_contents(report)}.")
    _warn_empty(report, "The backup")
    _warn_damaged(report["damaged"])


def _contents(report: dict[str, Any]) -> str:
    return ", ".join(f"{report[name]:,} {name}" for name in ("documents", "memories", "originals"))


def _warn_empty(report: dict[str, Any], what: str) -> None:
    """A backup of another data folder than the one in use is complete, and of no use."""
    if not report["documents"] and not report["memories"]:
        print_note(f"{what} is empty; check that REMEM_DATA_DIR names the folder you mean.")


def _warn_damaged(names: list[str]) -> None:
    """Warn about damaged originals on standard error. The file is complete and contains them as
    they are."""
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
    accept_loss: Annotated[
        bool,
        typer.Option("--accept-loss", help="Also if questions of REMEM_QUESTIONS are lost."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Re-embed everything with the configured model.

    Searching works meanwhile. When interrupted, run it again, or let a server's worker continue it.

    Example: REMEM_EMBEDDING_PROVIDER=ollama REMEM_EMBEDDING_MODEL=nomic-embed-text remem reembed
    """
    settings = local_settings()
    if accept_loss:
        settings = settings.model_copy(update={"questions_accept_loss": True})
    report = show_progress(
        "Embedding", lambda tell: context.obj.reembed(settings, again, prune, tell)
    )
    if as_json:
        print_json(report)
    else:
        say(f"{report['embedded']} embedded with {report['model']}.")


def local_settings() -> "Settings":
    """Load the settings of this machine's store. These commands need direct access to it, not a
    server."""
    from remem.logs import configure
    from remem.settings import load

    if environ.get("REMEM_URL", LOCAL) != LOCAL:
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

        def update(done: int, total: int | None) -> None:
            bar.update(task, completed=done, total=total)

        return asyncio.run(work(update))
