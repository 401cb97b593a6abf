"""`remem feeds`: subscribe to feeds, whose daily digests are saved."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.core.opml import NotOpml, feed_addresses
from remem.surfaces.cli.context import Call, InProject, Key, Url, Yes, request
from remem.surfaces.cli.output import confirm, fail, say, to_minute

feeds = typer.Typer(help="Feeds: list, add, import, remove, collect now.")


class Kind(StrEnum):
    RESEARCH = "research"
    PROJECTS = "projects"


@feeds.command("list")
def list_all(call: Call, project: InProject = None) -> None:
    """List the feeds you are subscribed to, with their latest problem.

    Example: remem feeds list --project work
    """
    reply = call.request("GET", "/api/feeds", params={"project": project})
    rows = [
        (
            feed["id"],
            feed["kind"],
            feed["project"],
            to_minute(feed["collectedAt"]),
            feed["url"],
            feed["error"],
        )
        for feed in reply["feeds"]
    ]
    columns = ["id", "digest", "project", "collected", "address", "problem"]
    call.print_table(reply, columns, rows, "No feeds yet; add one with `remem feeds add ADDRESS`.")


@feeds.command()
def add(
    call: Call,
    address: Annotated[str, typer.Argument(help="The address of an RSS, Atom or JSON feed.")],
    project: InProject = None,
    kind: Annotated[Kind, typer.Option(help="The digest for its entries.")] = Kind.RESEARCH,
) -> None:
    """Subscribe a project to a feed.

    Example: remem feeds add https://rss.arxiv.org/atom/cs.IR --project papers
    """
    body = {"url": address, "project": project, "kind": kind.value}
    feed = call.request("POST", "/api/feeds", json=body)
    call.say(feed, f"Subscribed: {feed['id']}")


@feeds.command("import")
def import_opml(
    call: Call,
    file: Annotated[Path, typer.Argument(help="An OPML file, as feed readers export it.")],
    project: InProject = None,
    kind: Annotated[Kind, typer.Option(help="The digest for their entries.")] = Kind.RESEARCH,
) -> None:
    """Subscribe a project to every feed of an OPML file.

    Example: remem feeds import subscriptions.opml --project papers
    """
    added: list[dict[str, Any]] = []
    for address in _addresses(file):
        body = {"url": address, "project": project, "kind": kind.value}
        added.append(call.request("POST", "/api/feeds", json=body))
    call.say({"feeds": added}, f"Subscribed: {len(added)}")


def _addresses(file: Path) -> list[str]:
    try:
        addresses = feed_addresses(file.read_bytes())
    except (OSError, NotOpml) as error:
        fail(f"{file} cannot be read as OPML: {error}.")
    if not addresses:
        fail(f"{file} lists no feeds; export it from your feed reader as OPML.")
    return addresses


@feeds.command()
def remove(
    id: Annotated[str, typer.Argument(help="The feed's id.")],
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """End a subscription. Collected entries are kept.

    Example: remem feeds remove ID --yes
    """
    confirm("End the subscription?", yes, undoable=True)
    request(url, key, "DELETE", f"/api/feeds/{quote(id, safe='')}")
    say("Removed: 1")


@feeds.command()
def collect(call: Call) -> None:
    """Collect all feeds now, in a job. This also runs every day at 09:00 UTC.

    Example: remem feeds collect
    """
    job = call.request("POST", "/api/feeds/collect")
    call.say(job, f"Queued: {job['jobId']}; see `remem jobs`.")
