"""`remem evolve`: what remem learned and does by itself."""

from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import Json, Key, Url, request
from remem.surfaces.cli.output import print_fields, print_json, print_table, say

evolve = typer.Typer(help="What remem learned and does by itself: policy, jobs, arena, undo.")

Project = Annotated[str | None, typer.Option(help="A project by id, slug, path or name.")]
Number = Annotated[int, typer.Option(help="How many at most.")]


@evolve.command()
def policy(
    project: Project = None,
    pin: Annotated[str | None, typer.Option(help="Put an arm in force.")] = None,
    unpin: Annotated[bool, typer.Option("--unpin", help="Leave it to the arena again.")] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show which way of searching is in force, and why; or pin one.

    Example: remem evolve policy --project work
    """
    if pin or unpin:
        body = {"project": project, "arm": pin}
        found = request(url, key, "POST", "/api/evolve/policy", json=body)
    else:
        params = {"project": project} if project else {}
        found = request(url, key, "GET", "/api/evolve/policy", params=params)
    if as_json:
        print_json(found)
        return
    reason = found.pop("reason")
    print_fields({**found, **{name: value for name, value in reason.items() if value is not None}})


@evolve.command()
def jobs(
    status: Annotated[
        str | None, typer.Option(help="pending, running, completed or failed.")
    ] = None,
    limit: Number = 20,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """List the jobs of evolution, the newest first.

    Example: remem evolve jobs --status failed
    """
    params = {"limit": limit, **({"status": status} if status else {})}
    found = request(url, key, "GET", "/api/evolve/jobs", params=params)["jobs"]
    if as_json:
        print_json(found)
        return
    _print_jobs(found, "No jobs yet; `remem evolve run` does what is due.")


@evolve.command()
def run(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Do what is due now: at most five jobs in 25 seconds, the most urgent first.

    Example: remem evolve run
    """
    done = request(url, key, "POST", "/api/evolve/run", json={})
    if as_json:
        print_json(done)
        return
    _print_jobs(done["jobs"], "Nothing is due.")
    if done["left"]:
        say("More is due; run it again.")


@evolve.command("arena-campaign")
def arena_campaign(
    project: Project = None,
    max_projects: Annotated[int, typer.Option(help="Projects to try at most.")] = 10,
    time_budget_ms: Annotated[int, typer.Option(help="Milliseconds for all of them.")] = 25_000,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Compare the ways of searching on your sessions now, and decide which are in force.

    Example: remem evolve arena-campaign --max-projects 10 --time-budget-ms 600000
    """
    body = {"project": project, "maxProjects": max_projects, "timeBudgetMs": time_budget_ms}
    found = request(url, key, "POST", "/api/evolve/arena", json=body)["projects"]
    if as_json:
        print_json(found)
        return
    rows = [(one["project"], one["episodes"], one["pulls"], one["arm"] or "-") for one in found]
    print_table(["project", "episodes", "pulls", "policy"], rows, "No project has sessions yet.")


@evolve.command()
def arena(project: Project = None, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show how each way of searching did.

    Example: remem evolve arena --project work
    """
    params = {"project": project} if project else {}
    found = request(url, key, "GET", "/api/evolve/arena", params=params)
    if as_json:
        print_json(found)
        return
    rows = [
        (one["id"], one["pulls"], f"{one['score']:.3f}", f"{one['recall']:.2f}", one["tookMs"])
        for one in found["arms"]
    ]
    print_table(["arm", "pulls", "score", "recall", "ms"], rows, "No arms.")
    say(f"In force: {found['policy']['id']} ({found['policy']['source']}).")


@evolve.command()
def actions(
    limit: Number = 20,
    undo: Annotated[str | None, typer.Option(help="Undo the action of this id.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """List what was merged, decayed, promoted and derived; or undo one of it.

    Example: remem evolve actions --limit 5
    """
    if undo:
        done = request(url, key, "POST", f"/api/evolve/actions/{undo}/undo", json={})
        print_json(done) if as_json else say(f"Undone: {done['action']} of {done['memoryId']}.")
        return
    params = {"limit": limit}
    found = request(url, key, "GET", "/api/evolve/actions", params=params)["actions"]
    if as_json:
        print_json(found)
        return
    rows = [
        (one["action"], one["content"][:60], "undone" if one["undoneAt"] else "", one["id"])
        for one in found
    ]
    print_table(["action", "memory", "", "id"], rows, "Nothing was changed yet.")


def _print_jobs(found: list[dict[str, Any]], otherwise: str) -> None:
    rows = [
        (one["jobType"], one["status"], _told(one), one["createdAt"][:19], one["id"])
        for one in found
    ]
    print_table(["job", "status", "result", "created", "id"], rows, otherwise)


def _told(job: dict[str, Any]) -> str:
    counted = {name: value for name, value in job["result"].items() if value is not None}
    result = ", ".join(f"{name} {value}" for name, value in counted.items())
    return job["error"] or result
