"""Conversations as ChatGPT gives them out: conversations.json, or the ZIP around it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.conversations import has_field, parts_of
from remem.core.items import Item, LeftOut, Said

_SPEAKERS = frozenset({"user", "assistant"})
# What a model does by itself: its thoughts, and what it writes to its tools.
_UNSAID = frozenset(
    {"thoughts", "reasoning_recap", "user_editable_context", "model_editable_context"}
)


class ChatGptImporter:
    what = "a ChatGPT export (conversations.json, or the ZIP)"

    def recognises(self, path: Path) -> bool:
        return has_field(path, "mapping")

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        for talk in parts_of(path, "mapping"):
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


def _turns(talk: Mapping[str, Any], nodes: dict[str, Any]) -> Iterator[Said]:
    for node in _branch(talk, nodes):
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        author = message.get("author")
        role = fields.text(author, "role") if isinstance(author, dict) else ""
        words = _words(message)
        if role in _SPEAKERS and words:
            yield Said(role, words, fields.moment(message, "create_time"))


def _branch(talk: Mapping[str, Any], nodes: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages that are shown: from the node that is current up to the root."""
    at, seen, found = talk.get("current_node"), set[str](), list[dict[str, Any]]()
    if not isinstance(at, str) or at not in nodes:
        at = _last_leaf(nodes)
    while isinstance(at, str) and at in nodes and at not in seen:
        seen.add(at)
        node = nodes[at]
        if not isinstance(node, dict):
            break
        found.append(node)
        at = node.get("parent")
    return found[::-1]


def _last_leaf(nodes: dict[str, Any]) -> str | None:
    """Of the ends of the tree, the one written last."""
    ends = [id for id, node in nodes.items() if isinstance(node, dict) and not node.get("children")]

    def written(id: str) -> float:
        message = nodes[id].get("message")
        at = fields.moment(message, "create_time") if isinstance(message, dict) else None
        return at.timestamp() if at else 0.0

    return max(ends, key=written, default=None)


def _words(message: dict[str, Any]) -> str:
    content, metadata = message.get("content"), message.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    is_for_tool = message.get("recipient") not in (None, "", "all")
    if (
        not isinstance(content, dict)
        or is_for_tool
        or metadata.get("is_visually_hidden_from_conversation")
    ):
        return ""
    if content.get("content_type") in _UNSAID:
        return ""
    parts = content.get("parts")
    said = (
        [_part(one) for one in parts] if isinstance(parts, list) else [fields.text(content, "text")]
    )
    named = [fields.text(one, "name") for one in fields.records(metadata.get("attachments"))]
    return "\n".join([*filter(None, said), *(f"[attached: {one}]" for one in named if one)])


def _part(part: object) -> str:
    """A text, or a part of speech that was written down."""
    if isinstance(part, dict):
        return fields.text(part, "text")
    return part.strip() if isinstance(part, str) else ""
