"""`remem feeds`: subscribe to feeds; digests of them are saved every day."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.core.opml import NotOpml, feed_addresses
from remem.surfaces.cli.context import InProject, Json, Key, Url, Yes, request
from remem.surfaces.cli.output import confirm, fail, print_json, print_table, say, short

feeds = typer.Typer(help="Feeds: list, add, import, remove, collect now.")


class Kind(StrEnum):
    RESEARCH = "research"
    PROJECTS = "projects"


@feeds.command("list")
def list_all(
    project: InProject = None, url: Url = None, key: Key = None, as_json: Json = False
) -> None:
    """List the feeds you are subscribed to, and what was wrong with them last.

    Example: remem feeds list --project work
    """
    found = request(url, key, "GET", "/api/feeds", params={"project": project})
    if as_json:
        print_json(found)
        return
    rows = [
        (
            one["id"],
            one["kind"],
            one["project"],
            short(one["collectedAt"]),
            one["url"],
            one["error"],
        )
        for one in found["feeds"]
    ]
    columns = ["id", "digest", "project", "collected", "address", "problem"]
    print_table(columns, rows, "No feeds yet; add one with `remem feeds add ADDRESS`.")


@feeds.command()
def add(
    address: Annotated[str, typer.Argument(help="The address of an RSS, Atom or JSON feed.")],
    project: InProject = None,
    kind: Annotated[Kind, typer.Option(help="The digest its entries come in.")] = Kind.RESEARCH,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Subscribe a project to a feed.

    Example: remem feeds add https://rss.arxiv.org/atom/cs.IR --project papers
    """
    body = {"url": address, "project": project, "kind": kind.value}
    made = request(url, key, "POST", "/api/feeds", json=body)
    print_json(made) if as_json else say(f"Subscribed: {made['id']}")


@feeds.command("import")
def import_opml(
    file: Annotated[Path, typer.Argument(help="An OPML file, as feed readers export it.")],
    project: InProject = None,
    kind: Annotated[Kind, typer.Option(help="The digest their entries come in.")] = Kind.RESEARCH,
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
        found = feed_addresses(file.read_bytes())
    except (OSError, NotOpml) as error:
        fail(f"{file} cannot be read as OPML: {error}.")
    if not found:
        fail(f"{file} lists no feeds; export it from your feed reader as OPML.")
    return found


@feeds.command()
def remove(
    id: Annotated[str, typer.Argument(help="The feed's id.")],
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """End a subscription. What was collected stays.

    Example: remem feeds remove ID --yes
    """
    confirm("End the subscription?", yes, undoable=True)
    request(url, key, "DELETE", f"/api/feeds/{quote(id, safe='')}")
    say("Removed: 1")


@feeds.command()
def collect(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Collect all feeds now, in a job. By itself this is done every day at 09:00 UTC.

    Example: remem feeds collect
    """
    made = request(url, key, "POST", "/api/feeds/collect")
    print_json(made) if as_json else say(f"Queued: {made['jobId']}; see `remem jobs`.")
