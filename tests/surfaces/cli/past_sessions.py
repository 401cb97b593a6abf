"""Past sessions on disk, in the formats of the agents that wrote them."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def write_rows(file: Path, rows: list[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def claude_code(home: Path, id: str, folder: Path, question: str, answer: str) -> None:
    common = {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": str(folder),
        "sessionId": id,
        "version": "2.0.31",
        "gitBranch": "main",
        "timestamp": "2026-11-02T09:14:07.120Z",
    }
    rows = [
        {"type": "file-history-snapshot", "messageId": "m1", "snapshot": {}},
        {**common, "type": "user", "message": {"role": "user", "content": question}},
        {
            **common,
            "type": "assistant",
            "requestId": "req_1",
            "message": {
                "id": "msg_1",
                "role": "assistant",
                "model": "claude-opus-4-5",
                "content": [
                    {"type": "thinking", "thinking": "thoughts", "signature": "x"},
                    {"type": "text", "text": answer},
                    {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}},
                ],
            },
        },
        {
            **common,
            "type": "user",
            "message": {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "listing"}],
            },
        },
        {"type": "summary", "summary": question, "leafUuid": "m1"},
    ]
    place = str(folder).replace("/", "-")
    write_rows(home / f".claude/projects/{place}/{id}.jsonl", rows)


def codex(home: Path, id: str, folder: Path, question: str, answer: str, remote: str = "") -> None:
    def item(kind: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-11-03T10:00:00.000Z", "type": kind, "payload": payload}

    def message(role: str, kind: str, text: str) -> dict[str, Any]:
        content = [{"type": kind, "text": text}]
        return item("response_item", type="message", role=role, content=content)

    inserted = "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nBe terse.\n</INSTRUCTIONS>"
    git = {"commit_hash": "abc", "branch": "main", **({"repository_url": remote} if remote else {})}
    meta = {"id": id, "cwd": str(folder), "originator": "codex_cli_rs", "source": "cli", "git": git}
    rows = [
        item("session_meta", **meta),
        message("developer", "input_text", "<permissions instructions>no</permissions>"),
        message("user", "input_text", inserted),
        message(
            "user", "input_text", f"<environment_context><cwd>{folder}</cwd></environment_context>"
        ),
        item("turn_context", cwd=str(folder), model="gpt-5-codex"),
        message("user", "input_text", question),
        item("event_msg", type="user_message", message=question),
        item("response_item", type="reasoning", summary=[], encrypted_content="x"),
        item("response_item", type="function_call", name="shell", arguments="{}", call_id="c"),
        message("assistant", "output_text", answer),
        item("event_msg", type="agent_message", message=answer),
    ]
    file = f".codex/sessions/2026/11/03/rollout-2026-11-03T10-00-00-{id}.jsonl"
    write_rows(home / file, rows)


def gemini(home: Path, id: str, folder: Path, question: str, answer: str) -> None:
    """As JSON lines, in which the answer grows and a part is taken back."""

    def message(number: int, kind: str, text: str) -> dict[str, Any]:
        at = f"2026-11-04T10:00:0{number}.000Z"
        content = [{"text": text}] if kind == "user" else text
        return {"id": f"m{number}", "timestamp": at, "type": kind, "content": content}

    rows = [
        {"sessionId": id, "projectHash": "h", "startTime": "2026-11-04T10:00:00Z", "kind": "main"},
        message(1, "user", question),
        message(2, "gemini", answer[:3]),
        {"$set": {"lastUpdated": "2026-11-04T10:00:02Z"}},
        message(2, "gemini", answer),
        message(3, "info", "Switched the model."),
        message(4, "user", "Take this back."),
        {"$rewindTo": "m4"},
    ]
    place = home / ".gemini/tmp/web-1"
    write_rows(place / f"chats/session-2026-11-04T10-00-{id[:8]}.jsonl", rows)
    (place / ".project_root").write_text(str(folder))


def cursor(home: Path, id: str, folder: Path, question: str, answer: str) -> None:
    def row(role: str, text: str) -> dict[str, Any]:
        return {"role": role, "message": {"content": [{"type": "text", "text": text}]}}

    place = str(folder).strip("/").replace("/", "-")
    rows = [
        row("user", f"<user_query>\n{question}\n</user_query>"),
        {
            "role": "assistant",
            "message": {"content": [{"type": "tool_use", "name": "Grep", "input": {}}]},
        },
        row("assistant", answer),
    ]
    write_rows(home / f".cursor/projects/{place}/agent-transcripts/{id}/{id}.jsonl", rows)


def cursor_editor(home: Path, id: str, folder: Path, question: str, answer: str) -> None:
    """A conversation in the databases of the editor."""
    user = home / ".config/Cursor/User"
    workspace = user / "workspaceStorage/a1"
    workspace.mkdir(parents=True, exist_ok=True)
    (workspace / "workspace.json").write_text(json.dumps({"folder": folder.as_uri()}))
    composers = {"allComposers": [{"composerId": id, "lastUpdatedAt": 1_793_700_000_000}]}
    _key_values(workspace / "state.vscdb", "ItemTable", {"composer.composerData": composers})
    headers = [{"bubbleId": "b1", "type": 1}, {"bubbleId": "b2", "type": 2}]
    values = {
        f"composerData:{id}": {"_v": 10, "fullConversationHeadersOnly": headers},
        f"bubbleId:{id}:b1": {"type": 1, "text": question},
        f"bubbleId:{id}:b2": {"type": 2, "text": answer, "toolFormerData": {"name": "x"}},
    }
    _key_values(user / "globalStorage/state.vscdb", "cursorDiskKV", values)


def _key_values(file: Path, table: str, values: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(f"CREATE TABLE {table} (key TEXT UNIQUE, value BLOB)")
        rows = [(key, json.dumps(value)) for key, value in values.items()]
        database.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)


def opencode(home: Path, id: str, folder: Path, question: str, answer: str) -> None:
    file = home / ".local/share/opencode/opencode.db"
    file.parent.mkdir(parents=True, exist_ok=True)
    at = 1_793_700_000_000
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(
            "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT,"
            " title TEXT, time_created INTEGER, time_updated INTEGER);"
            "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,"
            " data TEXT);"
            "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);"
        )
        sessions = [(id, None), (f"{id}-child", id)]
        for session, parent in sessions:
            values = (session, parent, str(folder), "t", at, at)
            database.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", values)
        for number, (role, text) in enumerate([("user", question), ("assistant", answer)]):
            message = (f"msg_{number}", id, at + number, json.dumps({"role": role}))
            database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", message)
            parts = [
                {"type": "text", "text": text},
                {"type": "text", "text": "file contents", "synthetic": True},
                {"type": "tool", "tool": "bash", "state": {"output": "listing"}},
            ]
            for place, part in enumerate(parts):
                values = (f"prt_{number}_{place}", f"msg_{number}", id, json.dumps(part))
                database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", values)


def opencode_files(home: Path, id: str, folder: Path, question: str, answer: str) -> None:
    """As older versions of opencode stored it."""
    storage = home / ".local/share/opencode/storage"
    times = {"created": 1_793_700_000_000, "updated": 1_793_700_000_000}
    head = {"id": id, "directory": str(folder), "time": times}
    _write(storage / f"session/abc/{id}.json", head)
    for number, (role, text) in enumerate([("user", question), ("assistant", answer)]):
        message = {"id": f"msg_f{number}", "role": role, "time": {"created": number + 1}}
        _write(storage / f"message/{id}/msg_f{number}.json", message)
        _write(storage / f"part/msg_f{number}/prt.json", {"type": "text", "text": text})


def _write(file: Path, value: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))
