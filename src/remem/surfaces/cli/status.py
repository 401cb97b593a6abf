"""`remem status`: what runs, where, how much is in it, and what is queued or failed."""

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from remem.surfaces.cli.command import pasted
from remem.surfaces.cli.context import Json, Key, Url, address, request
from remem.surfaces.cli.output import print_fields, print_json, say

if TYPE_CHECKING:
    pass


def status(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show the server, the store, the counts, and queued or failed jobs.

    Example: remem status
    """
    from importlib.metadata import version

    at, _ = address(url, key)
    found: dict[str, Any] = {"version": version("remem"), "address": at}
    if at is None:
        found |= _this_machine()
    exists = at is not None or found["exists"]
    found["stats"] = request(url, key, "GET", "/v3/stats") if exists else None
    if as_json:
        print_json(found)
    else:
        _print(found)


def _this_machine() -> dict[str, Any]:
    from remem.client.local_server import running_servers
    from remem.folders import data_dir, setting, settings_file

    folder, database = data_dir(), setting("database_url")
    return {
        "servers": [asdict(server) for server in running_servers(folder)],
        "data_dir": str(folder.absolute()),
        "settings_file": str(settings_file()),
        "database": _without_password(database) if database else "embedded",
        # Only to look would be enough to make a store.
        "exists": database is not None or (folder / "owner.key").exists(),
    }


def _without_password(url: str) -> str:
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"


def _print(found: dict[str, Any]) -> None:
    print_fields({"version": found["version"], **_place(found), **_contents(found["stats"])})
    if found["stats"] is None:
        say(f"There is no store yet; `{pasted()} save` creates it.")
    elif found["stats"]["jobs_by_status"].get("failed"):
        say(f"`{pasted()} jobs --status failed` shows why.")


def _place(found: dict[str, Any]) -> dict[str, object]:
    if found["address"]:
        return {"server": found["address"]}
    return {
        "server": [_describe(server) for server in found["servers"]]
        or "none runs; each command opens the store by itself",
        "data folder": found["data_dir"],
        "database": found["database"],
    }


def _describe(server: dict[str, Any]) -> str:
    since = datetime.fromtimestamp(server["started_at"]).strftime("%Y-%m-%d %H:%M")
    worker = "" if server["worker"] else ", without a worker"
    about = f"version {server['version']}, since {since}, process {server['pid']}{worker}"
    return f"{server['url']} ({about})"


def _contents(stats: dict[str, Any] | None) -> dict[str, object]:
    if stats is None:
        return {}
    return {
        "documents": _documents(stats),
        "memories": stats["total_memories"],
        "projects": stats["total_projects"],
        "size": f"{stats['storage_bytes'] / 1e6:.1f} MB",
        "found by meaning": f"{100 * stats['embedding_coverage']:.0f} %",
        "jobs": _unfinished(stats["jobs_by_status"], "completed") or "none queued",
    }


def _documents(stats: dict[str, Any]) -> str:
    unfinished = _unfinished(stats["documents_by_status"], "done")
    total = stats["total_documents"]
    return f"{total} ({unfinished})" if unfinished else str(total)


def _unfinished(by_status: dict[str, int], finished: str) -> str:
    return ", ".join(f"{n} {status}" for status, n in by_status.items() if status != finished)
