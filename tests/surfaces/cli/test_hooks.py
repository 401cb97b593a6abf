"""Hooks of coding agents: context at the start, the session saved at the end, errors hidden."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from remem.core.chunking.token_counter import estimate_tokens
from remem.surfaces.cli.hooks.transcript import LEFT_OUT, clean, turns_of
from tests.conftest import Person
from tests.surfaces.cli.running import Shell


def line(role: str, content: Any, **more: Any) -> str:
    return json.dumps({"type": role, "message": {"role": role, "content": content}, **more}) + "\n"


CLAUDE_TRANSCRIPT = (
    line("user", "How do we deploy the harbour service?", timestamp="2026-11-01T10:00:00Z")
    + line(
        "assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "By tag."}]
    )
    + line("assistant", [{"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}])
    + line("user", [{"type": "tool_result", "content": "secret listing"}])
    + line("user", "meta", isMeta=True)
    + line("user", "My password = hunter2hunter2\nand we use lock_timeout.")
    + line("assistant", "<remem-recalled>old facts</remem-recalled>Noted.")
    + '{"half": '
)


def test_turns_of_every_agent(tmp_path: Path) -> None:
    file = tmp_path / "t"
    file.write_text(CLAUDE_TRANSCRIPT)
    turns = [(turn.role, turn.content) for turn in turns_of(file)]
    assert turns == [
        ("user", "How do we deploy the harbour service?"),
        ("assistant", "By tag."),
        ("user", f"{LEFT_OUT}\nand we use lock_timeout."),
        ("assistant", "Noted."),
    ]
    codex = [
        {"type": "session_meta", "payload": {"id": "x"}},
        {"type": "response_item", "payload": _codex("user", "input_text", "Fix it")},
        {"type": "response_item", "payload": {"type": "reasoning", "content": "no"}},
        {"type": "response_item", "payload": _codex("assistant", "output_text", "Fixed")},
    ]
    file.write_text("\n".join(map(json.dumps, codex)))
    assert [turn.content for turn in turns_of(file)] == ["Fix it", "Fixed"]
    gemini = {"messages": [{"type": "user", "content": "Hi"}, {"type": "gemini", "content": "Ho"}]}
    file.write_text(json.dumps(gemini))
    assert [turn.role for turn in turns_of(file)] == ["user", "assistant"]
    cursor = [{"role": "user", "message": {"content": [{"type": "text", "text": "Go"}]}}]
    file.write_text("\n".join(map(json.dumps, cursor)))
    assert [turn.content for turn in turns_of(file)] == ["Go"]


def _codex(role: str, kind: str, text: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


@pytest.mark.parametrize(
    "secret",
    [
        "export KEY=sk-abcdefghijklmnop1234",
        "mc_abcdefghijklmnop",
        "token: abcdef123456",
        "postgresql://ana:hunter2@db/x",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_lines_that_look_like_secrets_are_left_out(secret: str) -> None:
    assert clean(f"before\n{secret}\nafter") == f"before\n{LEFT_OUT}\nafter"
    assert clean("The token bucket holds ten.") == "The token bucket holds ten."


@pytest.mark.parametrize("verb", ["end", "compact"])
def test_a_session_is_saved_once_and_recalled_at_the_next_start(
    shell: Shell, person: Person, tmp_path: Path, verb: str
) -> None:
    transcript, folder = tmp_path / "t.jsonl", tmp_path / "Harbour App"
    folder.mkdir()
    transcript.write_text(CLAUDE_TRANSCRIPT)
    body = json.dumps({"session_id": "s-1", "transcript_path": str(transcript), "cwd": str(folder)})
    ended = shell.piped("hook", verb, "--client", "claude-code", stdin=body)
    assert (ended.code, ended.out) == (0, "{}\n"), ended
    saved = wait_for_document(person)
    assert shell.piped("hook", "save").out.startswith("0 saved")
    document = person.http.get(f"/v3/documents/{saved['id']}").json()
    assert "hunter2" not in document["content"]
    assert "old facts" not in document["content"]
    started = shell.piped("hook", "start", "--client", "claude-code", stdin=body)
    assert started.code == 0, started
    context = json.loads(started.out)["hookSpecificOutput"]["additionalContext"]
    assert context.startswith("<remem-recalled>")
    assert "By tag." in context
    as_cursor = shell.piped("hook", "start", "--client", "cursor", stdin=body)
    assert "By tag." in json.loads(as_cursor.out)["additional_context"]
    assert len(person.http.get("/v3/documents").json()["documents"]) == 1


def wait_for_document(person: Person) -> dict[str, Any]:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        for document in person.http.get("/v3/documents?tags=session").json().get("documents", []):
            if document["status"] == "done":
                return document
        time.sleep(0.2)
    raise AssertionError("the session was not saved")


@pytest.mark.parametrize("stdin", ["", "not json", "[]", '{"session_id": 1}'])
@pytest.mark.parametrize("verb", ["start", "turn", "end"])
def test_errors_never_reach_the_agent(fresh: Shell, verb: str, stdin: str) -> None:
    unreachable = {"REMEM_URL": "http://127.0.0.1:1", "REMEM_KEY": "mc_x"}
    result = fresh.piped("hook", verb, stdin=stdin, **unreachable)
    assert result.code == 0, result
    assert result.out in ("", "{}\n")
    assert "Traceback" not in result.err
    if verb == "start":
        assert result.err.startswith("remem hook: ")


def test_standing_instructions_come_first_at_every_start(
    shell: Shell, person: Person, tmp_path: Path
) -> None:
    folder = tmp_path / "quay"
    folder.mkdir()
    (folder / ".remem.toml").write_text('project = "quay"\n')
    assert shell.piped("instructions", "add", "Answer in British English.").code == 0
    assert shell.piped("instructions", "add", "Use tabs.", "--project", "quay").code == 0
    for number in range(20):
        fact = (
            f"The buoy number {number} of the northern fairway is painted in the colour {number}."
        )
        person.post("/api/memories", {"content": fact, "project": "quay"})
    long_text = "Tide tables of the northern fairway. " * 200
    person.save(long_text, project="quay")
    context = started(shell, folder)
    instructions, recalled = context.split("<remem-recalled>")
    assert instructions.startswith("<remem-instructions>")
    assert instructions.index("British English") < instructions.index("Use tabs.")
    assert "buoy" in recalled
    assert estimate_tokens(context) <= 1_600
    resumed = started(shell, folder, source="resume")
    assert "British English" in resumed
    assert "buoy" not in resumed
    assert "Use tabs." not in started(shell, tmp_path)
    assert clean(f"{instructions}Go on.") == "Go on."


def test_instructions_leave_less_room_for_what_is_recalled(
    shell: Shell, person: Person, tmp_path: Path
) -> None:
    (tmp_path / ".remem.toml").write_text('project = "quay"\n')
    person.post("/v3/projects", {"name": "quay", "slug": "quay"})
    person.save("Tide tables of the northern fairway. " * 200, project="quay")
    before = estimate_tokens(started(shell, tmp_path))
    for number in range(20):
        sentence = f"{number}: " + "mind the gulls and their nests on the northern pier, " * 5
        person.post("/v3/instructions", {"content": sentence})
    after = started(shell, tmp_path)
    assert "mind the gulls" in after
    assert before > 200
    assert estimate_tokens(after.split("<remem-recalled>")[-1]) < before


def started(shell: Shell, folder: Path, **event: str) -> str:
    body = json.dumps({"session_id": "new", "cwd": str(folder), **event})
    result = shell.piped("hook", "start", "--client", "claude-code", stdin=body)
    assert result.code == 0, result
    output = json.loads(result.out)
    return output["hookSpecificOutput"]["additionalContext"] if output else ""
