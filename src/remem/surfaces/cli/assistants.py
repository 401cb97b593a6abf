"""`remem install`: assistants get a memory."""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from os import environ
from pathlib import Path
from typing import Annotated, Any

import typer

from remem.surfaces.cli.command import argv
from remem.surfaces.cli.output import MISUSED, fail, out


@dataclass(frozen=True, slots=True)
class Assistant:
    """Where an assistant keeps its list of MCP servers."""

    title: str
    config: Callable[[Path], Path]


def _claude_desktop(home: Path) -> Path:
    mac = home / "Library/Application Support/Claude"
    folder = mac if sys.platform == "darwin" else home / ".config/Claude"
    return folder / "claude_desktop_config.json"


CARRIED = ("REMEM_DATA_DIR", "REMEM_DATABASE_URL", "REMEM_URL", "REMEM_KEY")

ASSISTANTS = {
    "claude-code": Assistant("Claude Code", lambda home: home / ".claude.json"),
    "claude-desktop": Assistant("Claude Desktop", _claude_desktop),
    "cursor": Assistant("Cursor", lambda home: home / ".cursor/mcp.json"),
}


def install(
    assistant: Annotated[str, typer.Argument(help=f"One of: {', '.join(ASSISTANTS)}.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be written.")] = False,
) -> None:
    """Connect an assistant: write remem into its list of MCP servers.

    Example: remem install claude-code
    """
    if assistant not in ASSISTANTS:
        fail(f"'{assistant}' is not known; choose one of: {', '.join(ASSISTANTS)}.", MISUSED)
    chosen = ASSISTANTS[assistant]
    path = chosen.config(Path.home())
    written = json.dumps(_merged(path), indent=2, ensure_ascii=False) + "\n"
    if dry_run:
        out.print(f"{path}\n{written}", highlight=False, markup=False, soft_wrap=True)
        return
    _write(path, written)
    out.print(f"{chosen.title} has remem now ({path}); restart it.", highlight=False, markup=False)


def _merged(path: Path) -> dict[str, Any]:
    try:
        config = json.loads(path.read_text()) if path.exists() else {}
    except ValueError:
        fail(f"{path} is not valid JSON; mend it first, nothing was changed.")
    if not isinstance(config, dict) or not isinstance(config.get("mcpServers", {}), dict):
        fail(f"{path} does not hold a list of MCP servers; nothing was changed.")
    program, *rest = argv()
    entry: dict[str, Any] = {"command": program, "args": [*rest, "mcp"]}
    # An assistant starts with an environment of its own, and must reach this same memory.
    if env := {name: environ[name] for name in CARRIED if name in environ}:
        entry["env"] = env
    return {**config, "mcpServers": {**config.get("mcpServers", {}), "remem": entry}}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        shutil.copy2(path, path.with_name(path.name + ".before-remem"))
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text)
    if path.exists():
        shutil.copymode(path, fresh)
    fresh.replace(path)
