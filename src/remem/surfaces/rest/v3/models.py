"""The models in use, and whether they work."""

import time
from collections.abc import Awaitable
from typing import Any, Literal
from uuid import uuid4

from fastapi import APIRouter
from pydantic import BaseModel, Field

from remem.core.ask_model import model_name
from remem.core.errors import RememError
from remem.core.ports import Ports
from remem.surfaces.rest.deps import Admin, PortsDep, Reader, SettingsDep
from remem.surfaces.rest.guard import Guarded

router = APIRouter(prefix="/v3", tags=["models"], route_class=Guarded)

_QUERY, _TEXTS = "when does the ferry leave?", ["The ferry leaves at noon.", "Tea is at four."]


class ModelOut(BaseModel):
    use: Literal["embedding", "reader", "language"]
    model: str | None = Field(description="null if there is none.")
    local: bool = Field(description="Whether it runs on the server's own computer.")


class ModelsOut(BaseModel):
    models: list[ModelOut]


class ModelTest(ModelOut):
    works: bool
    latency_ms: float | None
    error: str | None = Field(description="What is wrong, and how to fix it.")


class ModelTests(BaseModel):
    models: list[ModelTest]


@router.get("/models", response_model=ModelsOut)
async def read(ports: PortsDep, settings: SettingsDep, caller: Reader) -> ModelsOut:
    """The models in use for search, ranking and extraction."""
    return ModelsOut(models=_models_in_use(ports, settings.embedding_provider))


@router.post("/models/test", response_model=ModelTests)
async def test(ports: PortsDep, settings: SettingsDep, caller: Admin) -> ModelTests:
    """Test each model in use with a small request; the language model is not called, because it may
    cost money."""
    tests = []
    for model in _models_in_use(ports, settings.embedding_provider):
        if model.use == "embedding":
            tests.append(await _timed(model, ports.embedder.embed_query(_unseen_query())))
        elif model.use == "reader" and ports.reader:
            tests.append(await _timed(model, ports.reader.rank(_QUERY, _TEXTS)))
    return ModelTests(models=tests)


def _unseen_query() -> str:
    """Return a unique query: a repeated one may be answered from the cache, which would not test
    the model."""
    return f"{_QUERY} {uuid4().hex}"


def _models_in_use(ports: Ports, embedding_provider: str) -> list[ModelOut]:
    reader = "remem-reader" if ports.reader else None
    return [
        ModelOut(use="embedding", model=ports.embedder.model, local=embedding_provider == "local"),
        ModelOut(use="reader", model=reader, local=True),
        ModelOut(use="language", model=model_name(ports), local=False),
    ]


async def _timed(model: ModelOut, request: Awaitable[Any]) -> ModelTest:
    started = time.perf_counter()
    try:
        await request
    except RememError as error:
        return ModelTest(**model.model_dump(), works=False, latency_ms=None, error=error.message)
    latency_ms = round((time.perf_counter() - started) * 1_000, 1)
    return ModelTest(**model.model_dump(), works=True, latency_ms=latency_ms, error=None)
