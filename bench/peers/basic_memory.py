"""basic-memory through the tools of its MCP server, with a project for each talk."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import basic_memory.mcp.tools  # noqa: F401 - registers the tools
from basic_memory.index.local_schedulers import drain_background_tasks
from basic_memory.mcp.server import mcp
from basic_memory.repository.fastembed_provider import FastEmbedEmbeddingProvider
from fastmcp import Client
from numpy.typing import NDArray

from peers.embedder import Embedder
from peers.model import TOP, PeerQuestion, Text

TEXT, HYBRID = "text", "hybrid"


class Model:
    """fastembed's interface; basic-memory would download its model from a hub."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed(self, texts: Sequence[str], **options: object) -> Iterator[NDArray[Any]]:
        return (self._embedder.embed(text) for text in texts)


class Peer:
    ways: ClassVar[Sequence[str]] = (TEXT, HYBRID)

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        model = Model(embedder)
        FastEmbedEmbeddingProvider._create_model = lambda provider: model
        self._folder = folder
        self._loop = asyncio.Runner()
        self._client: Client[Any] | None = None
        self._talks: set[str] = set()
        self._is_indexed = False

    def save(self, text: Text) -> None:
        self._loop.run(self._save(text))

    async def _save(self, text: Text) -> None:
        if text.talk not in self._talks:
            project = {"project_name": text.talk, "project_path": str(self._folder / text.talk)}
            await self._call("create_memory_project", project)
            self._talks.add(text.talk)
        note = {
            "title": text.id.split("/")[-1],
            "content": text.text,
            "directory": "notes",
            "project": text.talk,
            "metadata": {"date": text.at},
        }
        await self._call("write_note", note)

    def save_many(self, texts: Sequence[Text]) -> None:
        # It has no call for many notes.
        raise NotImplementedError

    def ask(self, asked: PeerQuestion, way: str) -> list[str]:
        return self._loop.run(self._ask(asked, way))

    async def _ask(self, asked: PeerQuestion, way: str) -> list[str]:
        if not self._is_indexed:
            await drain_background_tasks()
            self._is_indexed = True
        query = {
            "query": asked.text,
            "project": asked.talk,
            "page_size": TOP,
            "search_type": way,
            # Its default fits the cosines of its own model; nearly all of this one's are lower.
            "min_similarity": 0.0,
        }
        reply = await self._call("search_notes", query)
        titles = dict.fromkeys(result["title"] for result in reply["results"])
        return [f"{asked.talk}/{title}" for title in titles]

    async def _call(self, tool: str, arguments: dict[str, Any]) -> Any:
        if self._client is None:
            self._client = Client(mcp)
            await self._client.__aenter__()
        reply = await self._client.call_tool(tool, arguments | {"output_format": "json"})
        return reply.structured_content["result"]
