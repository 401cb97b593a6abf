"""Ask the reader what a statement that tells of a change takes the place of."""

from collections.abc import Sequence
from uuid import UUID

import structlog

from remem.core.errors import Unavailable
from remem.core.memories.model import Known, Relation
from remem.core.ports import Ports

READ_MOST = 8

log = structlog.get_logger()


async def read_changes(
    ports: Ports,
    content: str,
    known: Sequence[Known],
    relations: Sequence[Relation],
    changed: Sequence[tuple[UUID, float]],
) -> list[Relation]:
    """The rules' relations, with an update where they allow one and the reader says so too. They
    are as they were where there is no reader."""
    if ports.reader is None or not changed:
        return list(relations)
    texts = {one.id: one.content for one in known}
    asked = [(id, likely) for id, likely in changed if id in texts][:READ_MOST]
    try:
        verdicts = await ports.reader.judge([texts[id] for id, _ in asked], content)
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return list(relations)
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
