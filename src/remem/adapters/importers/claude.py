"""Claude exports: conversations.json, or the ZIP that contains it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.bundle import open_bundle
from remem.adapters.importers.conversations import has_field, read_conversations
from remem.adapters.importers.stream import values
from remem.core.items import Item, ItemTurn, LeftOut

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant"}


class ClaudeImporter:
    description = "a Claude export (conversations.json, or the ZIP)"

    def recognises(self, path: Path) -> bool:
        return has_field(path, "chat_messages")

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        for talk in read_conversations(path, "chat_messages"):
            yield from _items(talk)
        yield from _projects(path)


def _items(talk: dict[str, Any]) -> Iterator[Item | LeftOut]:
    id = fields.name(talk, "uuid", "id") or fields.text(talk, "name")
    messages = _branch(talk)
    turns = tuple(turn for message in messages if (turn := _turn(message)))
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
    """Return the messages in order; of regenerated answers, only the branch that is shown."""
    messages = fields.records(talk.get("chat_messages"))
    by_id = {fields.text(message, "uuid"): message for message in messages}
    parents = [fields.text(message, "parent_message_uuid") for message in messages]
    if len(messages) < 2 or not all(parents) or len(set(parents)) == len(parents):
        return messages
    branch: list[dict[str, Any]] = []
    message_id = fields.text(talk, "current_leaf_message_uuid") or fields.text(messages[-1], "uuid")
    while message_id in by_id and len(branch) < len(messages):
        branch.append(by_id[message_id])
        message_id = fields.text(by_id[message_id], "parent_message_uuid")
    return branch[::-1] or messages


def _turn(message: dict[str, Any]) -> ItemTurn | None:
    speaker = _SPEAKERS.get(fields.text(message, "sender", "role"))
    blocks = fields.records(message.get("content"))
    texts = [fields.text(block, "text") for block in blocks if block.get("type") in (None, "text")]
    text = "\n\n".join(filter(None, texts)) or fields.text(message, "text")
    files = [*fields.records(message.get("attachments")), *fields.records(message.get("files"))]
    names = (fields.text(file, "file_name") for file in files)
    text = "\n".join([*filter(None, [text]), *(f"[attached: {name}]" for name in names if name)])
    if speaker is None or not text:
        return None
    return ItemTurn(speaker, text, fields.moment(message, "created_at"))


def _attachments(talk: str, message: dict[str, Any]) -> Iterator[Item]:
    """Yield each attached text as a separate document."""
    for position, attachment in enumerate(fields.records(message.get("attachments"))):
        if content := fields.text(attachment, "extracted_content"):
            yield Item(
                kind="document",
                reference=f"{talk}/{fields.text(message, 'uuid')}/{position}",
                content=content,
                title=fields.text(attachment, "file_name") or None,
                created_at=fields.moment(message, "created_at"),
                metadata={
                    "conversation_id": talk,
                    **fields.others(attachment, "extracted_content"),
                },
            )


def _projects(path: Path) -> Iterator[Item]:
    """Yield the documents of projects."""
    with open_bundle(path) as bundle:
        for name in bundle.names_ending("projects.json") if bundle.is_archive else []:
            with bundle.open(name) as file:
                for _, project in values(file):
                    if isinstance(project, dict):
                        yield from _documents(project)


def _documents(project: dict[str, Any]) -> Iterator[Item]:
    for document in fields.records(project.get("docs")):
        id, content = fields.name(document, "uuid", "filename"), fields.text(document, "content")
        if id and content:
            yield Item(
                kind="document",
                reference=f"{fields.name(project, 'uuid')}/{id}",
                content=content,
                title=fields.text(document, "filename") or None,
                created_at=fields.moment(document, "created_at"),
                metadata={"project_name": fields.text(project, "name")},
            )
