"""`remem import agents`: save past sessions of coding agents, each once and in its project."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.core.errors import RememError
from remem.surfaces.cli.backfill.past_session import PastSession
from remem.surfaces.cli.context import Call
from remem.surfaces.cli.hooks.upload import Conversation, is_saved, savable, upload
from remem.surfaces.cli.output import err, print_json, print_table, say
from remem.surfaces.cli.times import Since, period
from remem.surfaces.cli.waiting import NoWait, progress_bar, still_queued, wait_until_indexed

if TYPE_CHECKING:
    from remem.client import AsyncRemem

OUTCOMES = ("imported", "unchanged")


@dataclass
class Report:
    """`counts` is by project and outcome; `empty` counts sessions without anything to save."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    agents: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    failed: list[dict[str, str]] = field(default_factory=list)

    def add(self, conversation: Conversation, outcome: str) -> None:
        project = conversation.project
        self.names[project.slug] = project.identity or project.name
        self.counts.setdefault(project.slug, Counter())[outcome] += 1
        self.agents[conversation.client] += 1

    def total(self, outcome: str) -> int:
        return sum(counts[outcome] for counts in self.counts.values())

    def as_json(self) -> dict[str, Any]:
        projects = [
            {"project": slug, "repository": self.names[slug], **{o: counts[o] for o in OUTCOMES}}
            for slug, counts in sorted(self.counts.items())
        ]
        return {
            "projects": projects,
            "agents": dict(self.agents),
            "empty": self.empty,
            "failed": self.failed,
        }


def agents(
    call: Call,
    since: Since = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count what would be imported, and save nothing.")
    ] = False,
    no_wait: NoWait = False,
) -> None:
    """Import past sessions of Claude Code, Codex, Gemini CLI, Cursor and opencode. A second import
    changes nothing.

    Example: remem import agents --since 30d --dry-run
    """
    from remem.surfaces.cli.backfill.find import past_sessions
    from remem.surfaces.cli.install.clients import this_machine

    start, _ = period(since, None)
    sessions = past_sessions(this_machine(), datetime.fromisoformat(start) if start else None)

    async def work(remem: "AsyncRemem") -> tuple[Report, Any]:
        report = await _import_all(remem, sessions, dry_run)
        wait = not (dry_run or no_wait) and report.total("imported")
        return report, await (wait_until_indexed(remem) if wait else remem.stats())

    report, stats = call.run(work)
    if call.as_json:
        print_json({**report.as_json(), "dry_run": dry_run})
    else:
        _print_report(report, dry_run)
        if queued_note := still_queued(stats):
            say(queued_note)
    for failure in report.failed:
        err.print(f"{failure['session']}: {failure['reason']}", highlight=False, markup=False)
    if report.failed:
        raise typer.Exit(1)


async def _import_all(remem: "AsyncRemem", sessions: list[PastSession], dry_run: bool) -> Report:
    report = Report()
    with progress_bar() as progress:
        for session in progress.track(sessions, description="Reading sessions"):
            try:
                await _import_one(remem, session, dry_run, report)
            except (RememError, OSError, ValueError) as error:
                name = f"{session.client} {session.id}"
                report.failed.append({"session": name, "reason": str(error)})
    return report


async def _import_one(
    remem: "AsyncRemem", session: PastSession, dry_run: bool, report: Report
) -> None:
    turns = await asyncio.to_thread(session.read_turns)
    conversation = savable(
        Conversation(session.client, session.id, session.folder, turns, session.remote)
    )
    if conversation is None:
        report.empty += 1
    elif await is_saved(remem, conversation):
        report.add(conversation, "unchanged")
    elif dry_run:
        report.add(conversation, "imported")
    else:
        saved = await upload(remem, conversation, _file_name(session))
        report.add(conversation, "unchanged" if saved["duplicate"] else "imported")


def _file_name(session: PastSession) -> str:
    """A document is dated by the day in its file's name; what is from today is saved as new."""
    day = session.changed_at.date()
    return "session.json" if day == datetime.now(UTC).date() else f"{day.isoformat()}.json"


def _print_report(report: Report, dry_run: bool) -> None:
    rows = [
        (slug, *(counts[outcome] for outcome in OUTCOMES), report.names[slug])
        for slug, counts in sorted(report.counts.items())
    ]
    print_table(["project", *OUTCOMES, "repository"], rows, "No sessions to import.")
    verb = "would be imported" if dry_run else "imported"
    say(
        f"{report.total('imported')} {verb}, {report.total('unchanged')} unchanged,"
        f" {report.empty} with nothing to save, {len(report.failed)} failed."
    )
