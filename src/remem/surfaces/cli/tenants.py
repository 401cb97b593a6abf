"""`remem tenants`: what the operator does with the accounts of this store."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from remem.surfaces.cli.backup import here
from remem.surfaces.cli.context import Json, Yes
from remem.surfaces.cli.output import confirm, print_json, print_table, say

if TYPE_CHECKING:
    from remem.core.ports import Ports

tenants = typer.Typer(help="The accounts of this store, for who runs it: plans, limits, usage.")
Id = Annotated[UUID, typer.Argument(help="The tenant's id, as `remem tenants list` shows it.")]


def _run(context: typer.Context, work: "Callable[[Ports], Awaitable[Any]]") -> Any:
    settings = here().model_copy(update={"analysis_processes": 0})
    return asyncio.run(context.obj.with_ports(settings, work))


@tenants.command("list")
def list_all(context: typer.Context, as_json: Json = False) -> None:
    """List every tenant with its plan.

    Example: remem tenants list
    """
    from remem.core.identity.operate import list_tenants
    from remem.surfaces.tenant_views import tenant_view

    async def work(ports: "Ports") -> list[dict[str, Any]]:
        return [tenant_view(one) for one in await list_tenants(ports, limit=1_000_000)]

    found = _run(context, work)
    if as_json:
        print_json({"tenants": found})
        return
    rows = [
        (one["id"], one["plan"], one["memory_count"], _limit(one), one["name"]) for one in found
    ]
    print_table(("id", "plan", "memories", "limit", "name"), rows, "There are no tenants yet.")


@tenants.command()
def usage(context: typer.Context, id: Id, as_json: Json = False) -> None:
    """Show what a tenant uses.

    Example: remem tenants usage 01a1e5a8-6ed6-74ff-915e-41b374ed72f8
    """
    from remem.core.identity.operate import as_operator, get_tenant
    from remem.core.stats.count import count_all
    from remem.surfaces.tenant_views import tenant_view

    async def work(ports: "Ports") -> dict[str, Any]:
        found = await get_tenant(ports, id)
        return tenant_view(found, await count_all(ports, as_operator(id)))

    found = _run(context, work)
    if as_json:
        print_json(found)
        return
    used = found["usage"]
    say(_line(found))
    say(
        f"{used['documents']} documents ({used['documents_this_week']} this week),"
        f" {used['chunks']} chunks, {used['storage_bytes']:,} bytes."
    )


@tenants.command()
def plan(
    context: typer.Context,
    id: Id,
    name: Annotated[str, typer.Argument(help="free, hobby, pro or self-hosted.")],
    as_json: Json = False,
) -> None:
    """Give a tenant a plan.

    Example: remem tenants plan 01a1e5a8-6ed6-74ff-915e-41b374ed72f8 hobby
    """
    _change(context, id, as_json, plan=name)


@tenants.command()
def limit(
    context: typer.Context,
    id: Id,
    memories: Annotated[str, typer.Argument(help="A number, or `plan` for that of the plan.")],
    as_json: Json = False,
) -> None:
    """Give a tenant a limit of its own, which goes before that of its plan.

    Example: remem tenants limit 01a1e5a8-6ed6-74ff-915e-41b374ed72f8 5000
    """
    if memories != "plan" and not memories.isdecimal():
        raise typer.BadParameter("give a number of memories, or `plan`", param_hint="memories")
    _change(context, id, as_json, memory_limit=None if memories == "plan" else int(memories))


@tenants.command()
def suspend(context: typer.Context, id: Id, yes: Yes = False, as_json: Json = False) -> None:
    """Keep everybody out of a tenant; its data is kept.

    Example: remem tenants suspend 01a1e5a8-6ed6-74ff-915e-41b374ed72f8
    """
    question = "Nobody will get at this tenant's data until it is resumed. Continue?"
    confirm(question, yes, undoable=True)
    _change(context, id, as_json, suspended=True)


@tenants.command()
def resume(context: typer.Context, id: Id, as_json: Json = False) -> None:
    """Let its members in again.

    Example: remem tenants resume 01a1e5a8-6ed6-74ff-915e-41b374ed72f8
    """
    _change(context, id, as_json, suspended=False)


def _change(context: typer.Context, id: UUID, as_json: bool, **fields: Any) -> None:
    from remem.core.identity.model import PlanChange
    from remem.core.identity.operate import change_plan
    from remem.surfaces.tenant_views import tenant_view

    async def work(ports: "Ports") -> dict[str, Any]:
        return tenant_view(await change_plan(ports, id, PlanChange(frozenset(fields), **fields)))

    changed = _run(context, work)
    if as_json:
        print_json(changed)
    else:
        say(_line(changed))


def _line(one: dict[str, Any]) -> str:
    return (
        f"{one['id']}  {one['name']}  {one['plan']}, {one['memory_count']:,} memories"
        f" ({_limit(one)})"
    )


def _limit(one: dict[str, Any]) -> str:
    most = "no limit" if one["memory_limit"] is None else f"of {one['memory_limit']:,}"
    suspended = f", suspended since {one['suspended_at']}" if one["suspended_at"] else ""
    return f"{most}{suspended}"
