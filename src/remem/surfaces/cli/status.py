"""`remem status`: the server, the store, its contents, and queued or failed jobs."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from remem.client.failures import NotFound
from remem.surfaces.cli.command import shell_command
from remem.surfaces.cli.context import Call, address, run_with_client
from remem.surfaces.cli.output import print_fields, print_json, say, to_minute, warn


def status(call: Call) -> None:
    """Show the server, the store, the counts, and queued or failed jobs.

    Example: remem status
    """
    from importlib.metadata import version

    server_url, _ = address(call.url, call.key)
    report: dict[str, Any] = {"version": version("remem"), "address": server_url}
    if server_url is None:
        report |= _this_machine()
    exists = server_url is not None or report["exists"]
    report["stats"], report["state"] = _read(call.url, call.key) if exists else (None, None)
    if call.as_json:
        print_json(report)
    else:
        _print(report)


def _read(url: str | None, key: str | None) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The counts, and the state of the server, which an older one does not tell."""

    async def read(remem: Any) -> tuple[dict[str, Any], dict[str, Any] | None]:
        stats = await remem.request("GET", "/v3/stats")
        try:
            return stats, await remem.request("GET", "/v3/server")
        except NotFound:
            return stats, None

    return run_with_client(url, key, read)


def _this_machine() -> dict[str, Any]:
    from remem.client.local_server import running_servers
    from remem.folders import data_dir, setting, settings_file

    folder, database = data_dir(), setting("database_url")
    return {
        "servers": [asdict(server) for server in running_servers(folder)],
        "data_dir": str(folder.absolute()),
        "settings_file": str(settings_file()),
        "database": _without_password(database) if database else "embedded",
        # Merely opening the store would create it.
        "exists": database is not None or (folder / "owner.key").exists(),
    }


def _without_password(url: str) -> str:
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"


def _print(report: dict[str, Any]) -> None:
    print_fields(
        {
            "version": report["version"],
            **_place(report),
            **_contents(report["stats"]),
            **_state(report["state"]),
        }
    )
    if report["state"] and report["state"]["backups"]["is_overdue"]:
        warn("There was no backup for three days; `remem backup` makes one now.")
    if report["stats"] is None:
        say(f"There is no store yet; `{shell_command()} save` creates it.")
    elif report["stats"]["jobs_by_status"].get("failed"):
        say(f"`{shell_command()} jobs --status failed` shows why.")


def _place(report: dict[str, Any]) -> dict[str, object]:
    if report["address"]:
        return {"server": report["address"]}
    return {
        "server": [_describe(server) for server in report["servers"]]
        or "none is running; each command opens the store itself",
        "data folder": report["data_dir"],
        "database": report["database"],
    }


def _describe(server: dict[str, Any]) -> str:
    since = datetime.fromtimestamp(server["started_at"]).strftime("%Y-%m-%d %H:%M")
    worker = "" if server["worker"] else ", without a worker"
    details = f"version {server['version']}, since {since}, process {server['pid']}{worker}"
    return f"{server['url']} ({details})"


def _contents(stats: dict[str, Any] | None) -> dict[str, object]:
    if stats is None:
        return {}
    return {
        "documents": _documents(stats),
        "memories": stats["total_memories"],
        "projects": stats["total_projects"],
        "size": f"{stats['storage_bytes'] / 1e6:.1f} MB",
        "found by meaning": f"{100 * stats['embedding_coverage']:.0f} %",
        **_moving(stats.get("vector_move")),
        "jobs": _unfinished(stats["jobs_by_status"], "completed") or "none queued",
    }


def _state(state: dict[str, Any] | None) -> dict[str, object]:
    if state is None:
        return {}
    failure = state["last_failure"]
    return {
        "last backup": _last_backup(state["backups"]),
        "last failure": failure
        and f"{failure['job']} at {to_minute(failure['at'])}: {failure['error']}",
    }


def _last_backup(backups: dict[str, Any]) -> str:
    if not backups["is_on"]:
        return "none is made every night; see REMEM_BACKUPS"
    size = f" ({backups['bytes'] / 1e6:.1f} MB)" if backups["bytes"] else ""
    last = to_minute(backups["last_at"]) + size if backups["last_at"] else "none yet"
    return f"{last}; the last attempt failed: {backups['error']}" if backups["error"] else last


def _moving(move: dict[str, Any] | None) -> dict[str, object]:
    if not move:
        return {}
    return {"moving to": f"{move['new_model']} ({move['moved']:,} of {move['total']:,})"}


def _documents(stats: dict[str, Any]) -> str:
    unfinished = _unfinished(stats["documents_by_status"], "done")
    total = stats["total_documents"]
    return f"{total} ({unfinished})" if unfinished else str(total)


def _unfinished(by_status: dict[str, int], finished: str) -> str:
    return ", ".join(f"{n} {status}" for status, n in by_status.items() if status != finished)
