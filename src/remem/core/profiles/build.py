"""Build a profile from the memories of a project."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.errors import Invalid, NotFound
from remem.core.index.kinds import MEMORY
from remem.core.instructions.manage import applying
from remem.core.language.instructions import is_order, may_instruct
from remem.core.language.person import is_user
from remem.core.ports import Ports
from remem.core.profiles import profile_store
from remem.core.profiles.model import Profile, ProfileEntry
from remem.core.profiles.personal import is_personal, name_pattern
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Query
from remem.core.time import now

STATIC_LIMIT, RECENT_LIMIT, RELEVANT_LIMIT = 20, 10, 10
# More are loaded than shown, because some are left out.
SPARE = 3
QUERY_LIMIT = 1_000
ALL = "*"
_FIELDS = tuple(field.name for field in fields(ProfileEntry) if field.name != "imported_from")


async def build_personal_profile(ports: Ports, scope: Scope) -> Profile:
    """The profile of all projects with only what the user says, and what others say with the user's
    name; nothing that was due before now."""
    profile = await build_profile(ports, scope, ALL)
    name, moment = await name_pattern(ports, scope), now()

    def personal(entries: Sequence[ProfileEntry]) -> list[ProfileEntry]:
        return [entry for entry in entries if is_personal(entry, name, moment)]

    return replace(profile, static=personal(profile.static), recent=personal(profile.recent))


async def build_profile(
    ports: Ports, scope: Scope, project: str | UUID | None, query: str | None = None
) -> Profile:
    """Without a project it is that of the default project, with `*` of all. That of an unknown name
    is empty. Without a query, `relevant` is empty."""
    if query and len(query) > QUERY_LIMIT:
        raise Invalid("query", f"use at most {QUERY_LIMIT:,} characters")
    text = query.strip() if query else ""
    async with ports.db.transaction(scope) as tx:
        try:
            resolved = None if project == ALL else await resolve(tx, project)
        except NotFound:
            return Profile(str(project), await applying(tx, None), [], [], [])
        ids = [resolved.id] if resolved else None
        instructions = await applying(tx, resolved.id if resolved else None)
        static = await profile_store.lasting(tx, ids, STATIC_LIMIT * SPARE)
        recent = await profile_store.newest(tx, ids, RECENT_LIMIT * SPARE)
    relevant = (
        await _relevant(ports, scope, resolved.id if resolved else None, text) if text else []
    )
    entries = {entry.id: entry for entry in (*static, *recent, *relevant)}
    async with ports.db.transaction(scope) as tx:
        sources = await profile_store.sources(tx, list(entries))
    named = {id: _with_source(entries[id], *source) for id, source in sources.items()}
    refused = await _instructions(ports, list(named.values()))
    shown = {id: entry for id, entry in named.items() if id not in refused}
    static, recent, relevant = (
        _each_once(shown[entry.id] for entry in entries if entry.id in shown)[:limit]
        for entries, limit in (
            (static, STATIC_LIMIT),
            (recent, RECENT_LIMIT),
            (relevant, RELEVANT_LIMIT),
        )
    )
    return Profile(resolved.ref if resolved else ALL, instructions, static, recent, relevant)


def _each_once(entries: Iterable[ProfileEntry]) -> list[ProfileEntry]:
    """Several projects may have the same statement: the first one of each."""
    by_statement: dict[tuple[str, str], ProfileEntry] = {}
    for entry in entries:
        speaker = "" if is_user(entry.speaker) else entry.speaker or ""
        by_statement.setdefault((speaker, " ".join(entry.content.casefold().split())), entry)
    return list(by_statement.values())


def _with_source(entry: ProfileEntry, page: str | None, product: str | None) -> ProfileEntry:
    return replace(entry, speaker=entry.speaker or page, imported_from=product)


async def _instructions(ports: Ports, entries: Sequence[ProfileEntry]) -> set[UUID]:
    """Those that others wrote and that may tell the reader of the profile, a model, what to do."""
    others = {
        entry.id: (entry.speaker or "", entry.content)
        for entry in entries
        if not is_user(entry.speaker)
    }
    every = [True] * len(others)
    refused = await analyse(ports, every, _may_instruct, list(others.values())) if others else []
    return {id for id, is_refused in zip(others, refused, strict=True) if is_refused}


def _may_instruct(statements: Sequence[tuple[str, str]]) -> list[bool]:
    return [is_order(speaker) or may_instruct(text) for speaker, text in statements]


async def _relevant(
    ports: Ports, scope: Scope, project_id: UUID | None, query: str
) -> list[ProfileEntry]:
    search = Query(
        query,
        project_id,
        limit=RELEVANT_LIMIT,
        fusion="rrf",
        kinds=(MEMORY,),
    )
    hits = (await find(ports, scope, search)).hits
    memories = [hit.memory for hit in hits if hit.memory]
    return [
        ProfileEntry(**{name: getattr(memory, name) for name in _FIELDS}) for memory in memories
    ]


def as_markdown(profile: Profile) -> str:
    """Render a profile for a prompt; empty sections are left out."""
    parts = [("What lasts", profile.static), ("Recently", profile.recent)]
    parts.append(("About this", profile.relevant))
    sections = [_section(heading, items) for heading, items in parts if items]
    title = "Profile" if profile.project == ALL else profile.project
    return "\n\n".join([f"# {title}", *_pinned(profile), *sections]) + "\n"


def _pinned(profile: Profile) -> list[str]:
    lines = [f"- {instruction.content}" for instruction in profile.instructions]
    return ["\n".join(["## Standing instructions", "", *lines])] if lines else []


def _section(heading: str, items: Sequence[ProfileEntry]) -> str:
    lines = [f"- {_line(item)} <!-- {item.id} -->" for item in items]
    return "\n".join([f"## {heading}", "", *lines])


def _line(item: ProfileEntry) -> str:
    """The statement as it was said, with its speaker and the days it refers to."""
    statement = " ".join(item.content.split())
    speaker = "" if is_user(item.speaker) else f"{item.speaker}: "
    if item.imported_from and not speaker:
        speaker = f"Imported from {item.imported_from}: "
    certain_dates = [
        f"{date['text']}: {date['start'][:10]}" for date in item.dates if date["certain"]
    ]
    days = certain_dates if item.dates else _stored_days(item)
    return f"{speaker}{statement}" + (f" ({'; '.join(days)})" if days else "")


def _stored_days(item: ProfileEntry) -> list[str]:
    times = (("happened", item.occurred_at), ("due", item.due_at))
    return [f"{name}: {moment:%Y-%m-%d}" for name, moment in times if moment]
