"""`remem keys`: API keys with which programs authenticate."""

from enum import StrEnum
from typing import Annotated, Any
from urllib.parse import quote

import typer

from remem.surfaces.cli.context import Call, Key, Url, Yes, request
from remem.surfaces.cli.output import confirm, err, print_json, say, to_minute

keys = typer.Typer(help="API keys: list, create, revoke.")


class Right(StrEnum):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@keys.command("list")
def list_all(call: Call) -> None:
    """List your keys by their first characters.

    Example: remem keys list
    """
    existing = call.request("GET", "/v3/api-keys")["api_keys"]
    rows = [
        (
            api_key["id"],
            api_key["prefix"],
            api_key["scopes"],
            to_minute(api_key["last_used_at"]),
            to_minute(api_key["expires_at"]),
            api_key["name"],
        )
        for api_key in existing
    ]
    call.print_table(
        existing, ["id", "begins", "scopes", "last used", "expires", "name"], rows, "No keys."
    )


@keys.command()
def add(
    call: Call,
    name: Annotated[str, typer.Argument(help="The purpose of the key.")],
    scope: Annotated[
        list[Right] | None,
        typer.Option(help="A scope; repeat for more. `read` and `write` if absent."),
    ] = None,
    expires_in_days: Annotated[
        int | None,
        typer.Option(min=1, max=3_650, help="Days until it expires; never if absent."),
    ] = None,
) -> None:
    """Create a key. It is shown only once; in a pipe, only the key is printed.

    Example: remem keys add "my laptop" --scope read
    """
    body: dict[str, Any] = {"name": name, "scopes": [right.value for right in scope or []]}
    if expires_in_days:
        body["expires_in_days"] = expires_in_days
    created = call.request("POST", "/v3/api-keys", json=body)
    if call.as_json:
        print_json(created)
        return
    say(created["key"])
    err.print("Copy it now: it is not shown again.", highlight=False)


@keys.command()
def revoke(
    id: Annotated[str, typer.Argument(help="The key's id.")],
    yes: Yes = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Revoke a key; it stops working at once.

    Example: remem keys revoke ID
    """
    confirm(f"Revoke {id}? Programs that use it stop working.", yes)
    request(url, key, "DELETE", f"/v3/api-keys/{quote(id, safe='')}")
    say(f"Revoked: {id}.")
