"""A LangChain retriever: recall results as documents of a chain."""

from collections.abc import Mapping
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from remem.client import AsyncRemem
from remem.client.answers import Result
from remem.client.fields import Mode
from remem.integrations.call import Client, call, call_now


class RememRetriever(BaseRetriever):
    """`RememRetriever(client=Remem(), project="work.*", limit=5)`. Each document is a saved
    document with its matching chunks, or a memory."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    client: Client
    project: str | None = None
    limit: int = 5
    mode: Mode = "balanced"
    filters: Mapping[str, Any] | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return call_now(self.client, lambda remem: self._retrieve(remem, query))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        return await call(self.client, lambda remem: self._retrieve(remem, query))

    async def _retrieve(self, remem: AsyncRemem, query: str) -> list[Document]:
        recalled = await remem.recall(
            query, project=self.project, limit=self.limit, mode=self.mode, filters=self.filters
        )
        return [_document(result) for result in recalled.results]


def _document(result: Result) -> Document:
    names = (
        "kind id url document_id title score source_url content_type category tags created_at"
    ).split()
    return Document(
        id=result.id,
        page_content="\n\n".join(chunk.content for chunk in result.chunks),
        metadata={**result.metadata, **{name: result[name] for name in names}},
    )
