"""Every API that saves says what a save of known content added, and what it left as it was."""

from pathlib import Path
from typing import Any

from remem.client import Remem
from tests.conftest import Person
from tests.surfaces.cli.conftest import shell_of

TEXT = "The ferry is blue."


def call(person: Person, toolset: str, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    reply = person.http.post(f"/mcp/{toolset}", json=message)
    result = reply.json()["result"]
    assert not result.get("isError"), result
    return result["content"][0]["text"], result["structuredContent"]


def test_the_tool_memory_says_it(person: Person) -> None:
    fields = {"title": "Ferry", "tags": ["sea"]}
    text, first = call(person, "assistant", "memory", content=TEXT, **fields)
    assert (set(first), "tags" in text) == ({"id", "title", "chunk_count", "status"}, False)
    text, again = call(
        person, "assistant", "memory", content=TEXT, title="Boat", tags=["Sea", "colour"]
    )
    assert (again["added_tags"], again["not_taken"]) == (["colour"], ["title"])
    assert "tags added: colour; not changed: title" in text
    text, same = call(person, "assistant", "memory", content=TEXT, **fields)
    assert (same, text.startswith("Known already")) == (first, True)


def test_the_other_tools_that_save_say_it(person: Person) -> None:
    call(person, "coding", "save_memory", content=TEXT, category="fact")
    _, again = call(person, "coding", "save_memory", content=TEXT, category="insight")
    assert (again["status"], again["notTaken"]) == ("duplicate", ["category"])
    _, same = call(person, "coding", "save_memory", content=TEXT, category="fact")
    assert set(same) == {"id", "status", "existingId"}
    fields = {"title": "Boat", "tags": ["sea"]}
    _, created = call(person, "platform", "memories.create", content=TEXT, **fields)
    assert (created["addedTags"], created["notTaken"]) == (["sea"], ["title"])


def test_the_command_line_says_it(person: Person, tmp_path: Path) -> None:
    shell = shell_of(person, tmp_path)
    note = "tags added: colour; not changed: title"
    assert "tags added" not in shell.piped("save", TEXT, "--title", "Ferry", "--tag", "sea").out
    again = shell.piped("save", TEXT, "--title", "Boat", "--tag", "sea", "--tag", "colour").out
    assert again.startswith("Known already") and note in again
    statement = "We deploy on Fridays."
    shell.piped("memories", "add", statement, "--title", "Ferry")
    added = shell.piped("memories", "add", statement, "--title", "Boat", "--tag", "colour").out
    assert added.startswith("Known already") and note in added
    created = shell.piped("memories", "create", "--content", statement, "--tag", "big").out
    assert "tags added: big" in created


def test_files_saved_again_say_it(person: Person, tmp_path: Path) -> None:
    shell = shell_of(person, tmp_path)
    file = tmp_path / "pier.md"
    file.write_text("The pier is closed on Mondays.")
    assert "tags added" not in shell.piped("save", str(file)).out
    again = shell.piped("save", str(file), "--tag", "sea").out
    assert "1 unchanged" in again and f"{file}: tags added: sea" in again
    assert str(file) not in shell.piped("save", str(file), "--tag", "sea").out


def test_the_python_client_says_it(person: Person) -> None:
    with Remem(str(person.http.base_url), person.key) as remem:
        remem.save(TEXT, title="Ferry")
        again = remem.save(TEXT, title="Boat", tags=["sea"])
        assert (again.added_tags, again.not_taken) == (["sea"], ["title"])
        remem.memories.save(TEXT, category="fact")
        memory = remem.memories.save(TEXT, category="insight", tags=["sea"])
        assert (memory.added_tags, memory.not_taken) == (["sea"], ["category"])
