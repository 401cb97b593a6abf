"""ChatGPT exports: conversations.json, or the ZIP that contains it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.conversations import has_field, read_conversations
from remem.core.items import Item, ItemTurn, LeftOut

_SPEAKERS = frozenset({"user", "assistant"})
# Internal content of a model: its thoughts, and what it writes to its tools.
_HIDDEN_TYPES = frozenset(
    {"thoughts", "reasoning_recap", "user_editable_context", "model_editable_context"}
)


class ChatGptImporter:
    description = "a ChatGPT export (conversations.json, or the ZIP)"

    def recognises(self, path: Path) -> bool:
        return has_field(path, "mapping")

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        for talk in read_conversations(path, "mapping"):
            yield _item(talk)


def _item(talk: dict[str, Any]) -> Item | LeftOut:
    id = fields.name(talk, "conversation_id", "id") or fields.text(talk, "title")
    mapping = talk.get("mapping")
    turns = tuple(_turns(talk, mapping if isinstance(mapping, dict) else {}))
    if not turns or not id:
        return LeftOut("talk", id or "unnamed", "nobody says anything in it")
    return Item(
        kind="talk",
        reference=id,
        title=fields.text(talk, "title") or None,
        url=f"https://chatgpt.com/c/{id}",
        turns=turns,
        created_at=fields.moment(talk, "create_time") or turns[0].at,
        metadata={
            "conversation_id": id,
            **fields.others(talk, "mapping", "id", "conversation_id", "title", "current_node"),
        },
    )


def _turns(talk: Mapping[str, Any], nodes: dict[str, Any]) -> Iterator[ItemTurn]:
    for node in _branch(talk, nodes):
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        author = message.get("author")
        role = fields.text(author, "role") if isinstance(author, dict) else ""
        text = _message_text(message)
        if role in _SPEAKERS and text:
            yield ItemTurn(role, text, fields.moment(message, "create_time"))


def _branch(talk: Mapping[str, Any], nodes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages that are shown: the path from the root to the current node."""
    node_id, seen, branch = talk.get("current_node"), set[str](), list[dict[str, Any]]()
    if not isinstance(node_id, str) or node_id not in nodes:
        node_id = _last_leaf(nodes)
    while isinstance(node_id, str) and node_id in nodes and node_id not in seen:
        seen.add(node_id)
        node = nodes[node_id]
        if not isinstance(node, dict):
            break
        branch.append(node)
        node_id = node.get("parent")
    return branch[::-1]


def _last_leaf(nodes: dict[str, Any]) -> str | None:
    """Return the most recent leaf of the tree."""
    leaves = [
        id for id, node in nodes.items() if isinstance(node, dict) and not node.get("children")
    ]

    def created_s(id: str) -> float:
        message = nodes[id].get("message")
        created_at = fields.moment(message, "create_time") if isinstance(message, dict) else None
        return created_at.timestamp() if created_at else 0.0

    return max(leaves, key=created_s, default=None)


def _message_text(message: dict[str, Any]) -> str:
    content, metadata = message.get("content"), message.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    is_for_tool = message.get("recipient") not in (None, "", "all")
    if (
        not isinstance(content, dict)
        or is_for_tool
        or metadata.get("is_visually_hidden_from_conversation")
    ):
        return ""
    if content.get("content_type") in _HIDDEN_TYPES:
        return ""
    parts = content.get("parts")
    texts = (
        [_part_text(part) for part in parts]
        if isinstance(parts, list)
        else [fields.text(content, "text")]
    )
    attachments = [
        fields.text(record, "name") for record in fields.records(metadata.get("attachments"))
    ]
    return "\n".join(
        [*filter(None, texts), *(f"[attached: {name}]" for name in attachments if name)]
    )


def _part_text(part: object) -> str:
    """Return a part's text, or the transcript of audio."""
    if isinstance(part, dict):
        return fields.text(part, "text")
    return part.strip() if isinstance(part, str) else ""
