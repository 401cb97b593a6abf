"""`remem vectors`: which index searches the vectors."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.backup import local_settings, show_progress
from remem.surfaces.cli.context import Json, Progress
from remem.surfaces.cli.output import fail, print_json, say

if TYPE_CHECKING:
    from remem.core.ports import Ports
    from remem.core.upkeep.move_vectors import MovedVectors
    from remem.settings import Settings

vectors = typer.Typer(help="The index that searches vectors: pgvector or Qdrant.")


class Index(StrEnum):
    PGVECTOR = "pgvector"
    QDRANT = "qdrant"


@vectors.command()
def status(context: typer.Context, as_json: Json = False) -> None:
    """Count the vectors in PostgreSQL and in Qdrant.

    Example: remem vectors status
    """
    from remem.core.upkeep.move_vectors import count_vectors

    settings = local_settings()
    if settings.qdrant_url is None:
        say("The vectors are in PostgreSQL only (pgvector); REMEM_QDRANT_URL is not set.")
        return
    counts = asyncio.run(context.obj.with_ports(_with_qdrant(settings), count_vectors))
    _show(counts, as_json, index=settings.vector_index)


@vectors.command()
def move(
    context: typer.Context,
    to: Annotated[Index, typer.Argument(help="The index to move to.")],
    finish: Annotated[
        bool,
        typer.Option(
            "--finish", help="With pgvector: stop writing to Qdrant and delete its vectors."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Move the vectors to Qdrant or back, while servers and workers run.

    Qdrant gets every vector, including those saved meanwhile; then the counts are compared.
    PostgreSQL keeps all vectors, so moving back only rebuilds its index.

    Example: REMEM_QDRANT_URL=http://127.0.0.1:6333 remem vectors move qdrant
    """
    settings = local_settings()
    if to is Index.QDRANT and settings.qdrant_url is None:
        fail("REMEM_QDRANT_URL is not set; set it to the address of your Qdrant.")
    work = _to_qdrant if to is Index.QDRANT else _to_pgvector
    settings_with_qdrant = _with_qdrant(settings) if settings.qdrant_url else settings
    moved = show_progress(
        "Vectors",
        lambda report_progress: context.obj.with_ports(
            settings_with_qdrant, work(report_progress, finish)
        ),
    )
    if moved is not None:
        _show(moved, as_json, index=str(to))
    if not as_json and not (finish and to is Index.PGVECTOR):
        say(f"Now set REMEM_VECTOR_INDEX={to} for every process, and restart them one by one.")


Work = Callable[["Ports"], Awaitable[Any]]


def _to_qdrant(report_progress: Progress, finish: bool) -> Work:
    from remem.core.upkeep.move_vectors import fill_copy

    return lambda ports: fill_copy(ports, report_progress)


def _to_pgvector(report_progress: Progress, finish: bool) -> Work:
    from remem.core.upkeep.move_vectors import end_copy

    async def work(ports: "Ports") -> None:
        await ports.vectors.build(ports.embedder.dimensions)
        if finish:
            await end_copy(ports)

    return work


def _with_qdrant(settings: "Settings") -> "Settings":
    return settings.model_copy(update={"vector_index": "qdrant", "analysis_processes": 0})


def _show(moved: "MovedVectors", as_json: bool, index: str) -> None:
    if as_json:
        print_json({"index": index, **asdict(moved)})
    else:
        waiting = f", {moved.waiting} changes pending" if moved.waiting else ""
        say(
            f"{moved.stored} vectors of {moved.tenants} tenants in PostgreSQL, {moved.indexed} in"
            f" Qdrant{waiting}."
        )
    if moved.differing:
        fail("The counts differ; run `remem vectors move qdrant` again.")
