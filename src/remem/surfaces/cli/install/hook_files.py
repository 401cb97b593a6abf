"""Hooks of coding agents: which file, which moments, and what they are to run."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from remem.surfaces.cli.command import argv
from remem.surfaces.cli.install.change import Change, Refused, load, put, read
from remem.surfaces.cli.install.clients import Machine
from remem.surfaces.cli.install.entry import CARRIED, NAME

START_TIMEOUT_S, END_TIMEOUT_S = 20, 30
# Identifies our own hooks, whatever path precedes it.
MARK = " hook "


@dataclass(frozen=True, slots=True)
class Hooks:
    """`moments` are the agent's names of a beginning and of an end. `wrap` makes an entry of a
    command and its seconds."""

    file: Callable[[Machine], Path]
    project: str
    moments: tuple[tuple[str, str], ...]
    wrap: Callable[[str, int], dict[str, Any]]
    root: tuple[tuple[str, Any], ...] = ()


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
        moments=(("SessionStart", "start"), ("SessionEnd", "end")),
        wrap=_grouped,
    ),
    "codex": Hooks(
        file=lambda m: m.named("CODEX_HOME", m.home / ".codex") / "hooks.json",
        project=".codex/hooks.json",
        moments=(("SessionStart", "start"), ("Stop", "turn")),
        wrap=_grouped,
    ),
    "gemini": Hooks(
        file=lambda m: m.home / ".gemini/settings.json",
        project=".gemini/settings.json",
        moments=(("SessionStart", "start"), ("SessionEnd", "end")),
        wrap=_in_milliseconds,
    ),
    "cursor": Hooks(
        file=lambda m: m.home / ".cursor/hooks.json",
        project=".cursor/hooks.json",
        moments=(("sessionStart", "start"), ("sessionEnd", "end")),
        wrap=_flat,
        root=(("version", 1),),
    ),
}


def with_hooks(
    first: Change, name: str, machine: Machine, project: bool, remove: bool
) -> list[Change]:
    """The change of the server's entry with that of the hooks, which may be of the same file."""
    hooks = HOOKS[name]
    file = Path.cwd() / hooks.project if project else hooks.file(machine)
    same = file == first.path
    text = first.after if same else read(file)
    after = _hooked(hooks, name, file, text or "", project, remove)
    if same:
        return [replace(first, after=after)]
    return [first, Change(file, text, after, first.mode)]


def _hooked(hooks: Hooks, name: str, file: Path, text: str, project: bool, remove: bool) -> str:
    current = load(file, text, is_toml=False)
    changed = current.get("hooks", {})
    if not isinstance(changed, dict):
        raise Refused(f"{file} has something else under hooks")
    for moment, verb in hooks.moments:
        changed = _with(changed, moment, None if remove else _entry(hooks, name, verb, project))
    if changed == current.get("hooks", {}):
        return text
    text = put(file, ["hooks"], changed, text=text).after
    for key, value in hooks.root:
        if key not in current:
            text = put(file, [key], value, text=text).after
    return text


def _with(hooks: dict[str, Any], moment: str, entry: dict[str, Any] | None) -> dict[str, Any]:
    """Ours once or not at all, others as they are."""
    there = hooks.get(moment, [])
    if not isinstance(there, list):
        raise Refused(f"the hooks of {moment} are no list")
    others = [one for one in there if not _is_ours(one)]
    kept = [*others, entry] if entry else others
    rest = {name: value for name, value in hooks.items() if name != moment}
    return {**hooks, moment: kept} if kept else rest


def _is_ours(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    inner = entry.get("hooks", [entry])
    commands = [str(one.get("command", "")) for one in inner if isinstance(one, dict)]
    return any(MARK in f"{one} " and "remem" in one for one in commands)


def _entry(hooks: Hooks, name: str, verb: str, project: bool) -> dict[str, Any]:
    timeout_s = START_TIMEOUT_S if verb == "start" else END_TIMEOUT_S
    return hooks.wrap(_command(name, verb, project), timeout_s)


def _command(name: str, verb: str, project: bool) -> str:
    """What is shared names the program only; what is ours, this very one and its store."""
    from os import environ

    if project:
        return f"{NAME} hook {verb} --client {name}"
    carried = [
        f"{variable}={shlex.quote(environ[variable])}"
        for variable in CARRIED
        if environ.get(variable) and variable not in ("REMEM_KEY", "REMEM_DATABASE_URL")
    ]
    words = [*(["env"] if carried else []), *carried, *map(shlex.quote, argv())]
    return f"{' '.join(words)} hook {verb} --client {name}"
