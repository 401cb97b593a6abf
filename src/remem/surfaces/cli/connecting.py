"""The steps of `remem connections add`: what is asked for, the sign-in, what is said."""

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


def print_connected(made: dict[str, Any]) -> None:
    say(f"Connected: {made['account']} ({made['id']}).")
    if made["status"] == "choosing":
        say(f"Choose what to read: remem connections choose {made['id']}")
    elif made["status"] == "active":
        say(f"The first sync has begun: remem connections show {made['id']}")


def signed_in(
    url: str | None, key: str | None, connector: dict[str, Any], body: dict[str, Any]
) -> dict[str, Any]:
    """By a code that is typed in at the service; this waits until it was."""
    consent, title = connector["consent"], connector["title"]
    if consent is None:
        fail(f"{title} is connected without a sign-in; leave out --sign-in.", MISUSED)
    if not consent["device"]:
        fail(f"{title} is signed in to in a browser: open the page Settings, Connections.", MISUSED)
    path = f"/v3/connectors/{quote(connector['provider'], safe='')}/device"
    begun = request(url, key, "POST", path, json=body)
    say(f"Open {begun['verification_url']} and type in the code {begun['user_code']}.")
    while True:
        time.sleep(begun["interval_s"])
        found = request(url, key, "POST", f"/v3/connections/sign-ins/{begun['id']}/poll")
        if found["connection"]:
            return found["connection"]


def connector_named(url: str | None, key: str | None, provider: str) -> dict[str, Any]:
    offered = request(url, key, "GET", "/v3/connectors")["connectors"]
    found = next((one for one in offered if one["provider"] == provider), None)
    if found is None:
        names = ", ".join(one["provider"] for one in offered)
        fail(f"There is no {provider!r} to connect; use one of: {names}.", MISUSED)
    return found


def fields_of(
    found: dict[str, Any], value: str | None, named: list[str] | None = None
) -> dict[str, str]:
    """The first field is what the command was given, others by name; the rest are asked for."""
    fields = named_fields(named)
    for place, field in enumerate(found["fields"]):
        if field["name"] in fields:
            continue
        if place == 0 and value is not None:
            fields[field["name"]] = _content(value)
        elif field["required"] or field["secret"]:
            fields[field["name"]] = _content(_ask(field))
    return fields


def _ask(field: dict[str, Any]) -> str:
    """In a terminal; otherwise it is the next line of standard input, if there is one."""
    if sys.stdin.isatty():
        label = field["label"] if field["required"] else f"{field['label']} (optional)"
        return typer.prompt(label, default="", show_default=False, hide_input=field["secret"])
    line = sys.stdin.readline().strip()
    if not line and field["required"]:
        name = field["name"]
        fail(f"{name}: is required; pass --field {name}=…, or {name}=@FILE.", MISUSED)
    return line


def named_fields(named: list[str] | None) -> dict[str, str]:
    pairs = (one.partition("=") for one in named or [])
    return {name: _content(text) for name, _, text in pairs}


def _content(value: str) -> str:
    """`@path` is the content of a file of this computer, such as a key file."""
    if not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        fail(f"The file {value[1:]} cannot be read; check its path.", MISUSED)
