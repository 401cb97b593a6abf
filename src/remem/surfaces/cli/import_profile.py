"""`remem import profile`: what another assistant remembers, accepted statement by statement."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Call, InProject, drop_unset, run_with_client
from remem.surfaces.cli.output import MISUSED, fail, is_terminal, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem

PATH = "/v3/pasted-profile"
CHOICES = "y, n, e (edit), a (all), q (stop)"


def profile(
    call: Call,
    file: Annotated[
        Path | None, typer.Argument(help="The answer in a file; `-` is standard input.")
    ] = None,
    origin: Annotated[
        str, typer.Option("--from", help="The assistant: `chatgpt`, `claude`, `gemini`, …")
    ] = "assistant",
    project: InProject = None,
    accept_all: Annotated[
        bool, typer.Option("--accept-all", help="Accept every statement without asking.")
    ] = False,
) -> None:
    """Bring what ChatGPT, Claude or Gemini remembers about you: print a prompt for it, read its
    answer, and ask about each statement.

    Examples: remem import profile · remem import profile answer.txt --from chatgpt
    """
    if file is None and not sys.stdin.isatty():
        prompt = call.run(lambda remem: remem.request("GET", PATH))
        call.say(prompt, prompt["prompt"])
        return
    if file and str(file) != "-" and not file.exists():
        fail(f"There is no file {file}.", MISUSED)
    if not accept_all and not (sys.stdin.isatty() and is_terminal()):
        fail("There is no terminal to ask in; pass --accept-all to accept everything.", MISUSED)
    text = _read(file) if file else _ask_for_answer(call.url, call.key)
    statements = call.run(lambda remem: _statements(remem, text))
    accepted = statements if accept_all else _choose(statements)
    body = {"project": project, "context": {"imported_from": origin}, "source": "profile"}
    saved = call.run(lambda remem: _save(remem, accepted, drop_unset(body)))
    declined = len(statements) - len(accepted)
    report = {"accepted": len(accepted), "declined": declined, "known": saved.count("duplicate")}
    call.say(
        report, f"{len(accepted)} accepted ({report['known']} known already), {declined} declined."
    )


def _read(file: Path) -> str:
    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    return data.decode("utf-8", errors="replace")


def _ask_for_answer(url: str | None, key: str | None) -> str:
    prompt = run_with_client(url, key, lambda remem: remem.request("GET", PATH))
    say("Send this to the other assistant:\n", style="bold")
    say(prompt["prompt"])
    say("\nThen paste its answer here, and press Ctrl-D in an empty line:", style="bold")
    return sys.stdin.read()


async def _statements(remem: "AsyncRemem", text: str) -> list[dict[str, Any]]:
    return (await remem.request("POST", PATH, json={"text": text}))["statements"]


def _choose(statements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    accepted: list[dict[str, Any]] = []
    for number, statement in enumerate(statements, 1):
        say(f"\n{number} of {len(statements)}: {statement['content']}")
        answer = _answer()
        if answer == "q":
            break
        if answer == "a":
            return [*accepted, *statements[number - 1 :]]
        if answer == "e":
            say("Write it as it should be:")
            edited = sys.stdin.readline().strip()
            accepted.append({**statement, "content": edited or statement["content"]})
        elif answer == "y":
            accepted.append(statement)
    return accepted


def _answer() -> str:
    while True:
        say(f"Accept it? {CHOICES}")
        line = sys.stdin.readline()
        answer = line.strip().lower()[:1]
        if not line:
            return "q"
        if answer and answer in "yneaq":
            return answer


async def _save(
    remem: "AsyncRemem", statements: list[dict[str, Any]], body: dict[str, Any]
) -> list[str]:
    replies = [
        await remem.request("POST", "/api/memories", json={**body, **_fields(statement)})
        for statement in statements
    ]
    return [reply["status"] for reply in replies]


def _fields(statement: dict[str, Any]) -> dict[str, Any]:
    return drop_unset({"content": statement["content"], "saidAt": statement["said_at"]})
