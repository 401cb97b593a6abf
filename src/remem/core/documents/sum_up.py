"""Summarise a document with a language model; without one, the summary made by rules stays."""

import re
from dataclasses import asdict
from datetime import date
from functools import partial
from typing import Any
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.ask_model import ask_model, has_model
from remem.core.chunking.front_matter import body_start
from remem.core.chunking.token_counter import TokenCounter
from remem.core.documents import document_store, prompts
from remem.core.documents.index_words import reindex_header
from remem.core.documents.model import Document
from remem.core.enrich.model import CATEGORIES, SENTIMENTS, Enrichment
from remem.core.enrich.rules import enrich
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import unique_tags
from remem.core.transaction import Tx

JOB = "sum_up_document"
# After everything that makes something searchable.
PRIORITY = -20
# A shorter text is its own summary.
MIN_CHARS, PROMPT_TOKENS = 400, 4_000
SUMMARY_CHARS, TOPICS_LIMIT, TOPIC_CHARS, AUTHOR_CHARS = 600, 5, 60, 80
# The smallest share of a summary's words that must be in the text.
MIN_WORD_OVERLAP = 0.6
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d{1,4}")


async def enqueue_summary(ports: Ports, tx: Tx, id: UUID, content: str) -> None:
    """Queue the job in the transaction that makes the document done, if there is a model."""
    if has_model(ports) and len(content) >= MIN_CHARS:
        await enqueue(ports, tx, JOB, id, priority=PRIORITY, large=True)


async def sum_up_document(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        document = await document_store.find(tx, id)
    if document is None or not document.is_latest:
        return
    if description := await _ask_for_description(ports, document):
        await _store_description(ports, scope, document, description)


async def _ask_for_description(
    ports: Ports, document: Document
) -> prompts.DocumentDescription | None:
    excerpt = _first_tokens(document.content[body_start(document.content) :])
    prompt = prompts.describe(document.title, excerpt)
    check = partial(_usable_parts, text=f"{document.title}\n{excerpt}")
    return (await ask_model(ports, "summary", prompt, prompts.DocumentDescription, check)).value


def _usable_parts(
    answer: prompts.DocumentDescription, text: str
) -> prompts.DocumentDescription | None:
    """Each part of the answer that the text supports, whatever becomes of the others; a summary in
    words of its own is left out."""
    summary, category, sentiment = (
        " ".join(part.split()) for part in (answer.summary, answer.category, answer.sentiment)
    )
    usable = prompts.DocumentDescription(
        summary=summary if is_grounded(summary, text) else "",
        topics=_topics(answer.topics, text),
        author=_author(answer.author, text),
        published_on=_day(answer.published_on, text),
        category=category.lower() if category.lower() in CATEGORIES else "",
        sentiment=sentiment.lower() if sentiment.lower() in SENTIMENTS else "",
    )
    return usable if any(asdict(usable).values()) else None


def _first_tokens(text: str) -> str:
    # Eight characters per token is a generous upper bound.
    return text[: TokenCounter(text[: 8 * PROMPT_TOKENS]).end_within(0, PROMPT_TOKENS)]


def is_grounded(summary: str, text: str) -> bool:
    """Whether a summary is about the text: most of its words and all of its numbers are in it."""
    words, text_words = _WORD.findall(summary.casefold()), set(_WORD.findall(text.casefold()))
    if not words or len(summary) > SUMMARY_CHARS:
        return False
    has_known_numbers = all(word in text_words for word in words if any(map(str.isdigit, word)))
    return has_known_numbers and sum(
        word in text_words for word in words
    ) >= MIN_WORD_OVERLAP * len(words)


def _topics(offered: list[str], text: str) -> list[str]:
    topics = (" ".join(topic.split()) for topic in offered)
    grounded = [topic for topic in topics if _is_in_text(topic, text, TOPIC_CHARS)]
    return unique_tags(grounded)[:TOPICS_LIMIT]


def _is_in_text(name: str, text: str, limit: int) -> bool:
    return 1 < len(name) <= limit and name.casefold() in " ".join(text.split()).casefold()


async def _store_description(
    ports: Ports, scope: Scope, document: Document, description: prompts.DocumentDescription
) -> None:
    by_rules = await _enrich_by_rules(ports, document)
    async with ports.db.transaction(scope) as tx:
        await document_store.lock(tx, document.id)
        current = await document_store.find(tx, document.id)
        if current is None or current.content_hash != document.content_hash:
            return
        metadata = _metadata(current, description, by_rules)
        values: dict[str, Any] = {"metadata": metadata}
        if description.summary:
            values["summary"] = description.summary
        if description.topics and current.tags == list(by_rules.tags):
            values["tags"] = unique_tags([*by_rules.own_tags, *description.topics])
        await document_store.update_columns(tx, current.id, values)
        await reindex_header(tx, current.id)
        await record(tx, "document", current.id, "summary")


async def _enrich_by_rules(ports: Ports, document: Document) -> Enrichment:
    """What the rules extracted when the document was saved, with the title given then, if any."""
    unknown = Enrichment(document.title, document.summary or "")
    text = (document.content, document.content_type)
    without_title = await analyse(ports, unknown, enrich, *text, None, {})
    if without_title.title == document.title:
        return without_title
    return await analyse(ports, unknown, enrich, *text, document.title, {})


def _metadata(
    current: Document, description: prompts.DocumentDescription, by_rules: Enrichment
) -> dict[str, Any]:
    """Known metadata stays; a category guessed by a rule is replaced by the model's."""
    values = {
        "topics": description.topics,
        "author": description.author,
        "published_at": description.published_on,
        "sentiment": description.sentiment,
    }
    metadata = {key: value for key, value in values.items() if value} | current.metadata
    if description.category and metadata.get("category") == by_rules.category:
        metadata["category"] = description.category
    return metadata


def _author(offered: str, text: str) -> str:
    name = " ".join(offered.split())
    return name if _is_in_text(name, text, AUTHOR_CHARS) else ""


def _day(offered: str, text: str) -> str:
    """The date, if its numbers are in the text."""
    try:
        day = date.fromisoformat(offered.strip())
    except ValueError:
        return ""
    numbers = {int(number) for number in _NUMBER.findall(text)}
    return day.isoformat() if {day.year, day.day} <= numbers else ""
