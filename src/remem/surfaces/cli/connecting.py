"""The steps of `remem connections add`: collect the fields, sign in, print the result."""

import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import typer

from remem.surfaces.cli.context import request
from remem.surfaces.cli.output import (
    MISUSED,
    fail,
    say,
)


def print_connected(connection: dict[str, Any]) -> None:
    say(f"Connected: {connection['account']} ({connection['id']}).")
    if connection["status"] == "choosing":
        say(f"Choose what to read: remem connections choose {connection['id']}")
    elif connection["status"] == "active":
        say(f"The first sync has started: remem connections show {connection['id']}")


def sign_in_with_code(
    url: str | None, key: str | None, connector: dict[str, Any], body: dict[str, Any]
) -> dict[str, Any]:
    """Sign in with a code that the user types in at the service, and wait until it is done."""
    consent, title = connector["consent"], connector["title"]
    if consent is None:
        fail(f"{title} is connected without a sign-in; leave out --sign-in.", MISUSED)
    if not consent["device"]:
        fail(f"{title} is signed in to in a browser: open the page Settings, Connections.", MISUSED)
    path = f"/v3/connectors/{quote(connector['provider'], safe='')}/device"
    sign_in = request(url, key, "POST", path, json=body)
    say(f"Open {sign_in['verification_url']} and type in the code {sign_in['user_code']}.")
    while True:
        time.sleep(sign_in["interval_s"])
        reply = request(url, key, "POST", f"/v3/connections/sign-ins/{sign_in['id']}/poll")
        if reply["connection"]:
            return reply["connection"]


def get_connector(url: str | None, key: str | None, provider: str) -> dict[str, Any]:
    connectors = request(url, key, "GET", "/v3/connectors")["connectors"]
    connector = next(
        (candidate for candidate in connectors if candidate["provider"] == provider), None
    )
    if connector is None:
        names = ", ".join(candidate["provider"] for candidate in connectors)
        fail(f"There is no {provider!r} to connect; use one of: {names}.", MISUSED)
    return connector


def fields_of(
    connector: dict[str, Any], value: str | None, named: list[str] | None = None
) -> dict[str, str]:
    """Collect the fields of a connection: the first from the argument, others by name, and ask for
    the rest."""
    fields = named_fields(named)
    for index, field in enumerate(connector["fields"]):
        if field["name"] in fields:
            continue
        if index == 0 and value is not None:
            fields[field["name"]] = _content(value)
        elif field["required"] or field["secret"]:
            fields[field["name"]] = _content(_ask(field))
    return fields


def _ask(field: dict[str, Any]) -> str:
    """Prompt in a terminal; otherwise read the next line of standard input."""
    if sys.stdin.isatty():
        label = field["label"] if field["required"] else f"{field['label']} (optional)"
        return typer.prompt(label, default="", show_default=False, hide_input=field["secret"])
    line = sys.stdin.readline().strip()
    if not line and field["required"]:
        name = field["name"]
        fail(f"{name}: is required; pass --field {name}=…, or {name}=@FILE.", MISUSED)
    return line


def named_fields(named: list[str] | None) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in named or [])
    return {name: _content(text) for name, _, text in pairs}


def _content(value: str) -> str:
    """Replace `@path` by the content of that file, such as a key file."""
    if not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        fail(f"The file {value[1:]} cannot be read; check its path.", MISUSED)
