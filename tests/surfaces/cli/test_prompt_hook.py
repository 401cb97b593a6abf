"""`remem hook prompt`, `why`, `mute`, `compact`, and the status line."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from remem.core.time import new_id
from remem.surfaces.cli import statusline
from tests.conftest import Person
from tests.surfaces.cli.running import Shell
from tests.tools.site import Site, page, serving

LINE = "Ana is vegan. (2026-11-19, project default)"
STATEMENT = {
    "id": str(new_id()),
    "kind": "memory",
    "content": "Ana is vegan.",
    "line": LINE,
    "relevance": 0.71,
    "words": ["ana"],
}
EVENT = {
    "session_id": "s-1",
    "prompt": "plan dinner for Ana",
    "hook_event_name": "UserPromptSubmit",
}


@pytest.fixture
def site() -> Iterator[Site]:
    body = json.dumps({"statements": [STATEMENT]}).encode()
    known = json.dumps({"memories": [], "total": 2}).encode()
    with serving(Site(pages={"/api/prompt": page(body), "/api/memories": page(known)})) as site:
        yield site


@pytest.fixture
def user(fresh: Shell, site: Site) -> Shell:
    return Shell(fresh.home, {**fresh.environment, "REMEM_URL": site.url, "REMEM_KEY": "mc_x"})


def ask(shell: Shell, client: str = "claude-code", **event: Any) -> Any:
    body = json.dumps({**EVENT, "cwd": str(shell.home), **event})
    result = shell.piped("hook", "prompt", "--client", client, stdin=body)
    assert result.code == 0, result
    return json.loads(result.out)


def test_a_line_is_given_once_in_a_session(user: Shell, site: Site) -> None:
    output = ask(user)["hookSpecificOutput"]
    assert output["hookEventName"] == "UserPromptSubmit"
    text = output["additionalContext"]
    assert text.startswith("<remem-recalled>") and f"- {LINE}" in text
    ask(user)
    ask(user, session_id="s-2")
    given = [json.loads(request.body)["given"] for request in site.requests]
    assert given == [[], [STATEMENT["id"]], []]
    compacted = user.piped("hook", "compact", stdin=json.dumps(EVENT))
    assert (compacted.code, compacted.out) == (0, "{}\n")
    ask(user)
    assert json.loads(site.requests[-1].body)["given"] == []


@pytest.mark.parametrize(
    ("client", "event", "name"),
    [
        ("codex", "UserPromptSubmit", "UserPromptSubmit"),
        ("gemini", "BeforeAgent", "BeforeAgent"),
        ("gemini", None, "BeforeAgent"),
    ],
)
def test_the_format_of_each_agent(user: Shell, client: str, event: str | None, name: str) -> None:
    output = ask(user, client, hook_event_name=event)["hookSpecificOutput"]
    assert output["hookEventName"] == name and LINE in output["additionalContext"]


def test_the_format_of_cursor(user: Shell, site: Site) -> None:
    answer = ask(user, "cursor", workspace_roots=[str(user.home)])
    assert answer["continue"] is True and LINE in answer["additional_context"]
    site.pages["/api/prompt"] = page(b'{"statements": []}')
    assert ask(user, "cursor") == {"continue": True}


def test_what_the_session_began_with_is_not_repeated(user: Shell) -> None:
    prompts = user.home / "config" / "hooks" / "prompts"
    ask(user, session_id="s-3")
    [stored] = prompts.glob("[0-9a-f]*.json")
    stored.write_text(json.dumps({"ids": [], "text": "- Ana is vegan.\n"}))
    assert ask(user, session_id="s-3") == {}


@pytest.mark.parametrize("prompt", ["", "  ", "/compact", None])
def test_nothing_to_ask_the_server(user: Shell, site: Site, prompt: str | None) -> None:
    assert ask(user, prompt=prompt) == {}
    assert not site.requests


@pytest.mark.parametrize("stdin", ["", "not json", "[]", json.dumps(EVENT)])
@pytest.mark.parametrize("client", ["claude-code", "cursor"])
def test_an_error_never_reaches_the_agent(fresh: Shell, client: str, stdin: str) -> None:
    unreachable = {"REMEM_URL": "http://127.0.0.1:1", "REMEM_KEY": "mc_x"}
    result = fresh.piped("hook", "prompt", "--client", client, stdin=stdin, **unreachable)
    assert result.code == 0 and "Traceback" not in result.err
    assert json.loads(result.out) == ({"continue": True} if client == "cursor" else {})


def test_without_a_server_it_says_so_on_standard_error(fresh: Shell) -> None:
    result = fresh.piped("hook", "prompt", stdin=json.dumps(EVENT))
    assert (result.code, result.out) == (0, "{}\n")
    assert "no server runs on this machine" in result.err


def test_it_imports_neither_the_commands_nor_the_http_library(user: Shell) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "remem", "hook", "prompt"],
        input=json.dumps({**EVENT, "cwd": str(user.home)}),
        env={**user.env(), "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert LINE in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    heavy = {"typer", "rich", "httpx2", "asyncio", "numpy", "remem.surfaces.cli.main"}
    assert not heavy & loaded


def test_why_a_line_came(user: Shell) -> None:
    assert "No line was added" in user.piped("hook", "why").out
    ask(user)
    shown = user.piped("hook", "why").out
    assert "plan dinner for Ana" in shown and LINE in shown and "relevance 0.71" in shown
    [row] = json.loads(user.piped("hook", "why", "--json").out)
    assert (row["id"], row["words"], row["client"]) == (STATEMENT["id"], ["ana"], "claude-code")


def test_not_this_again(shell: Shell, person: Person) -> None:
    memory = person.post("/api/memories", {"content": "Ana is vegan."}).json()
    muted = shell.piped("hook", "mute", memory["id"])
    assert (muted.code, "no prompt any more" in muted.out) == (0, True), muted
    context = person.http.get(f"/api/memories/{memory['id']}").json()["context"]
    assert context["in_prompts"] is False
    assert "again" in shell.piped("hook", "mute", memory["id"][-12:], "--undo").out
    context = person.http.get(f"/api/memories/{memory['id']}").json()["context"]
    assert context["in_prompts"] is True
    saved = person.save("Menu for Ana's dinner: rice, beans, pie.")
    assert json.loads(shell.piped("hook", "mute", saved["id"], "--json").out)["on"] is False
    document = person.http.get(f"/v3/documents/{saved['id']}").json()
    assert document["metadata"]["in_prompts"] is False
    found = person.http.post("/v3/recall", json={"query": "Ana's dinner"}).json()["results"]
    assert found


def test_the_status_line(user: Shell, site: Site) -> None:
    event = json.dumps({"session_id": "s-1", "workspace": {"current_dir": str(user.home)}})
    first = user.piped("statusline", stdin=event)
    assert first.out == "remem: 4 known · 0 recalled · nothing saved yet\n", first
    ask(user)
    asked = len(site.requests)
    assert "4 known · 1 recalled" in user.piped("statusline", stdin=event).out
    assert len(site.requests) == asked
    down = user.piped(
        "statusline", stdin=event.replace("s-1", "s-2"), REMEM_URL="http://127.0.0.1:1"
    )
    assert down.code == 0 and "4 known" in down.out


def test_the_status_line_is_red_without_a_server(fresh: Shell) -> None:
    result = fresh.piped("statusline", stdin="{}")
    assert result.out == "\033[31mremem: no server answers\033[0m\n", result


def test_the_status_line_is_red_when_nothing_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    monkeypatch.setenv("REMEM_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("REMEM_URL", site.url)
    monkeypatch.setenv("REMEM_KEY", "mc_x")
    transcript, now = tmp_path / "t", 2_000_000_000.0
    transcript.write_text("talk")
    record = tmp_path / "hooks" / "one.json"
    record.parent.mkdir()

    def line(size: int, saved_ago_s: float, ended_ago_s: float) -> str:
        stored = {"transcript": str(transcript), "size": size, "saved_at_s": now - saved_ago_s}
        record.write_text(json.dumps(stored))
        os.utime(record, (now - ended_ago_s, now - ended_ago_s))
        return statusline.status_line({"cwd": str(tmp_path)}, now)

    day = 24 * 3_600
    assert line(4, 12, 10) == "remem: 4 known · 0 recalled · saved 12 s ago"
    assert line(4, 5 * day, 2 * day).endswith("saved 5 d ago")
    assert line(2, 5 * day, 60).endswith("saved 5 d ago")
    assert line(2, 5 * day, 2 * day) == (
        "\033[31mremem: 4 known · 0 recalled · saved 5 d ago\033[0m"
    )
