"""What a language model says, where there is one; checked, and never more than the text says."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

import structlog

from remem.core.analysis import analyse
from remem.core.errors import Unavailable
from remem.core.language.prose.stretches import prose_of
from remem.core.language.times.statements import times_in
from remem.core.memories import prompts
from remem.core.memories.model import Known, Memory, Relation
from remem.core.memories.rules.dates import certain_times, dates_in, due_of, occurred_at
from remem.core.memories.rules.derive import Fact, derive
from remem.core.memories.rules.distil import (
    STATEMENTS_LIMIT,
    Passage,
    Statement,
)
from remem.core.memories.rules.distil import distil as by_rules
from remem.core.memories.rules.merge import merged, names_of
from remem.core.ports import Llm, Ports

ASK_CHARS = 8_000
ASKS_LIMIT = 4
STATEMENT_CHARS = 500
_ORDER = {"noop": 0, "update": 1, "extend": 2, "similar": 3}
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")
# So many of a statement's words stand in its expansion, or that says something else.
KEPT_WORDS = 0.6
# And so many of a merged statement's words are theirs that it merges.
OWN_WORDS = 0.8

log = structlog.get_logger()


async def relations_by_model(
    ports: Ports, content: str, known: Sequence[Known], speaker: str | None = None
) -> list[Relation] | None:
    """None when there is no model, or no answer of use: then the rules decide."""
    if ports.llm is None or not known:
        return None
    try:
        prompt = prompts.classify(content, known, speaker)
        answer = await ports.llm.ask(prompt, prompts.Classification)
    except Unavailable as error:
        log.warning("llm_unused", purpose="classify", error=error.code)
        return None
    offered = {str(one.id): one.id for one in known}
    if any(one.id not in offered or not 0 <= one.confidence <= 1 for one in answer.relations):
        log.warning("llm_unused", purpose="classify", error="not_offered")
        return None
    found = [
        Relation(one.action, offered[one.id], one.confidence, ("by the language model",))
        for one in answer.relations
    ]
    return sorted(found, key=lambda one: (_ORDER[one.action], -one.confidence))


async def expansion_of(ports: Ports, content: str) -> str | None:
    """The statement in words a search would use; None when there is nothing of use. It says all
    that the statement says, and gives no number that the statement does not."""
    if ports.llm is None or len(content) > STATEMENT_CHARS:
        return None
    try:
        answer = await ports.llm.ask(prompts.expand(content), prompts.Sentence)
    except Unavailable as error:
        log.warning("llm_unused", purpose="expand", error=error.code)
        return None
    said = " ".join(answer.text.replace("\x00", "").split())
    given, kept = _words(content), _words(said)
    numbers = set(_NUMBER.findall(said)) == set(_NUMBER.findall(content))
    held = len(given & kept) >= KEPT_WORDS * len(given) and len(said) <= 2 * STATEMENT_CHARS
    if not numbers or not held or said == content:
        log.warning("llm_unused", purpose="expand", error="not_the_same")
        return None
    return said


async def merged_of(ports: Ports, contents: Sequence[str]) -> str:
    """All that the statements say, in one: by the model where nothing is lost or added, else in
    their own words."""
    if ports.llm and sum(map(len, contents)) <= ASK_CHARS:
        try:
            answer = await ports.llm.ask(prompts.merge(contents), prompts.Sentence)
            said = " ".join(answer.text.replace("\x00", "").split())
            if _says_all(said, contents):
                return said
            log.warning("llm_unused", purpose="merge", error="not_the_same")
        except Unavailable as error:
            log.warning("llm_unused", purpose="merge", error=error.code)
    return await analyse(ports, "\n".join(contents), merged, list(contents))


def _says_all(said: str, contents: Sequence[str]) -> bool:
    """Whether it has the names and numbers of all and no others, and most of the words of each."""
    together, kept = " ".join(contents), _words(said)
    if set(_NUMBER.findall(said)) != set(_NUMBER.findall(together)):
        return False
    if not names_of(together) <= set(_WORD.findall(said)):
        return False
    given = _words(together)
    own = all(len(_words(one) & kept) >= KEPT_WORDS * len(_words(one)) for one in contents)
    return own and len(kept & given) >= OWN_WORDS * len(kept) and len(said) <= len(together)


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 3}


async def statements_of(ports: Ports, passages: Sequence[Passage]) -> list[Statement]:
    """By the model where it answers, by rules otherwise."""
    if ports.llm:
        try:
            return await _told(ports.llm, passages)
        except Unavailable as error:
            log.warning("llm_unused", purpose="distil", error=error.code)
    return await analyse(ports, [], by_rules, passages)


async def facts_of(ports: Ports, memory: Memory) -> list[Fact]:
    said_at = memory.said_at
    if ports.llm:
        try:
            answer = await ports.llm.ask(prompts.derive(memory.content), prompts.Parts)
            if facts := list(_parts(answer, memory.content, said_at)):
                return facts
            log.warning("llm_unused", purpose="derive", error="nothing_of_use")
        except Unavailable as error:
            log.warning("llm_unused", purpose="derive", error=error.code)
    return await analyse(ports, [], derive, memory.content, said_at)


async def _told(llm: Llm, passages: Sequence[Passage]) -> list[Statement]:
    found: dict[str, Statement] = {}
    for group in list(_groups(passages))[:ASKS_LIMIT]:
        answer = await llm.ask(prompts.distil(group), prompts.Distilled)
        for told in answer.statements:
            if statement := _standing(told, group):
                found.setdefault(statement.content.casefold(), statement)
    return sorted(found.values(), key=lambda one: one.start)[:STATEMENTS_LIMIT]


def _groups(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """As much as is asked about at once; what is longer than that is read from its beginning."""
    group: list[Passage] = []
    for passage in (_prose(one) for one in passages):
        if group and sum(len(one.text) for one in group) + len(passage.text) > ASK_CHARS:
            yield group
            group = []
        if passage.text.strip():
            group.append(passage)
    if group:
        yield group


def _prose(passage: Passage) -> Passage:
    """From the first to the last prose in it; what was recalled is never shown to the model."""
    spans = list(prose_of(passage.text))
    if not spans:
        return Passage("", passage.start)
    start, end = spans[0][0], min(spans[-1][1], spans[0][0] + ASK_CHARS)
    return Passage(passage.text[start:end], passage.start + start, passage.speaker, passage.said_at)


def _standing(told: prompts.Told, group: Sequence[Passage]) -> Statement | None:
    """Only what the text says, letter by letter, and with no number that it does not give."""
    quote, content = told.quote.strip(), " ".join(told.statement.split())
    if len(quote) < 8 or not 0 < len(content) <= STATEMENT_CHARS:
        return None
    source = next((one for one in group if quote in one.text), None)
    if source is None or not 0 <= told.confidence <= 1 or not _grounded(content, quote, source):
        return None
    times = certain_times(quote, source.said_at)
    past = told.category in ("episode", "decision")
    start = source.start + source.text.index(quote)
    return Statement(
        content=content,
        category=told.category,
        confidence=round(min(told.confidence, 0.95), 2),
        start=start,
        end=start + len(quote),
        speaker=source.speaker,
        dates=dates_in(quote, source.said_at),
        said_at=source.said_at,
        occurred_at=occurred_at(times, source.said_at) if past else None,
        due_at=due_of(quote, times, source.said_at),
    )


def _grounded(content: str, quote: str, source: Passage) -> bool:
    given = quote + source.speaker
    if source.said_at:
        told = times_in(quote, source.said_at)
        given += f" {source.said_at:%d %m %Y} {source.said_at.day}" + "".join(
            f" {one.words} {one.first:%d %m %Y} {one.first.day} {one.last:%d %m %Y} {one.last.day}"
            for one in told
        )
    numbers = set(_NUMBER.findall(given))
    return all(number in numbers for number in _NUMBER.findall(content))


def _parts(answer: prompts.Parts, content: str, said_at: datetime | None) -> Iterator[Fact]:
    for part in answer.facts[:STATEMENTS_LIMIT]:
        quote, statement = part.quote.strip(), " ".join(part.statement.split())
        grounded = _grounded(statement, content, Passage(content, 0, said_at=said_at))
        if not quote or quote not in content or not grounded or len(statement) > STATEMENT_CHARS:
            continue
        [*facts] = derive(statement, said_at)
        start = content.index(quote)
        if statement and facts:
            first = facts[0]
            category = first.category
            dates = dates_in(quote, said_at)
            yield Fact(statement, category, start, start + len(quote), first.due_at, dates)
