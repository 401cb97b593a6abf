"""Everything a user can set, call or run is documented, and nothing else is."""

import re
import runpy
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic_core import PydanticUndefined

from remem.app import create_app
from remem.client import AsyncRemem
from remem.settings import Settings
from remem.surfaces.cli.main import command_line
from remem.surfaces.mcp.server import create_server
from remem.surfaces.worker.jobs import JOBS

DOCS = Path(__file__).parents[2] / "docs"


def read(name: str) -> str:
    return (DOCS / name).read_text()


def first_cells(text: str) -> dict[str, list[str]]:
    """The rows of every table, by the text between backticks in the first cell."""
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): row for row in rows}


def test_every_setting_is_documented_with_its_default() -> None:
    documented = first_cells(read("settings.md"))
    expected = {
        f"REMEM_{name.upper()}": format_default(field.default)
        for name, field in Settings.model_fields.items()
    }
    assert set(documented) == set(expected)
    assert not {
        name: (documented[name][1], default)
        for name, default in expected.items()
        if default and documented[name][1] != default
    }


def format_default(value: object) -> str | None:
    """How the page writes a default; None for one that depends on the machine and is described in
    words."""
    if value is PydanticUndefined:
        return None
    if value is None:
        return "not set"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


@cache
def openapi() -> dict[str, Any]:
    return create_app(Settings()).openapi()


def test_every_route_is_documented() -> None:
    paths = openapi()["paths"]
    routes = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    documented = {name for name in first_cells(read("api.md")) if re.match(r"[A-Z]+ /", name)}
    assert documented == routes


def test_every_field_of_save_and_recall_is_documented() -> None:
    shapes = openapi()["components"]["schemas"]
    text = read("api.md")
    for shape in ("MemoryIn", "MemoryOut", "RecallIn", "FiltersIn", "ResultOut", "ChunkOut"):
        for field in shapes[shape]["properties"]:
            assert f"`{field}`" in text or f'"{field}":' in text, f"{shape}.{field}"


def test_the_page_of_commands_is_generated_from_them() -> None:
    """`make clients` writes it."""
    script = runpy.run_path(str(DOCS.parent / "tools" / "write_cli_docs.py"))
    assert script["render"](read("cli.md")) == read("cli.md")


_IN_LINE = re.compile(r"`(?:[A-Z_]+=\S+ )*(remem [^`<\n]+)`")
_IN_BLOCK = re.compile(r"^ *(?:[A-Z_]+=\S+ )*(remem .*)$", re.M)
_BLOCK = re.compile(r"^```\w*\n(.*?)^```$|((?:^    [^\n]*\n)+)", re.M | re.S)


def commands_in(text: str) -> Iterator[list[str]]:
    """The words after `remem` in each command, up to a pipe or a comment."""
    blocks = "\n".join(fenced or indented for fenced, indented in _BLOCK.findall(text))
    for line in (*_IN_LINE.findall(text), *_IN_BLOCK.findall(blocks)):
        words = shlex.split(re.split(r" [|>]", line)[0], comments=True)[1:]
        if words:
            yield words


def unknown_word(command: Any, words: list[str]) -> str | None:
    """The first word that is not a command of this group or not an option of the command."""
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        default = getattr(command, "default", None)
        if words[0] not in command.commands and default is None:
            return words[0]
        name = words[0] if words[0] in command.commands else default
        command, words = command.commands[name], words[1:]
    options = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    names = (word.partition("=")[0] for word in words if word.startswith("--"))
    return next((name for name in names if name not in {*options, "--help"}), None)


def test_every_command_of_the_pages_exists_with_its_options() -> None:
    remem = typer.main.get_command(command_line([]))
    pages = [DOCS.parent / "README.md", DOCS.parent / "SECURITY.md", *DOCS.rglob("*.md")]
    used = [(page.name, words) for page in pages for words in commands_in(page.read_text())]
    assert len(used) > 500
    assert not [(page, words) for page, words in used if unknown_word(remem, words)]


@pytest.mark.anyio
async def test_every_tool_is_documented_with_its_arguments() -> None:
    tools = await create_server("all", lambda _: AsyncRemem()).list_tools()
    documented = first_cells(read("mcp.md"))
    assert set(documented) == {tool.name for tool in tools}
    for tool in tools:
        arguments = set(re.findall(r"`(\w+)`", documented[tool.name][1]))
        assert arguments == set(tool.input_schema["properties"]), tool.name


@pytest.mark.anyio
async def test_every_resource_and_prompt_is_documented() -> None:
    server = create_server("all", lambda _: AsyncRemem())
    names = {resource.uri for resource in await server.list_resources()}
    names |= {template.uri_template for template in await server.list_resource_templates()}
    names |= {prompt.name for prompt in await server.list_prompts()}
    assert names and not {name for name in names if f"`{name}`" not in read("mcp.md")}


def test_every_job_is_documented() -> None:
    assert set(first_cells(read("jobs.md"))) == set(JOBS)


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in DOCS.glob("*.md"):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_the_architecture_page_names_every_folder_and_no_other() -> None:
    text = (DOCS.parent / "ARCHITECTURE.md").read_text()
    block = re.search(r"^```\nsrc/remem/\n(.*?)^```", text, re.M | re.S)
    assert block
    source = DOCS.parent / "src" / "remem"
    for layer in ("core", "adapters", "surfaces"):
        section = re.search(rf"^  {layer}/\n((?:    .*\n)+)", block[1], re.M)
        assert section, layer
        documented = set(re.findall(r"(?<![\w/])([a-z_]+)/(?=\s)", section[1]))
        expected = {path.parent.name for path in (source / layer).glob("*/__init__.py")}
        assert expected <= documented, sorted(expected - documented)
        folders = {path.parent.name for path in (source / layer).rglob("__init__.py")}
        assert documented <= folders | {"data"}, sorted(documented - folders)
