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


def test_a_retriever_gives_what_is_recalled_as_documents(remem: Remem, saved: str) -> None:
    (found,) = retriever(remem, project="work.*", limit=1).invoke(
        "which database holds the invoices?"
    )
    assert found.id == saved
    assert found.page_content == "Invoices are kept in PostgreSQL since March."
    assert found.metadata["title"] == "Storage"
    assert found.metadata["author"] == "Ada"
    assert found.metadata["tags"] == ["decision"]
    assert found.metadata["score"] > 0


def test_filters_and_mode_reach_the_server(remem: Remem, saved: str) -> None:
    filters = {"tags": ["decision"]}
    found = retriever(remem, mode="fast", filters=filters).invoke("invoices soup")
    assert [one.id for one in found] == [saved]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_a_chain_awaits_it(remem: Remem, awaited: AsyncRemem, saved: str, kind: str) -> None:
    from langchain_core.runnables import RunnableLambda

    def first(documents: "list[Document]") -> str:
        return documents[0].page_content

    client = remem if kind == "remem" else awaited
    chain = retriever(client, limit=1) | RunnableLambda(first)
    assert "PostgreSQL" in await chain.ainvoke("where do invoices live?")


@pytest.mark.anyio
async def test_a_client_that_must_be_awaited_says_so(awaited: AsyncRemem) -> None:
    with pytest.raises(TypeError, match="give Remem"):
        retriever(awaited).invoke("anything")
