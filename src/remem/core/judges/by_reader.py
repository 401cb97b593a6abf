"""Decide by rules, and ask the reader which known statements a new one replaces."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from remem.core.analysis import analyse, analyse_each
from remem.core.errors import Unavailable
from remem.core.judgements import (
    CALLED_OFF,
    MAY_REPLACE,
    KnownMemory,
    Passage,
    Relation,
    Statement,
    StatementContext,
)
from remem.core.judges.by_rules import RulesJudge
from remem.core.language.prose.spans import Span
from remem.core.memories.rules.change import THRESHOLDS, undecided_candidates
from remem.core.memories.rules.distil import WorthOfLines, distil, note_lines
from remem.core.model_ports import Reader, RelateCall
from remem.core.readings import Verdict

MAX_READ = 8

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ReaderJudge(RulesJudge):
    """Rules that ask the reader where they cannot decide; a veto of the rules is final."""

    reader: Reader | None = None

    async def relate(
        self, content: str, known: Sequence[KnownMemory], context: StatementContext
    ) -> list[Relation]:
        relations = await RulesJudge.relate(self, content, known, context)
        if not known or self.reader is None:
            return relations
        candidates = await analyse(
            self, [], undecided_candidates, content, known, relations, context
        )
        return await self._confirm_updates(content, known, relations, candidates)

    async def relate_each(self, asked: Sequence[RelateCall]) -> list[list[Relation]]:
        all_relations = await RulesJudge.relate_each(self, asked)
        if self.reader is None:
            return all_relations
        calls = [
            (content, known, relations, context)
            for (content, known, context), relations in zip(asked, all_relations, strict=True)
        ]
        all_candidates = await analyse_each(self, [], undecided_candidates, calls)
        return [
            await self._confirm_updates(content, known, relations, candidates)
            for (content, known, relations, *_), candidates in zip(
                calls, all_candidates, strict=True
            )
        ]

    async def distil(self, passages: Sequence[Passage]) -> list[Statement]:
        worth = await self._worth_of_lines(passages)
        return await analyse(self, [], distil, passages, worth)

    async def _worth_of_lines(self, passages: Sequence[Passage]) -> list[WorthOfLines] | None:
        """What the reader says of the lines of notes; None if it cannot read them."""
        if self.reader is None or not any(passage.is_note for passage in passages):
            return None
        lines = await analyse(self, None, note_lines, passages)
        if lines is None:
            return None
        try:
            return [
                await self._worth(passage, of_passage)
                for passage, of_passage in zip(passages, lines, strict=True)
            ]
        except Unavailable as error:
            log.warning("reader_unused", error=str(error))
            return None

    async def _worth(self, passage: Passage, lines: Sequence[Span]) -> WorthOfLines:
        if self.reader is None or not lines:
            return {}
        reading = await self.reader.note(passage.text, lines)
        return {line: worth for line, worth in zip(lines, reading.worth, strict=True) if worth}

    async def _confirm_updates(
        self,
        content: str,
        known: Sequence[KnownMemory],
        relations: list[Relation],
        candidates: Sequence[tuple[UUID, float]],
    ) -> list[Relation]:
        """The relations, plus the updates among the candidates that the reader confirms."""
        if self.reader is None:
            return relations
        texts = {memory.id: memory.content for memory in known}
        asked = [(id, required) for id, required in candidates if id in texts][:MAX_READ]
        if not asked:
            return relations
        try:
            verdicts = await self.reader.judge([texts[id] for id, _ in asked], content)
        except Unavailable as error:
            log.warning("reader_unused", error=str(error))
            return relations
        changes = [
            _change(id, verdict, required)
            for (id, required), verdict in zip(asked, verdicts, strict=True)
            if verdict.updates + verdict.cancels >= THRESHOLDS.min_probability_to_ask
        ]
        return _insert_changes(changes, relations)


def _change(id: UUID, verdict: Verdict, required: float) -> Relation:
    """A statement that calls a plan off replaces it, and has no due date of its own."""
    confidence = verdict.updates + verdict.cancels
    if confidence < required:
        return Relation("similar", id, confidence, (MAY_REPLACE,))
    reason = CALLED_OFF if verdict.cancels > verdict.updates else "a change"
    return Relation("update", id, confidence, (reason, "confirmed by the reader"))


def _insert_changes(changes: Sequence[Relation], relations: Sequence[Relation]) -> list[Relation]:
    """Put the changes after what the rules decided and before the remaining relations, updates
    first."""
    changed = {change.target_id for change in changes}
    first = [relation for relation in relations if relation.action in ("noop", "update")]
    rest = [
        relation
        for relation in relations
        if relation not in first and relation.target_id not in changed
    ]
    changes = sorted(changes, key=lambda change: (change.action != "update", -change.confidence))
    return [*first, *changes, *rest]
