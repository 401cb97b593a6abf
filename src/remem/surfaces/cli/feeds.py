"""`remem feeds`: subscribe to feeds, whose daily digests are saved."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.core.opml import NotOpml, feed_addresses
from remem.surfaces.cli.context import InProject, Json, Key, Url, Yes, request
from remem.surfaces.cli.output import confirm, fail, print_json, print_table, say, to_minute

feeds = typer.Typer(help="Feeds: list, add, import, remove, collect now.")


class Kind(StrEnum):
    RESEARCH = "research"
    PROJECTS = "projects"


@feeds.command("list")
def list_all(
    project: InProject = None, url: Url = None, key: Key = None, as_json: Json = False
) -> None:
    """List the feeds you are subscribed to, with their latest problem.

    Example: remem feeds list --project work
    """
    reply = request(url, key, "GET", "/api/feeds", params={"project": project})
    if as_json:
        print_json(reply)
        return
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
    print_table(columns, rows, "No feeds yet; add one with `remem feeds add ADDRESS`.")


@feeds.command()
def add(
    address: Annotated[str, typer.Argument(help="The address of an RSS, Atom or JSON feed.")],
    project: InProject = None,
    kind: Annotated[Kind, typer.Option(help="The digest for its entries.")] = Kind.RESEARCH,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Subscribe a project to a feed.

    Example: remem feeds add https://rss.arxiv.org/atom/cs.IR --project papers
    """
    body = {"url": address, "project": project, "kind": kind.value}
    feed = request(url, key, "POST", "/api/feeds", json=body)
    print_json(feed) if as_json else say(f"Subscribed: {feed['id']}")


@feeds.command("import")
def import_opml(
    file: Annotated[Path, typer.Argument(help="An OPML file, as feed readers export it.")],
    project: InProject = None,
    kind: Annotated[Kind, typer.Option(help="The digest for their entries.")] = Kind.RESEARCH,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Subscribe a project to every feed of an OPML file.

    Example: remem feeds import subscriptions.opml --project papers
    """
    added: list[dict[str, Any]] = []
    for address in _addresses(file):
        body = {"url": address, "project": project, "kind": kind.value}
        added.append(request(url, key, "POST", "/api/feeds", json=body))
    print_json({"feeds": added}) if as_json else say(f"Subscribed: {len(added)}")


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
def collect(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Collect all feeds now, in a job. This also runs every day at 09:00 UTC.

    Example: remem feeds collect
    """
    job = request(url, key, "POST", "/api/feeds/collect")
    print_json(job) if as_json else say(f"Queued: {job['jobId']}; see `remem jobs`.")
