"""`remem install`: connect assistants, list which are connected, disconnect them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Json
from remem.surfaces.cli.output import (
    MISUSED,
    NOTHING_FOUND,
    err,
    fail,
    print_json,
    print_table,
    say,
)
from remem.surfaces.toolsets import ALL, DEFAULT, TOOLSETS, is_toolset

if TYPE_CHECKING:
    from remem.surfaces.cli.install.change import Change
    from remem.surfaces.cli.install.clients import Client
    from remem.surfaces.cli.install.entry import EntrySpec

# The fields of an entry that say how to reach remem; any others are the user's own.
OWN_FIELDS = frozenset(
    (
        "type command args env env_vars environment url serverUrl httpUrl headers"
        " bearer_token_env_var"
    ).split()
)


Assistant = Annotated[
    str | None,
    typer.Argument(help="An assistant: `claude-code`, `cursor`, …; lists them if absent."),
]
Toolset = Annotated[
    str, typer.Option(help="`default`, `assistant`, `coding`, `platform`, `files` or `all`.")
]


def install(
    client: Assistant = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Every assistant on this machine.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove remem from it.")] = False,
    project: Annotated[
        bool, typer.Option("--project", help="For this folder only, in a file that can be shared.")
    ] = False,
    hooks: Annotated[
        bool,
        typer.Option("--hooks", help="Also recall at the start and save at the end of sessions."),
    ] = False,
    tools: Toolset = DEFAULT,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="With --url: start a local program that connects to it.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change.")] = False,
    url: Annotated[
        str | None, typer.Option(help="The URL of a server for the assistant to connect to.")
    ] = None,
    key: Annotated[str | None, typer.Option(help="A key for that server.")] = None,
    as_json: Json = False,
) -> None:
    """Connect an assistant: add remem to its list of MCP servers.

    Examples: remem install · remem install claude-code --hooks · remem install --all ·
    remem install cursor --project · remem install zed --remove
    """
    if client is None and not everyone:
        _list(as_json)
        return
    if not is_toolset(tools):
        fail(f"There is no toolset '{tools}'; choose {', '.join(TOOLSETS)} or {ALL}.", MISUSED)
    clients = _selected_clients(client)
    url = url.rstrip("/") if url else None
    installer = _Installer(remove, project, hooks, tools, stdio, dry_run, url, key)
    refused = [name for selected in clients if (name := installer.apply(selected))]
    if refused:
        raise typer.Exit(1)


def _selected_clients(name: str | None) -> "list[Client]":
    """Return the named client, or all that are installed on this machine."""
    from remem.surfaces.cli.install.clients import CLIENTS, this_machine

    if name is not None and name not in CLIENTS:
        fail(f"'{name}' is not known; choose one of: {', '.join(CLIENTS)}.", MISUSED)
    machine = this_machine()
    selected = (
        [CLIENTS[name]]
        if name
        else [client for client in CLIENTS.values() if client.is_installed(machine)]
    )
    if not selected:
        fail("No assistant was found on this machine; name one.", NOTHING_FOUND)
    return selected


def _list(as_json: bool) -> None:
    from remem.surfaces.cli.install.clients import CLIENTS, this_machine

    machine = this_machine()
    rows = []
    for client in CLIENTS.values():
        file = client.file(machine)
        rows.append(
            {
                "client": client.name,
                "found": client.is_installed(machine),
                "connected": _is_connected(client, file),
                "file": str(file),
            }
        )
    if as_json:
        print_json(rows)
    else:
        print_table(list(rows[0]), [tuple(row.values()) for row in rows], "")


def _is_connected(client: "Client", file: Path) -> bool:
    from remem.surfaces.cli.install.change import Refused, load, read
    from remem.surfaces.cli.install.entry import NAME

    try:
        current = load(file, read(file), client.is_toml)
    except Refused:
        return False
    return NAME in client.servers(current)


def _nested(client: "Client", entry: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = {"remem": entry}
    for name in reversed(client.table.split(".")):
        value = {name: value}
    return value


class _Installer:
    def __init__(
        self,
        remove: bool,
        project: bool,
        hooks: bool,
        tools: str,
        stdio: bool,
        dry_run: bool,
        url: str | None,
        key: str | None,
    ) -> None:
        self.remove, self.project, self.hooks, self.tools = remove, project, hooks, tools
        self.stdio, self.dry_run, self.url, self.key = stdio, dry_run, url, key

    def apply(self, client: "Client") -> str | None:
        """Apply the change, and return the client's name if it was refused."""
        from remem.surfaces.cli.install.change import Refused

        entry: dict[str, Any] | None = None
        try:
            entry = None if self.remove else self._entry(client)
            changes = self._with_hooks(client, self._change(client, entry))
        except Refused as refusal:
            self._refuse(client, str(refusal), entry)
            return client.name
        return self._finish(client, changes)

    def _finish(self, client: "Client", changes: "list[Change]") -> str | None:
        from remem.surfaces.cli.install.change import Refused

        needed = [change for change in changes if change.is_needed]
        if self.dry_run:
            for change in needed:
                say(self._masked(change.diff()))
        else:
            try:
                for change in needed:
                    change.write()
            except Refused as refusal:
                self._refuse(client, str(refusal), None)
                return client.name
        self._print_result(client, changes, bool(needed))
        return None

    def _print_result(self, client: "Client", changes: "list[Change]", changed: bool) -> None:
        place = changes[0].path
        if not changed:
            state = "does not have" if self.remove else "has"
            say(f"{client.title} {state} remem already ({place}); nothing to change.")
        elif self.dry_run:
            say(f"Nothing was written; run without --dry-run to change {client.title}.")
        elif self.remove:
            say(f"{client.title} no longer has remem ({place}); restart it.")
        else:
            say(f"{client.title} has remem now ({place}); restart it.")
            if (
                changed
                and any("REMEM_KEY" in change.after for change in changes)
                and self._refers_to_key(client)
            ):
                say(f"Set REMEM_KEY in the environment of {client.title}.")

    def _refers_to_key(self, client: "Client") -> bool:
        """Whether the entry refers to the key's variable instead of containing the key."""
        entry = self._entry(client)
        rendered = json.dumps(entry)
        return "REMEM_KEY" in rendered and not (self.key and self.key in rendered)

    def _file(self, client: "Client") -> Path:
        from remem.surfaces.cli.install.change import Refused
        from remem.surfaces.cli.install.clients import this_machine

        if not self.project:
            return client.file(this_machine())
        if client.project is None:
            raise Refused(f"{client.title} has no project settings; leave out --project")
        return Path.cwd() / client.project

    def _entry(self, client: "Client") -> dict[str, Any]:
        spec = self._spec(client)
        http = client.http if self.url and not self.stdio else None
        return (http or client.stdio)(spec)

    def _spec(self, client: "Client") -> "EntrySpec":
        from remem.surfaces.cli.install.change import Refused
        from remem.surfaces.cli.install.entry import (
            for_project,
            for_user,
            has_secret,
            likely_committed,
            without_secrets,
        )

        file = self._file(client)
        tools = None if self.tools == DEFAULT else self.tools
        if self.project:
            return for_project(self.url, self.key, client.reference or "", tools)
        spec = for_user(self.url, self.key, tools)
        if not (has_secret(spec) and likely_committed(file)):
            return spec
        if client.reference is None:
            raise Refused(
                f"{file} is in a repository, and {client.title} cannot read a key from the"
                " environment; sign in with `remem login` and install without a key"
            )
        return without_secrets(spec, client.reference)

    def _change(self, client: "Client", entry: dict[str, Any] | None) -> "Change":
        from dataclasses import replace

        from remem.surfaces.cli.install.change import load, put, read, remove
        from remem.surfaces.cli.install.entry import NAME

        file = self._file(client)
        settings = load(file, read(file), client.is_toml)
        place = [*client.table_path(settings), NAME]
        if entry is None:
            return remove(file, place, client.is_toml)
        mode = 0o644 if self.project else 0o600
        existing = client.servers(settings).get(NAME, {})
        user_fields = {name: value for name, value in existing.items() if name not in OWN_FIELDS}
        return replace(put(file, place, {**entry, **user_fields}, client.is_toml), mode=mode)

    def _with_hooks(self, client: "Client", first: "Change") -> "list[Change]":
        from remem.surfaces.cli.install.clients import this_machine
        from remem.surfaces.cli.install.hook_files import HOOKS, with_hooks

        if client.name not in HOOKS:
            if self.hooks:
                err.print(f"{client.title} has no hooks that remem knows.", highlight=False)
            return [first]
        if not (self.hooks or self.remove):
            return [first]
        return with_hooks(first, client.name, this_machine(), self.project, self.remove)

    def _refuse(self, client: "Client", reason: str, entry: dict[str, Any] | None) -> None:
        err.print(f"[red]error[/red] {client.title}: ", end="", highlight=False)
        err.print(f"{reason}; nothing was changed.", highlight=False, markup=False, soft_wrap=True)
        if entry:
            snippet = json.dumps(_nested(client, entry), indent=2, ensure_ascii=False)
            err.print("The entry to add by hand:", highlight=False)
            err.print(self._masked(snippet), highlight=False, markup=False, soft_wrap=True)

    def _masked(self, text: str) -> str:
        """Mask keys, which are never shown on the screen."""
        from os import environ

        for secret in (self.key, *(environ.get(name) for name in ("REMEM_KEY",))):
            if secret:
                text = text.replace(secret, f"{secret[:3]}…")
        return text
