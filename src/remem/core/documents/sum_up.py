"""Say in a language model's words what a document is about; those of the rules stay otherwise."""

import re
from uuid import UUID

import structlog

from remem.core.db import Tx
from remem.core.documents import prompts, store
from remem.core.documents.model import Document
from remem.core.errors import Unavailable
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Llm, Ports
from remem.core.projects.manage import note_write
from remem.core.scope import Scope

JOB = "sum_up_document"
# Behind everything that makes something findable.
PRIORITY = -20
# A shorter text is its own summary.
LEAST_CHARS, ASK_CHARS = 400, 8_000
SUMMARY_CHARS, TOPICS_LIMIT, TOPIC_CHARS = 600, 5, 60
# So many of a summary's words stand in the text itself, or it speaks of something else.
OWN_WORDS = 0.6
_WORD = re.compile(r"\w+")

log = structlog.get_logger()


async def enqueue_summary(ports: Ports, tx: Tx, scope: Scope, id: UUID, content: str) -> None:
    """Queue it in the transaction that makes the document done, where there is a model to ask."""
    if ports.llm and len(content) >= LEAST_CHARS:
        await enqueue(ports, tx, scope, JOB, id, priority=PRIORITY)


async def sum_up_document(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        document = await store.find(tx, scope, id)
    if ports.llm is None or document is None or not document.is_latest:
        return
    if description := await _described(ports.llm, document):
        await _keep(ports, scope, document, description)


async def _described(llm: Llm, document: Document) -> prompts.Description | None:
    read = document.content[:ASK_CHARS]
    try:
        answer = await llm.ask(prompts.describe(document.title, read), prompts.Description)
    except Unavailable as error:
        log.warning("llm_unused", purpose="summary", error=error.code)
        return None
    summary = " ".join(answer.summary.split())
    if not is_grounded(summary, f"{document.title}\n{read}"):
        log.warning("llm_unused", purpose="summary", error="not_in_the_text")
        return None
    return prompts.Description(summary, _topics(answer.topics, read))


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
    return list(dict.fromkeys(kept))[:TOPICS_LIMIT]


async def _keep(
    ports: Ports, scope: Scope, document: Document, description: prompts.Description
) -> None:
    async with ports.db.transaction(scope) as tx:
        await store.lock(tx, scope, document.id)
        now = await store.find(tx, scope, document.id)
        if now is None or now.content_hash != document.content_hash:
            return
        topics = {"topics": description.topics} if description.topics else {}
        values = {"summary": description.summary, "metadata": {**topics, **now.metadata}}
        await store.set_reading(tx, scope, now.id, values)
        await record(tx, scope, "document", now.id, "summary")
        await note_write(tx, scope, now.project_id)
