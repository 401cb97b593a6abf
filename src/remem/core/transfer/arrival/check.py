"""Check a whole file before anything is imported, so that no partial import is left."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.identity.plans import require_room
from remem.core.instructions.model import INSTRUCTION_LIMIT
from remem.core.intake.texts import TALK_CHARS
from remem.core.memories.model import CONTENT_LIMIT, SPEAKER_LIMIT
from remem.core.ports import Ports
from remem.core.projects.model import SLUG_LIMIT
from remem.core.scope import Scope
from remem.core.sessions.model import CONTENT_LIMIT as TURN_LIMIT
from remem.core.text import TITLE_LIMIT
from remem.core.transaction import Tx
from remem.core.transfer import transfer_store
from remem.core.transfer.arrival import arrival_store
from remem.core.transfer.arrival.arrival_store import Lines
from remem.core.transfer.arrival.shape import refuse_unknown, shape_rows
from remem.core.transfer.kinds import BY_NAME, KINDS, LINK, VECTOR
from remem.core.transfer.lines import Batch, Line, LineReader
from remem.core.transfer.model import BadLine, ImportRun
from remem.core.validate import (
    MEDIA_TYPE_LIMIT,
    SOURCE_SCHEMES,
    STORED,
    check_json,
    check_number,
    check_tags,
    check_text,
    check_url,
    check_values,
    read_moment,
)


async def check_file(ports: Ports, scope: Scope, arrival: ImportRun, path: Path) -> None:
    """Raise BadLine for the first invalid line, and LimitExceeded when the plan has no room for the
    memories."""
    reader = await asyncio.to_thread(LineReader, path)
    try:
        async with ports.db.transaction(scope) as tx:
            await arrival_store.make_tables(tx)
            while batch := await asyncio.to_thread(reader.next):
                await _check_batch(tx, batch)
                await _record_progress(ports, scope, arrival, batch)
            await _check_names(tx)
            await require_room(tx, await arrival_store.count_new_memories(tx), lock=False)
    finally:
        reader.close()


async def _record_progress(ports: Ports, scope: Scope, arrival: ImportRun, batch: Batch) -> None:
    async with ports.db.transaction(scope) as tx:
        await transfer_store.change(tx, arrival.id, stage="checking", done=batch.number)


async def _check_batch(tx: Tx, batch: Batch) -> None:
    if batch.kind == VECTOR:
        return
    types = await arrival_store.column_types(tx, BY_NAME[batch.kind])
    await asyncio.to_thread(_check_lines, batch.lines, types)
    for lines in shape_rows(tx.scope, batch.lines, {}):
        if await arrival_store.stage(tx, lines):
            await _find_bad_line(tx, lines)


def _check_lines(lines: Sequence[Line], types: Mapping[str, str]) -> None:
    for line in lines:
        refuse_unknown(line, types)
        check_fields(line, types)


async def _find_bad_line(tx: Tx, lines: Lines) -> None:
    """Stage refused lines one by one to find the invalid one."""
    for place, number in enumerate(lines.numbers):
        single = Lines(
            lines.kind,
            lines.columns,
            [number],
            [lines.texts[place]],
            [lines.patches[place]],
        )
        if reason := await arrival_store.stage(tx, single):
            raise BadLine(number, f"{reason}; fix the line, or export again")


async def _check_names(tx: Tx) -> None:
    await arrival_store.analyse(tx)
    for kind in KINDS:
        dangling = arrival_store.dangling_end if kind is LINK else arrival_store.dangling
        if match := await dangling(tx, kind):
            number, item = match
            raise BadLine(number, f"{item} is neither in the file nor in the store")


# Check the fields of a line against what their columns accept, before the database does.


# Texts without a limit of their own are names, queries and messages.
TEXT_LIMIT = 10_000
LIST_LIMIT = 1_000
_REAL_MAX = 3.4e38
_INTEGERS = {"smallint": 1 << 15, "integer": 1 << 31, "bigint": 1 << 63}
_MEDIA_TYPE = re.compile(r"[!-~]+/[ -~]+")
_WORD = re.compile(r"[a-z][a-z_]{0,99}")
# Events of these subjects are never exported: they concern the server, not the store.
OWN_EVENTS = ("api_key", "member", "import")

Check = Callable[[str, Any], None]


def check_fields(line: Line, types: Mapping[str, str]) -> None:
    """Raise BadLine, with the field and how to fix it, unless every value can be shown again."""
    for name, value in line.row.items():
        if value is None:
            continue
        try:
            _check(line.kind, name, types[name], value)
        except Invalid as error:
            raise BadLine(line.number, error.message) from error


def _check(kind: str, name: str, type: str, value: Any) -> None:
    if check := _BY_NAME.get(f"{kind}.{name}") or _BY_NAME.get(name):
        check(name, value)
    elif type in _INTEGERS:
        _check_integer(name, value, _INTEGERS[type])
    elif check := _BY_TYPE.get(type):
        check(name, value)


def _check_integer(name: str, value: Any, bound: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid(name, "is not a whole number; send one")
    check_number(name, value, -bound, bound - 1)


def _check_id(name: str, value: Any) -> None:
    try:
        UUID(value)
    except (TypeError, ValueError, AttributeError) as error:
        raise Invalid(name, "is not a UUID; send one") from error


def _check_moment(name: str, value: Any) -> None:
    read_moment(name, value)


def _check_flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise Invalid(name, "is neither true nor false; send one of them")


def _check_texts(name: str, value: Any) -> None:
    if not isinstance(value, list) or len(value) > LIST_LIMIT:
        raise Invalid(name, f"is not a list of at most {LIST_LIMIT:,} strings; send one")
    for text in value:
        if text is None:
            raise Invalid(name, "is not a flat list of strings; send one")
        check_text(name, text, TEXT_LIMIT)


def _check_marks(name: str, value: Any) -> None:
    if not isinstance(value, list):
        raise Invalid(name, "is not a list; send one")
    check_values(name, value, STORED.depth)


def _check_dates(name: str, value: Any) -> None:
    """Check the resolved dates of a statement, so that they can be shown again."""
    if not isinstance(value, list) or len(value) > LIST_LIMIT:
        raise Invalid(name, f"is not a list of at most {LIST_LIMIT:,} dates; send one")
    for date in value:
        if not isinstance(date, dict) or date.keys() != {"text", "start", "end", "certain"}:
            raise Invalid(name, "has a date without text, start, end and certain alone; send those")
        if not isinstance(date["text"], str):
            raise Invalid(name, "has a date whose text is not a string; send one")
        check_text(name, date["text"], TEXT_LIMIT)
        _check_flag(name, date["certain"])
        for end in ("start", "end"):
            if date[end] is not None:
                _check_moment(name, date[end])
        if date["certain"] and None in (date["start"], date["end"]):
            raise Invalid(name, "has a certain date without start or end; send both")


def _check_kept_tags(name: str, value: Any) -> None:
    """Check tags without empty ones, which earlier versions stored and which are dropped on
    import."""
    check_tags([tag for tag in value if tag != ""] if isinstance(value, list) else value)


def _check_media_type(name: str, value: Any) -> None:
    check_text(name, value, MEDIA_TYPE_LIMIT)
    if not _MEDIA_TYPE.fullmatch(value):
        raise Invalid(name, "is not a media type; use one such as text/plain")


def _check_word(name: str, value: Any) -> None:
    check_text(name, value, 100)
    if not _WORD.fullmatch(value):
        raise Invalid(name, "is not a word of a-z and _; send one")


def _check_subject(name: str, value: Any) -> None:
    _check_word(name, value)
    if value in OWN_EVENTS:
        raise Invalid(name, f"is {value!r}, of which no export has events; remove the line")


def _at_most(limit: int, least: int = 0) -> Check:
    return lambda name, value: check_text(name, value, limit, least=least)


def _number(least: float, most: float) -> Check:
    return lambda name, value: check_number(name, value, least, most)


def _from_one(name: str, value: Any) -> None:
    _check_integer(name, value, _INTEGERS["integer"])
    check_number(name, value, 1, _INTEGERS["integer"] - 1)


_BY_TYPE: dict[str, Check] = {
    "uuid": _check_id,
    "text": _at_most(TEXT_LIMIT),
    "text[]": _check_texts,
    "jsonb": lambda name, value: check_json(name, value, STORED),
    "timestamp with time zone": _check_moment,
    "real": _number(-_REAL_MAX, _REAL_MAX),
    "boolean": _check_flag,
}
# Keyed by column, or by kind and column; the limits are those of the schema.
_BY_NAME: dict[str, Check] = {
    "title": _at_most(TITLE_LIMIT),
    "tags": _check_kept_tags,
    "marks": _check_marks,
    "version": _from_one,
    "source": _at_most(100),
    "source_url": lambda name, value: check_url(name, value, SOURCE_SCHEMES),
    "media_type": _check_media_type,
    "confidence": _number(0, 1),
    # The text of a file is longer than one that is sent as a field.
    "document.content": _at_most(TALK_CHARS),
    "chunk.content": _at_most(TALK_CHARS),
    "memory.content": _at_most(CONTENT_LIMIT, least=1),
    # A statement with the names that its pronouns stand for.
    "memory.expanded": _at_most(2 * CONTENT_LIMIT),
    "memory.dates": _check_dates,
    "memory.speaker": _at_most(SPEAKER_LIMIT),
    "project.slug": _at_most(SLUG_LIMIT, least=1),
    "project.description": _at_most(2_000),
    "session.agent": _at_most(200),
    "instruction.content": _at_most(INSTRUCTION_LIMIT, least=1),
    "turn.role": _at_most(100),
    "turn.content": _at_most(TURN_LIMIT),
    "connection.provider": _at_most(50, least=1),
    "connection.account_key": _at_most(2_048, least=1),
    "connection.account": _at_most(500),
    "connection.interval_s": _number(300, 604_800),
    "original.name": _at_most(255),
    "event.subject_kind": _check_subject,
    "event.type": _check_word,
    "event.actor": _at_most(300),
    "event.claimed_actor": _at_most(300),
    "event.request_id": _at_most(200),
}
