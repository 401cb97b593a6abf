"""Counts for charts and filters: by day, and by tag."""

import re
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, BeforeValidator, Field

from remem.core.stats import daily
from remem.surfaces.rest.deps import PortsDep, Reader
from remem.surfaces.rest.guard import Guarded

router = APIRouter(prefix="/v3", tags=["stats"], route_class=Guarded)


def _require_iso_date(value: object) -> object:
    """Require a written date: a bare number would count as seconds since 1970."""
    if isinstance(value, str) and not _DAY.fullmatch(value):
        raise ValueError("write the day as 2026-01-31")
    return value


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
LastDay = Annotated[date, BeforeValidator(_require_iso_date)]
Project = Annotated[str | None, Query(description="An id, slug, path (`a.*`) or name.")]


class DayOut(BaseModel):
    day: date
    documents: int = Field(description="Saved on that day.")
    memories: int = Field(description="Saved on that day.")
    occurred: int = Field(description="Memories of events on that day, or saved on it.")
    due: int = Field(description="Memories due on that day.")


class DaysOut(BaseModel):
    days: list[DayOut]


class TagOut(BaseModel):
    tag: str
    documents: int
    memories: int


class TagsOut(BaseModel):
    tags: list[TagOut]


@router.get("/stats/daily", response_model=DaysOut)
async def by_day(
    ports: PortsDep,
    caller: Reader,
    project: Project = None,
    days: Annotated[int, Query(ge=1, le=daily.DAYS_LIMIT)] = 84,
    until: Annotated[LastDay | None, Query(description="The last day; today if absent.")] = None,
    timezone: Annotated[
        str, Query(max_length=100, description="The time zone that defines days.")
    ] = "UTC",
) -> DaysOut:
    """Counts of what was saved, happened and is due on each of the last days, oldest first."""
    counts = await daily.count_days(ports, caller, project, until, days, timezone)
    return DaysOut.model_validate({"days": counts}, from_attributes=True)


@router.get("/tags", response_model=TagsOut)
async def by_tag(
    ports: PortsDep,
    caller: Reader,
    project: Project = None,
    limit: Annotated[int, Query(ge=1, le=daily.TAGS_LIMIT)] = 200,
) -> TagsOut:
    """List every tag with its number of documents and memories, most used first."""
    counts = await daily.count_tags(ports, caller, project, limit)
    return TagsOut.model_validate({"tags": counts}, from_attributes=True)
