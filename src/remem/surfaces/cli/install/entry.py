"""The MCP entry of an assistant: a program to start, or a server to connect to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import environ
from pathlib import Path

from remem.surfaces.cli.command import argv

NAME = "remem"
# An assistant starts with an environment of its own, and must reach this same memory.
CARRIED = ("REMEM_DATA_DIR", "REMEM_CONFIG_DIR", "REMEM_DATABASE_URL", "REMEM_URL", "REMEM_KEY")
SECRET = ("REMEM_DATABASE_URL", "REMEM_KEY")


@dataclass(frozen=True, slots=True)
class Wanted:
    """`url` is the MCP endpoint of a remote server, `key` for it; a program has them in
    `env`."""

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    key: str | None = None


def for_user(url: str | None, key: str | None, tools: str | None) -> Wanted:
    program, *rest = argv()
    env = {name: environ[name] for name in CARRIED if environ.get(name)}
    env |= {name: value for name, value in (("REMEM_URL", url), ("REMEM_KEY", key)) if value}
    return Wanted(program, (*rest, *_mcp(tools)), env, _address(url, tools), key)


def _mcp(tools: str | None) -> tuple[str, ...]:
    return ("mcp", "--tools", tools) if tools else ("mcp",)


def _address(url: str | None, tools: str | None) -> str | None:
    return f"{url}/mcp/{tools}" if url and tools else f"{url}/mcp" if url else None


def for_project(url: str | None, key: str | None, reference: str, tools: str | None) -> Wanted:
    """What others check out contains neither a secret nor a path of this machine."""
    shown = reference % "REMEM_KEY" if key or environ.get("REMEM_KEY") else None
    at = url or environ.get("REMEM_URL")
    env = {name: value for name, value in (("REMEM_URL", at), ("REMEM_KEY", shown)) if value}
    return Wanted(NAME, _mcp(tools), env, _address(url, tools), shown)


def without_secrets(wanted: Wanted, reference: str) -> Wanted:
    """The same for a file that may be shared, with references in the place of secrets."""
    env = {
        name: reference % name if name in SECRET else value for name, value in wanted.env.items()
    }
    key = reference % "REMEM_KEY" if wanted.key else None
    return Wanted(wanted.command, wanted.args, env, wanted.url, key)


def has_secret(wanted: Wanted) -> bool:
    return bool(wanted.key) or any(name in SECRET for name in wanted.env)


def likely_committed(path: Path) -> bool:
    """Whether a repository lies around it, a link to one followed: dotfiles often do."""
    real = path.resolve()
    return any((folder / ".git").exists() for folder in real.parents)
