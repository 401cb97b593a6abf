"""`remem demo`: show recall on sample data in a separate store."""

import asyncio
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.command import shell_command
from remem.surfaces.cli.context import Json
from remem.surfaces.cli.output import out, print_json, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem

DOCUMENTS = (
    (
        "Moving to Lisbon",
        "Nadia and I move to Lisbon in March. The flat is in Alfama, on the third floor, with a"
        " balcony towards the river. The landlord, Senhor Tavares, wants two months' rent in"
        " advance. Boxes with books go by ship and arrive three weeks later.",
    ),
    (
        "Notes on the boiler",
        "The boiler's pressure should stand between 1.2 and 1.5 bar. When it shows error F28,"
        " the gas valve is shut: open it, hold the reset button for five seconds. The plumber,"
        " Ines Duarte, comes within a day.",
    ),
    (
        "Postmortem: the checkout outage",
        "On 3 October the checkout answered with 502 for 41 minutes. A migration locked the table"
        " orders while traffic was at its peak. We now run migrations with lock_timeout = 5s and"
        " never between ten and fourteen o'clock.",
    ),
    (
        "Grandmother's plum cake",
        "400 g flour, 20 g fresh yeast, 200 ml lukewarm milk, 60 g butter, 1.5 kg plums. Let the"
        " dough rise for an hour, cover it with halved plums, bake at 190 degrees for 40 minutes."
        " Cinnamon and sugar only after baking.",
    ),
)
STATEMENTS = (
    ("The team deploys on Fridays.", "decision"),
    ("The team deploys on Mondays instead of Fridays.", "decision"),
    ("I am allergic to hazelnuts.", "fact"),
    ("I prefer window seats on trains.", "preference"),
)
QUESTIONS = (
    "what do I do when the heating shows an error?",
    "why were customers unable to pay?",
    "how long does the cake stay in the oven?",
)


def demo(
    folder: Annotated[
        Path | None,
        typer.Option(help="The folder of the sample store; `demo` in the data folder if absent."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show recall on sample data, in a separate store.

    Your own memory is not touched.

    Example: remem demo
    """
    from remem.logs import configure
    from remem.settings import load

    settings = load()
    configure(settings, quiet=True)
    store = (folder or settings.data_dir / "demo").expanduser().absolute()
    results = asyncio.run(_show(store))
    if as_json:
        print_json(results)
    else:
        _print(results, store)


async def _show(store: Path) -> dict[str, Any]:
    from os import environ

    from remem.client import AsyncRemem

    # The environment selects the embedded store, and this process uses no other.
    environ["REMEM_DATA_DIR"] = str(store)
    environ.pop("REMEM_DATABASE_URL", None)
    async with AsyncRemem() as remem:
        for title, text in DOCUMENTS:
            await remem.save(text, title=title, tags=["demo"])
        statements = [await _save_statement(remem, *statement) for statement in STATEMENTS]
        answers = [await _ask(remem, question) for question in QUESTIONS]
    return {"folder": str(store), "statements": statements, "answers": answers}


async def _save_statement(remem: "AsyncRemem", content: str, category: str) -> dict[str, Any]:
    body = {"content": content, "category": category}
    saved = await remem.request("POST", "/api/memories", json=body)
    return {"content": content, "status": saved["status"]}


async def _ask(remem: "AsyncRemem", question: str) -> dict[str, Any]:
    reply = await remem.recall(question, limit=1, weak=True)
    best = reply["results"][0]
    return {
        "question": question,
        "title": best["title"],
        "score": best["score"],
        "took_ms": reply["query_time_ms"],
        "text": max(best["chunks"], key=lambda chunk: chunk["score"])["content"],
    }


def _print(results: dict[str, Any], store: Path) -> None:
    say(f"{len(DOCUMENTS)} documents and {len(STATEMENTS)} statements, all invented:")
    for statement in results["statements"]:
        say(f"  {statement['status']:<9}  {statement['content']}", style="dim")
    for answer in results["answers"]:
        say("")
        say(f"? {answer['question']}", style="bold")
        text = " ".join(answer["text"].split())[: max(40, out.width * 2)]
        say(f"  {answer['title']} ({answer['score']:.2f}, {answer['took_ms']} ms)")
        say(f"  {text}", style="dim")
    say("")
    say("Try it yourself, or remove it:")
    # By now the environment names the sample's folder, so shell_command() includes it.
    say(f'  {shell_command()} recall "…" --url local')
    say(f"  rm -r {shlex.quote(str(store))}")
