"""Counts per day: what was saved, what happened and what is due."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from remem.core.errors import Invalid
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.stats import stats_store

DAYS_LIMIT = 400
TAGS_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Day:
    """`documents` and `memories` were saved on that day, `occurred` memories are about it, `due`
    memories are due on it."""

    day: date
    documents: int
    memories: int
    occurred: int
    due: int


@dataclass(frozen=True, slots=True)
class TagCount:
    tag: str
    documents: int
    memories: int


async def count_days(
    ports: Ports,
    scope: Scope,
    project: str | UUID | None,
    until: date | None,
    days: int,
    zone: str,
) -> list[Day]:
    """Counts of the days up to `until`, by default today, in order; days are of the time zone."""
    _check_zone(zone)
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        rows = await stats_store.days(tx, projects, until, days, zone)
    return [Day(**row) for row in rows]


async def count_tags(
    ports: Ports, scope: Scope, project: str | UUID | None, limit: int
) -> list[TagCount]:
    """The number of uses of every tag, most used first."""
    async with ports.db.transaction(scope) as tx:
        projects = await resolve_all(tx, project)
        return [TagCount(**row) for row in await stats_store.tags(tx, projects, limit)]


def _check_zone(zone: str) -> None:
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Invalid("timezone", "is not known; send a name such as Europe/Berlin") from error
