"""Write the reference in docs/cli.md from the commands; text after a command's table is kept."""

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from remem.surfaces.cli.main import command_line

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
# Options that most commands take, explained once above the reference.
SHARED = ("--url", "--key", "--json")
_SECTION = re.compile(r"^## `(remem [^`]+)`\n(.*?)(?=^## |\Z)", re.M | re.S)
_SUMMARY = re.compile(r"^\| command \| what it does \|\n(?:\|.*\n)+", re.M)
_END = "<!-- /reference -->\n"


def commands(group: Any, above: str = "remem") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{above} {name}")
        else:
            yield f"{above} {name}", command


def render(page: str) -> str:
    """The page with a new reference; prose stays in its place."""
    known = dict(commands(typer.main.get_command(command_line([]))))
    prose = {name: _prose(body) for name, body in _SECTION.findall(page)}
    head, _, _ = page.partition("## `remem ")
    summary = "".join(f"| `{name}` | {_first(command)} |\n" for name, command in known.items())
    table = f"| command | what it does |\n|---|---|\n{summary}"
    head = _SUMMARY.sub(lambda _: table, head)
    sections = (_section(name, command, prose.get(name, "")) for name, command in known.items())
    return head + "\n".join(sections)


def _section(name: str, command: Any, prose: str) -> str:
    parts = [_examples(command), _rest(command), _options(command), _shared(command)]
    reference = "\n\n".join(part for part in parts if part)
    return f"## `{name}`\n\n{reference}\n{_END}{prose}"


def _prose(body: str) -> str:
    prose = body.partition(_END)[2].strip("\n")
    return f"\n{prose}\n" if prose else ""


def _paragraphs(command: Any) -> list[str]:
    text = (command.help or "").replace("\f", "").strip()
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)]


def _first(command: Any) -> str:
    return _paragraphs(command)[0]


def _rest(command: Any) -> str:
    middle = [part for part in _paragraphs(command)[1:] if not _is_example(part)]
    return "\n\n".join([_first(command), *middle])


def _examples(command: Any) -> str:
    examples = [part for part in _paragraphs(command) if _is_example(part)]
    lines = [line for part in examples for line in re.sub(r"^Examples?: ", "", part).split(" · ")]
    return "\n".join(f"    {line}" for line in lines)


def _is_example(part: str) -> bool:
    return part.startswith(("Example: ", "Examples: "))


def _options(command: Any) -> str:
    rows = [
        _row(parameter)
        for parameter in command.params
        if not set(parameter.opts) & {*SHARED, "--help"}
    ]
    return "\n".join(["| | |", "|---|---|", *rows]) if rows else ""


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    about = " ".join((parameter.help or "").split())
    kind = parameter.type_descriptor.annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        about = f"{about} One of {', '.join(f'`{choice.value}`' for choice in kind)}."
    default = parameter.default
    if isinstance(default, (int, str)) and not isinstance(default, bool) and default != "":
        about = f"{about} `{getattr(default, 'value', default)}` if absent."
    return f"| {names} | {about} |".replace("|  |", "| |")


def _shared(command: Any) -> str:
    names = [name for name in SHARED if any(name in parameter.opts for parameter in command.params)]
    return f"Takes {', '.join(f'`{name}`' for name in names)}; see above." if names else ""


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text()))
