"""Conversations kept as JSON: who said what, turn after turn."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from remem.adapters.extractors.dates import iso_date
from remem.adapters.extractors.draft import Draft
from remem.core.chunking.model import Joint
from remem.core.extraction_ports import Extracted

SPEAKERS = ("role", "sender", "speaker", "author", "from", "name", "user")
# These three mean talk; the others only where there is nothing but talk beside them.
PLAIN_SPEAKERS = ("role", "sender", "speaker")
BESIDE = frozenset(
    "id uuid type time timestamp date created_at updated_at attachments files ts".split()
)
WORDS = ("content", "text", "message", "value", "body")
TIMES = ("timestamp", "created_at", "create_time", "createdAt", "date", "time", "sent_at", "ts")
LIST_KEYS = (
    "messages",
    "chat_messages",
    "conversation",
    "conversations",
    "turns",
    "dialogue",
    "chat",
)
TITLES = ("title", "name", "subject")


def recognises(loaded: Any) -> bool:
    return bool(_talks(loaded))


def write(loaded: Any) -> Extracted:
    draft = Draft()
    talks = _talks(loaded)
    for talk in talks:
        title = _title(talk)
        if title and len(talks) > 1:
            draft.add(f"# {title}")
        told_s = _moment_s(talk) if isinstance(talk, dict) else None
        for speaker, words, said_at_s in _turns(talk):
            draft.mark(Joint.TURN, speaker, said_at_s or told_s)
            draft.add(f"{speaker}: {words}")
    return draft.done("json", {"title": _title(talks[0]) if len(talks) == 1 else None})


def _talks(loaded: Any) -> list[Any]:
    """The conversations in it: itself, or each of a list of them."""
    if _messages(loaded):
        return [loaded]
    if isinstance(loaded, list) and loaded and all(_messages(each) for each in loaded[:20]):
        return loaded
    return []


def _messages(talk: Any) -> list[dict[str, Any]]:
    if isinstance(talk, dict):
        if isinstance(talk.get("mapping"), dict):
            return _mapped(talk["mapping"])
        messages = next((talk[key] for key in LIST_KEYS if isinstance(talk.get(key), list)), None)
        return _messages(messages) if messages else []
    if not isinstance(talk, list) or not talk:
        return []
    spoken = [each for each in talk if isinstance(each, dict) and _is_message(each)]
    return spoken if len(spoken) >= 0.8 * len(talk) else []


def _mapped(nodes: dict[str, Any]) -> list[dict[str, Any]]:
    """ChatGPT's export: messages as nodes of a tree, in the order they were written."""
    found = [node.get("message") for node in nodes.values() if isinstance(node, dict)]
    return [each for each in found if isinstance(each, dict) and _speaker(each) and _words(each)]


def _speaker(message: dict[str, Any]) -> str:
    for key in SPEAKERS:
        said = message.get(key)
        if isinstance(said, dict):
            said = said.get("role") or said.get("name")
        if isinstance(said, str) and 0 < len(said) <= 80:
            return said
    return ""


def _is_message(said: dict[str, Any]) -> bool:
    has_words = any(isinstance(said.get(key), str | list | dict) for key in WORDS)
    is_talk = any(key in said for key in PLAIN_SPEAKERS)
    return (
        bool(_speaker(said))
        and has_words
        and (is_talk or said.keys() <= {*SPEAKERS, *WORDS, *BESIDE})
    )


def _words(message: dict[str, Any]) -> str:
    return next((words for key in WORDS if (words := _said(message.get(key)))), "")


def _said(value: Any) -> str:
    """The text of a message, of its parts, or of what its parts contain."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return "\n".join(filter(None, map(_said, value)))
    if isinstance(value, dict):
        return _said(value.get("text") or value.get("parts") or value.get("content"))
    return ""


def _turns(talk: Any) -> Iterator[tuple[str, str, float | None]]:
    for message in _messages(talk):
        if words := _words(message):
            yield _speaker(message), words, _moment_s(message)


def _moment_s(message: dict[str, Any]) -> float | None:
    """When it was said, in seconds since 1970; a clock time alone does not tell."""
    for key in TIMES:
        if iso := iso_date(message.get(key)):
            moment = datetime.fromisoformat(iso)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None


def _title(talk: Any) -> str | None:
    if not isinstance(talk, dict):
        return None
    return next((talk[key] for key in TITLES if isinstance(talk.get(key), str)), None)
