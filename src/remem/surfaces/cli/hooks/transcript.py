"""Read the transcript of a session, whichever agent wrote it, as turns to save."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remem.core.language.plain_secrets import find_secrets
from remem.surfaces.recalled_mark import INSTRUCTIONS_MARK, MARK

SIZE_LIMIT_BYTES = 200_000_000
TURN_LIMIT, TURNS_LIMIT, CONVERSATION_LIMIT = 4_000, 2_000, 1_000_000
LEFT_OUT = "[left out: it looks like a secret]"

_SPEAKERS = {"user": "user", "human": "user", "assistant": "assistant", "gemini": "assistant"}
# Recalled context, and what agents insert into a person's message.
_RECALLED = re.compile(rf"<(?P<mark>{MARK}|{INSTRUCTIONS_MARK})>.*?(?:</(?P=mark)>|\Z)", re.S)
_AGENT_TAG = re.compile(
    r"<(/?)(system-reminder|local-command-[a-z]+|command-[a-z]+|environment_context"
    r"|user_instructions|permissions instructions|INSTRUCTIONS)>"
)
# The line above the instructions that Codex inserts.
_INSERTED_HEADING = re.compile(r"^# AGENTS\.md instructions(?: for .*)?$", re.M)
_QUERY = re.compile(r"</?user_query>")
_SECRET = re.compile(
    r"\b(?:mc_[A-Za-z0-9]{8,}|sk-[A-Za-z0-9_-]{16,}|gh[opsur]_[A-Za-z0-9]{20,}"
    r"|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{12,}"
    r"|AIza[\w-]{30,}|(?<!-)eyJ[\w-]{10,}+\.[\w-]{10,}\.[\w-]+)"
    r"|(?<![a-z+])[a-z+]{3,}+://[^\s:@/]+:[^\s@/]{3,}@"
    r"|(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)"
    r"[\"']?\s*(?:[:=]|\bis\b)\s*[\"']?[^\s\"',;]{6,}",
    re.I,
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [^\n]*|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    content: str
    timestamp: str | None = None


def turns_of(path: Path) -> list[Turn]:
    """Return the turns, only the last ones if there are too many; tools, thoughts and side chains
    are left out."""
    if path.stat().st_size > SIZE_LIMIT_BYTES:
        raise ValueError(f"{path} is larger than {SIZE_LIMIT_BYTES:,} bytes")
    return turns_in(rows_in(path.read_text(encoding="utf-8", errors="replace")))


def turns_in(rows: Iterable[dict[str, Any]]) -> list[Turn]:
    turns: list[Turn] = []
    for row in _replayed(rows):
        turn = _turn(row)
        # Agents rewrite a message while it grows, and some write it under two names.
        if turn and (not turns or turn.content != turns[-1].content):
            turns.append(turn)
    return _last(turns[-TURNS_LIMIT:])


def _last(turns: list[Turn]) -> list[Turn]:
    remaining, last_turns = CONVERSATION_LIMIT, list[Turn]()
    for turn in reversed(turns):
        remaining -= len(turn.content)
        if remaining < 0:
            break
        last_turns.append(turn)
    return last_turns[::-1]


def rows_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of JSON lines, or the messages of a single JSON document."""
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if isinstance(document, dict) and "messages" in document:
        document = document["messages"]
    rows = document if isinstance(document, list) else _lines(text)
    yield from (row for row in rows if isinstance(row, dict))


def _replayed(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Apply what Gemini CLI appends about earlier rows: a message that grew, all of them anew, and
    back to an earlier one."""
    kept: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    for row in rows:
        changed = row.get("$set")
        if isinstance(changed, dict) and isinstance(changed.get("messages"), list):
            kept = [message for message in changed["messages"] if isinstance(message, dict)]
            places = {str(message.get("id")): at for at, message in enumerate(kept)}
        elif "$rewindTo" in row:
            kept = kept[: places.get(str(row["$rewindTo"]), len(kept))]
            places = {id: at for id, at in places.items() if at < len(kept)}
        elif row.get("type") in ("user", "gemini") and "content" in row and "id" in row:
            at = places.setdefault(str(row["id"]), len(kept))
            kept[at : at + 1] = [row]
        else:
            kept.append(row)
    return kept


def _lines(text: str) -> Iterator[Any]:
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            # The last line may be half written.
            continue


def _turn(row: dict[str, Any]) -> Turn | None:
    if row.get("isMeta") or row.get("isSidechain") or row.get("isCompactSummary"):
        return None
    inner = row.get("payload") if isinstance(row.get("payload"), dict) else row.get("message")
    message = inner if isinstance(inner, dict) else row
    if message.get("type") not in (None, "message", "user", "assistant", "gemini"):
        return None
    role = _SPEAKERS.get(str(message.get("role") or row.get("role") or row.get("type")))
    text = clean(_text(message.get("content"))) if role else ""
    return Turn(str(role), text, _timestamp(row)) if text else None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(_text, content)))
    if isinstance(content, dict):
        kind = content.get("type")
        text = content.get("text")
        if kind in (None, "text", "input_text", "output_text") and isinstance(text, str):
            return text
    return ""


def _timestamp(row: dict[str, Any]) -> str | None:
    timestamp = row.get("timestamp")
    return timestamp if isinstance(timestamp, str) else None


def clean(text: str) -> str:
    """Remove recalled text, text that agents added, and lines that look like secrets."""
    without_tags = _without_agent_tags(_RECALLED.sub("", text))
    if without_tags != text:
        without_tags = _INSERTED_HEADING.sub("", without_tags)
    text = _QUERY.sub("", without_tags)
    text = _PRIVATE_KEY.sub(LEFT_OUT, text)
    lines = [
        LEFT_OUT if _SECRET.search(line) or find_secrets(line) else line
        for line in text.splitlines()
    ]
    text = "\n".join(lines).strip()
    return text if len(text) <= TURN_LIMIT else f"{text[:TURN_LIMIT].rstrip()} …"


def _without_agent_tags(text: str) -> str:
    """Remove each element from its opening to its closing tag; an unclosed tag stays."""
    tags = list(_AGENT_TAG.finditer(text))
    last_close = {tag[2]: tag.start() for tag in tags if tag[1]}
    parts, end, open_name = [], 0, ""
    for tag in tags:
        if open_name:
            if tag[1] and tag[2] == open_name:
                end, open_name = tag.end(), ""
        elif not tag[1] and last_close.get(tag[2], -1) > tag.start():
            parts.append(text[end : tag.start()])
            open_name = tag[2]
    return "".join([*parts, text[end:]])
