"""Put a profile together from the memories of a project."""

from collections.abc import Sequence
from dataclasses import fields
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.index.kinds import MEMORY
from remem.core.language.person import is_user
from remem.core.ports import Ports
from remem.core.profiles import store
from remem.core.profiles.model import Profile, ProfileEntry
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query

STATIC_LIMIT, RECENT_LIMIT, RELEVANT_LIMIT = 20, 10, 10
QUERY_LIMIT = 1_000
ALL = "*"
_FIELDS = tuple(one.name for one in fields(ProfileEntry))


async def build_profile(
    ports: Ports, scope: Scope, project: str | UUID | None, query: str | None = None
) -> Profile:
    """No project means the default one, `*` all. Without a query nothing is relevant to it."""
    if query and len(query) > QUERY_LIMIT:
        raise Invalid("query", f"use at most {QUERY_LIMIT:,} characters")
    asked = query.strip() if query else ""
    async with ports.db.transaction(scope) as tx:
        there = None if project == ALL else await resolve(tx, scope, project)
        ids = [there.id] if there else None
        static = await store.lasting(tx, scope, ids, STATIC_LIMIT)
        recent = await store.newest(tx, scope, ids, RECENT_LIMIT)
    relevant = await _relevant(ports, scope, there.id if there else None, asked) if asked else []
    return Profile(there.slug if there else ALL, static, recent, relevant)


async def _relevant(
    ports: Ports, scope: Scope, project_id: UUID | None, query: str
) -> list[ProfileEntry]:
    asked = Query(
        query,
        project_id,
        limit=RELEVANT_LIMIT,
        fusion="rrf",
        kinds=(MEMORY,),
    )
    found = (await find(ports, scope, asked)).hits
    memories = [one.memory for one in found if one.memory]
    return [ProfileEntry(**{name: getattr(one, name) for name in _FIELDS}) for one in memories]


def as_markdown(profile: Profile) -> str:
    """For a prompt; a part with nothing in it is left out."""
    parts = [("What lasts", profile.static), ("Recently", profile.recent)]
    parts.append(("About this", profile.relevant))
    sections = [_part(heading, items) for heading, items in parts if items]
    title = "Profile" if profile.project == ALL else profile.project
    return "\n\n".join([f"# {title}", *sections]) + "\n"


def _part(heading: str, items: Sequence[ProfileEntry]) -> str:
    lines = [f"- {_line(one)} <!-- {one.id} -->" for one in items]
    return "\n".join([f"## {heading}", "", *lines])


def _line(item: ProfileEntry) -> str:
    """A statement as it was said; who "I" is, and when "tomorrow" is, stands with it."""
    said = " ".join(item.content.split())
    who = "" if is_user(item.speaker) else f"{item.speaker}: "
    named = [f"{one['text']}: {one['start'][:10]}" for one in item.dates if one["certain"]]
    days = named if item.dates else _stored_days(item)
    return f"{who}{said}" + (f" ({'; '.join(days)})" if days else "")


def _stored_days(item: ProfileEntry) -> list[str]:
    named = (("happened", item.occurred_at), ("due", item.due_at))
    return [f"{name}: {moment:%Y-%m-%d}" for name, moment in named if moment]
