"""What was deleted by mistake is found in the trash, comes back from it, or goes for good."""

import json

from tests.conftest import Person
from tests.surfaces.cli.running import Shell


def trash(shell: Shell) -> dict[str, list[dict[str, str]]]:
    return json.loads(shell.piped("trash", "list", "--json").out)


def test_what_is_in_the_trash_comes_back(shell: Shell, person: Person) -> None:
    id = person.save("The ferry leaves at seven.", title="Ferry")["id"]
    memory = person.post("/api/memories", {"content": "Grandma's flat is in Linz."}).json()["id"]
    assert shell.piped("trash", "list").err.strip() == "The trash is empty."
    deleted = shell.piped("documents", "delete", id)
    assert (deleted.code, "In the trash: 1" in deleted.out) == (0, True), deleted
    assert shell.piped("memories", "forget", memory).code == 0
    assert shell.piped("recall", "when does the ferry leave?").code == 3
    listed = trash(shell)
    assert [item["title"] for item in listed["documents"]] == ["Ferry"]
    [memory_item] = [item for item in listed["memories"] if "Linz" in item["content"]]
    assert memory_item["id"] == memory
    restored = shell.piped("trash", "restore", id[-8:], memory)
    assert (restored.code, restored.out) == (0, "Restored: 2.\n"), restored
    assert trash(shell)["documents"] == []
    assert "leaves at seven" in shell.piped("recall", "when does the ferry leave?").out
    assert shell.piped("memories", "get", memory).code == 0
    again = shell.piped("trash", "restore", id)
    assert (again.code, again.err.strip()) == (3, f"error {id} is not in the trash.")


def test_an_emptied_trash_gives_nothing_back(shell: Shell, person: Person) -> None:
    id = person.save("The lighthouse is blue.", title="Lighthouse")["id"]
    assert shell.piped("documents", "delete", id).code == 0
    refused = shell.piped("trash", "empty")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert shell.piped("trash", "empty", "--yes").out.startswith("Erased: ")
    assert trash(shell) == {"documents": [], "memories": [], "unreadable": []}
    assert person.http.post(f"/v3/documents/{id}/restore").status_code == 404
    assert shell.piped("trash", "empty").out == "The trash is empty.\n"


def test_the_trash_of_others_is_not_shown(shell: Shell, person: Person, stranger: Person) -> None:
    id = person.save("The safe is behind the picture.")["id"]
    assert shell.piped("documents", "delete", id).code == 0
    assert stranger.http.get("/v3/trash").json()["documents"] == []
