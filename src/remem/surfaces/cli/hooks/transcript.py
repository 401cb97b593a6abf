"""A session's transcript, whichever agent wrote it, as turns worth keeping."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remem.surfaces.cli.hooks.opening import MARK

SIZE_LIMIT_BYTES = 200_000_000
TURN_LIMIT, TURNS_LIMIT, TALK_LIMIT = 4_000, 2_000, 1_000_000
LEFT_OUT = "[left out: it looks like a secret]"

_SPEAKERS = {"user": "user", "human": "user", "assistant": "assistant", "gemini": "assistant"}
# What was recalled, and what agents put between the words of a person.
_RECALLED = re.compile(rf"<{MARK}>.*?(?:</{MARK}>|\Z)", re.S)
_MACHINE = re.compile(
    r"<(/?)(system-reminder|local-command-[a-z]+|command-[a-z]+|environment_context"
    r"|user_instructions|permissions instructions|INSTRUCTIONS)>"
)
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
    """The last of it, when there is too much; tools, thoughts and side talk are left out."""
    if path.stat().st_size > SIZE_LIMIT_BYTES:
        raise ValueError(f"{path} is larger than {SIZE_LIMIT_BYTES:,} bytes")
    found: list[Turn] = []
    for row in _rows(path.read_text(encoding="utf-8", errors="replace")):
        turn = _turn(row)
        # Agents rewrite a message while it grows, and some write it under two names.
        if turn and (not found or turn.content != found[-1].content):
            found.append(turn)
    return _last(found[-TURNS_LIMIT:])


def _last(turns: list[Turn]) -> list[Turn]:
    room, kept = TALK_LIMIT, list[Turn]()
    for turn in reversed(turns):
        room -= len(turn.content)
        if room < 0:
            break
        kept.append(turn)
    return kept[::-1]


def _rows(text: str) -> Iterator[dict[str, Any]]:
    """Lines of JSON, or one JSON that contains the messages."""
    try:
        whole = json.loads(text)
    except ValueError:
        whole = None
    if isinstance(whole, dict) and "messages" in whole:
        whole = whole["messages"]
    rows = whole if isinstance(whole, list) else _lines(text)
    yield from (row for row in rows if isinstance(row, dict))


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
    return Turn(str(role), text, _moment(row)) if text else None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(_text, content)))
    if isinstance(content, dict):
        kind = content.get("type")
        said = content.get("text")
        if kind in (None, "text", "input_text", "output_text") and isinstance(said, str):
            return said
    return ""


def _moment(row: dict[str, Any]) -> str | None:
    written = row.get("timestamp")
    return written if isinstance(written, str) else None


def clean(text: str) -> str:
    """Without what was recalled, what machines added, and lines that look like secrets."""
    text = _QUERY.sub("", _without_machine(_RECALLED.sub("", text)))
    text = _PRIVATE_KEY.sub(LEFT_OUT, text)
    lines = [LEFT_OUT if _SECRET.search(line) else line for line in text.splitlines()]
    text = "\n".join(lines).strip()
    return text if len(text) <= TURN_LIMIT else f"{text[:TURN_LIMIT].rstrip()} …"


def _without_machine(text: str) -> str:
    """Without each element from its tag to the one that closes it; an open tag stays."""
    tags = list(_MACHINE.finditer(text))
    last_close = {tag[2]: tag.start() for tag in tags if tag[1]}
    kept, end, inside = [], 0, ""
    for tag in tags:
        if inside:
            if tag[1] and tag[2] == inside:
                end, inside = tag.end(), ""
        elif not tag[1] and last_close.get(tag[2], -1) > tag.start():
            kept.append(text[end : tag.start()])
            inside = tag[2]
    return "".join([*kept, text[end:]])
