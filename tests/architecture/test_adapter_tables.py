"""The tables of adapters: everything they name exists and is documented."""

import inspect

import pytest

from remem.adapters import (
    asr,
    blobs,
    cache,
    connectors,
    database,
    embedding,
    importers,
    llm,
    ocr,
    rate,
    secrets,
    vector_index,
)
from remem.adapters.table import Adapter, load
from remem.choices import choices
from remem.settings import Settings
from tests.architecture.test_documented import first_cells, read

TABLES = {
    "database": database.ADAPTERS,
    "blobs": blobs.ADAPTERS,
    "cache": cache.ADAPTERS,
    "rate": rate.ADAPTERS,
    "embedding": embedding.ADAPTERS,
    "ocr": ocr.ADAPTERS,
    "asr": asr.ADAPTERS,
    "llm": llm.ADAPTERS,
    "secrets": secrets.ADAPTERS,
    "vector_index": vector_index.ADAPTERS,
    "importers": importers.ADAPTERS,
    "connectors": connectors.ADAPTERS,
}
EVERY = [
    pytest.param(adapter, id=f"{port}-{name}")
    for port, table in TABLES.items()
    for name, adapter in table.items()
]
# The setting that chooses among the adapters of a port by name.
CHOOSING = {
    "REMEM_EMBEDDING_PROVIDER": embedding.ADAPTERS,
    "REMEM_OCR": ocr.ADAPTERS,
    "REMEM_ASR": asr.ADAPTERS,
    "REMEM_LLM_PROVIDER": llm.ADAPTERS,
    "REMEM_VECTOR_INDEX": vector_index.ADAPTERS,
}


@pytest.mark.parametrize("adapter", EVERY)
def test_an_adapter_takes_the_arguments_it_is_listed_with(adapter: Adapter) -> None:
    arguments = (*adapter.settings, *adapter.shares)
    inspect.signature(load(adapter.target)).bind(**dict.fromkeys(arguments))


@pytest.mark.parametrize("adapter", EVERY)
def test_its_settings_exist(adapter: Adapter) -> None:
    names = {*adapter.settings.values(), *adapter.required, *adapter.defaults}
    assert not [name for name in names if not hasattr(Settings(), name)]


@pytest.mark.parametrize("setting", sorted(CHOOSING))
def test_every_name_is_documented(setting: str) -> None:
    line = first_cells(read("settings.md"))[setting][2]
    assert not [name for name in CHOOSING[setting] if f"`{name}`" not in line]


def test_every_port_with_a_table_has_a_choice() -> None:
    chosen = choices(Settings(llm_provider="ollama", llm_model="tiny"))
    assert set(chosen) == set(TABLES) - {"importers", "connectors"}
