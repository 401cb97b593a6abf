"""`remem tenants`: manage the tenants of this store as its operator."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from remem.surfaces.cli.backup import local_settings
from remem.surfaces.cli.context import Json, Yes
from remem.surfaces.cli.output import confirm, print_json, print_table, say

if TYPE_CHECKING:
    from remem.core.ports import Ports

tenants = typer.Typer(help="Tenants of this store, for its operator: plans, limits, usage.")
Id = Annotated[UUID, typer.Argument(help="The tenant's id, as `remem tenants list` shows it.")]


def _run(context: typer.Context, work: "Callable[[Ports], Awaitable[Any]]") -> Any:
    settings = local_settings().model_copy(update={"analysis_processes": 0})
    return asyncio.run(context.obj.with_ports(settings, work))


@tenants.command("list")
def list_all(context: typer.Context, as_json: Json = False) -> None:
    """List every tenant with its plan.

    Example: remem tenants list
    """
    from remem.core.identity.operate import list_tenants
    from remem.surfaces.tenant_views import tenant_view

    async def work(ports: "Ports") -> list[dict[str, Any]]:
        return [tenant_view(tenant) for tenant in await list_tenants(ports, limit=1_000_000)]

    views = _run(context, work)
    if as_json:
        print_json({"tenants": views})
        return
    rows = [
        (view["id"], view["plan"], view["memory_count"], _limit(view), view["name"])
        for view in views
    ]
    print_table(("id", "plan", "memories", "limit", "name"), rows, "There are no tenants yet.")


@tenants.command()
def usage(context: typer.Context, id: Id, as_json: Json = False) -> None:
    """Show the usage of a tenant.

    Example: remem tenants usage 01a1e5a8-6ed6-74ff-915e-41b374ed72f8
    """
    from remem.core.identity.operate import get_tenant, operator_scope
    from remem.core.stats.count import count_all
    from remem.surfaces.tenant_views import tenant_view

    async def work(ports: "Ports") -> dict[str, Any]:
        tenant = await get_tenant(ports, id)
        return tenant_view(tenant, await count_all(ports, operator_scope(id)))

    view = _run(context, work)
    if as_json:
        print_json(view)
        return
    counts = view["usage"]
    say(_line(view))
    say(
        f"{counts['documents']} documents ({counts['documents_this_week']} this week),"
        f" {counts['chunks']} chunks, {counts['storage_bytes']:,} bytes."
    )


@tenants.command()
def plan(
    context: typer.Context,
    id: Id,
    name: Annotated[str, typer.Argument(help="free, hobby, pro or self-hosted.")],
    as_json: Json = False,
) -> None:
    """Set the plan of a tenant.

    Example: remem tenants plan 01a1e5a8-6ed6-74ff-915e-41b374ed72f8 hobby
    """
    _change(context, id, as_json, plan=name)


@tenants.command()
def limit(
    context: typer.Context,
    id: Id,
    memories: Annotated[str, typer.Argument(help="A number, or `plan` for the limit of the plan.")],
    as_json: Json = False,
) -> None:
    """Set a tenant's own memory limit, which overrides the limit of its plan.

    Example: remem tenants limit 01a1e5a8-6ed6-74ff-915e-41b374ed72f8 5000
    """
    if memories != "plan" and not memories.isdecimal():
        raise typer.BadParameter("give a number of memories, or `plan`", param_hint="memories")
    _change(context, id, as_json, memory_limit=None if memories == "plan" else int(memories))


@tenants.command()
def suspend(context: typer.Context, id: Id, yes: Yes = False, as_json: Json = False) -> None:
    """Suspend a tenant: nobody can access it, and its data is kept.

    Example: remem tenants suspend 01a1e5a8-6ed6-74ff-915e-41b374ed72f8
    """
    question = "Nobody can access this tenant's data until it is resumed. Continue?"
    confirm(question, yes, undoable=True)
    _change(context, id, as_json, suspended=True)


@tenants.command()
def resume(context: typer.Context, id: Id, as_json: Json = False) -> None:
    """Resume a suspended tenant.

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


def _line(tenant: dict[str, Any]) -> str:
    return (
        f"{tenant['id']}  {tenant['name']}  {tenant['plan']}, {tenant['memory_count']:,} memories"
        f" ({_limit(tenant)})"
    )


def _limit(tenant: dict[str, Any]) -> str:
    memory_limit = (
        "no limit" if tenant["memory_limit"] is None else f"of {tenant['memory_limit']:,}"
    )
    suspended = f", suspended since {tenant['suspended_at']}" if tenant["suspended_at"] else ""
    return f"{memory_limit}{suspended}"
