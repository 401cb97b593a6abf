"""Refuse empty arguments.

An unset shell variable must not mean the current folder, or everything."""

from pathlib import Path
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand

from remem.surfaces.cli.output import MISUSED, fail

# An empty query returns the newest items, and a setting can be set to the empty string.
_MAY_BE_EMPTY = frozenset({"query", "value"})


class Command(TyperCommand):
    """Checks the words as they were typed: parsed as a path, "" would be the current folder."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        typed, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        for param in self.get_params(ctx):
            if _must_not_be_empty(param) and _is_empty(typed.get(param.name)):
                fail(f"{param.name}: is empty; give a value. Nothing was done.", MISUSED)
        return super().parse_args(ctx, args)


def refuse_empty(group: typer.Typer) -> None:
    """Let every command of a group refuse empty arguments."""
    for command in group.registered_commands:
        command.cls = Command
    for subgroup in group.registered_groups:
        if subgroup.typer_instance:
            refuse_empty(subgroup.typer_instance)


def _must_not_be_empty(param: Any) -> bool:
    is_path = getattr(param.type_descriptor, "annotation", None) is Path
    return is_path or (isinstance(param, TyperArgument) and param.name not in _MAY_BE_EMPTY)


def _is_empty(typed: Any) -> bool:
    words = typed if isinstance(typed, list | tuple) else [typed]
    return any(isinstance(word, str) and not word.strip() for word in words)
