"""Another model is used only if it does not lose the operator's own questions."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.embedding.networks import MODELS, LocalModel, MiniLM
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Conflict
from remem.core.ports import Ports, Vector
from remem.core.question_file import Question, QuestionGuard
from remem.core.scope import Scope
from remem.core.upkeep import reembed
from remem.core.upkeep.reembed import choose_model, reembed_tenant
from remem.core.vector_models import state as vector_models
from tests.core.test_moving_vectors import NOTES
from tests.tools.second_model import FIRST, ROTATED, SECOND

pytestmark = pytest.mark.anyio

QUESTIONS = [Question(ask, texts=(note,)) for ask, note in NOTES.items()]


class Confused(MiniLM):
    """Its vectors say nothing about the meaning of a text."""

    def embed(self, text: str) -> Vector:
        vector = np.random.default_rng(len(text)).normal(size=384).astype(np.float32)
        return vector / np.linalg.norm(vector)


@pytest.fixture(autouse=True)
def quick_removal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(reembed, "KEPT", timedelta())
    yield


@pytest.fixture
async def first(ports: Ports) -> AsyncIterator[Ports]:
    embedder = LocalEmbedder(model=FIRST)
    yield replace(ports, embedder=embedder, distils=False)
    await embedder.close()


async def move(ports: Ports, scope: Scope, guard: QuestionGuard) -> str:
    """Move to the second model; the model that is used afterwards."""
    embedder = LocalEmbedder(model=SECOND)
    second = replace(ports, embedder=embedder, distils=False, question_guard=guard)
    try:
        await choose_model(second, scope)
        await reembed_tenant(second, scope, scope.tenant_id)
    finally:
        await embedder.close()
        async with ports.db.transaction(scope) as tx:
            known = await vector_models.find(tx)
    assert known
    return known.model


async def model_of(ports: Ports, scope: Scope) -> str:
    async with ports.db.transaction(scope) as tx:
        known = await vector_models.find(tx)
    assert known
    return known.model


async def test_a_model_that_loses_questions_is_refused(
    first: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MODELS, SECOND, LocalModel(ROTATED.folder, ROTATED.files, Confused))
    for note in NOTES.values():
        await ingest(first, scope, Draft(note))
    with pytest.raises(Conflict) as refused:
        await move(first, scope, QuestionGuard(QUESTIONS))
    assert await model_of(first, scope) == FIRST
    assert refused.value.code == "questions_lost"
    assert next(iter(NOTES)) in refused.value.message
    assert await move(first, scope, QuestionGuard(QUESTIONS, accepts_loss=True)) == SECOND


async def test_a_model_that_finds_the_same_is_taken(
    first: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MODELS, SECOND, ROTATED)
    for note in NOTES.values():
        await ingest(first, scope, Draft(note))
    assert await move(first, scope, QuestionGuard(QUESTIONS)) == SECOND


async def test_questions_about_another_store_refuse_nothing(
    first: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MODELS, SECOND, LocalModel(ROTATED.folder, ROTATED.files, Confused))
    await ingest(first, scope, Draft("The lighthouse is white."))
    elsewhere = [Question(f"Where is {n}?", titles=("Nothing",), project="gone") for n in range(9)]
    assert await move(first, scope, QuestionGuard([*QUESTIONS, *elsewhere])) == SECOND
