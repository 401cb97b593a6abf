"""`remem import agents`: past sessions once, without secrets, each in the project of its
repository."""

import json
from pathlib import Path
from typing import Any

from tests.conftest import Person
from tests.surfaces.cli import past_sessions as write
from tests.surfaces.cli.running import Shell
from tests.surfaces.cli.test_repositories import git, repository

SECRET = "export TOKEN=ghp_abcdefghijklmnopqrstuvwx"


def documents(person: Person, **params: str) -> list[dict[str, Any]]:
    page = person.http.get("/v3/documents", params={"tags": "session", "limit": 100, **params})
    return page.json()["documents"]


def content(person: Person, document: dict[str, Any]) -> str:
    return person.http.get(f"/v3/documents/{document['id']}").json()["content"]


def test_the_sessions_of_every_agent_twice(shell: Shell, person: Person) -> None:
    home = shell.home
    web = repository(home / "a/web", "git@github.com:ana/web.git")
    other = repository(home / "b/web")
    write.claude_code(home, "11111111-aaaa", web, f"Which port is the tide on?\n{SECRET}", "4711.")
    write.codex(home, "22222222-bbbb", other, "Which lamp is green?", "The one at the pier.")
    write.gemini(home, "33333333-cccc", web, "Who feeds the gulls?", "Nobody feeds them.")
    write.cursor(home, "44444444-dddd", web, "Why is the quay closed?", "It is being painted.")
    write.cursor_editor(home, "55555555-eeee", other, "How deep is the basin?", "Nine metres.")
    write.opencode(home, "ses_6", web, "When does the ferry leave?", "At six.")
    write.opencode_files(home, "ses_7", other, "Which rope is new?", "The blue one.")
    dry = json.loads(shell.piped("import", "agents", "--dry-run", "--json").out)
    assert (dry["dry_run"], documents(person)) == (True, [])
    first = shell.piped("import", "agents", "--json")
    assert first.code == 0, first
    report = json.loads(first.out)
    assert report["projects"] == dry["projects"]
    counts = {row["repository"]: row["imported"] for row in report["projects"]}
    assert counts.pop("github.com/ana/web") == 4
    assert list(counts.values()) == [3]
    assert report["agents"] == {
        "claude-code": 1,
        "codex": 1,
        "gemini": 1,
        "cursor": 2,
        "opencode": 2,
    }
    saved = {document["source_url"]: content(person, document) for document in documents(person)}
    assert len(saved) == 7
    assert "ghp_" not in "".join(saved.values())
    inserted = ("listing", "thoughts", "file contents", "AGENTS.md", "Take this back", "Switched")
    assert not any(text in all_text for text in inserted for all_text in saved.values())
    assert "Nobody feeds them." in saved["session:gemini/33333333-cccc"]
    assert "Which lamp is green?" in saved["session:codex/22222222-bbbb"]
    again = json.loads(shell.piped("import", "agents", "--json").out)
    assert sum(row["imported"] for row in again["projects"]) == 0
    assert sum(row["unchanged"] for row in again["projects"]) == 7
    assert {document["source_url"] for document in documents(person)} == saved.keys()
    assert len(documents(person)) == 7


def test_no_text_crosses_between_two_repositories_of_one_name(shell: Shell, person: Person) -> None:
    """Three working trees and a clone of one repository, and another one of the same name."""
    home = shell.home
    web = repository(home / "a/web")
    other = repository(home / "b/web")
    git(home, "clone", str(web), "clones/web-again")
    folders = [web, home / "clones/web-again"]
    for number in range(3):
        folders.append(home / f"trees/{number}/web")
        git(web, "worktree", "add", "-b", f"tree-{number}", str(folders[-1]))
    for number, folder in enumerate(folders):
        write.claude_code(home, f"s-{number}", folder, f"Where is boat {number}?", "In the bay.")
    write.codex(home, "99999999-other", other, "Where is the zeppelin?", "In the hangar.")
    assert shell.piped("import", "agents").code == 0
    projects = {document["project_id"] for document in documents(person)}
    assert len(projects) == 2
    for folder in folders:
        context = started_in(shell, folder)
        assert "zeppelin" not in context
        assert "boat" in context
    assert "boat" not in started_in(shell, other)
    assert "zeppelin" in started_in(shell, other)


def started_in(shell: Shell, folder: Path) -> str:
    body = json.dumps({"session_id": "new", "cwd": str(folder)})
    started = shell.piped("hook", "start", "--client", "claude-code", stdin=body)
    assert started.code == 0, started
    return json.loads(started.out)["hookSpecificOutput"]["additionalContext"]


def test_what_the_hook_saved_is_not_imported_again(shell: Shell, person: Person) -> None:
    web = repository(shell.home / "web")
    write.claude_code(shell.home, "s-1", web, "Which crane is broken?", "The yellow one.")
    transcript = next((shell.home / ".claude/projects").glob("*/s-1.jsonl"))
    body = {"session_id": "s-1", "transcript_path": str(transcript), "cwd": str(web)}
    assert shell.piped("hook", "end", stdin=json.dumps(body)).code == 0
    assert shell.piped("hook", "save").code == 0
    assert shell.piped("import", "agents").code == 0
    assert len(documents(person)) == 1


def test_folders_that_are_switched_off_and_paths_that_are_never_saved(
    shell: Shell, person: Person
) -> None:
    home = shell.home
    off, some = repository(home / "off"), repository(home / "some")
    (off / ".remem.toml").write_text("off = true\n")
    (some / ".remem.toml").write_text('never_save = ["secrets/"]\n')
    write.claude_code(home, "s-off", off, "Where is the safe?", "Behind the picture.")
    write.codex(home, "12345678-some", some, "Read secrets/plan.txt: bury it", "It is read.")
    report = json.loads(shell.piped("import", "agents", "--json").out)
    assert report["empty"] == 1
    (document,) = documents(person)
    assert "bury" not in content(person, document)
    assert "It is read." in content(person, document)
    body = json.dumps({"session_id": "x", "cwd": str(off)})
    assert shell.piped("hook", "start", stdin=body).out == "{}\n"


def test_only_recent_sessions(shell: Shell, person: Person) -> None:
    web = repository(shell.home / "web")
    write.opencode(shell.home, "ses_old", web, "When does the ferry leave?", "At six.")
    report = shell.piped("import", "agents", "--since", "1d", "--json")
    assert report.code == 0, report
    write.claude_code(shell.home, "s-new", web, "Which crane is broken?", "The yellow one.")
    report = json.loads(shell.piped("import", "agents", "--since", "1d", "--json").out)
    assert report["agents"] == {"claude-code": 1}
    assert len(documents(person)) == 1
