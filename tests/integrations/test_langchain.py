"""The LangChain retriever, alone and in a chain."""

from typing import TYPE_CHECKING, Any

import pytest

from remem import AsyncRemem, Remem

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from remem.integrations.langchain import RememRetriever


def retriever(client: Remem | AsyncRemem, **options: Any) -> "RememRetriever":
    from remem.integrations.langchain import RememRetriever

    return RememRetriever(client=client, **options)


@pytest.fixture
def saved(remem: Remem) -> str:
    remem.projects.create("Billing", slug="work.billing")
    remem.save("The cafeteria serves soup on Mondays.", project="work.billing")
    return remem.save(
        "Invoices are kept in PostgreSQL since March.",
        title="Storage",
        project="work.billing",
        tags=["decision"],
        metadata={"author": "Ada"},
    ).id


def test_a_retriever_returns_results_as_documents(remem: Remem, saved: str) -> None:
    (document,) = retriever(remem, project="work.*", limit=1).invoke(
        "which database holds the invoices?"
    )
    assert document.id == saved
    assert document.page_content == "Invoices are kept in PostgreSQL since March."
    assert document.metadata["title"] == "Storage"
    assert document.metadata["author"] == "Ada"
    assert document.metadata["tags"] == ["decision"]
    assert document.metadata["score"] > 0


def test_filters_and_mode_reach_the_server(remem: Remem, saved: str) -> None:
    filters = {"tags": ["decision"]}
    documents = retriever(remem, mode="fast", filters=filters).invoke("invoices soup")
    assert [document.id for document in documents] == [saved]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_a_chain_invokes_it_asynchronously(
    remem: Remem, async_remem: AsyncRemem, saved: str, kind: str
) -> None:
    from langchain_core.runnables import RunnableLambda

    def first(documents: "list[Document]") -> str:
        return documents[0].page_content

    client = remem if kind == "remem" else async_remem
    chain = retriever(client, limit=1) | RunnableLambda(first)
    assert "PostgreSQL" in await chain.ainvoke("where do invoices live?")


@pytest.mark.anyio
async def test_an_async_client_is_refused_in_a_sync_call(async_remem: AsyncRemem) -> None:
    with pytest.raises(TypeError, match="pass Remem"):
        retriever(async_remem).invoke("anything")
