"""How arguments are read: empty ones are refused, file names are files, the rest is text."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from remem.surfaces.cli.main import command_line
from remem.surfaces.cli.paths import looks_like_path
from tests.conftest import Person
from tests.surfaces.cli.running import Shell


def leaves(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    for word, command in group.commands.items():
        words = f"{name} {word}".strip()
        if hasattr(command, "commands"):
            yield from leaves(command, words)
        else:
            yield words, command


# `recall ""` lists the newest items, and the server refuses an empty `memories search`.
COMMANDS = {
    words: command
    for words, command in leaves(typer.main.get_command(command_line([])))
    if any(
        param.param_type_name == "argument" and param.name != "query" for param in command.params
    )
}


@pytest.mark.parametrize("empty", ["", " \n"])
@pytest.mark.parametrize("words", COMMANDS)
def test_an_empty_argument_does_nothing(words: str, empty: str, monkeypatch: Any) -> None:
    monkeypatch.setenv("REMEM_URL", "http://127.0.0.1:1")
    arguments = [*words.split(), empty]
    result = CliRunner().invoke(command_line(arguments), arguments)
    assert result.exit_code == 2, result
    assert ": is empty; " in result.output


@pytest.mark.parametrize(
    "words",
    [
        ["save", ""],
        ["save", " "],
        ["save", "note.md", ""],
        ["save", "", "--text"],
        ["save", "-"],
        ["memories", "add"],
        ["import", ""],
        ["export", "", "--force"],
        ["demo", "--folder", ""],
    ],
)
def test_nothing_is_saved_for_an_empty_argument(
    shell: Shell, person: Person, tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "note.md").write_text("Nobody asked to save this note.")
    before = sorted(tmp_path.iterdir())
    result = shell.piped(*words)
    assert result.code == 2, result
    assert ": is empty; " in result.err
    assert person.http.get("/v3/stats").json()["total_documents"] == 0
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [["nosuch.pdf"], ["./minutes.md"], ["NoSuch.PDF"], ["a.md", "b.md"], ["*.txt"], ["in/"]],
)
def test_a_missing_file_is_not_saved_as_text(
    shell: Shell, person: Person, words: list[str]
) -> None:
    result = shell.piped("save", *words)
    assert result.code == 2, result
    assert f"There is no file {words[0]}; with --text it is saved as text." in result.err
    assert person.http.get("/v3/stats").json()["total_documents"] == 0


def test_with_text_a_file_name_is_saved_as_text(shell: Shell, person: Person) -> None:
    assert shell.piped("save", "nosuch.pdf", "--text").code == 0
    assert person.http.get("/v3/stats").json()["total_documents"] == 1


@pytest.mark.parametrize(
    "text", ["A name of a file is not so long. " * 8, "~5 minutes until tea"], ids=["long", "tilde"]
)
def test_what_cannot_be_a_path_is_saved_as_text(shell: Shell, person: Person, text: str) -> None:
    assert shell.piped("save", text).code == 0
    [document] = person.http.get("/v3/documents").json()["documents"]
    assert person.http.get(f"/v3/documents/{document['id']}").json()["content"] == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "see minutes.pdf",
        "example.com",
        "version 2.5",
        "3.14",
        "and/or",
        "https://a.org/x.pdf",
        "Yes.",
    ],
)
def test_text_is_not_a_path(text: str) -> None:
    assert not looks_like_path(text)
