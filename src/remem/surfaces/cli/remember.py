"""`remem save` and `remem recall`."""

import asyncio
import sys
from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import Json, Key, Url, memory
from remem.surfaces.cli.output import MISUSED, NOTHING_FOUND, fail, out, plain_errors, print_json


def save(
    text: Annotated[
        str | None, typer.Argument(help="What to remember; `-` or nothing reads standard input.")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="A title; taken from the text if absent.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="The project to save to.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; repeat for more.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Save something.

    Example: remem save "The door code is 4711" --tag home
    """
    content = _content(text)
    with plain_errors():
        saved = asyncio.run(_save(content, url, key, title=title, project=project, tags=tag))
    if as_json:
        print_json(saved)
        return
    verb = "Known already" if saved["duplicate"] else "Saved"
    state = "" if saved["status"] == "done" else f", {saved['status']}"
    out.print(f"{verb}: {saved['title']} ({saved['id']}{state})", highlight=False, markup=False)


def recall(
    query: Annotated[str, typer.Argument(help="What to look for, in your own words.")],
    project: Annotated[str | None, typer.Option(help="Look in this project only.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many at most.")] = 5,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Find something again. Exits with 3 when nothing is found.

    Example: remem recall "how do I get into the house?"
    """
    with plain_errors():
        found = asyncio.run(_recall(query, url, key, project=project, limit=limit))
    if as_json:
        print_json(found)
    else:
        _print_results(found["results"])
    if not found["results"]:
        raise typer.Exit(NOTHING_FOUND)


def _content(text: str | None) -> str:
    if text is not None and text != "-":
        return text
    if sys.stdin.isatty():
        fail('Nothing to save; write `remem save "…"`, or pipe text into it.', MISUSED)
    return sys.stdin.buffer.read().decode("utf-8", errors="replace").replace("\x00", "")


async def _save(content: str, url: str | None, key: str | None, **fields: Any) -> dict[str, Any]:
    async with memory(url, key) as client:
        return await client.save(content, **fields)


async def _recall(query: str, url: str | None, key: str | None, **fields: Any) -> dict[str, Any]:
    async with memory(url, key) as client:
        return await client.recall(query, **fields)


def _print_results(results: list[dict[str, Any]]) -> None:
    if not results:
        out.print("Nothing found.")
    for place, result in enumerate(results, start=1):
        best = max(result["chunks"], key=lambda chunk: chunk["score"])
        source = result["source_url"] or result["created_at"][:10]
        out.print(f"{place}. {result['title']}", style="bold", highlight=False, markup=False)
        out.print(f"   {result['score']:.2f}  {source}", style="dim", highlight=False, markup=False)
        if best["content"].strip() != result["title"]:
            text = " ".join(best["content"].split())[:300]
            out.print(f"   {text}", highlight=False, markup=False)
