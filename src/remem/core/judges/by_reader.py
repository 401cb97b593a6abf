"""Decide by rules, and let the reader say what a statement that tells of a change replaces."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from remem.core.analysis import analyse, analyse_each
from remem.core.errors import Unavailable
from remem.core.judgements import Known, Relation, Saying
from remem.core.judges.by_rules import RulesJudge
from remem.core.memories.rules.change import may_change
from remem.core.model_ports import Reader, RelateCall

READ_MOST = 8

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ReaderJudge(RulesJudge):
    """The rules propose and veto: an update needs the reader's yes as well where they doubt. Where
    it is not asked `of_whole`, a part of a statement may be out of date though the rest is not."""

    reader: Reader | None = None
    of_whole: bool = True

    async def relate(self, content: str, known: Sequence[Known], saying: Saying) -> list[Relation]:
        relations = await RulesJudge.relate(self, content, known, saying)
        if not known or self.reader is None:
            return relations
        changed = await analyse(
            self, [], may_change, content, known, relations, saying, self.of_whole
        )
        return await self._read(content, known, relations, changed)

    async def relate_each(self, asked: Sequence[RelateCall]) -> list[list[Relation]]:
        found = await RulesJudge.relate_each(self, asked)
        if self.reader is None:
            return found
        calls = [
            (content, known, relations, saying)
            for (content, known, saying), relations in zip(asked, found, strict=True)
        ]
        changed = await analyse_each(self, [], may_change, calls)
        return [
            await self._read(content, known, relations, changes)
            for (content, known, relations, _), changes in zip(calls, changed, strict=True)
        ]

    async def _read(
        self,
        content: str,
        known: Sequence[Known],
        relations: list[Relation],
        changed: Sequence[tuple[UUID, float]],
    ) -> list[Relation]:
        """With what the reader says of those that may have changed."""
        if self.reader is None:
            return relations
        texts = {one.id: one.content for one in known}
        asked = [(id, likely) for id, likely in changed if id in texts][:READ_MOST]
        if not asked:
            return relations
        try:
            verdicts = await self.reader.judge([texts[id] for id, _ in asked], content)
        except Unavailable as error:
            log.warning("reader_unused", error=str(error))
            return relations
        updates = [
            Relation("update", id, verdict.updates, ("a change, by the reader",))
            for (id, likely), verdict in zip(asked, verdicts, strict=True)
            if verdict.updates >= likely
        ]
        return _with(updates, relations)


def _with(updates: Sequence[Relation], relations: Sequence[Relation]) -> list[Relation]:
    """The most telling first: what the rules replace, then these, then what stays."""
    replaced = {one.target_id for one in updates}
    first = [one for one in relations if one.action in ("noop", "update")]
    rest = [one for one in relations if one not in first and one.target_id not in replaced]
    return [*first, *sorted(updates, key=lambda one: -one.confidence), *rest]
