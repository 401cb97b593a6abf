"""Hooks of coding agents: in which file, at which events, and which command they run."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from remem.surfaces.cli.command import argv
from remem.surfaces.cli.install.change import Change, Refused, load, put, read
from remem.surfaces.cli.install.change import remove as remove_key
from remem.surfaces.cli.install.clients import Machine
from remem.surfaces.cli.install.entry import NAME, PASSED_VARIABLES

START_TIMEOUT_S, PROMPT_TIMEOUT_S, END_TIMEOUT_S = 20, 5, 30
_TIMEOUTS_S = {"start": START_TIMEOUT_S, "prompt": PROMPT_TIMEOUT_S}
# Identifies our own hooks, whatever path precedes it.
MARK, STATUS_LINE = " hook ", " statusline"


@dataclass(frozen=True, slots=True)
class Hooks:
    """`moments` pairs the agent's event names with our commands. `wrap` builds an entry from a
    command and its timeout in seconds. `status_line` is the key of the agent's status line."""

    file: Callable[[Machine], Path]
    project: str
    moments: tuple[tuple[str, str], ...]
    wrap: Callable[[str, int], dict[str, Any]]
    root: tuple[tuple[str, Any], ...] = ()
    status_line: str | None = None


def _grouped(command: str, timeout_s: int) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": command, "timeout": timeout_s}]}


def _in_milliseconds(command: str, timeout_s: int) -> dict[str, Any]:
    hook = {"name": NAME, "type": "command", "command": command, "timeout": timeout_s * 1_000}
    return {"hooks": [hook]}


def _flat(command: str, timeout_s: int) -> dict[str, Any]:
    return {"command": command, "timeout": timeout_s}


HOOKS = {
    "claude-code": Hooks(
        file=lambda m: m.named("CLAUDE_CONFIG_DIR", m.home / ".claude") / "settings.json",
        project=".claude/settings.json",
        moments=(
            ("SessionStart", "start"),
            ("UserPromptSubmit", "prompt"),
            ("PreCompact", "compact"),
            ("SessionEnd", "end"),
        ),
        wrap=_grouped,
        status_line="statusLine",
    ),
    "codex": Hooks(
        file=lambda m: m.named("CODEX_HOME", m.home / ".codex") / "hooks.json",
        project=".codex/hooks.json",
        moments=(
            ("SessionStart", "start"),
            ("UserPromptSubmit", "prompt"),
            ("PreCompact", "compact"),
            ("Stop", "turn"),
        ),
        wrap=_grouped,
    ),
    "gemini": Hooks(
        file=lambda m: m.home / ".gemini/settings.json",
        project=".gemini/settings.json",
        moments=(
            ("SessionStart", "start"),
            ("BeforeAgent", "prompt"),
            ("PreCompress", "compact"),
            ("SessionEnd", "end"),
        ),
        wrap=_in_milliseconds,
    ),
    "cursor": Hooks(
        file=lambda m: m.home / ".cursor/hooks.json",
        project=".cursor/hooks.json",
        moments=(
            ("sessionStart", "start"),
            ("beforeSubmitPrompt", "prompt"),
            ("preCompact", "compact"),
            ("sessionEnd", "end"),
        ),
        wrap=_flat,
        root=(("version", 1),),
    ),
}


def with_hooks(
    first: Change, name: str, machine: Machine, project: bool, remove: bool
) -> list[Change]:
    """Add the change of the hooks to that of the server entry; both may concern the same file."""
    hooks = HOOKS[name]
    file = Path.cwd() / hooks.project if project else hooks.file(machine)
    is_same_file = file == first.path
    text = first.after if is_same_file else read(file)
    after = _edit_hooks(hooks, name, file, text or "", project, remove)
    if is_same_file:
        return [replace(first, after=after)]
    return [first, Change(file, text, after, first.mode)]


def _edit_hooks(hooks: Hooks, name: str, file: Path, text: str, project: bool, remove: bool) -> str:
    current = load(file, text, is_toml=False)
    changed = current.get("hooks", {})
    if not isinstance(changed, dict):
        raise Refused(f"{file} has another type of value under hooks")
    for moment, verb in hooks.moments:
        changed = _replace_own_hook(
            changed, moment, None if remove else _entry(hooks, name, verb, project)
        )
    text = _edit_status_line(hooks, file, text, project, remove)
    if changed == current.get("hooks", {}):
        return text
    if not changed:
        return remove_key(file, ["hooks"], text=text).after
    text = put(file, ["hooks"], changed, text=text).after
    for key, value in hooks.root:
        if key not in current:
            text = put(file, [key], value, text=text).after
    return text


def _edit_status_line(hooks: Hooks, file: Path, text: str, project: bool, remove: bool) -> str:
    """Show ours if the user has none, and leave theirs as it is."""
    key = hooks.status_line
    current = load(file, text, is_toml=False).get(key) if key else None
    is_ours = isinstance(current, dict) and str(current.get("command", "")).endswith(STATUS_LINE)
    if key is None or (current is not None and not is_ours):
        return text
    if remove:
        return remove_key(file, [key], text=text).after if is_ours else text
    entry = {"type": "command", "command": f"{_program(project)}{STATUS_LINE}"}
    return put(file, [key], entry, text=text).after


def _replace_own_hook(
    hooks: dict[str, Any], moment: str, entry: dict[str, Any] | None
) -> dict[str, Any]:
    """Replace our own entry, or remove it if `entry` is None, and leave others as they are."""
    existing = hooks.get(moment, [])
    if not isinstance(existing, list):
        raise Refused(f"the hooks of {moment} are not a list")
    others = [other for other in existing if not _is_ours(other)]
    entries = [*others, entry] if entry else others
    rest = {name: value for name, value in hooks.items() if name != moment}
    return {**hooks, moment: entries} if entries else rest


def _is_ours(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    inner = entry.get("hooks", [entry])
    commands = [str(hook.get("command", "")) for hook in inner if isinstance(hook, dict)]
    return any(MARK in f"{command} " and "remem" in command for command in commands)


def _entry(hooks: Hooks, name: str, verb: str, project: bool) -> dict[str, Any]:
    timeout_s = _TIMEOUTS_S.get(verb, END_TIMEOUT_S)
    return hooks.wrap(_command(name, verb, project), timeout_s)


def _command(name: str, verb: str, project: bool) -> str:
    return f"{_program(project)} hook {verb} --client {name}"


def _program(project: bool) -> str:
    """A shared file names the program only; a private one names this installation and its store."""
    from os import environ

    if project:
        return NAME
    variables = [
        f"{variable}={shlex.quote(environ[variable])}"
        for variable in PASSED_VARIABLES
        if environ.get(variable) and variable not in ("REMEM_KEY", "REMEM_DATABASE_URL")
    ]
    words = [*(["env"] if variables else []), *variables, *map(shlex.quote, argv())]
    return " ".join(words)
