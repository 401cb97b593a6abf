"""`remem save` and `remem recall`."""

import os
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import quote

import typer

from remem.surfaces.cli.context import InProject, Json, Key, Url, ask, given
from remem.surfaces.cli.ids import short_id
from remem.surfaces.cli.options import Category, Mode, Tags
from remem.surfaces.cli.output import (
    FAILED,
    MISUSED,
    NOT_DONE,
    NOTHING_FOUND,
    fail,
    out,
    print_json,
    print_note,
    print_table,
    say,
)
from remem.surfaces.cli.paths import is_url, looks_like_path
from remem.surfaces.cli.reading import content_of
from remem.surfaces.cli.times import Since, Until, period
from remem.surfaces.cli.waiting import settled, why_not_done
from remem.surfaces.hit_notes import replacement, stored_times, with_notes

if TYPE_CHECKING:
    from remem.client import AsyncRemem
    from remem.surfaces.cli.saving import Summary

T = TypeVar("T")


class Kind(StrEnum):
    DOCUMENT = "document"
    MEMORY = "memory"


# As the API has it; read there it would cost every command the core's start-up.
TOKENS_MAX = 100_000
SHOWN_CHARS = 300
HowHard = Annotated[
    Mode,
    typer.Option(
        help="Words only, words and meaning, more candidates, or the first ones read again."
    ),
]
Tokens = Annotated[
    int | None,
    typer.Option(
        min=50, max=TOKENS_MAX, help="Print one context of at most this many tokens, for a model."
    ),
]


def save(
    content: Annotated[
        list[str] | None,
        typer.Argument(help="Text, files, folders or a URL; `-` or nothing reads standard input."),
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="A title; taken from the text if absent.")
    ] = None,
    project: InProject = None,
    tag: Tags = None,
    as_text: Annotated[
        bool, typer.Option("--text", help="Save it as text, even if a file has that name.")
    ] = False,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Do not wait until everything can be found.")
    ] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Save text, a file, a folder, or a web page.

    Examples: remem save "The door code is 4711" --tag home · remem save notes/ · remem save
    https://example.org/article
    """
    fields: dict[str, Any] = {"title": title, "tags": tag}
    if paths := [] if as_text else _paths(content or []):
        from remem.surfaces.cli.saving import save_files

        wait = not no_wait
        all_of = _in_project(project, lambda remem, to: save_files(remem, paths, fields | to, wait))
        _report(ask(url, key, all_of), as_json)
        return
    text = content_of(content, "remem save")
    save_one = _save_text
    if is_url(text) and not as_text:
        save_one = _save_url_later if no_wait else _save_url
    work = _in_project(project, lambda remem, to: save_one(remem, text, fields | to))
    _print_saved(ask(url, key, work), as_json)


def recall(
    query: Annotated[str, typer.Argument(help="What to search for, in your own words.")],
    project: InProject = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="The maximum number of results.")] = 5,
    mode: HowHard = Mode.BALANCED,
    tokens: Tokens = None,
    kind: Annotated[
        Kind | None, typer.Option(help="Documents or memories only; both if absent.")
    ] = None,
    weak: Annotated[bool, typer.Option("--weak", help="Include unlikely results.")] = False,
    tag: Tags = None,
    category: Category = None,
    since: Since = None,
    until: Until = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Search documents and memories. Exits with 3 if nothing is found.

    Examples: remem recall "how do I get into the house?" · remem recall "the budget" --since "last
    week"
    """
    asked: dict[str, Any] = {"project": project, "limit": limit, "mode": mode.value}
    asked |= {"max_tokens": tokens, "weak": weak, "kinds": [kind.value] if kind else None}
    after, before = period(since, until)
    categories = [category] if category else None
    chosen = {"tags": tag, "category": categories}
    asked["filters"] = given({"created_after": after, "created_before": before, **chosen})
    _print_found(ask(url, key, lambda remem: remem.recall(query, **asked)), query, as_json)


def _print_found(found: dict[str, Any], query: str, as_json: bool) -> None:
    if as_json:
        print_json(found)
    elif found["context"] and found["results"]:
        say(found["context"]["text"])
    else:
        print_results(found["results"], query)
    if not found["results"]:
        raise typer.Exit(NOTHING_FOUND)


def _paths(words: list[str]) -> list[Path]:
    """The files and folders that are meant, or none when it is text."""
    # A text can be no path at all: too long for a name, or with a ~ before what is nobody's name.
    paths = [Path(os.path.expanduser(word)) for word in words]  # noqa: PTH111
    there = [path for path in paths if os.path.exists(path)]  # noqa: PTH110
    if there and len(there) < len(paths):
        missing = next(path for path in paths if path not in there)
        fail(f"There is no file {missing}; nothing was saved.", MISUSED)
    if words and not there and all(looks_like_path(word) for word in words):
        fail(f"There is no file {words[0]}; with --text it is saved as text.", MISUSED)
    return there


def _in_project(
    ref: str | None, work: Callable[["AsyncRemem", dict[str, Any]], Awaitable[T]]
) -> Callable[["AsyncRemem"], Awaitable[T]]:
    """Work in the project that is named, which is made when there is none by that name."""

    async def with_project(remem: "AsyncRemem") -> T:
        slug = await _ensure_project(remem, ref) if ref else None
        return await work(remem, {"project": slug})

    return with_project


async def _ensure_project(remem: "AsyncRemem", ref: str) -> str:
    from remem.client.failures import NotFound

    try:
        return (await remem.projects.get(quote(ref, safe="")))["slug"]
    except NotFound:
        if _is_id(ref):
            raise
    made = await remem.projects.create(ref, slug=ref)
    print_note(f"Created the project {made['slug']}.")
    return made["slug"]


def _is_id(ref: str) -> bool:
    from uuid import UUID

    try:
        UUID(ref)
    except ValueError:
        return False
    return True


async def _save_text(remem: "AsyncRemem", content: str, fields: dict[str, Any]) -> dict[str, Any]:
    return await remem.save(content, **fields)


async def _save_url(remem: "AsyncRemem", url: str, fields: dict[str, Any]) -> dict[str, Any]:
    saved = await _save_url_later(remem, url, fields)
    return await settled(remem, saved["id"])


async def _save_url_later(remem: "AsyncRemem", url: str, fields: dict[str, Any]) -> dict[str, Any]:
    saved = await remem.save_url(url, container=fields["project"], tags=fields["tags"] or [])
    return {**saved, "title": url}


def _print_saved(saved: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(saved)
    elif saved["status"] != "failed":
        verb = "Known already" if saved.get("duplicate") else "Saved"
        state = "" if saved["status"] == "done" else f", {saved['status']}"
        say(f"{verb}: {saved['title']} ({saved['id']}{state})")
    if saved["status"] == "failed":
        fail(saved["error_message"])
    if saved["status"] != "done" and "error_message" in saved:
        fail(why_not_done(saved), NOT_DONE)


def _report(summary: "Summary", as_json: bool) -> None:
    if as_json:
        print_json(summary.as_json())
    else:
        say(summary.sentence())
        for path, reason in (*summary.failed, *summary.waiting):
            say(f"  {path}: {reason}")
    if summary.failed:
        raise typer.Exit(FAILED)
    if summary.waiting:
        raise typer.Exit(NOT_DONE)


def print_results(results: list[dict[str, Any]], query: str) -> None:
    """For people a few lines a result; into a pipe one line, with tabs between."""
    texts = [_best(result, query) for result in results]
    if not out.is_terminal:
        rows = [
            (
                short_id(one["id"]),
                f"{one['score']:.2f}",
                one["kind"],
                one["title"],
                with_notes(text, _best_chunk(one)),
            )
            for one, text in zip(results, texts, strict=True)
        ]
        print_table([], rows, "Nothing found.")
        return
    if not results:
        say("Nothing found.")
    for place, (result, text) in enumerate(zip(results, texts, strict=True), start=1):
        weak = "  weak" if result["weak"] else ""
        newer, times = replacement(_best_chunk(result)), stored_times(_best_chunk(result))
        source = result["source_url"] or result["created_at"][:10]
        say(f"{place}. {result['title']}", style="bold")
        about = f"{result['score']:.2f}  {result['kind']} {short_id(result['id'])}  {source}{weak}"
        say(f"   {about}{f'  {times}' if times else ''}", style="dim")
        if text != result["title"]:
            say(f"   {text}")
        if newer:
            say(f"   Outdated: {newer}")


def _best_chunk(result: dict[str, Any]) -> dict[str, Any]:
    return max(result["chunks"], key=lambda chunk: chunk["score"])


def _best(result: dict[str, Any], query: str) -> str:
    """What the best chunk says about the query, in a line."""
    best = _best_chunk(result)
    text = best["content"]
    if len(text) > SHOWN_CHARS:
        from remem.core.search.excerpt import statement

        memories = [memory["content"] for memory in best["memories"]]
        text = statement(text, memories, query, SHOWN_CHARS)
    return " ".join(text.split())
