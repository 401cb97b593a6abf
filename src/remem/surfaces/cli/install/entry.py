"""The MCP entry of an assistant: a program to start, or a server to connect to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import environ
from pathlib import Path

from remem.surfaces.cli.command import argv

NAME = "remem"
# An assistant starts with its own environment and must reach this same store.
PASSED_VARIABLES = (
    "REMEM_DATA_DIR",
    "REMEM_CONFIG_DIR",
    "REMEM_DATABASE_URL",
    "REMEM_URL",
    "REMEM_KEY",
)
SECRET_VARIABLES = ("REMEM_DATABASE_URL", "REMEM_KEY")


@dataclass(frozen=True, slots=True)
class EntrySpec:
    """`url` is the MCP endpoint of a remote server and `key` its key; for a program they are in
    `env`."""

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    key: str | None = None


def for_user(url: str | None, key: str | None, tools: str | None) -> EntrySpec:
    program, *rest = argv()
    env = {name: environ[name] for name in PASSED_VARIABLES if environ.get(name)}
    env |= {name: value for name, value in (("REMEM_URL", url), ("REMEM_KEY", key)) if value}
    return EntrySpec(program, (*rest, *_mcp_args(tools)), env, _mcp_url(url, tools), key)


def _mcp_args(tools: str | None) -> tuple[str, ...]:
    return ("mcp", "--tools", tools) if tools else ("mcp",)


def _mcp_url(url: str | None, tools: str | None) -> str | None:
    return f"{url}/mcp/{tools}" if url and tools else f"{url}/mcp" if url else None


def for_project(url: str | None, key: str | None, reference: str, tools: str | None) -> EntrySpec:
    """A shared file contains neither a secret nor a path of this machine."""
    key_reference = reference % "REMEM_KEY" if key or environ.get("REMEM_KEY") else None
    server = url or environ.get("REMEM_URL")
    env = {
        name: value
        for name, value in (("REMEM_URL", server), ("REMEM_KEY", key_reference))
        if value
    }
    return EntrySpec(NAME, _mcp_args(tools), env, _mcp_url(url, tools), key_reference)


def without_secrets(spec: EntrySpec, reference: str) -> EntrySpec:
    """The same entry for a file that may be shared, with references instead of secrets."""
    env = {
        name: reference % name if name in SECRET_VARIABLES else value
        for name, value in spec.env.items()
    }
    key = reference % "REMEM_KEY" if spec.key else None
    return EntrySpec(spec.command, spec.args, env, spec.url, key)


def has_secret(spec: EntrySpec) -> bool:
    return bool(spec.key) or any(name in SECRET_VARIABLES for name in spec.env)


def likely_committed(path: Path) -> bool:
    """Whether the file is inside a repository. Links are followed, because dotfiles are often
    linked from one."""
    real = path.resolve()
    return any((folder / ".git").exists() for folder in real.parents)
