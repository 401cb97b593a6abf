"""`remem config`: list the settings with their sources, and change them."""

import json
import os
import tomllib
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli import toml_file
from remem.surfaces.cli.context import Json
from remem.surfaces.cli.output import MISUSED, NOTHING_FOUND, fail, print_json, print_table, say

if TYPE_CHECKING:
    from remem.settings import Settings

config = typer.Typer(help="List and change settings.")

Name = Annotated[str, typer.Argument(help="A setting: `port`, or REMEM_PORT.")]
HIDDEN = "(set, not shown)"
# This setting locates the file, so it cannot be in it.
ONLY_ENVIRONMENT = "config_dir"


@config.command("list")
def list_all(as_json: Json = False) -> None:
    """List every setting, its value, and where that comes from. Secrets are not shown.

    Example: remem config list
    """
    from remem.settings import Settings, load

    settings = load()
    from_file = _from_file()
    rows = [
        {"name": name, "value": _display_value(settings, name), "from": _source(name, from_file)}
        for name in Settings.model_fields
    ]
    if as_json:
        print_json(rows)
    else:
        print_table(["setting", "value", "from"], [tuple(row.values()) for row in rows], "")


@config.command()
def get(name: Name, as_json: Json = False) -> None:
    """Print one setting. A secret is not shown.

    Example: remem config get port
    """
    from remem.settings import load

    name = _setting_name(name)
    value = _display_value(load(), name)
    if as_json:
        print_json({"name": name, "value": value, "from": _source(name, _from_file())})
    else:
        say("" if value is None else str(value))


@config.command("set")
def set_one(
    name: Name,
    value: Annotated[str, typer.Argument(help="The value, as in the environment variable.")],
) -> None:
    """Save a setting in config.toml; an invalid value is refused.

    Example: remem config set port 9000
    """
    from remem.core.errors import CannotStart
    from remem.settings import load

    name = _setting_name(name)
    if name == ONLY_ENVIRONMENT:
        fail(
            "REMEM_CONFIG_DIR is the folder of config.toml, so set it in the environment.", MISUSED
        )
    parsed = _parse(name, value)
    try:
        load(**{**_from_file(), name: parsed})
    except CannotStart as error:
        fail(error.message, MISUSED)
    _write(lambda text: toml_file.put(text, [name], parsed))
    say(f"{name} is saved in {_file()}; restart a running server to apply it.")
    if f"REMEM_{name.upper()}" in os.environ:
        say(f"REMEM_{name.upper()} is set in the environment, and takes precedence.")


@config.command()
def unset(name: Name) -> None:
    """Remove a setting from config.toml.

    Example: remem config unset port
    """
    name = _setting_name(name)
    if name not in _from_file():
        fail(f"{name} is not in {_file()}.", NOTHING_FOUND)
    _write(lambda text: toml_file.remove(text, [name]))
    say(f"{name} is no longer in {_file()}.")


@config.command()
def path(
    name: Annotated[
        str | None,
        typer.Argument(help="Print only this path: `settings`, `sign_ins`, `data`, `owner_key`."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the paths of the settings, sign-ins, data and the owner's key.

    Examples: remem config path · cat "$(remem config path owner_key)"
    """
    from remem.settings import load

    settings = load()
    paths = {
        "settings": str(_file()),
        "sign_ins": str(_file().parent),
        "data": str(settings.data_dir),
        "owner_key": str(settings.owner_key_path),
    }
    if name and name not in paths:
        fail(f"There is no path {name}; choose one of {', '.join(paths)}.", MISUSED)
    if name:
        say(paths[name])
    elif as_json:
        print_json(paths)
    else:
        print_table(["what", "where"], list(paths.items()), "")


def _file() -> Any:
    from remem.folders import settings_file

    return settings_file()


def _from_file() -> dict[str, Any]:
    file = _file()
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        fail(f"{file} cannot be read ({error}); fix it.")


def _setting_name(name: str) -> str:
    from remem.settings import Settings

    setting = name.lower().removeprefix("remem_")
    if setting not in Settings.model_fields:
        fail(f"There is no setting {name}; `remem config list` shows them all.", MISUSED)
    return setting


def _display_value(settings: "Settings", name: str) -> Any:
    from pydantic import SecretStr

    value = getattr(settings, name)
    if isinstance(value, SecretStr):
        return HIDDEN
    return value if isinstance(value, bool | int | float | list | None) else str(value)


def _source(name: str, from_file: dict[str, Any]) -> str:
    if f"REMEM_{name.upper()}" in os.environ:
        return f"REMEM_{name.upper()}"
    return str(_file()) if name in from_file else "default"


def _parse(name: str, value: str) -> Any:
    """Parse a value that is not a string in the file: a number, a boolean or a list."""
    try:
        parsed = json.loads(value)
    except ValueError:
        return value
    return parsed if isinstance(parsed, bool | int | float | list) else value


def _write(edit: Callable[[str], str]) -> None:
    """Edit the file, preserving comments and everything else in it."""
    from remem.surfaces.cli.files import write_atomically

    file = _file()
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    try:
        write_atomically(file, edit(text), mode=0o600)
    except OSError as error:
        fail(f"{file} cannot be written ({error.strerror}).")
