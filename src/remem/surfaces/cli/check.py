"""`remem check`: what to fix in a store, and fix it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Call, Yes, run_with_client
from remem.surfaces.cli.output import (
    NOT_DONE,
    confirm,
    fail,
    print_json,
    print_table,
    say,
    to_minute,
)

if TYPE_CHECKING:
    from remem.client import AsyncRemem

PATH = "/v3/checkup"
_ACTIONS = {
    "merge": "merge",
    "keep_newer": "keep the newer",
    "trash": "move to the trash",
    "embed": "embed",
    "sync": "sync",
    "mask": "mask",
    "back_up": "back up",
}
_BATCH = 100


def check(
    call: Call,
    kind: Annotated[
        str | None,
        typer.Argument(
            help="List one finding: duplicates, contradictions, lost_sources, never_recalled,"
            " without_vectors, capture_gaps, languages, secrets or backups."
        ),
    ] = None,
    fix: Annotated[
        list[str] | None, typer.Option("--fix", help="Fix the item with this key; may be repeated.")
    ] = None,
    fix_all: Annotated[bool, typer.Option("--fix-all", help="Fix all items of the list.")] = False,
    undo: Annotated[
        list[str] | None, typer.Option("--undo", help="Undo a fix, by what it printed.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=100, help="The maximum number of items.")
    ] = 50,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help="The `next_cursor` of the previous page.")
    ] = None,
    yes: Yes = False,
) -> None:
    """Say what there is to fix in your store; with a finding, list its items or fix them.

    Every fix can be undone with what it prints.

    Example: remem check duplicates --fix-all
    """
    if undo:
        _report(call.request("POST", f"{PATH}/undo", json={"undo": undo}), call.as_json)
    elif kind is None:
        _overview(call.request("GET", PATH), call.as_json)
    elif fix:
        body = {"keys": fix}
        _report(call.request("POST", f"{PATH}/{kind}/fix", json=body), call.as_json)
    elif fix_all:
        _report(_fix_all(call.url, call.key, kind, yes), call.as_json)
    else:
        params = {"limit": limit, "cursor": cursor}
        _list(call.request("GET", f"{PATH}/{kind}", params=params), call.as_json)


def _overview(reply: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(reply)
        return
    rows = [
        (
            finding["kind"],
            f"{finding['count']}{'+' if finding['is_more'] else ''}",
            _ACTIONS.get(finding["action"], ""),
            finding["says"],
        )
        for finding in reply["findings"]
    ]
    print_table(["finding", "number", "action", "what it means"], rows, "Nothing to do.")


def _list(reply: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(reply)
        return
    rows = [
        (item["key"], to_minute(item["at"]) if item["at"] else "", item["text"], item["detail"])
        for item in reply["items"]
    ]
    print_table(["key", "since", "what", "why"], rows, "Nothing to do.")
    if reply["next_cursor"]:
        say(f"There are more: --cursor {reply['next_cursor']}")


def _fix_all(url: str | None, key: str | None, kind: str, yes: bool) -> dict[str, Any]:
    listed = run_with_client(url, key, lambda remem: _keys(remem, kind))
    if not listed:
        say("Nothing to do.")
        raise typer.Exit
    confirm(f"Fix {len(listed)} items of {kind}?", yes, undoable=True)

    async def fix(remem: "AsyncRemem") -> dict[str, Any]:
        results: list[dict[str, Any]] = []
        for start in range(0, len(listed), _BATCH):
            body = {"keys": listed[start : start + _BATCH]}
            reply = await remem.request("POST", f"{PATH}/{kind}/fix", json=body)
            results += reply["results"]
        failed = sum(result["error"] is not None for result in results)
        return {"done": len(results) - failed, "failed": failed, "results": results}

    return run_with_client(url, key, fix)


async def _keys(remem: "AsyncRemem", kind: str) -> list[str]:
    keys: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        params = {"limit": _BATCH, **({"cursor": cursor} if cursor else {})}
        page = await remem.request("GET", f"{PATH}/{kind}", params=params)
        keys += [item["key"] for item in page["items"] if item["is_fixable"]]
        cursor = page["next_cursor"]
    return keys


def _report(reply: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(reply)
    else:
        rows = [
            (result["key"], result["error"] or "done", result["undo"] or "")
            for result in reply["results"]
        ]
        print_table(["key", "result", "undo with --undo"], rows, "")
    if reply["failed"]:
        fail(f"{reply['failed']} could not be done.", NOT_DONE)
