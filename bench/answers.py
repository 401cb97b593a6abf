"""How well questions are answered without a language model: what is read out of what was found,
with its times resolved, lists gathered, and refusals where nothing answers. Beside it the baseline:
the span that the reader finds likeliest in the first eight texts, as it stands there."""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quality import DATA, Kept, keep
from sets import locomo, longmemeval
from sets.embeddings import CachedEmbedder
from sets.f1 import f1_of
from sets.model import Question

from remem.adapters.reader.local import LocalReader
from remem.bootstrap import ensure_owner_key, open_ports
from remem.core.answers import compose
from remem.core.answers.answer_question import answer_question
from remem.core.answers.model import Answer
from remem.core.identity.recognise import recognise_key
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.settings import load

SETS = {"locomo": locomo.load, "longmemeval": longmemeval.load}
BASELINE_READ = 8
KEPT_SHARES = (95, 90, 85, 80, 70, 60, 50)
SEED = 14


@dataclass(frozen=True, slots=True)
class Result:
    """A question with what was answered; `gold` is empty where nothing can be answered."""

    category: str
    question: str
    gold: str
    answer: Answer
    baseline: str
    confidence: float

    @property
    def answerable(self) -> bool:
        return bool(self.gold)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--set", choices=SETS, action="append")
    arguments.add_argument("--sample", type=int, help="so many questions of each set, by a seed")
    arguments.add_argument("--show", action="store_true", help="print every answer")
    chosen = arguments.parse_args()
    # What is below the threshold is looked at as well, to draw the curve.
    compose.LEAST, least = -1e9, compose.LEAST
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        results = asyncio.run(
            measure(Path(folder), chosen.data, chosen.set or list(SETS), chosen.sample)
        )
    figures = {name: report(name, of, least, show=chosen.show) for name, of in results.items()}
    print(json.dumps(figures))


async def measure(
    folder: Path, data: Path, sets: Sequence[str], sample: int | None
) -> dict[str, list[Result]]:
    settings = load(data_dir=folder)
    async with open_ports(settings) as opened:
        ports = replace(
            opened,
            reader=LocalReader(deadline_s=120),
            embedder=CachedEmbedder(opened.embedder),
        )
        key = await ensure_owner_key(ports, settings)
        scope = await recognise_key(ports, key or "")
        results: dict[str, list[Result]] = {}
        for name in sets:
            gold = GOLD[name](data)
            kept = [
                await keep(ports, scope, name, n, one) for n, one in enumerate(SETS[name](data))
            ]
            asked = chosen_of(kept, sample)
            results[name] = [await ask(ports, scope, one, each, gold) for one, each in asked]
    return results


def chosen_of(kept: Sequence[Kept], sample: int | None) -> list[tuple[Kept, Question]]:
    every = [(one, question) for one in kept for question in one.talk.questions]
    if sample is None or sample >= len(every):
        return every
    return random.Random(SEED).sample(every, sample)


def locomo_gold(data: Path) -> dict[str, str]:
    talks = [one for file in sorted((data / "locomo").glob("*.json")) for one in _read(file)]
    return {
        one["question"]: "" if str(one["category"]) == locomo.ADVERSARIAL else str(one["answer"])
        for talk in talks
        for one in talk["qa"]
        if "answer" in one or str(one["category"]) == locomo.ADVERSARIAL
    }


def longmemeval_gold(data: Path) -> dict[str, str]:
    rows = [one for file in sorted((data / "longmemeval").glob("*.json")) for one in _read(file)]
    return {
        row["question"]: "" if row["question_id"].endswith("_abs") else str(row["answer"])
        for row in rows
    }


GOLD = {"locomo": locomo_gold, "longmemeval": longmemeval_gold}


def _read(file: Path) -> list[dict[str, Any]]:
    return json.loads(file.read_text())


async def ask(
    ports: Ports, scope: Scope, kept: Kept, question: Question, gold: Mapping[str, str]
) -> Result:
    query = Query(question.text, kept.project, asked_at=question.asked_at)
    answer = await answer_question(ports, scope, query)
    assert ports.reader is not None
    texts = [source.content for source in answer.sources[:BASELINE_READ]]
    spans = await ports.reader.read(question.text, texts)
    baseline = texts[spans[0].text][spans[0].start : spans[0].end] if spans else ""
    return Result(
        question.category,
        question.text,
        gold.get(question.text, ""),
        answer,
        baseline,
        answer.confidence,
    )


def report(name: str, results: Sequence[Result], least: float, *, show: bool) -> dict[str, object]:
    answerable = [one for one in results if one.answerable]
    print(f"\n{name}: {len(answerable)} answerable, {len(results) - len(answerable)} not")
    print(f"{'token F1':>28}{'baseline':>12}{'answers':>12}{'':4}95 %")
    figures: dict[str, object] = {}
    for category in [*sorted({one.category for one in answerable}), "all"]:
        of = [one for one in answerable if category in ("all", one.category)]
        ours = [100 * f1_of(name, one.category, one.answer.text or "", one.gold) for one in of]
        theirs = [100 * f1_of(name, one.category, one.baseline, one.gold) for one in of]
        error = 1.96 * statistics.stdev(ours) / len(ours) ** 0.5 if len(ours) > 1 else 0.0
        mean, base = statistics.mean(ours), statistics.mean(theirs)
        print(f"{category:>28}{base:12.1f}{mean:12.1f} ± {error:.1f}{len(of):8}")
        figures[category] = {"baseline": round(base, 1), "answers": round(mean, 1)}
    figures["refusals"] = report_refusals(results, least)
    took = statistics.median(one.answer.took_ms for one in results)
    print(f"median {took:.0f} ms an answer")
    if show:
        for one in results:
            print(json.dumps([one.category, one.question, one.gold, one.answer.text, one.baseline]))
    return figures | {"ms": round(took)}


def report_refusals(results: Sequence[Result], least: float) -> dict[str, float]:
    """What share of the unanswerable is refused where so much of the answerable is kept."""
    kept = sorted(one.confidence for one in results if one.answerable)
    others = [one.confidence for one in results if not one.answerable]
    if not kept or not others:
        return {}
    figures = {}
    print(f"{'answerable kept':>28}{'refused':>12}")
    for share in KEPT_SHARES:
        threshold = kept[round((1 - share / 100) * (len(kept) - 1))]
        refused = 100 * sum(one < threshold for one in others) / len(others)
        print(f"{share:>26} %{refused:10.1f} %   at {threshold:.3f}")
        figures[f"{share} % kept"] = round(refused, 1)
    print(f"as shipped, from a score of {least} on")
    return figures


if __name__ == "__main__":
    main()
