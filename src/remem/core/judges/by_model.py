"""Decide by a language model; another judge decides where the model's answer is not valid."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from remem.core.ask_model import Result, ask_model
from remem.core.judgements import Fact, KnownMemory, Passage, Relation, Statement, StatementContext
from remem.core.judges import checks, prompts
from remem.core.language.names.model import Mention
from remem.core.language.prose.spans import prose_spans
from remem.core.memories.rules.distil import STATEMENTS_LIMIT
from remem.core.model_ports import Judge, Llm, RelateCall
from remem.core.ports import Answer

ASK_CHARS = 8_000
ASKS_LIMIT = 4


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Ask the model and use the answers that pass `checks`; the fallback decides the rest."""

    llm: Llm
    fallback: Judge
    asks_model: bool = True

    async def relate(
        self, content: str, known: Sequence[KnownMemory], context: StatementContext
    ) -> list[Relation]:
        return await self.fallback.relate(content, known, context)

    async def relate_each(self, asked: Sequence[RelateCall]) -> list[list[Relation]]:
        return await self.fallback.relate_each(asked)

    async def relate_ahead(
        self, content: str, known: Sequence[KnownMemory], speaker: str | None
    ) -> list[Relation] | None:
        if not known:
            return None
        prompt = prompts.classify(content, known, speaker)
        check = partial(checks.offered_relations, known=known)
        return await self._ask("classify", prompt, prompts.Classification, check)

    async def distil(self, passages: Sequence[Passage]) -> list[Statement]:
        by_content: dict[str, Statement] = {}
        for group in list(_groups(passages))[:ASKS_LIMIT]:
            check = partial(checks.quoted_statements, group=group)
            prompt = prompts.distil(group)
            statements = await self._ask("distil", prompt, prompts.Distilled, check)
            if statements is None:
                return await self.fallback.distil(passages)
            for statement in statements:
                by_content.setdefault(statement.content.casefold(), statement)
        return sorted(by_content.values(), key=lambda statement: statement.start)[:STATEMENTS_LIMIT]

    async def derive(self, content: str, said_at: datetime | None) -> list[Fact]:
        check = partial(checks.quoted_facts, content=content, said_at=said_at)
        facts = await self._ask("derive", prompts.derive(content), prompts.DerivedParts, check)
        return facts or await self.fallback.derive(content, said_at)

    async def derive_each(self, asked: Sequence[tuple[str, datetime | None]]) -> list[list[Fact]]:
        return [await self.derive(content, said_at) for content, said_at in asked]

    async def merge(self, contents: Sequence[str]) -> str:
        if sum(map(len, contents)) > ASK_CHARS:
            return await self.fallback.merge(contents)
        check = partial(checks.merged_statement, contents=contents)
        merged = await self._ask("merge", prompts.merge(contents), prompts.Sentence, check)
        return merged or await self.fallback.merge(contents)

    async def expand(self, content: str) -> str | None:
        if len(content) > checks.STATEMENT_CHARS:
            return None
        check = partial(checks.expansion, content=content)
        return await self._ask("expand", prompts.expand(content), prompts.Sentence, check)

    async def mentions(self, text: str, tags: Sequence[str]) -> list[Mention]:
        return await self.fallback.mentions(text, tags)

    async def mentions_each(
        self, asked: Sequence[tuple[str, Sequence[str]]]
    ) -> list[list[Mention]]:
        return await self.fallback.mentions_each(asked)

    async def mentions_by_model(self, text: str, tags: Sequence[str]) -> list[Mention] | None:
        excerpt = text[:ASK_CHARS]
        check = partial(checks.named_mentions, text=excerpt)
        named = await self._ask("entities", prompts.name_entities(excerpt), prompts.Names, check)
        if named is None:
            return None
        return checks.with_mentions_by_form(named, await self.mentions(text, tags), tags)

    async def _ask(
        self,
        purpose: str,
        prompt: str,
        shape: type[Answer],
        check: Callable[[Answer], Result | None],
    ) -> Result | None:
        return (await ask_model(self, purpose, prompt, shape, check)).value


def _groups(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Groups of passages that fit into one prompt; of a longer passage, only its beginning."""
    group: list[Passage] = []
    for passage in (_prose_of(passage) for passage in passages):
        if group and sum(len(member.text) for member in group) + len(passage.text) > ASK_CHARS:
            yield group
            group = []
        if passage.text.strip():
            group.append(passage)
    if group:
        yield group


def _prose_of(passage: Passage) -> Passage:
    """The passage from its first to its last prose; recalled memories are not sent to the model."""
    spans = list(prose_spans(passage.text))
    if not spans:
        return Passage("", passage.start)
    start, end = spans[0][0], min(spans[-1][1], spans[0][0] + ASK_CHARS)
    return replace(passage, text=passage.text[start:end], start=passage.start + start)
