"""Decide by rules alone: no model, no network."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from remem.core.analysis import analyse, analyse_each
from remem.core.judgements import Fact, Known, Passage, Relation, Saying, Statement
from remem.core.language.names.mentions import entities_in
from remem.core.language.names.model import Mention
from remem.core.memories.rules.derive import derive
from remem.core.memories.rules.distil import distil
from remem.core.memories.rules.merge import merged
from remem.core.memories.rules.relate import NEAR, relate
from remem.core.model_ports import RelateCall
from remem.core.ports import Analysis


@dataclass(frozen=True, slots=True)
class RulesJudge:
    """What every other judge falls back on."""

    analysis: Analysis
    asks_model: bool = False

    async def relate(self, content: str, known: Sequence[Known], saying: Saying) -> list[Relation]:
        if not known:
            return []
        # Keeping both is the safe answer: nothing is lost, and the link says where to look.
        near = [one for one in known if one.cosine > NEAR]
        undecided = [Relation("similar", one.id, one.cosine, ("undecided",)) for one in near]
        relations = await analyse(self, undecided, relate, content, known, saying)
        return offered(relations, known)

    async def relate_each(self, asked: Sequence[RelateCall]) -> list[list[Relation]]:
        found = await analyse_each(self, None, relate, asked)
        return [
            await self.relate(*call) if relations is None else offered(relations, call[1])
            for call, relations in zip(asked, found, strict=True)
        ]

    async def relate_ahead(
        self, content: str, known: Sequence[Known], speaker: str | None
    ) -> list[Relation] | None:
        return None

    async def distil(self, passages: Sequence[Passage]) -> list[Statement]:
        return await analyse(self, [], distil, passages)

    async def derive(self, content: str, said_at: datetime | None) -> list[Fact]:
        return await analyse(self, [], derive, content, said_at)

    async def derive_each(self, asked: Sequence[tuple[str, datetime | None]]) -> list[list[Fact]]:
        return await analyse_each(self, [], derive, asked)

    async def merge(self, contents: Sequence[str]) -> str:
        return await analyse(self, "\n".join(contents), merged, list(contents))

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


def offered(relations: Sequence[Relation], known: Sequence[Known]) -> list[Relation]:
    """Those to a memory that was asked about."""
    ids = {one.id for one in known}
    return [one for one in relations if one.target_id in ids]
