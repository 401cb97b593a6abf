"""`remem projects by-repository`: what was saved under the name of a folder moves to its
repository, after it was shown."""

import json
from pathlib import Path
from typing import Any

from tests.conftest import Person
from tests.surfaces.cli import past_sessions as write
from tests.surfaces.cli.running import Shell
from tests.surfaces.cli.test_repositories import git, repository


def saved_before(person: Person, project: str, *ids: str) -> None:
    """As the hooks of an older version saved it."""
    person.post("/v3/projects", {"name": project, "slug": project})
    for id in ids:
        turns = [{"role": "user", "content": f"Who is {id}?"}, {"role": "assistant", "content": id}]
        file = {"file": ("session.json", json.dumps({"messages": turns}).encode())}
        data = {"project": project, "source_url": f"session:claude-code/{id}", "tags": "session"}
        saved = person.http.post("/v3/documents/upload", files=file, data=data)
        assert saved.status_code in (200, 201, 202), saved.text


def slug_of(person: Person, id: str) -> str:
    params = {"source_url": f"session:claude-code/{id}"}
    (document,) = person.http.get("/v3/documents", params=params).json()["documents"]
    return person.http.get(f"/v3/projects/{document['project_id']}").json()["slug"]


def past(home: Path, folder: Path, *ids: str) -> None:
    for id in ids:
        write.claude_code(home, id, folder, f"Who is {id}?", id)


def moves(shell: Shell, *words: str) -> list[dict[str, Any]]:
    shown = shell.piped("projects", "by-repository", *words, "--json")
    assert shown.code == 0, shown
    return json.loads(shown.out)["moves"]


def test_a_project_of_one_repository_is_renamed_with_everything(
    shell: Shell, person: Person
) -> None:
    harbour = repository(shell.home / "code/harbour", "git@github.com:ana/harbour.git")
    git(harbour, "worktree", "add", str(shell.home / "trees/harbour-fix"))
    saved_before(person, "harbour", "s-1", "gone")
    saved_before(person, "harbour-fix", "s-2")
    person.post("/api/memories", {"content": "The pier is oak.", "project": "harbour"})
    past(shell.home, harbour, "s-1")
    past(shell.home, shell.home / "trees/harbour-fix", "s-2")
    (main, tree) = sorted(moves(shell, "--dry-run"), key=lambda move: move["from"])
    assert (main["moves"], main["documents"], main["memories"]) == ("everything", 2, 1)
    assert (tree["moves"], tree["documents"]) == ("sessions", 1)
    assert {main["repository"], tree["repository"]} == {"github.com/ana/harbour"}
    assert slug_of(person, "s-1") == "harbour"
    refused = shell.piped("projects", "by-repository")
    assert refused.code != 0
    assert slug_of(person, "s-1") == "harbour"
    assert shell.piped("projects", "by-repository", "--yes").code == 0
    assert {slug_of(person, id) for id in ("s-1", "s-2", "gone")} == {main["to"]}
    listed = person.http.get("/api/memories", params={"project": main["to"]}).json()["memories"]
    assert "The pier is oak." in [memory["content"] for memory in listed]
    assert moves(shell, "--dry-run") == []


def test_a_project_that_two_repositories_shared_is_divided(shell: Shell, person: Person) -> None:
    first, second = repository(shell.home / "a/web"), repository(shell.home / "b/web")
    saved_before(person, "web", "s-a", "s-b", "unknown")
    past(shell.home, first, "s-a")
    past(shell.home, second, "s-b")
    assert [move["documents"] for move in moves(shell, "--yes")] == [1, 1]
    slugs = [slug_of(person, id) for id in ("s-a", "s-b", "unknown")]
    assert len(set(slugs)) == 3
    assert slugs[2] == "web"


def test_what_a_person_moved_stays(shell: Shell, person: Person) -> None:
    folder = repository(shell.home / "quay")
    saved_before(person, "work", "s-1")
    past(shell.home, folder, "s-1")
    assert moves(shell, "--yes") == []
    assert slug_of(person, "s-1") == "work"


def test_a_folder_whose_sessions_are_gone(shell: Shell, person: Person) -> None:
    folder = repository(shell.home / "Lock House")
    saved_before(person, "lock-house", "s-1")
    assert moves(shell, "--dry-run") == []
    (move,) = moves(shell, str(folder), "--yes")
    assert slug_of(person, "s-1") == move["to"]


def test_a_repository_keeps_its_project_when_it_gets_a_remote(shell: Shell, person: Person) -> None:
    folder = repository(shell.home / "tide")
    past(shell.home, folder, "s-1")
    assert shell.piped("import", "agents").code == 0
    before = slug_of(person, "s-1")
    git(folder, "remote", "add", "origin", "https://github.com/ana/tide")
    body = json.dumps({"session_id": "new", "cwd": str(folder)})
    assert "s-1" in shell.piped("hook", "start", stdin=body).out
    past(shell.home, folder, "s-2")
    assert shell.piped("import", "agents").code == 0
    assert slug_of(person, "s-1") == slug_of(person, "s-2") != before


def test_a_folder_with_unreadable_settings_stays(shell: Shell, person: Person) -> None:
    first, second = repository(shell.home / "dock"), repository(shell.home / "mole")
    (first / ".remem.toml").write_text("project = ")
    saved_before(person, "dock", "s-1")
    saved_before(person, "mole", "s-2")
    past(shell.home, first, "s-1")
    past(shell.home, second, "s-2")
    (move,) = moves(shell, "--yes")
    assert move["from"] == "mole"
    assert slug_of(person, "s-1") == "dock"
