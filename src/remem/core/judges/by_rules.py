"""Decide by rules only: no model, no network."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from remem.core.analysis import analyse, analyse_each
from remem.core.judgements import Fact, KnownMemory, Passage, Relation, Statement, StatementContext
from remem.core.language.names.mentions import entities_in
from remem.core.language.names.model import Mention
from remem.core.memories.rules.derive import derive
from remem.core.memories.rules.distil import distil
from remem.core.memories.rules.merge import merge_contents
from remem.core.memories.rules.relate import MIN_COSINE, relate
from remem.core.model_ports import RelateCall
from remem.core.ports import Analysis


@dataclass(frozen=True, slots=True)
class RulesJudge:
    """The judge that every other judge falls back on."""

    analysis: Analysis
    asks_model: bool = False

    async def relate(
        self, content: str, known: Sequence[KnownMemory], context: StatementContext
    ) -> list[Relation]:
        if not known:
            return []
        # If the analysis is stopped, keep both: nothing is lost, and they are linked.
        near = [memory for memory in known if memory.cosine > MIN_COSINE]
        undecided = [
            Relation("similar", memory.id, memory.cosine, ("not compared in time",))
            for memory in near
        ]
        relations = await analyse(self, undecided, relate, content, known, context)
        return only_offered(relations, known)

    async def relate_each(self, asked: Sequence[RelateCall]) -> list[list[Relation]]:
        all_relations = await analyse_each(self, None, relate, asked)
        return [
            await self.relate(*call) if relations is None else only_offered(relations, call[1])
            for call, relations in zip(asked, all_relations, strict=True)
        ]

    async def relate_ahead(
        self, content: str, known: Sequence[KnownMemory], speaker: str | None
    ) -> list[Relation] | None:
        return None

    async def distil(self, passages: Sequence[Passage]) -> list[Statement]:
        return await analyse(self, [], distil, passages)

    async def derive(self, content: str, said_at: datetime | None) -> list[Fact]:
        return await analyse(self, [], derive, content, said_at)

    async def derive_each(self, asked: Sequence[tuple[str, datetime | None]]) -> list[list[Fact]]:
        return await analyse_each(self, [], derive, asked)

    async def merge(self, contents: Sequence[str]) -> str:
        return await analyse(self, "\n".join(contents), merge_contents, list(contents))

    async def expand(self, content: str) -> str | None:
        return None

    async def mentions(self, text: str, tags: Sequence[str]) -> list[Mention]:
        return await analyse(self, [], entities_in, text, tuple(tags))

    async def mentions_each(
        self, asked: Sequence[tuple[str, Sequence[str]]]
    ) -> list[list[Mention]]:
        calls = [(text, tuple(tags)) for text, tags in asked]
        return await analyse_each(self, [], entities_in, calls)

    async def mentions_by_model(self, text: str, tags: Sequence[str]) -> list[Mention] | None:
        return None


def only_offered(relations: Sequence[Relation], known: Sequence[KnownMemory]) -> list[Relation]:
    """The relations to memories that were asked about."""
    ids = {memory.id for memory in known}
    return [relation for relation in relations if relation.target_id in ids]
