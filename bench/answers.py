"""How well questions are answered without a language model: the answer that is composed from the
search results, with times resolved, lists collected, and a refusal where nothing answers. Compared
with the reader's likeliest span in the first eight texts, and with the plain first text and first
five texts. Readings are cached in the folder --readings, so that a stopped run continues."""

import argparse
import json
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quality import DATA
from sets import locomo, longmemeval
from sets.f1 import f1_of, terms_of
from sets.files import data_files
from sets.readings import ReadQuestion, read_all

from remem.core.answers import compose, several
from remem.core.answers.model import Answer, Place, Reading
from remem.core.answers.say import is_unrelated

SETS = {"locomo": locomo.load, "longmemeval": longmemeval.load}
READINGS = Path(__file__).parents[1] / ".bench" / "answers"
READ_FIRST, BASELINE_READ, TOP = 10, 8, 5
KEPT_SHARES = (95, 90, 85, 80, 70, 60, 50)
CHOSEN_SHARE = 85
SEED = 14


@dataclass(frozen=True, slots=True)
class Result:
    """A question and its answer. `gold` is empty for an unanswerable question. `half` (0 or 1)
    splits the talks, or the questions where there is only one talk."""

    asked: ReadQuestion
    gold: str
    answer: Answer
    half: int

    @property
    def category(self) -> str:
        return self.asked.question.category

    @property
    def text(self) -> str:
        return self.answer.text or ""

    @property
    def confidence(self) -> float:
        return 0.0 if is_unrelated(self.answer) else self.answer.confidence


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--set", choices=SETS, action="append")
    parser.add_argument("--readings", type=Path, default=READINGS)
    parser.add_argument(
        "--minutes", type=float, help="stop reading after this time; 0 only reports"
    )
    parser.add_argument("--show", action="store_true", help="print every answer")
    args = parser.parse_args()
    # Keep the answers below the threshold too: the curve needs them.
    compose.MIN_LOG_ODDS = several.MIN_LOG_ODDS = -1e9
    figures = {}
    for name in args.set or list(SETS):
        talks = SETS[name](args.data)
        read_questions = read_all(args.readings, name, talks, args.minutes)
        total = sum(len(talk.questions) for talk in talks)
        print(f"\n{name}: {len(read_questions)} of {total} questions were read")
        results = answers(read_questions, GOLD[name](args.data))
        if results:
            figures[name] = report(name, results)
        if args.show:
            show(name, results)
    print(json.dumps(figures))


def answers(read_questions: Sequence[ReadQuestion], gold: Mapping[str, str]) -> list[Result]:
    talks = sorted({item.talk for item in read_questions})
    return [
        Result(
            item,
            gold.get(item.question.text, ""),
            answer(item),
            (talks.index(item.talk) if len(talks) > 1 else number) % 2,
        )
        for number, item in enumerate(read_questions)
    ]


def answer(item: ReadQuestion) -> Answer:
    question, readings = item.question, item.readings[:READ_FIRST]
    read_twice = item.read_twice[:READ_FIRST] or readings
    return compose.compose(question.text, question.asked_at, read_twice, readings)


def locomo_gold(data: Path) -> dict[str, str]:
    talks = [row for file in data_files(data / "locomo") for row in _read(file)]
    return {
        row["question"]: "" if str(row["category"]) == locomo.ADVERSARIAL else str(row["answer"])
        for talk in talks
        for row in talk["qa"]
        if "answer" in row or str(row["category"]) == locomo.ADVERSARIAL
    }


def longmemeval_gold(data: Path) -> dict[str, str]:
    rows = [row for file in data_files(data / "longmemeval") for row in _read(file)]
    return {
        row["question"]: "" if row["question_id"].endswith("_abs") else str(row["answer"])
        for row in rows
    }


GOLD = {"locomo": locomo_gold, "longmemeval": longmemeval_gold}


def _read(file: Path) -> list[dict[str, Any]]:
    return json.loads(file.read_text())


def likeliest(item: ReadQuestion) -> str:
    """The likeliest span of the first texts, word for word."""
    spans: list[tuple[Reading, Place]] = [
        (reading, place) for reading in item.readings[:BASELINE_READ] for place in reading.places
    ]
    if not spans:
        return ""
    reading, place = max(spans, key=lambda span: span[1].confidence)
    return reading.source.content[place.start : place.end]


def first(item: ReadQuestion, count: int) -> str:
    return " ".join(reading.source.content for reading in item.readings[:count])


WAYS: dict[str, Callable[[Result], str]] = {
    "answer": lambda result: result.text,
    "likeliest span": lambda result: likeliest(result.asked),
    "top 1": lambda result: first(result.asked, 1),
    "top 5": lambda result: first(result.asked, TOP),
}


def contains(text: str, gold: str) -> bool:
    """Whether the text contains the gold answer, both stemmed and without articles and marks."""
    return f" {' '.join(terms_of(gold))} " in f" {' '.join(terms_of(text))} "


def report(name: str, results: Sequence[Result]) -> dict[str, object]:
    answerable = [result for result in results if result.gold]
    print(f"{len(answerable)} answerable, {len(results) - len(answerable)} not")
    print(f"{'token F1':>28}" + "".join(f"{way:>16}" for way in WAYS))
    figures: dict[str, object] = {}
    for category in [*sorted({result.category for result in answerable}), "all"]:
        group = [result for result in answerable if category in ("all", result.category)]
        row = {way: _f1(name, group, text) for way, text in WAYS.items()}
        print(f"{category:>28}" + "".join(f"{mean:16.1f}" for mean, _ in row.values()), len(group))
        figures[category] = {way: round(mean, 1) for way, (mean, _) in row.items()}
    print(
        f"{'95 %':>28}" + "".join(f"{'± ' + format(error, '.1f'):>16}" for _, error in row.values())
    )
    contained = {
        way: 100 * statistics.mean(contains(text(result), result.gold) for result in answerable)
        for way, text in WAYS.items()
    }
    print(
        f"{'gold word for word, %':>28}" + "".join(f"{share:16.1f}" for share in contained.values())
    )
    figures["contains"] = {way: round(share, 1) for way, share in contained.items()}
    figures["refused"] = refusals(results)
    figures["halves"] = halves(name, results)
    return figures


def _f1(name: str, results: Sequence[Result], text: Callable[[Result], str]) -> tuple[float, float]:
    scores = [100 * f1_of(name, result.category, text(result), result.gold) for result in results]
    error = 1.96 * statistics.stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 0.0
    return statistics.mean(scores), error


def refusals(results: Sequence[Result]) -> dict[str, float]:
    """The share of unanswerable questions refused, by the share of answerable ones kept."""
    figures: dict[str, float] = {}
    others = [result.confidence for result in results if not result.gold]
    if not others:
        return figures
    print(f"{'answerable kept':>28}{'refused':>16}")
    for share in KEPT_SHARES:
        minimum = threshold(results, share)
        refused = 100 * statistics.mean(confidence < minimum for confidence in others)
        print(f"{share:>26} %{refused:14.1f} %")
        figures[f"{share} % kept"] = round(refused, 1)
    return figures


def threshold(results: Sequence[Result], share: float) -> float:
    confidences = sorted(result.confidence for result in results if result.gold)
    return confidences[round((1 - share / 100) * (len(confidences) - 1))]


def halves(name: str, results: Sequence[Result]) -> list[dict[str, float]]:
    """Choose the threshold on one half and measure it on the other; a refusal scores 0."""
    figures = []
    for half in (0, 1):
        chosen = [result for result in results if result.half == half]
        other = [result for result in results if result.half != half]
        if not any(result.gold for result in chosen) or not any(
            not result.gold for result in other
        ):
            continue
        minimum = threshold(chosen, CHOSEN_SHARE)
        answerable = [result for result in other if result.gold]
        kept = [result for result in answerable if result.confidence >= minimum]
        scores = [f1_of(name, result.category, result.text, result.gold) for result in kept]
        refused = [result.confidence < minimum for result in other if not result.gold]
        row = {
            "kept": 100 * len(kept) / len(answerable),
            "refused": 100 * statistics.mean(refused),
            "F1": 100 * sum(scores) / len(answerable),
            "contains": 100
            * sum(contains(result.text, result.gold) for result in kept)
            / len(answerable),
        }
        described = ", ".join(f"{key} {value:.1f}" for key, value in row.items())
        print(f"chosen on half {half}, on the other: {described}")
        figures.append({key: round(value, 1) for key, value in row.items()})
    return figures


def show(name: str, results: Sequence[Result]) -> None:
    for result in random.Random(SEED).sample(list(results), len(results)):
        score = 100 * f1_of(name, result.category, result.text, result.gold) if result.gold else 0.0
        line = [result.category, round(score), result.asked.question.text, result.gold, result.text]
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
