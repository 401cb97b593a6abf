"""`remem ask` and `remem agent ask`: answer a question with citations."""

from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import Call, InProject, request
from remem.surfaces.cli.ids import shown_id
from remem.surfaces.cli.options import AsOf
from remem.surfaces.cli.output import NOTHING_FOUND, print_json, print_note, say, to_minute
from remem.surfaces.hit_notes import stored_times

agent = typer.Typer(help="Ask as an agent does: `agent ask` is `ask`.")


@agent.command("ask")
def ask(
    call: Call,
    words: Annotated[list[str], typer.Argument(help="The question, in your own words.")],
    project: InProject = None,
    as_of: AsOf = None,
    session: Annotated[
        str | None, typer.Option("--session", help="Continue this conversation.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Continue your last conversation.")
    ] = False,
    record: Annotated[
        bool, typer.Option("--record/--no-record", help="Save the question and the answer.")
    ] = True,
    model: Annotated[
        bool, typer.Option("--model/--no-model", help="Use the language model, if configured.")
    ] = True,
) -> None:
    """Answer a question from what is saved, with citations. Exits with 3 if the answer is unknown.

    Examples: remem ask "when does my passport expire?" · remem ask -f "and where is it?" ·
    remem agent ask "which books did I read?"
    """
    if follow and session is None:
        session = _last_session(call.url, call.key)
    body = {
        "question": " ".join(words),
        "project": project,
        "as_of": as_of,
        "session_id": session,
        "record": record,
        "model": model,
        "agent": "cli",
    }
    _print_reply(call.request("POST", "/api/agent/ask", json=body), " ".join(words), call.as_json)


def _print_reply(reply: dict[str, Any], question: str, as_json: bool) -> None:
    if as_json:
        print_json(reply)
    else:
        _print(reply, question)
    if not reply["known"]:
        raise typer.Exit(NOTHING_FOUND)


def _last_session(url: str | None, key: str | None) -> str | None:
    reply = request(
        url, key, "GET", "/api/sessions", params={"agent": "cli", "open": True, "limit": 1}
    )
    return reply["sessions"][0]["id"] if reply["sessions"] else None


def _print(reply: dict[str, Any], question: str) -> None:
    if reply["question"] != question:
        print_note(f"Understood as: {reply['question']}")
    citation_numbers = {claim["text"]: _numbers(claim["citations"]) for claim in reply["claims"]}
    lines = [f"{text} {numbers}" for text, numbers in citation_numbers.items()]
    for line in lines or [reply["answer"]]:
        say(line, style="bold")
    for citation in reply["citations"] or reply["nearest"]:
        say(f"  [{citation['number']}] {_origin(citation)}")
        say(f"      {' '.join(citation['sentence'].split())}")


def _numbers(numbers: list[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def _origin(citation: dict[str, Any]) -> str:
    id = citation["documentId"] or citation["memoryId"]
    where = f", characters {citation['start']} to {citation['end']}"
    parts = [citation["kind"], shown_id(id) + (where if citation["documentId"] else "")]
    said_at, times = to_minute(citation["saidAt"]), stored_times(citation)
    details = [citation["title"], citation["speaker"], said_at, times]
    return " · ".join([" ".join(parts), *(part for part in details if part)])
