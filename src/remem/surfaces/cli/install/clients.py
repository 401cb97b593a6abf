"""All supported assistants: where their settings are on each system, and in which format."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remem.surfaces.cli.install.entry import EntrySpec

MakeEntry = Callable[[EntrySpec], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Machine:
    """What determines where the settings files are."""

    platform: str
    home: Path
    environment: Mapping[str, str]

    @property
    def settings(self) -> Path:
        """The folder in which programs keep their settings."""
        if self.platform == "darwin":
            return self.home / "Library/Application Support"
        if self.platform == "win32":
            folder = self.environment.get("APPDATA")
            return Path(folder) if folder else self.home / "AppData/Roaming"
        folder = self.environment.get("XDG_CONFIG_HOME")
        return Path(folder) if folder else self.home / ".config"

    def named(self, variable: str, default: Path) -> Path:
        return Path(self.environment[variable]) if self.environment.get(variable) else default


def this_machine() -> Machine:
    return Machine(sys.platform, Path.home(), os.environ)


@dataclass(frozen=True, slots=True)
class Client:
    """`places` are the possible settings files, the usual one first. `table` is the dotted path of
    the servers in it; if that has `inner`, as newer versions write it, they are in there. `http` is
    None if the client only starts programs. `reference` is the syntax for environment variables in
    the file."""

    name: str
    title: str
    places: Callable[[Machine], list[Path]]
    table: str
    stdio: MakeEntry
    http: MakeEntry | None
    project: str | None = None
    reference: str | None = None
    programs: tuple[str, ...] = ()
    is_toml: bool = False
    inner: str | None = None

    def table_path(self, settings: dict[str, Any]) -> tuple[str, ...]:
        path = tuple(self.table.split("."))
        if self.inner and isinstance(_at(settings, path).get(self.inner), dict):
            return (*path, self.inner)
        return path

    def servers(self, settings: dict[str, Any]) -> dict[str, Any]:
        return _at(settings, self.table_path(settings))

    def file(self, machine: Machine) -> Path:
        places = self.places(machine)
        return next((path for path in places if path.exists()), places[0])

    def is_installed(self, machine: Machine) -> bool:
        """Whether its settings or their folder exist, or its program is on the path."""
        folders = [path.parent for path in self.places(machine) if path.parent != machine.home]
        has_settings = any(path.exists() for path in [*folders, self.file(machine)])
        return has_settings or any(shutil.which(program) for program in self.programs)


def _at(settings: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    for name in path:
        value = settings.get(name)
        settings = value if isinstance(value, dict) else {}
    return settings


def _stdio_entry(wanted: EntrySpec) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": wanted.command, "args": list(wanted.args)}
    return {**entry, "env": dict(wanted.env)} if wanted.env else entry


def _typed_stdio_entry(wanted: EntrySpec) -> dict[str, Any]:
    return {"type": "stdio", **_stdio_entry(wanted)}


def _local_entry(wanted: EntrySpec) -> dict[str, Any]:
    """opencode and Kilo Code take the program and its arguments as one list."""
    entry: dict[str, Any] = {"type": "local", "command": [wanted.command, *wanted.args]}
    return {**entry, "environment": dict(wanted.env)} if wanted.env else entry


def _all_tools(make: MakeEntry) -> MakeEntry:
    """Copilot CLI wants to know which tools of a server it may use."""
    return lambda wanted: {**make(wanted), "tools": ["*"]}


def _http_entry(key: str, **first: str) -> MakeEntry:
    def entry(wanted: EntrySpec) -> dict[str, Any]:
        headers = {"headers": {"Authorization": f"Bearer {wanted.key}"}} if wanted.key else {}
        return {**first, key: wanted.url, **headers}

    return entry


def _codex_http_entry(wanted: EntrySpec) -> dict[str, Any]:
    """Codex does not take a token in the file; it reads it from the named variable."""
    token = {"bearer_token_env_var": "REMEM_KEY"} if wanted.key else {}
    return {"url": wanted.url, **token}


def _codex_stdio_entry(wanted: EntrySpec) -> dict[str, Any]:
    """Codex passes on referenced variables from its own environment."""
    passed = [name for name, value in wanted.env.items() if value == f"${{{name}}}"]
    env = {name: value for name, value in wanted.env.items() if name not in passed}
    entry: dict[str, Any] = {"command": wanted.command, "args": list(wanted.args)}
    if passed:
        entry["env_vars"] = passed
    return {**entry, "env": env} if env else entry


def _cline(machine: Machine) -> list[Path]:
    file = "cline_mcp_settings.json"
    extension = "Code/User/globalStorage/saoudrizwan.claude-dev/settings"
    own = machine.home / ".cline/data/settings" / file
    return [
        machine.named("CLINE_MCP_SETTINGS_PATH", machine.settings / extension / file),
        own,
    ]


def _xdg(machine: Machine) -> Path:
    """The folder of programs that use the one of Linux on every system."""
    return machine.named("XDG_CONFIG_HOME", machine.home / ".config")


def _zed(machine: Machine) -> list[Path]:
    folder = machine.settings / "Zed" if machine.platform == "win32" else None
    return [(folder or _xdg(machine) / "zed") / "settings.json"]


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            places=lambda m: [m.settings / "Claude/claude_desktop_config.json"],
            table="mcpServers",
            stdio=_stdio_entry,
            http=None,
        ),
        Client(
            name="claude-code",
            title="Claude Code",
            places=lambda m: [m.named("CLAUDE_CONFIG_DIR", m.home) / ".claude.json"],
            table="mcpServers",
            stdio=_typed_stdio_entry,
            http=_http_entry("url", type="http"),
            project=".mcp.json",
            reference="${%s}",
            programs=("claude",),
        ),
        Client(
            name="cursor",
            title="Cursor",
            places=lambda m: [m.home / ".cursor/mcp.json"],
            table="mcpServers",
            stdio=_stdio_entry,
            http=_http_entry("url"),
            project=".cursor/mcp.json",
            reference="${env:%s}",
            programs=("cursor", "cursor-agent"),
        ),
        Client(
            name="cline",
            title="Cline",
            places=_cline,
            table="mcpServers",
            stdio=_stdio_entry,
            http=_http_entry("url", type="streamableHttp"),
            programs=("cline",),
        ),
        Client(
            name="vscode",
            title="VS Code",
            places=lambda m: [m.settings / "Code/User/mcp.json"],
            table="servers",
            stdio=_typed_stdio_entry,
            http=_http_entry("url", type="http"),
            project=".vscode/mcp.json",
            reference="${env:%s}",
            programs=("code",),
        ),
        Client(
            name="windsurf",
            title="Windsurf",
            places=lambda m: [m.home / ".codeium/windsurf/mcp_config.json"],
            table="mcpServers",
            stdio=_stdio_entry,
            http=_http_entry("serverUrl"),
            reference="${env:%s}",
            programs=("windsurf",),
        ),
        Client(
            name="zed",
            title="Zed",
            places=_zed,
            table="context_servers",
            stdio=_stdio_entry,
            http=_http_entry("url"),
            programs=("zed", "zeditor"),
        ),
        Client(
            name="codex",
            title="Codex",
            places=lambda m: [m.named("CODEX_HOME", m.home / ".codex") / "config.toml"],
            table="mcp_servers",
            stdio=_codex_stdio_entry,
            http=_codex_http_entry,
            project=".codex/config.toml",
            reference="${%s}",
            programs=("codex",),
            is_toml=True,
        ),
        Client(
            name="gemini",
            title="Gemini CLI",
            places=lambda m: [m.home / ".gemini/settings.json"],
            table="mcpServers",
            stdio=_stdio_entry,
            http=_http_entry("httpUrl"),
            project=".gemini/settings.json",
            reference="${%s}",
            programs=("gemini",),
        ),
        Client(
            name="opencode",
            title="opencode",
            places=lambda m: [
                _xdg(m) / "opencode" / name for name in ("opencode.json", "opencode.jsonc")
            ],
            table="mcp",
            inner="servers",
            stdio=_local_entry,
            http=_http_entry("url", type="remote"),
            project="opencode.json",
            reference="{env:%s}",
            programs=("opencode",),
        ),
        Client(
            name="kilo",
            title="Kilo Code",
            places=lambda m: [_xdg(m) / "kilo" / name for name in ("kilo.jsonc", "kilo.json")],
            table="mcp",
            inner="servers",
            stdio=_local_entry,
            http=_http_entry("url", type="remote"),
            project=".kilo/kilo.jsonc",
            reference="{env:%s}",
            programs=("kilo",),
        ),
        Client(
            name="copilot",
            title="Copilot CLI",
            places=lambda m: [m.home / ".copilot/mcp-config.json"],
            table="mcpServers",
            stdio=_all_tools(_typed_stdio_entry),
            http=_all_tools(_http_entry("url", type="http")),
            project=".github/mcp.json",
            reference="${%s}",
            programs=("copilot",),
        ),
        Client(
            name="junie",
            title="Junie",
            places=lambda m: [m.home / ".junie/mcp/mcp.json"],
            table="mcpServers",
            stdio=_stdio_entry,
            http=None,
            programs=("junie",),
        ),
        Client(
            name="openclaw",
            title="OpenClaw",
            places=lambda m: [
                m.named("OPENCLAW_CONFIG_PATH", m.home / ".openclaw/openclaw.json"),
            ],
            table="mcp.servers",
            stdio=_stdio_entry,
            http=None,
            programs=("openclaw",),
        ),
    )
}
