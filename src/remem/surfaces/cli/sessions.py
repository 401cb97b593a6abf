"""`remem sessions`: conversations and what agents did, turn by turn."""

from typing import Annotated
from urllib.parse import quote

import typer

from remem.surfaces.cli.context import Call, Cursor, InProject, Key, Limit, Url, Yes, request
from remem.surfaces.cli.ids import shown_id
from remem.surfaces.cli.output import confirm, print_fields, print_json, say, to_minute

sessions = typer.Typer(help="Sessions: list, show, start, add a turn, close, delete.")

Id = Annotated[str, typer.Argument(help="The session's id.")]


@sessions.command("list")
def list_all(
    call: Call,
    project: InProject = None,
    agent: Annotated[str | None, typer.Option(help="Only sessions of this agent.")] = None,
    open_only: Annotated[bool, typer.Option("--open", help="Only open ones.")] = False,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> None:
    """List your sessions, newest first.

    Example: remem sessions list --agent cli
    """
    params = {"project": project, "agent": agent, "limit": limit, "cursor": cursor}
    params |= {"open": True} if open_only else {}
    reply = call.request("GET", "/api/sessions", params=params)
    rows = [
        (
            session["id"],
            to_minute(session["createdAt"]),
            session["agent"],
            session["turnCount"],
            session["title"],
        )
        for session in reply["sessions"]
    ]
    call.print_table(reply, ["id", "started", "agent", "turns", "title"], rows, "No sessions yet.")


@sessions.command()
def get(call: Call, id: Id) -> None:
    """Show a session with its turns.

    Example: remem sessions get ID
    """
    session = call.request("GET", _path(id))
    if call.as_json:
        print_json(session)
        return
    print_fields({name: session[name] for name in "id project agent title closedAt".split()})
    for turn in session["turns"]:
        say(f"{turn['role']}: {'(erased)' if turn['erased'] else turn['content']}")


@sessions.command()
def start(
    call: Call,
    project: InProject = None,
    agent: Annotated[str | None, typer.Option(help="The name of the agent.")] = None,
    title: Annotated[str | None, typer.Option(help="A title.")] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Your own key for it; continues the open session with it."),
    ] = None,
) -> None:
    """Start a session and print its id.

    Example: remem sessions start --agent my-script --project work
    """
    body = {"project": project, "agent": agent, "title": title, "key": name}
    session = call.request("POST", "/api/sessions", json=body)
    call.say(session, session["id"])


@sessions.command()
def add(
    call: Call,
    id: Id,
    role: Annotated[str, typer.Argument(help="`user`, `assistant`, `system` or `tool`.")],
    words: Annotated[list[str], typer.Argument(help="What was said.")],
    recalled: Annotated[
        list[str] | None, typer.Option(help="An id that was found; repeat for more.")
    ] = None,
    used: Annotated[
        list[str] | None, typer.Option(help="An id that the answer used; repeat for more.")
    ] = None,
) -> None:
    """Add a turn to a session.

    Example: remem sessions add ID user "where is the key?"
    """
    body = {"role": role, "content": " ".join(words), "recalled": recalled, "used": used}
    turn = call.request("POST", _path(id, "/turns"), json=body)
    call.say(turn, f"Added: {shown_id(turn['id'])}")


@sessions.command()
def close(call: Call, id: Id) -> None:
    """Close a session: it accepts no more turns.

    Example: remem sessions close ID
    """
    closed = call.request("POST", _path(id, "/close"))
    call.say(closed, f"Closed: {closed['id']}")


@sessions.command()
def delete(id: Id, yes: Yes = False, url: Url = None, key: Key = None) -> None:
    """Erase a session with its turns. Memories saved in it stay.

    Example: remem sessions delete ID --yes
    """
    confirm("Erase the session and its turns?", yes)
    request(url, key, "DELETE", _path(id))
    say("Erased: 1")


def _path(id: str, suffix: str = "") -> str:
    return f"/api/sessions/{quote(id, safe='')}{suffix}"
