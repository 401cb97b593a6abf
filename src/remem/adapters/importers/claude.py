"""Conversations as Claude gives them out: conversations.json, or the ZIP around it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.bundle import opened
from remem.adapters.importers.conversations import has_field, parts_of
from remem.adapters.importers.stream import values
from remem.core.items import Item, LeftOut, Said

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant"}


class ClaudeImporter:
    what = "a Claude export (conversations.json, or the ZIP)"

    def recognises(self, path: Path) -> bool:
        return has_field(path, "chat_messages")

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        for talk in parts_of(path, "chat_messages"):
            yield from _items(talk)
        yield from _projects(path)


def _items(talk: dict[str, Any]) -> Iterator[Item | LeftOut]:
    id = fields.name(talk, "uuid", "id") or fields.text(talk, "name")
    messages = _branch(talk)
    turns = tuple(said for message in messages if (said := _said(message)))
    if not turns or not id:
        yield LeftOut("talk", id or "unnamed", "nobody says anything in it")
        return
    url = f"https://claude.ai/chat/{id}"
    yield Item(
        kind="talk",
        reference=id,
        title=fields.text(talk, "name") or None,
        url=url,
        turns=turns,
        created_at=fields.moment(talk, "created_at") or turns[0].at,
        metadata={
            "conversation_id": id,
            **fields.others(
                talk, "chat_messages", "uuid", "id", "name", "current_leaf_message_uuid"
            ),
        },
    )
    for message in messages:
        yield from _attachments(id, message)


def _branch(talk: dict[str, Any]) -> list[dict[str, Any]]:
    """In their order; where answers were asked for anew, the branch that is shown."""
    messages = fields.records(talk.get("chat_messages"))
    by_id = {fields.text(one, "uuid"): one for one in messages}
    parents = [fields.text(one, "parent_message_uuid") for one in messages]
    if len(messages) < 2 or not all(parents) or len(set(parents)) == len(parents):
        return messages
    found: list[dict[str, Any]] = []
    at = fields.text(talk, "current_leaf_message_uuid") or fields.text(messages[-1], "uuid")
    while at in by_id and len(found) < len(messages):
        found.append(by_id[at])
        at = fields.text(by_id[at], "parent_message_uuid")
    return found[::-1] or messages


def _said(message: dict[str, Any]) -> Said | None:
    speaker = _SPEAKERS.get(fields.text(message, "sender", "role"))
    blocks = fields.records(message.get("content"))
    texts = [fields.text(one, "text") for one in blocks if one.get("type") in (None, "text")]
    words = "\n\n".join(filter(None, texts)) or fields.text(message, "text")
    files = [*fields.records(message.get("attachments")), *fields.records(message.get("files"))]
    named = (fields.text(one, "file_name") for one in files)
    words = "\n".join([*filter(None, [words]), *(f"[attached: {one}]" for one in named if one)])
    if speaker is None or not words:
        return None
    return Said(speaker, words, fields.moment(message, "created_at"))


def _attachments(talk: str, message: dict[str, Any]) -> Iterator[Item]:
    """What was attached and is text, as a document of its own."""
    for place, one in enumerate(fields.records(message.get("attachments"))):
        if content := fields.text(one, "extracted_content"):
            yield Item(
                kind="document",
                reference=f"{talk}/{fields.text(message, 'uuid')}/{place}",
                content=content,
                title=fields.text(one, "file_name") or None,
                created_at=fields.moment(message, "created_at"),
                metadata={"conversation_id": talk, **fields.others(one, "extracted_content")},
            )


def _projects(path: Path) -> Iterator[Item]:
    """What somebody put beside their conversations."""
    with opened(path) as bundle:
        for name in bundle.ending("projects.json") if bundle.is_archive else []:
            with bundle.open(name) as file:
                for _, project in values(file):
                    if isinstance(project, dict):
                        yield from _documents(project)


def _documents(project: dict[str, Any]) -> Iterator[Item]:
    for one in fields.records(project.get("docs")):
        id, content = fields.name(one, "uuid", "filename"), fields.text(one, "content")
        if id and content:
            yield Item(
                kind="document",
                reference=f"{fields.name(project, 'uuid')}/{id}",
                content=content,
                title=fields.text(one, "filename") or None,
                created_at=fields.moment(one, "created_at"),
                metadata={"project_name": fields.text(project, "name")},
            )
