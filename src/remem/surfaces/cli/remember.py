"""`remem save` and `remem recall`."""

import os
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import quote

import typer

from remem.surfaces.cli.context import Call, InProject, drop_unset
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
from remem.surfaces.cli.waiting import wait_until_processed, why_not_done
from remem.surfaces.duplicate_notes import duplicate_note
from remem.surfaces.hit_notes import replacement, stored_times, with_notes

if TYPE_CHECKING:
    from remem.client import AsyncRemem
    from remem.surfaces.cli.saving import Summary

T = TypeVar("T")


class Kind(StrEnum):
    DOCUMENT = "document"
    MEMORY = "memory"


# The API's limit. Importing it from the core would slow the start of every command.
TOKENS_MAX = 100_000
SHOWN_CHARS = 300
SearchMode = Annotated[
    Mode,
    typer.Option(help="Words only, words and meaning, linked memories too, or reranked."),
]
Tokens = Annotated[
    int | None,
    typer.Option(
        min=50, max=TOKENS_MAX, help="Print a context for a model, of at most this many tokens."
    ),
]


def save(
    call: Call,
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
    mine: Annotated[
        bool, typer.Option("--mine", help='I wrote these files or this page: "my" in them is mine.')
    ] = False,
    unread: Annotated[
        bool, typer.Option("--unread", help="Mark a text or a page as unread, to read it later.")
    ] = False,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Do not wait until everything can be found.")
    ] = False,
) -> None:
    """Save text, a file, a folder, or a web page.

    Examples: remem save "The door code is 4711" --tag home · remem save notes/ · remem save
    https://example.org/article
    """
    fields: dict[str, Any] = {"title": title, "tags": tag}
    metadata = {"speaker": "user"} if mine else {}
    if paths := [] if as_text else _paths(content or []):
        from remem.surfaces.cli.saving import save_files

        wait = not no_wait
        work_on_files = _in_project(
            project, lambda remem, target: save_files(remem, paths, fields | target, metadata, wait)
        )
        _report(call.run(work_on_files), call.as_json)
        return
    text = content_of(content, "remem save")
    if mine:
        fields["metadata"] = metadata
    if unread:
        fields["unread"] = True
    save_one = _save_text
    if is_url(text) and not as_text:
        save_one = _save_url_later if no_wait else _save_url
    work = _in_project(project, lambda remem, target: save_one(remem, text, fields | target))
    _print_saved(call.run(work), call.as_json)


def recall(
    call: Call,
    query: Annotated[str, typer.Argument(help="What to search for, in your own words.")],
    project: InProject = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="The maximum number of results.")] = 5,
    mode: SearchMode = Mode.BALANCED,
    tokens: Tokens = None,
    kind: Annotated[
        Kind | None, typer.Option(help="Documents or memories only; both if absent.")
    ] = None,
    weak: Annotated[bool, typer.Option("--weak", help="Include unlikely results.")] = False,
    tag: Tags = None,
    category: Category = None,
    since: Since = None,
    until: Until = None,
) -> None:
    """Search documents and memories. Exits with 3 if nothing is found.

    Examples: remem recall "how do I get into the house?" · remem recall "the budget" --since "last
    week"
    """
    options: dict[str, Any] = {"project": project, "limit": limit, "mode": mode.value}
    options |= {"max_tokens": tokens, "weak": weak, "kinds": [kind.value] if kind else None}
    after, before = period(since, until)
    categories = [category] if category else None
    other_filters = {"tags": tag, "category": categories}
    options["filters"] = drop_unset(
        {"created_after": after, "created_before": before, **other_filters}
    )
    _print_found(call.run(lambda remem: remem.recall(query, **options)), query, call.as_json)


def _print_found(reply: dict[str, Any], query: str, as_json: bool) -> None:
    if as_json:
        print_json(reply)
    elif reply["context"] and reply["results"]:
        say(reply["context"]["text"])
    else:
        print_results(reply["results"], query)
    if not reply["results"]:
        raise typer.Exit(NOTHING_FOUND)


def _paths(words: list[str]) -> list[Path]:
    """Return the files and folders that the words name, or none if they are text."""
    # Some texts are not valid paths: too long for a name, or `~` followed by an unknown user.
    paths = [Path(os.path.expanduser(word)) for word in words]  # noqa: PTH111
    existing = [path for path in paths if os.path.exists(path)]  # noqa: PTH110
    if existing and len(existing) < len(paths):
        missing = next(path for path in paths if path not in existing)
        fail(f"There is no file {missing}; nothing was saved.", MISUSED)
    if words and not existing and all(looks_like_path(word) for word in words):
        fail(f"There is no file {words[0]}; with --text it is saved as text.", MISUSED)
    return existing


def _in_project(
    ref: str | None, work: Callable[["AsyncRemem", dict[str, Any]], Awaitable[T]]
) -> Callable[["AsyncRemem"], Awaitable[T]]:
    """Run `work` in the named project, which is created if it does not exist."""

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
    project = await remem.projects.create(ref, slug=ref)
    print_note(f"Created the project {project['slug']}.")
    return project["slug"]


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
    return await wait_until_processed(remem, saved["id"])


async def _save_url_later(remem: "AsyncRemem", url: str, fields: dict[str, Any]) -> dict[str, Any]:
    options = {"tags": fields["tags"] or [], "metadata": fields.get("metadata", {})}
    options["unread"] = fields.get("unread", False)
    saved = await remem.save_url(url, container=fields["project"], **options)
    return {**saved, "title": url}


def _print_saved(saved: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(saved)
    elif saved["status"] != "failed":
        verb = "Known already" if saved.get("duplicate") else "Saved"
        state = "" if saved["status"] == "done" else f", {saved['status']}"
        note = f"; {changes}" if (changes := duplicate_note(saved)) else ""
        say(f"{verb}: {saved['title']} ({saved['id']}{state}){note}")
    if saved["status"] == "failed":
        fail(saved["error_message"])
    if saved["status"] != "done" and "error_message" in saved:
        fail(why_not_done(saved), NOT_DONE)


def _report(summary: "Summary", as_json: bool) -> None:
    if as_json:
        print_json(summary.as_json())
    else:
        say(summary.sentence())
        for path, reason in (*summary.notes, *summary.failed, *summary.waiting):
            say(f"  {path}: {reason}")
    if summary.failed:
        raise typer.Exit(FAILED)
    if summary.waiting:
        raise typer.Exit(NOT_DONE)


def print_results(results: list[dict[str, Any]], query: str) -> None:
    """Print a few lines per result for people, or one tab-separated line into a pipe."""
    texts = [_best_excerpt(result, query) for result in results]
    if not out.is_terminal:
        rows = [
            (
                short_id(result["id"]),
                f"{result['score']:.2f}",
                result["kind"],
                result["title"],
                with_notes(text, _best_chunk(result)),
            )
            for result, text in zip(results, texts, strict=True)
        ]
        print_table([], rows, "Nothing found.")
        return
    if not results:
        say("Nothing found.")
    for number, (result, text) in enumerate(zip(results, texts, strict=True), start=1):
        weak = "  weak" if result["weak"] else ""
        newer_memory, times = replacement(_best_chunk(result)), stored_times(_best_chunk(result))
        source = result["source_url"] or result["created_at"][:10]
        say(f"{number}. {result['title']}", style="bold")
        details = (
            f"{result['score']:.2f}  {result['kind']} {short_id(result['id'])}  {source}{weak}"
        )
        say(f"   {details}{f'  {times}' if times else ''}", style="dim")
        if text != result["title"]:
            say(f"   {text}")
        if newer_memory:
            say(f"   Outdated: {newer_memory}")


def _best_chunk(result: dict[str, Any]) -> dict[str, Any]:
    return max(result["chunks"], key=lambda chunk: chunk["score"])


def _best_excerpt(result: dict[str, Any], query: str) -> str:
    """Return what the best chunk says about the query, on one line."""
    best = _best_chunk(result)
    from remem.core.search.excerpt import readable, statement

    text = readable(best["content"], result["content_type"])
    if len(text) > SHOWN_CHARS:
        memories = [readable(memory["content"], "memory") for memory in best["memories"]]
        text = statement(text, memories, query, SHOWN_CHARS)
    return " ".join(text.split())
