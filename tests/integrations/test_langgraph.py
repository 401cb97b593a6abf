"""The LangGraph store: exact, by key, by filter and by meaning; and inside a compiled graph."""

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remem import AsyncRemem, Remem

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

    from remem.integrations.langgraph import RememStore

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
JSON = st.recursive(
    SCALARS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NS = ("users", "ann")


def store_of(client: Remem | AsyncRemem, **options: str) -> "RememStore":
    from remem.integrations.langgraph import RememStore

    return RememStore(client, **options)


@pytest.fixture
def store(remem: Remem) -> "RememStore":
    return store_of(remem)


def keys(items: list[Any]) -> set[str]:
    return {item.key for item in items}


def test_an_item_comes_back_as_it_was_put(store: "RememStore") -> None:
    value = {"text": "likes tea", "n": 1.5, "deep": [{"a": None}], "tags": ["x"], "zero": "\x00"}
    store.put(NS, "Tea & more/ü", value)
    store.put(NS, "\x00\ud800", {"any": "\udfff"})
    item = store.get(NS, "Tea & more/ü")
    assert item is not None
    assert (item.namespace, item.key, item.value) == (NS, "Tea & more/ü", value)
    odd = store.get(NS, "\x00\ud800")
    assert odd and (odd.key, odd.value) == ("\x00\ud800", {"any": "\udfff"})
    assert store.get(NS, "tea & more/ü") is None
    assert store.get(("users",), "Tea & more/ü") is None


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(key=st.text(min_size=1, max_size=20), value=st.dictionaries(st.text(), JSON, max_size=4))
def test_any_json_is_returned_unchanged(
    store: "RememStore", key: str, value: dict[str, Any]
) -> None:
    store.put(("any",), key, value)
    item = store.get(("any",), key)
    assert item is not None
    assert (item.key, item.value) == (key, value)


def test_a_value_larger_than_document_metadata_is_stored_whole(store: "RememStore") -> None:
    value = {"log": "a line of the log\n" * 8_000, "end": True}
    store.put(NS, "log", value)
    item = store.get(NS, "log")
    assert item is not None
    assert item.value == value
    store.put(NS, "log", {"log": "short again"})
    assert [found_item.value for found_item in store.search(NS)] == [{"log": "short again"}]


def test_a_put_replaces_and_a_delete_removes(store: "RememStore") -> None:
    store.put(NS, "home", {"city": "Paris"})
    first = store.get(NS, "home")
    store.put(NS, "home", {"city": "Berlin"})
    second = store.get(NS, "home")
    assert first and second
    assert second.value == {"city": "Berlin"}
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at
    assert [item.value for item in store.search(NS)] == [{"city": "Berlin"}]
    assert [item.value for item in store.search(NS, query="Paris")] == [{"city": "Berlin"}]
    store.delete(NS, "home")
    store.delete(NS, "home")
    assert store.get(NS, "home") is None
    assert store.search(NS) == []
    assert store.search(NS, query="Berlin") == []


def test_a_key_put_by_many_at_once_is_one_item(store: "RememStore") -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.put(NS, "race", {"n": n}), range(8)))
    (item,) = store.search(NS)
    assert item.value["n"] in range(8)
    assert store.get(NS, "race") == store.get(NS, "race")
    store.put(NS, "race", {"n": 99})
    assert [found_item.value for found_item in store.search(NS)] == [{"n": 99}]


def test_a_value_that_changes_where_it_is_not_indexed_changes(store: "RememStore") -> None:
    store.put(NS, "note", {"text": "the same", "count": 1}, index=["text"])
    store.put(NS, "note", {"text": "the same", "count": 2}, index=["text"])
    item = store.get(NS, "note")
    assert item and item.value == {"text": "the same", "count": 2}


def test_the_same_value_under_two_keys_is_two_items(store: "RememStore") -> None:
    for key in ("a", "b"):
        store.put(NS, key, {"text": "twin"})
    assert keys(store.search(NS)) == {"a", "b"}
    store.delete(NS, "a")
    assert keys(store.search(NS)) == {"b"}


def test_search_ranks_by_meaning_below_a_prefix(store: "RememStore") -> None:
    store.put(
        ("users", "ann", "food"), "1", {"text": "Ann never eats hazelnuts, they make her ill"}
    )
    store.put(("users", "ann", "work"), "2", {"text": "Ann writes compilers in Rust"})
    store.put(("users", "Bob B"), "3", {"text": "Bob is allergic to peanuts"})
    found = store.search(("users", "ann"), query="food allergies", limit=5)
    assert found[0].key == "1"
    assert keys(found) <= {"1", "2"}
    assert found[0].score is not None
    assert keys(store.search(("users",), query="allergic to nuts", limit=5)) >= {"1", "3"}
    assert store.search(("use",), query="allergies") == []


def test_what_is_not_indexed_is_not_found_by_a_query(store: "RememStore") -> None:
    store.put(NS, "secret", {"text": "the vault opens with 1234"}, index=False)
    assert store.search(NS, query="vault") == []
    assert keys(store.search(NS)) == {"secret"}


def test_filters_compare(store: "RememStore") -> None:
    for n in range(5):
        colour = "red" if n % 2 else "blue"
        store.put(NS, str(n), {"n": n, "colour": colour, "in": {"box": n, "lid": True}})
    assert keys(store.search(NS, filter={"colour": "red"})) == {"1", "3"}
    assert keys(store.search(NS, filter={"n": {"$gt": 1, "$lte": 3}})) == {"2", "3"}
    assert keys(store.search(NS, filter={"n": {"$ne": 0}, "colour": "blue"})) == {"2", "4"}
    assert keys(store.search(NS, filter={"in": {"box": 3}})) == {"3"}
    assert keys(store.search(NS, query="colour", filter={"n": {"$gte": 4}})) == {"4"}
    assert keys(store.search(NS, query="colour", filter={"colour": "red"})) == {"1", "3"}
    with pytest.raises(ValueError, match=r"\$like"):
        store.search(NS, filter={"n": {"$like": 1}})


def test_pages_do_not_overlap(store: "RememStore") -> None:
    for n in range(5):
        store.put(NS, str(n), {"n": n})
    pages = [store.search(NS, limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [item.key for page in pages for item in page] == ["4", "3", "2", "1", "0"]


def test_namespaces_are_listed(store: "RememStore") -> None:
    names = [("a", "b", "c"), ("a", "b", "d"), ("a", "Straße 1"), ("z", "c")]
    for namespace in names:
        store.put(namespace, "k", {"v": 1})
    assert store.list_namespaces() == sorted(names)
    assert store.list_namespaces(prefix=("a", "b")) == names[:2]
    assert store.list_namespaces(suffix=("c",)) == [("a", "b", "c"), ("z", "c")]
    assert store.list_namespaces(prefix=("a", "*", "c")) == [("a", "b", "c")]
    assert store.list_namespaces(max_depth=2) == [("a", "Straße 1"), ("a", "b"), ("z", "c")]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "b", "c")]
    store.delete(("z", "c"), "k")
    assert ("z", "c") not in store.list_namespaces()


def test_a_batch_reads_before_it_writes(store: "RememStore") -> None:
    from langgraph.store.base import GetOp, PutOp, SearchOp

    store.put(NS, "k", {"v": 1})
    got_item, _, _, search_results = store.batch(
        [GetOp(NS, "k"), PutOp(NS, "k", {"v": 2}), PutOp(NS, "k", {"v": 3}), SearchOp(NS)]
    )
    assert got_item.value == {"v": 1}
    assert [found_item.value for found_item in search_results] == [{"v": 1}]
    item = store.get(NS, "k")
    assert item and item.value == {"v": 3}


def test_labels_that_could_mean_another_namespace_are_refused(store: "RememStore") -> None:
    from langgraph.store.base import GetOp, InvalidNamespaceError

    with pytest.raises(InvalidNamespaceError):
        store.batch([GetOp(("a.b",), "k")])


class State(TypedDict):
    asked: str
    answer: str


def answer(state: State, *, store: "BaseStore") -> dict[str, str]:
    items = store.search(("facts",), query=state["asked"], limit=1)
    store.put(("asked",), state["asked"], {"question": state["asked"]})
    return {"answer": items[0].value["text"] if items else "unknown"}


async def answer_async(state: State, *, store: "BaseStore") -> dict[str, str]:
    items = await store.asearch(("facts",), query=state["asked"], limit=1)
    await store.aput(("asked",), state["asked"], {"question": state["asked"]})
    return {"answer": items[0].value["text"] if items else "unknown"}


def graph(node: Any, store: "BaseStore") -> Any:
    from langgraph.graph import END, START, StateGraph

    builder = StateGraph(State)
    builder.add_node("answer", node)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    return builder.compile(store=store)


def test_a_compiled_graph_remembers(store: "RememStore") -> None:
    store.put(("facts",), "ferry", {"text": "The ferry to Naxos leaves at 07:25."})
    initial_state = {"asked": "when does the boat leave?", "answer": ""}
    assert "07:25" in graph(answer, store).invoke(initial_state)["answer"]
    assert store.list_namespaces() == [("asked",), ("facts",)]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_an_async_graph_remembers(remem: Remem, async_remem: AsyncRemem, kind: str) -> None:
    store = store_of(remem if kind == "remem" else async_remem, project="graphs")
    await store.aput(("facts",), "ferry", {"text": "The ferry to Naxos leaves at 07:25."})
    initial_state = {"asked": "when does the boat leave?", "answer": ""}
    assert "07:25" in (await graph(answer_async, store).ainvoke(initial_state))["answer"]
    assert await store.alist_namespaces() == [("asked",), ("facts",)]
