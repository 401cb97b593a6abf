"""Every assistant: where its settings are on each system, and how they name things."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remem.surfaces.cli.install.entry import Wanted


@dataclass(frozen=True, slots=True)
class Machine:
    """What decides where a file is."""

    platform: str
    home: Path
    environment: Mapping[str, str]

    @property
    def settings(self) -> Path:
        """Where programs keep settings."""
        if self.platform == "darwin":
            return self.home / "Library/Application Support"
        if self.platform == "win32":
            named = self.environment.get("APPDATA")
            return Path(named) if named else self.home / "AppData/Roaming"
        named = self.environment.get("XDG_CONFIG_HOME")
        return Path(named) if named else self.home / ".config"

    def named(self, variable: str, default: Path) -> Path:
        return Path(self.environment[variable]) if self.environment.get(variable) else default


def this_machine() -> Machine:
    return Machine(sys.platform, Path.home(), os.environ)


@dataclass(frozen=True, slots=True)
class Client:
    """`places` are where its settings may be, the usual one first. `http` is None where the file
    takes only programs. `reference` is how a value of the environment is written in the file."""

    name: str
    title: str
    places: Callable[[Machine], list[Path]]
    table: str
    stdio: Callable[[Wanted], dict[str, Any]]
    http: Callable[[Wanted], dict[str, Any]] | None
    project: str | None = None
    reference: str | None = None
    programs: tuple[str, ...] = ()
    is_toml: bool = False

    def file(self, machine: Machine) -> Path:
        places = self.places(machine)
        return next((path for path in places if path.exists()), places[0])

    def is_here(self, machine: Machine) -> bool:
        """Its settings or their folder are there, or its program is on the path."""
        folders = [path.parent for path in self.places(machine) if path.parent != machine.home]
        there = any(path.exists() for path in [*folders, self.file(machine)])
        return there or any(shutil.which(program) for program in self.programs)


def _program(wanted: Wanted) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": wanted.command, "args": list(wanted.args)}
    return {**entry, "env": dict(wanted.env)} if wanted.env else entry


def _typed(wanted: Wanted) -> dict[str, Any]:
    return {"type": "stdio", **_program(wanted)}


def _remote(key: str, **first: str) -> Callable[[Wanted], dict[str, Any]]:
    def entry(wanted: Wanted) -> dict[str, Any]:
        shown = {"headers": {"Authorization": f"Bearer {wanted.key}"}} if wanted.key else {}
        return {**first, key: wanted.url, **shown}

    return entry


def _codex_remote(wanted: Wanted) -> dict[str, Any]:
    """Its file takes no token in the open; it names the variable that has it."""
    named = {"bearer_token_env_var": "REMEM_KEY"} if wanted.key else {}
    return {"url": wanted.url, **named}


def _codex_program(wanted: Wanted) -> dict[str, Any]:
    """What is referred to is handed on from Codex's own environment."""
    handed = [name for name, value in wanted.env.items() if value == f"${{{name}}}"]
    env = {name: value for name, value in wanted.env.items() if name not in handed}
    entry: dict[str, Any] = {"command": wanted.command, "args": list(wanted.args)}
    if handed:
        entry["env_vars"] = handed
    return {**entry, "env": env} if env else entry


def _cline(machine: Machine) -> list[Path]:
    file = "cline_mcp_settings.json"
    extension = "Code/User/globalStorage/saoudrizwan.claude-dev/settings"
    own = machine.home / ".cline/data/settings" / file
    return [
        machine.named("CLINE_MCP_SETTINGS_PATH", machine.settings / extension / file),
        own,
    ]


def _zed(machine: Machine) -> list[Path]:
    folder = machine.settings / "Zed" if machine.platform == "win32" else None
    # On macOS too it keeps its settings where Linux does.
    unix = machine.named("XDG_CONFIG_HOME", machine.home / ".config") / "zed"
    return [(folder or unix) / "settings.json"]


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            places=lambda m: [m.settings / "Claude/claude_desktop_config.json"],
            table="mcpServers",
            stdio=_program,
            http=None,
        ),
        Client(
            name="claude-code",
            title="Claude Code",
            places=lambda m: [m.named("CLAUDE_CONFIG_DIR", m.home) / ".claude.json"],
            table="mcpServers",
            stdio=_typed,
            http=_remote("url", type="http"),
            project=".mcp.json",
            reference="${%s}",
            programs=("claude",),
        ),
        Client(
            name="cursor",
            title="Cursor",
            places=lambda m: [m.home / ".cursor/mcp.json"],
            table="mcpServers",
            stdio=_program,
            http=_remote("url"),
            project=".cursor/mcp.json",
            reference="${env:%s}",
            programs=("cursor", "cursor-agent"),
        ),
        Client(
            name="cline",
            title="Cline",
            places=_cline,
            table="mcpServers",
            stdio=_program,
            http=_remote("url", type="streamableHttp"),
            programs=("cline",),
        ),
        Client(
            name="vscode",
            title="VS Code",
            places=lambda m: [m.settings / "Code/User/mcp.json"],
            table="servers",
            stdio=_typed,
            http=_remote("url", type="http"),
            project=".vscode/mcp.json",
            reference="${env:%s}",
            programs=("code",),
        ),
        Client(
            name="windsurf",
            title="Windsurf",
            places=lambda m: [m.home / ".codeium/windsurf/mcp_config.json"],
            table="mcpServers",
            stdio=_program,
            http=_remote("serverUrl"),
            reference="${env:%s}",
            programs=("windsurf",),
        ),
        Client(
            name="zed",
            title="Zed",
            places=_zed,
            table="context_servers",
            stdio=_program,
            http=_remote("url"),
            programs=("zed", "zeditor"),
        ),
        Client(
            name="codex",
            title="Codex",
            places=lambda m: [m.named("CODEX_HOME", m.home / ".codex") / "config.toml"],
            table="mcp_servers",
            stdio=_codex_program,
            http=_codex_remote,
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
            stdio=_program,
            http=_remote("httpUrl"),
            project=".gemini/settings.json",
            reference="${%s}",
            programs=("gemini",),
        ),
    )
}
