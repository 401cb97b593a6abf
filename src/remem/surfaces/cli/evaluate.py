"""`remem eval`: how well your own questions are found, and whether a change made it worse."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Json, Key, Url, run_with_client
from remem.surfaces.cli.output import MISUSED, NOT_DONE, fail, print_json, print_table, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem
    from remem.core.evaluation.score import FoundSource
    from remem.core.question_file import Question

_BASELINE = ".baseline.json"


def evaluate(
    file: Annotated[Path, typer.Argument(help="A TOML file of questions; see docs/eval.md.")],
    save: Annotated[
        bool, typer.Option("--save", help="Save the result as the baseline, next to the file.")
    ] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare with the baseline; exit with 5 after a loss.")
    ] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Ask your own questions, and count how often the expected source is among the first results.

    Example: remem eval questions.toml --save
    """
    from remem.core.errors import Invalid
    from remem.core.evaluation.score import measures
    from remem.core.question_file import read_questions

    try:
        questions = read_questions(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{file} cannot be read: {error}.", MISUSED)
    except Invalid as error:
        fail(f"{file}: {error.message}", MISUSED)
    baseline = _read_baseline(file) if compare else None
    ranks = run_with_client(url, key, lambda remem: _ask_all(remem, questions))
    report: dict[str, Any] = {"questions": len(ranks), **measures(list(ranks.values()))}
    if baseline is not None:
        report |= _compare(baseline, ranks)
    if save:
        content = json.dumps({"ranks": ranks}, ensure_ascii=False, indent=2)
        _baseline_of(file).write_text(content + "\n", encoding="utf-8")
    _print({**report, "ranks": ranks}, baseline, as_json)
    if report.get("is_loss"):
        fail("More is lost than by chance.", NOT_DONE)


async def _ask_all(remem: "AsyncRemem", questions: "list[Question]") -> dict[str, int | None]:
    from remem.core.evaluation.score import DEPTH, rank_of

    ranks: dict[str, int | None] = {}
    for question in questions:
        body = {"query": question.ask, "limit": DEPTH, "mode": question.mode}
        if question.project:
            body["project"] = question.project
        reply = await remem.request("POST", "/v3/recall", json=body)
        ranks[question.ask] = rank_of(question, [_source(result) for result in reply["results"]])
    return ranks


def _source(result: dict[str, Any]) -> "FoundSource":
    from remem.core.evaluation.score import FoundSource

    texts = [chunk["content"] for chunk in result["chunks"]]
    texts += [memory["content"] for chunk in result["chunks"] for memory in chunk["memories"]]
    return FoundSource(result["id"], result["title"], "\n".join(texts))


def _compare(before: dict[str, int | None], ranks: dict[str, int | None]) -> dict[str, Any]:
    from remem.core.evaluation.score import compare_ranks

    comparison = compare_ranks(before, ranks)
    return {
        "lost": comparison.lost,
        "won": comparison.won,
        "chance": round(comparison.chance, 4),
        "is_loss": comparison.is_loss,
    }


def _baseline_of(file: Path) -> Path:
    return file.with_name(file.stem + _BASELINE)


def _read_baseline(file: Path) -> dict[str, int | None]:
    path = _baseline_of(file)
    try:
        ranks = json.loads(path.read_text(encoding="utf-8"))["ranks"]
        return {str(ask): rank for ask, rank in ranks.items() if rank is None or int(rank) > 0}
    except OSError:
        fail(f"There is no baseline {path}; run `remem eval {file} --save` first.", MISUSED)
    except (ValueError, KeyError, TypeError, AttributeError):
        fail(f"{path} is no baseline; run `remem eval {file} --save` again.", MISUSED)


def _print(report: dict[str, Any], before: dict[str, int | None] | None, as_json: bool) -> None:
    from remem.core.evaluation.score import measures

    if as_json:
        print_json(report)
        return
    ranks = report["ranks"]
    rows = [_row("now", report)]
    if before is not None:
        asked = [before[ask] for ask in ranks if ask in before]
        rows.insert(0, _row("before", {"questions": len(asked), **measures(asked)}))
    print_table(["", "questions", "first", "first 3", "first 10", "MRR"], rows, "")
    missed = [ask for ask, rank in ranks.items() if rank is None]
    for title, asks in (
        ("not found", missed),
        ("lost", report.get("lost", [])),
        ("won", report.get("won", [])),
    ):
        for ask in asks:
            say(f"{title}: {ask}")
    if before is not None:
        say(f"By chance alone, such a loss happens in {report['chance']:.0%} of cases.")


def _row(name: str, report: dict[str, Any]) -> tuple[object, ...]:
    shares = (f"{report[measure]:.0%}" for measure in ("hit@1", "hit@3", "hit@10"))
    return (name, report["questions"], *shares, f"{report['mrr']:.3f}")
