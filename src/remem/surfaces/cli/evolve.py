"""`remem evolve`: what remem learned and what it does on its own."""

from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import Call
from remem.surfaces.cli.output import print_json, print_table, say

evolve = typer.Typer(help="What remem learned and does automatically: policy, jobs, arena, undo.")

Project = Annotated[str | None, typer.Option(help="A project by id, slug, path or name.")]
Number = Annotated[int, typer.Option(help="The maximum number of results.")]


@evolve.command()
def policy(
    call: Call,
    project: Project = None,
    pin: Annotated[str | None, typer.Option(help="Pin this arm.")] = None,
    unpin: Annotated[bool, typer.Option("--unpin", help="Let the arena decide again.")] = False,
) -> None:
    """Show which search policy is active, and why; or pin one.

    Example: remem evolve policy --project work
    """
    if pin or unpin:
        body = {"project": project, "arm": pin}
        active = call.request("POST", "/api/evolve/policy", json=body)
    else:
        params = {"project": project} if project else {}
        active = call.request("GET", "/api/evolve/policy", params=params)
    reason = {name: value for name, value in active["reason"].items() if value is not None}
    fields = {name: value for name, value in active.items() if name != "reason"}
    call.print_fields(active, fields | reason)


@evolve.command()
def jobs(
    call: Call,
    status: Annotated[
        str | None, typer.Option(help="pending, running, completed or failed.")
    ] = None,
    limit: Number = 20,
) -> None:
    """List evolution jobs, newest first.

    Example: remem evolve jobs --status failed
    """
    params = {"limit": limit, **({"status": status} if status else {})}
    listed = call.request("GET", "/api/evolve/jobs", params=params)["jobs"]
    if call.as_json:
        print_json(listed)
        return
    _print_jobs(listed, "No jobs yet; `remem evolve run` runs those that are due.")


@evolve.command()
def run(call: Call) -> None:
    """Run the jobs that are due: at most five in 25 seconds, most urgent first.

    Example: remem evolve run
    """
    done = call.request("POST", "/api/evolve/run", json={})
    if call.as_json:
        print_json(done)
        return
    _print_jobs(done["jobs"], "Nothing is due.")
    if done["left"]:
        say("More is due; run it again.")


@evolve.command("arena-campaign")
def arena_campaign(
    call: Call,
    project: Project = None,
    max_projects: Annotated[int, typer.Option(help="The maximum number of projects.")] = 10,
    time_budget_ms: Annotated[
        int, typer.Option(help="The time limit for all of them, in milliseconds.")
    ] = 25_000,
) -> None:
    """Compare the search policies on your sessions now, and decide which are active.

    Example: remem evolve arena-campaign --max-projects 10 --time-budget-ms 600000
    """
    body = {"project": project, "maxProjects": max_projects, "timeBudgetMs": time_budget_ms}
    results = call.request("POST", "/api/evolve/arena", json=body)["projects"]
    rows = [
        (result["project"], result["episodes"], result["pulls"], result["arm"] or "-")
        for result in results
    ]
    call.print_table(
        results, ["project", "episodes", "pulls", "policy"], rows, "No project has sessions yet."
    )


@evolve.command()
def arena(call: Call, project: Project = None) -> None:
    """Show how each search policy performed.

    Example: remem evolve arena --project work
    """
    params = {"project": project} if project else {}
    reply = call.request("GET", "/api/evolve/arena", params=params)
    if call.as_json:
        print_json(reply)
        return
    rows = [
        (arm["id"], arm["pulls"], f"{arm['score']:.3f}", f"{arm['recall']:.2f}", arm["tookMs"])
        for arm in reply["arms"]
    ]
    print_table(["arm", "pulls", "score", "recall", "ms"], rows, "No arms.")
    say(f"Active: {reply['policy']['id']} ({reply['policy']['source']}).")


@evolve.command()
def actions(
    call: Call,
    limit: Number = 20,
    undo: Annotated[str | None, typer.Option(help="Undo the action with this id.")] = None,
) -> None:
    """List what was merged, decayed, promoted and derived; or undo an action.

    Example: remem evolve actions --limit 5
    """
    if undo:
        undone = call.request("POST", f"/api/evolve/actions/{undo}/undo", json={})
        print_json(undone) if call.as_json else say(
            f"Undone: {undone['action']} of {undone['memoryId']}."
        )
        return
    params = {"limit": limit}
    listed = call.request("GET", "/api/evolve/actions", params=params)["actions"]
    rows = [
        (
            action["action"],
            action["content"][:60],
            "undone" if action["undoneAt"] else "",
            action["id"],
        )
        for action in listed
    ]
    call.print_table(listed, ["action", "memory", "", "id"], rows, "Nothing was changed yet.")


@evolve.command()
def signals(call: Call, project: Project = None, limit: Number = 20) -> None:
    """List what was used in answers or rated as helpful or not, newest first.

    Example: remem evolve signals --project work
    """
    params = {"limit": limit, **({"project": project} if project else {})}
    listed = call.request("GET", "/api/evolve/signals", params=params)["signals"]
    rows = [
        (signal["type"], signal["query"] or "-", len(signal["ids"]), signal["createdAt"][:19])
        for signal in listed
    ]
    call.print_table(listed, ["signal", "query", "items", "created"], rows, "No signals yet.")


def _print_jobs(listed: list[dict[str, Any]], empty: str) -> None:
    rows = [
        (job["jobType"], job["status"], _describe_result(job), job["createdAt"][:19], job["id"])
        for job in listed
    ]
    print_table(["job", "status", "result", "created", "id"], rows, empty)


def _describe_result(job: dict[str, Any]) -> str:
    counts = {name: value for name, value in job["result"].items() if value is not None}
    result = ", ".join(f"{name} {value}" for name, value in counts.items())
    return job["error"] or result
