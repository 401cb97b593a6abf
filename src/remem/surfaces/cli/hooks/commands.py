"""`remem hook`: called by coding agents with their JSON on standard input.

A hook never blocks the agent: it always ends in time, exits with 0, and reports problems on
standard error.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import Annotated, Any

import typer

from remem.surfaces.cli.hooks.event import session_of
from remem.surfaces.cli.output import err, print_json, say

hook = typer.Typer(help="Hooks that coding agents call at the start and end of a session.")

Agent = Annotated[str, typer.Option("--client", help="The calling agent.")]
INPUT_LIMIT_BYTES = 10_000_000
# Shorter than the timeouts that `remem install --hooks` sets for the agent.
START_LIMIT_S, END_LIMIT_S = 15.0, 10.0


@hook.command()
def start(client: Agent = "claude-code") -> None:
    """At the start of a session: print what is known about this project.

    Example: echo '{"cwd": "."}' | remem hook start --client claude-code
    """
    from remem.surfaces.cli.hooks.given import given_to, remove_old, store_given
    from remem.surfaces.cli.hooks.start_context import context_for, render_context

    def work(event: dict[str, Any]) -> None:
        _spawn_saver()
        text = context_for(event)
        if session := session_of(event):
            remove_old()
            given = given_to(session)
            store_given(session, given["ids"], f"{given['text']}\n{text}")
        sys.stdout.write(render_context(client, text) + "\n")

    _run_within(work, START_LIMIT_S)


@hook.command()
def prompt(client: Agent = "claude-code") -> None:
    """At a prompt: print what is known that helps with it; usually nothing.

    Example: echo '{"prompt": "Plan the trip with Ana"}' | remem hook prompt
    """
    from remem.surfaces.cli.hooks.prompt import run

    run(client)


@hook.command()
def compact(client: Agent = "claude-code") -> None:
    """Before the context of a session is compacted: save the session so far in the background.

    Example: remem hook compact --client claude-code
    """
    from remem.surfaces.cli.hooks.given import forget_given
    from remem.surfaces.cli.hooks.sessions import record_session

    def work(event: dict[str, Any]) -> None:
        record_session(client, event)
        forget_given(session_of(event))
        _spawn_saver()
        sys.stdout.write("{}\n")

    _run_within(work, END_LIMIT_S)


@hook.command()
def why(
    limit: Annotated[int, typer.Option(min=1, max=500, help="How many lines.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Show which lines were added to prompts, newest first, and why.

    Example: remem hook why --limit 3
    """
    from remem.surfaces.cli.hooks.why import render_lines, why_rows

    rows = why_rows(limit)
    if as_json:
        print_json(rows)
    else:
        say(render_lines(rows))


@hook.command()
def mute(
    id: Annotated[str, typer.Argument(help="The id of a line, from `remem hook why`.")],
    undo: Annotated[bool, typer.Option("--undo", help="Add it to prompts again.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Not this again: add a memory or document to no prompt any more. Searches still find it.

    Example: remem hook mute 01a1dd39
    """
    from remem.surfaces.cli.context import request

    named = request(None, None, "GET", f"/v3/ids/{id}", params={"kind": ["memory", "document"]})
    path = f"/api/prompt/{named['id']}"
    switched = request(None, None, "PUT", path, json={"on": undo})
    if as_json:
        print_json(switched)
    else:
        state = "may be added to prompts again" if undo else "is added to no prompt any more"
        say(f"The {switched['kind']} {switched['id']} {state}.")


@hook.command()
def turn(client: Agent = "codex") -> None:
    """At the end of a turn, for agents without a session end: save every ten minutes.

    Example: remem hook turn --client codex
    """
    from remem.surfaces.cli.hooks.sessions import is_due, record_session

    def work(event: dict[str, Any]) -> None:
        if is_due(record_session(client, event)):
            _spawn_saver()
        sys.stdout.write("{}\n")

    _run_within(work, END_LIMIT_S)


@hook.command()
def end(client: Agent = "claude-code") -> None:
    """At the end of a session: save it in the background.

    Example: remem hook end --client claude-code
    """
    from remem.surfaces.cli.hooks.sessions import record_session

    def work(event: dict[str, Any]) -> None:
        record_session(client, event)
        _spawn_saver()
        sys.stdout.write("{}\n")

    _run_within(work, END_LIMIT_S)


@hook.command()
def save(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Save recorded sessions that are not saved yet; hooks run this automatically.

    Example: remem hook save
    """
    from remem.surfaces.cli.hooks.saver import save_recorded

    done = save_recorded()
    if as_json:
        print_json(done)
    else:
        say(f"{done['saved']} saved, {done['empty']} empty, {len(done['failed'])} failed.")
    for failure in done["failed"]:
        err.print(f"{failure['session']}: {failure['reason']}", highlight=False, markup=False)
    if done["failed"]:
        raise typer.Exit(1)


def _run_within(work: Callable[[dict[str, Any]], None], limit_s: float) -> None:
    """Run `work` with a time limit, because the agent waits for us."""
    timer = threading.Timer(limit_s, _time_out)
    timer.daemon = True
    timer.start()
    try:
        work(_read_input())
        sys.stdout.flush()
    except BaseException as error:
        _report_problem(str(error) or type(error).__name__)
    finally:
        timer.cancel()
    # Threads that are still running must not keep the agent waiting.
    sys.stderr.flush()
    os._exit(0)


def _time_out() -> None:
    _report_problem("it took too long")
    os._exit(0)


def _report_problem(reason: str) -> None:
    line = f"remem hook: {' '.join(reason.split())[:300]}\n"
    os.write(2, line.encode(errors="replace"))


def _read_input() -> dict[str, Any]:
    """Read the agent's event; empty when a person runs the hook in a terminal."""
    if sys.stdin.isatty():
        return {}
    text = sys.stdin.buffer.read(INPUT_LIMIT_BYTES).decode("utf-8", errors="replace")
    event = json.loads(text) if text.strip() else {}
    if not isinstance(event, dict):
        raise ValueError("the agent's input is not a JSON object")
    return event


def _spawn_saver() -> None:
    """Save in a detached process, which outlives the agent."""
    import subprocess

    from remem.surfaces.cli.command import argv
    from remem.surfaces.cli.hooks.sessions import any_unsaved, log_file

    if not any_unsaved():
        return
    with log_file().open("ab") as log:
        subprocess.Popen(
            [*argv(), "hook", "save"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
