"""Analysis of a user's text: never on the event loop, and skipped when it takes too long."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from remem.core.documents import understand
from remem.core.documents.chunks import make as documents_chunks
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft as DocumentDraft
from remem.core.errors import AnalysisStopped
from remem.core.index.kinds import MEMORY
from remem.core.index.match import match_words
from remem.core.judges import by_rules
from remem.core.judges.by_rules import RulesJudge
from remem.core.memories import relate
from remem.core.memories.derive import derive_memory
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio
RULES = [
    (by_rules, "entities_in"),
    (by_rules, "relate"),
    (relate, "alternative_words"),
    (by_rules, "derive"),
    (understand, "enrich"),
    (documents_chunks, "cut"),
]


class StoppedAnalysis:
    """An analysis that always exceeds its deadline."""

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        raise AnalysisStopped(function.__name__, code="deadline")

    async def close(self) -> None: ...


def recording_thread(rule: Callable[..., Any], threads: dict[str, set[int]]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        threads.setdefault(rule.__name__, set()).add(threading.get_ident())
        return rule(*arguments)

    return call


async def test_no_rule_reads_a_text_on_the_event_loop(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, set[int]] = {}
    for module, name in RULES:
        monkeypatch.setattr(module, name, recording_thread(getattr(module, name), threads))
    await save_memory(ports, scope, MemoryDraft(content="Ann Smith lives in Paris."))
    saved = await save_memory(ports, scope, MemoryDraft(content="Ann Smith lives in Rome."))
    await derive_memory(ports, scope, saved.memory.id)
    await ingest(ports, scope, DocumentDraft(content="Bob Jones works at Acme in Berlin."))
    assert set(threads) == {name for _, name in RULES}
    assert threading.get_ident() not in set.union(*threads.values())


async def test_a_text_whose_analysis_takes_too_long_is_saved_and_found_by_word(
    ports: Ports, scope: Scope
) -> None:
    stopped = replace(ports, analysis=StoppedAnalysis(), judge=RulesJudge(StoppedAnalysis()))
    saved = await save_memory(
        stopped, scope, MemoryDraft(content="The zebrafish belongs to Ann Smith.")
    )
    ingested = await ingest(stopped, scope, DocumentDraft(content="A quokka smiles. " * 200))
    assert (await derive_memory(stopped, scope, saved.memory.id)).facts == ()
    assert ingested.document.status == "done"
    async with ports.db.transaction(scope) as tx:
        project = saved.memory.project_id
        by_word = await match_words(tx, MEMORY, "zebrafish", [project], 5)
        chunks = await tx.system.fetch(
            "SELECT content, start_offset, end_offset FROM chunks WHERE document_id = $1"
            " ORDER BY chunk_index",
            ingested.document.id,
        )
    assert [match.id for match in by_word.matches] == [saved.memory.id]
    assert len(chunks) > 1
    for chunk in chunks:
        assert ingested.document.content[chunk[1] : chunk[2]] == chunk[0]
