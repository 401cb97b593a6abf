"""Conversations in JSON, as turns with speakers."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from remem.adapters.extractors.dates import iso_date
from remem.adapters.extractors.draft import Draft
from remem.core.chunking.model import Joint
from remem.core.extraction_ports import Extracted

SPEAKER_KEYS = ("role", "sender", "speaker", "author", "from", "name", "user")
# These identify a message; the others only next to typical fields of messages.
CLEAR_SPEAKER_KEYS = ("role", "sender", "speaker", "from_id")
MESSAGE_FIELDS = frozenset(
    "id uuid type time timestamp date created_at updated_at attachments files ts".split()
)
TEXT_KEYS = ("content", "text", "message", "value", "body")
TIME_KEYS = (
    "timestamp",
    "created_at",
    "create_time",
    "createdAt",
    "date_unixtime",
    "date",
    "time",
    "sent_at",
    "ts",
)
LIST_KEYS = (
    "messages",
    "chat_messages",
    "conversation",
    "conversations",
    "turns",
    "dialogue",
    "chat",
)
TITLE_KEYS = ("title", "name", "subject")


def recognises(loaded: Any) -> bool:
    return bool(_talks(loaded))


def write(loaded: Any) -> Extracted:
    draft = Draft()
    talks = _talks(loaded)
    for talk in talks:
        title = _title(talk)
        if title and len(talks) > 1:
            draft.add(f"# {title}")
        talk_time_s = _time_s(talk) if isinstance(talk, dict) else None
        for speaker, text, time_s in _turns(talk):
            draft.mark(Joint.TURN, speaker, time_s or talk_time_s)
            draft.add(f"{speaker}: {text}")
    return draft.finish("json", {"title": _title(talks[0]) if len(talks) == 1 else None})


def _talks(loaded: Any) -> list[Any]:
    """Return the conversations: the value itself, or the elements of a list."""
    if _messages(loaded):
        return [loaded]
    if isinstance(loaded, list) and loaded and all(_messages(talk) for talk in loaded[:20]):
        return loaded
    return []


def _messages(talk: Any) -> list[dict[str, Any]]:
    if isinstance(talk, dict):
        if isinstance(talk.get("mapping"), dict):
            return _tree_messages(talk["mapping"])
        messages = next((talk[key] for key in LIST_KEYS if isinstance(talk.get(key), list)), None)
        return _messages(messages) if messages else []
    if not isinstance(talk, list) or not talk:
        return []
    items = [item for item in talk if not _is_service(item)]
    spoken = [item for item in items if isinstance(item, dict) and _is_message(item)]
    return spoken if len(spoken) >= 0.8 * len(items) else []


def _is_service(item: Any) -> bool:
    """Whether Telegram says what happened in a chat, such as a call."""
    return isinstance(item, dict) and item.get("type") == "service"


def _tree_messages(nodes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages of a ChatGPT export, which are nodes of a tree, in stored order."""
    messages = [node.get("message") for node in nodes.values() if isinstance(node, dict)]
    return [
        message
        for message in messages
        if isinstance(message, dict) and _speaker(message) and _message_text(message)
    ]


def _speaker(message: dict[str, Any]) -> str:
    for key in SPEAKER_KEYS:
        value = message.get(key)
        if isinstance(value, dict):
            value = value.get("role") or value.get("name")
        if isinstance(value, str) and 0 < len(value) <= 80:
            return value
    return ""


def _is_message(message: dict[str, Any]) -> bool:
    has_words = any(isinstance(message.get(key), str | list | dict) for key in TEXT_KEYS)
    is_talk = any(key in message for key in CLEAR_SPEAKER_KEYS)
    return (
        bool(_speaker(message))
        and has_words
        and (is_talk or message.keys() <= {*SPEAKER_KEYS, *TEXT_KEYS, *MESSAGE_FIELDS})
    )


def _message_text(message: dict[str, Any]) -> str:
    return next((text for key in TEXT_KEYS if (text := _content_text(message.get(key)))), "")


def _content_text(value: Any) -> str:
    """Return the text of a message, of its parts, or of nested parts."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        # Telegram divides a sentence at its links, into strings and objects.
        is_sentence = {str, dict} <= set(map(type, value))
        parts = [
            item if is_sentence and isinstance(item, str) else _content_text(item) for item in value
        ]
        return ("" if is_sentence else "\n").join(part for part in parts if part)
    if isinstance(value, dict):
        return _content_text(value.get("text") or value.get("parts") or value.get("content"))
    return ""


def _turns(talk: Any) -> Iterator[tuple[str, str, float | None]]:
    for message in _messages(talk):
        if text := _message_text(message):
            yield _speaker(message), text, _time_s(message)


def _time_s(message: dict[str, Any]) -> float | None:
    """Return the time in seconds since 1970; None for a time without a date."""
    for key in TIME_KEYS:
        if iso := iso_date(message.get(key)):
            moment = datetime.fromisoformat(iso)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None


def _title(talk: Any) -> str | None:
    if not isinstance(talk, dict):
        return None
    return next((talk[key] for key in TITLE_KEYS if isinstance(talk.get(key), str)), None)
