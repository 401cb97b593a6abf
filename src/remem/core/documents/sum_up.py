"""Say in a language model's words what a document is about; those of the rules stay otherwise."""

import re
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.ask_model import ask_model, has_model
from remem.core.chunking.gauge import Gauge
from remem.core.db import Tx
from remem.core.documents import prompts, store
from remem.core.documents.model import Document
from remem.core.enrich.model import CATEGORIES, SENTIMENTS, Enrichment
from remem.core.enrich.rules import enrich
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope
from remem.core.text import unique_tags

JOB = "sum_up_document"
# Behind everything that makes something findable.
PRIORITY = -20
# A shorter text is its own summary.
LEAST_CHARS, ASK_TOKENS = 400, 4_000
SUMMARY_CHARS, TOPICS_LIMIT, TOPIC_CHARS, AUTHOR_CHARS = 600, 5, 60, 80
# So many of a summary's words stand in the text itself, or it speaks of something else.
OWN_WORDS = 0.6
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d{1,4}")


async def enqueue_summary(ports: Ports, tx: Tx, scope: Scope, id: UUID, content: str) -> None:
    """Queue it in the transaction that makes the document done, where there is a model to ask."""
    if has_model(ports) and len(content) >= LEAST_CHARS:
        await enqueue(ports, tx, scope, JOB, id, priority=PRIORITY)


async def sum_up_document(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        document = await store.find(tx, scope, id)
    if document is None or not document.is_latest:
        return
    if description := await _described(ports, document):
        await _keep(ports, scope, document, description)


async def _described(ports: Ports, document: Document) -> prompts.DocumentDescription | None:
    read = _first_tokens(document.content)
    prompt = prompts.describe(document.title, read)
    check = partial(_checked, title=document.title, read=read)
    return (await ask_model(ports, "summary", prompt, prompts.DocumentDescription, check)).value


def _checked(
    answer: prompts.DocumentDescription, title: str, read: str
) -> prompts.DocumentDescription | None:
    summary = " ".join(answer.summary.split())
    if not is_grounded(summary, f"{title}\n{read}"):
        return None
    return replace(answer, summary=summary, topics=_topics(answer.topics, read))


def _first_tokens(text: str) -> str:
    # A token has at most eight characters, by far.
    return text[: Gauge(text[: 8 * ASK_TOKENS]).reach(0, ASK_TOKENS)]


def is_grounded(summary: str, text: str) -> bool:
    """Whether it speaks of the text: mostly in its words, and with none but its numbers."""
    said, given = _WORD.findall(summary.casefold()), set(_WORD.findall(text.casefold()))
    if not said or len(summary) > SUMMARY_CHARS:
        return False
    numbers = all(word in given for word in said if any(map(str.isdigit, word)))
    return numbers and sum(word in given for word in said) >= OWN_WORDS * len(said)


def _topics(offered: list[str], text: str) -> list[str]:
    folded = text.casefold()
    named = (" ".join(one.split()) for one in offered)
    kept = [one for one in named if 1 < len(one) <= TOPIC_CHARS and one.casefold() in folded]
    return unique_tags(kept)[:TOPICS_LIMIT]


async def _keep(
    ports: Ports, scope: Scope, document: Document, description: prompts.DocumentDescription
) -> None:
    by_rules = await _by_rules(ports, document)
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, document.id)
        now = await store.find(tx, scope, document.id)
        if now is None or now.content_hash != document.content_hash:
            return
        metadata = _metadata(now, description, by_rules)
        values: dict[str, Any] = {"summary": description.summary, "metadata": metadata}
        if description.topics and now.tags == list(by_rules.tags):
            values["tags"] = description.topics
        await store.set_reading(tx, scope, now.id, values)
        await record(tx, scope, "document", now.id, "summary")
        await note_write(tx, scope, now.project_id)


async def _by_rules(ports: Ports, document: Document) -> Enrichment:
    """What the rules said when it came in, with the title it was given then, if any."""
    unknown = Enrichment(document.title, document.summary or "")
    text = (document.content, document.content_type)
    untitled = await analyse(ports, unknown, enrich, *text, None, {})
    if untitled.title == document.title:
        return untitled
    return await analyse(ports, unknown, enrich, *text, document.title, {})


def _metadata(
    now: Document, description: prompts.DocumentDescription, by_rules: Enrichment
) -> dict[str, Any]:
    """What was known stays; of what a rule guessed, the model's word takes the place."""
    text = _first_tokens(now.content)
    values = {
        "topics": description.topics,
        "author": _author(description.author, text),
        "published_at": _day(description.published_on, text),
        "sentiment": description.sentiment if description.sentiment in SENTIMENTS else None,
    }
    kept = {key: value for key, value in values.items() if value} | now.metadata
    if description.category in CATEGORIES and kept.get("category") == by_rules.category:
        kept["category"] = description.category
    return kept


def _author(offered: str, text: str) -> str | None:
    name = " ".join(offered.split())
    stands = 1 < len(name) <= AUTHOR_CHARS and name.casefold() in text.casefold()
    return name if stands else None


def _day(offered: str, text: str) -> str | None:
    """Only a day whose numbers are in the text."""
    try:
        day = date.fromisoformat(offered.strip())
    except ValueError:
        return None
    numbers = {int(number) for number in _NUMBER.findall(text)}
    return day.isoformat() if {day.year, day.day} <= numbers else None
