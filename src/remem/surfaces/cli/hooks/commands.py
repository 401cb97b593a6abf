"""`remem hook`: called by coding agents with their JSON on standard input.

It never stands in the agent's way: whatever happens, it ends in time, with 0, and says trouble on
standard error.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import Annotated, Any

import typer

from remem.surfaces.cli.output import err, print_json, say

hook = typer.Typer(help="Hooks that coding agents call at the start and end of a session.")

Agent = Annotated[str, typer.Option("--client", help="The agent that calls.")]
INPUT_LIMIT_BYTES = 10_000_000
# Less than what `remem install --hooks` lets the agent wait.
START_LIMIT_S, END_LIMIT_S = 15.0, 10.0


@hook.command()
def start(client: Agent = "claude-code") -> None:
    """At the start of a session: print what is known about this project.

    Example: echo '{"cwd": "."}' | remem hook start --client claude-code
    """
    from remem.surfaces.cli.hooks.opening import context_for, rendered

    def work(event: dict[str, Any]) -> None:
        _spawn_saver()
        sys.stdout.write(rendered(client, context_for(event)) + "\n")

    _quietly(work, START_LIMIT_S)


@hook.command()
def turn(client: Agent = "codex") -> None:
    """At the end of a turn, for agents without a session end: save every ten minutes.

    Example: remem hook turn --client codex
    """
    from remem.surfaces.cli.hooks.sessions import is_due, note

    def work(event: dict[str, Any]) -> None:
        if is_due(note(client, event)):
            _spawn_saver()
        sys.stdout.write("{}\n")

    _quietly(work, END_LIMIT_S)


@hook.command()
def end(client: Agent = "claude-code") -> None:
    """At the end of a session: save it in the background.

    Example: remem hook end --client claude-code
    """
    from remem.surfaces.cli.hooks.sessions import note

    def work(event: dict[str, Any]) -> None:
        note(client, event)
        _spawn_saver()
        sys.stdout.write("{}\n")

    _quietly(work, END_LIMIT_S)


@hook.command()
def save(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Save recorded sessions that are not saved yet; hooks run this automatically.

    Example: remem hook save
    """
    from remem.surfaces.cli.hooks.saver import save_noted

    done = save_noted()
    if as_json:
        print_json(done)
    else:
        say(f"{done['saved']} saved, {done['empty']} without talk, {len(done['failed'])} failed.")
    for one in done["failed"]:
        err.print(f"{one['session']}: {one['reason']}", highlight=False, markup=False)
    if done["failed"]:
        raise typer.Exit(1)


def _quietly(work: Callable[[dict[str, Any]], None], limit_s: float) -> None:
    """In time or not at all: the agent waits for us."""
    watch = threading.Timer(limit_s, _give_up)
    watch.daemon = True
    watch.start()
    try:
        work(_read_input())
        sys.stdout.flush()
    except BaseException as error:
        _complain(str(error) or type(error).__name__)
    finally:
        watch.cancel()
    # Threads that still wait for something must not keep the agent waiting.
    sys.stderr.flush()
    os._exit(0)


def _give_up() -> None:
    _complain("it took too long")
    os._exit(0)


def _complain(why: str) -> None:
    line = f"remem hook: {' '.join(why.split())[:300]}\n"
    os.write(2, line.encode(errors="replace"))


def _read_input() -> dict[str, Any]:
    """What the agent says; nothing, when a person tries it in a terminal."""
    if sys.stdin.isatty():
        return {}
    text = sys.stdin.buffer.read(INPUT_LIMIT_BYTES).decode("utf-8", errors="replace")
    event = json.loads(text) if text.strip() else {}
    if not isinstance(event, dict):
        raise ValueError("what the agent sent is no JSON object")
    return event


def _spawn_saver() -> None:
    """A process of its own, which lives on when the agent is gone."""
    import subprocess

    from remem.surfaces.cli.command import argv
    from remem.surfaces.cli.hooks.sessions import any_waiting, log_file

    if not any_waiting():
        return
    with log_file().open("ab") as log:
        subprocess.Popen(
            [*argv(), "hook", "save"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
