"""`remem save` and `remem recall`."""

import asyncio
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from remem.core.search.model import TOKENS_MAX
from remem.surfaces.cli.context import Json, Key, Url, memory
from remem.surfaces.cli.output import (
    FAILED,
    MISUSED,
    NOTHING_FOUND,
    fail,
    out,
    plain_errors,
    print_json,
)
from remem.surfaces.cli.saving import Summary, save_files


class Mode(StrEnum):
    FAST = "fast"
    BALANCED = "balanced"
    DEEP = "deep"


def save(
    what: Annotated[
        list[str] | None,
        typer.Argument(help="Text, files, folders or a URL; `-` or nothing reads standard input."),
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="A title; taken from the text if absent.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="The project to save to.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; repeat for more.")] = None,
    as_text: Annotated[
        bool, typer.Option("--text", help="Take it as text, even if a file has that name.")
    ] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Save text, a file, a folder, or what stands at a URL.

    Examples: remem save "The door code is 4711" --tag home · remem save notes/ · remem save
    https://example.org/article
    """
    fields = {"title": title, "project": project, "tags": tag}
    paths = [] if as_text else _paths(what or [])
    with plain_errors():
        if paths:
            summary = asyncio.run(_save_files(paths, url, key, fields))
            _report(summary, as_json)
        else:
            saved = asyncio.run(_save_one(_content(what), url, key, as_text, fields))
            _print_saved(saved, as_json)


def recall(
    query: Annotated[str, typer.Argument(help="What to look for, in your own words.")],
    project: Annotated[str | None, typer.Option(help="Look in this project only.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many at most.")] = 5,
    mode: Annotated[
        Mode, typer.Option(help="Words only, words and meaning, or all we have.")
    ] = Mode.BALANCED,
    tokens: Annotated[
        int | None,
        typer.Option(
            min=50, max=TOKENS_MAX, help="Print one context of at most so many tokens, for a model."
        ),
    ] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Find something again. Exits with 3 when nothing is found.

    Example: remem recall "how do I get into the house?"
    """
    with plain_errors():
        asked = {"project": project, "limit": limit, "mode": mode.value, "max_tokens": tokens}
        found = asyncio.run(_recall(query, url, key, **asked))
    if as_json:
        print_json(found)
    elif found["context"] and found["results"]:
        out.print(found["context"]["text"], highlight=False, markup=False, soft_wrap=True)
    else:
        _print_results(found["results"])
    if not found["results"]:
        raise typer.Exit(NOTHING_FOUND)


def _paths(what: list[str]) -> list[Path]:
    """The files and folders that are meant, or none when it is text."""
    paths = [Path(word).expanduser() for word in what]
    there = [path for path in paths if len(str(path)) < 4_096 and path.exists()]
    if there and len(there) < len(paths):
        missing = next(path for path in paths if path not in there)
        fail(f"There is no file {missing}; nothing was saved.", MISUSED)
    if not there and len(what) == 1 and _looks_like_path(what[0]):
        fail(f"There is no file {what[0]}; with --text it is saved as text.", MISUSED)
    return there


def _looks_like_path(word: str) -> bool:
    if _is_url(word) or any(char.isspace() for char in word):
        return False
    return word.startswith(("/", "./", "../", "~")) or (
        "/" in word and "." in word.rpartition("/")[2]
    )


def _is_url(word: str) -> bool:
    return word.startswith(("http://", "https://")) and not any(char.isspace() for char in word)


def _content(what: list[str] | None) -> str:
    if what and what != ["-"]:
        return " ".join(what)
    if sys.stdin.isatty():
        fail('Nothing to save; write `remem save "…"`, or pipe text into it.', MISUSED)
    return sys.stdin.buffer.read().decode("utf-8", errors="replace").replace("\x00", "")


async def _save_one(
    content: str, url: str | None, key: str | None, as_text: bool, fields: dict[str, Any]
) -> dict[str, Any]:
    async with memory(url, key) as client:
        if as_text or not _is_url(content):
            return await client.save(content, **fields)
        saved = await client.save_url(
            content, container=fields["project"], tags=fields["tags"] or []
        )
        return await client.finished(saved["id"])


async def _save_files(
    paths: list[Path], url: str | None, key: str | None, fields: dict[str, Any]
) -> Summary:
    async with memory(url, key) as client:
        return await save_files(client, paths, fields)


async def _recall(query: str, url: str | None, key: str | None, **fields: Any) -> dict[str, Any]:
    async with memory(url, key) as client:
        return await client.recall(query, **fields)


def _print_saved(saved: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(saved)
    elif saved["status"] == "failed":
        fail(saved["error_message"])
    else:
        verb = "Known already" if saved.get("duplicate") else "Saved"
        state = "" if saved["status"] == "done" else f", {saved['status']}"
        out.print(
            f"{verb}: {saved['title']} ({saved['id']}{state})",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )


def _report(summary: Summary, as_json: bool) -> None:
    if as_json:
        print_json(summary.as_json())
    else:
        out.print(summary.sentence(), highlight=False)
        for path, reason in summary.failed:
            out.print(f"  {path}: {reason}", highlight=False, markup=False, soft_wrap=True)
    if summary.failed:
        raise typer.Exit(FAILED)


def _print_results(results: list[dict[str, Any]]) -> None:
    if not results:
        out.print("Nothing found.")
    for place, result in enumerate(results, start=1):
        best = max(result["chunks"], key=lambda chunk: chunk["score"])
        source = result["source_url"] or result["created_at"][:10]
        out.print(
            f"{place}. {result['title']}",
            style="bold",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
        out.print(
            f"   {result['score']:.2f}  {source}",
            style="dim",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
        if best["content"].strip() != result["title"]:
            text = " ".join(best["content"].split())[:300]
            out.print(f"   {text}", highlight=False, markup=False, soft_wrap=True)
