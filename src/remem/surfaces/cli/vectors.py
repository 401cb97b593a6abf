"""`remem vectors`: where the nearest vectors are found."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.backup import here, show_progress
from remem.surfaces.cli.context import Json, Progress
from remem.surfaces.cli.output import fail, print_json, say

if TYPE_CHECKING:
    from remem.core.ports import Ports
    from remem.core.upkeep.move_vectors import MovedVectors
    from remem.settings import Settings

vectors = typer.Typer(help="Where the nearest vectors are found: pgvector or Qdrant.")


class Index(StrEnum):
    PGVECTOR = "pgvector"
    QDRANT = "qdrant"


@vectors.command()
def status(context: typer.Context, as_json: Json = False) -> None:
    """Count the vectors in PostgreSQL and in Qdrant.

    Example: remem vectors status
    """
    from remem.core.upkeep.move_vectors import count_vectors

    settings = here()
    if settings.qdrant_url is None:
        say("The vectors are in PostgreSQL alone (pgvector); REMEM_QDRANT_URL is not set.")
        return
    counted = asyncio.run(context.obj.with_ports(_with_qdrant(settings), count_vectors))
    _show(counted, as_json, index=settings.vector_index)


@vectors.command()
def move(
    context: typer.Context,
    to: Annotated[Index, typer.Argument(help="The index that is to find the vectors.")],
    finish: Annotated[
        bool,
        typer.Option("--finish", help="With pgvector: stop writing to Qdrant and empty it there."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Move the vectors to Qdrant or back, while servers and workers run.

    Qdrant gets every vector, and what is saved meanwhile; then the counts are compared.
    PostgreSQL keeps all vectors, so that moving back needs its index alone.

    Example: REMEM_QDRANT_URL=http://127.0.0.1:6333 remem vectors move qdrant
    """
    settings = here()
    if to is Index.QDRANT and settings.qdrant_url is None:
        fail("REMEM_QDRANT_URL is not set; set it to the address of your Qdrant.")
    work = _to_qdrant if to is Index.QDRANT else _to_pgvector
    opened = _with_qdrant(settings) if settings.qdrant_url else settings
    moved = show_progress(
        "Vectors", lambda tell: context.obj.with_ports(opened, work(tell, finish))
    )
    if moved is not None:
        _show(moved, as_json, index=str(to))
    if not as_json and not (finish and to is Index.PGVECTOR):
        say(f"Now set REMEM_VECTOR_INDEX={to} for every process, and restart them one by one.")


Work = Callable[["Ports"], Awaitable[Any]]


def _to_qdrant(tell: Progress, finish: bool) -> Work:
    from remem.core.upkeep.move_vectors import fill_copy

    return lambda ports: fill_copy(ports, tell)


def _to_pgvector(tell: Progress, finish: bool) -> Work:
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
        waiting = f", {moved.waiting} changes wait" if moved.waiting else ""
        say(
            f"{moved.stored} vectors of {moved.tenants} tenants in PostgreSQL, {moved.indexed} in"
            f" Qdrant{waiting}."
        )
    if moved.differing:
        fail("The counts differ; run `remem vectors move qdrant` again.")
