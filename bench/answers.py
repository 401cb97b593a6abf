"""How well questions are answered without a language model: what is read out of what was found,
with its times resolved, lists gathered, and refusals where nothing answers. Beside it the span that
the reader finds likeliest in the first eight texts, and the first text and the first five as they
stand. What is read is kept below --readings, so that a run that was stopped goes on."""

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
from sets.readings import Asked, read_all

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
    """A question with what was answered; `gold` is empty where nothing can be answered. `half` is
    the one of two that it is in: of the talks, or of the questions where there is one talk."""

    asked: Asked
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
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--set", choices=SETS, action="append")
    arguments.add_argument("--readings", type=Path, default=READINGS)
    arguments.add_argument("--minutes", type=float, help="read for so long; 0 only reports")
    arguments.add_argument("--show", action="store_true", help="print every answer")
    chosen = arguments.parse_args()
    # What is below the threshold is looked at as well, to draw the curve.
    compose.MIN_LOG_ODDS = several.MIN_LOG_ODDS = -1e9
    figures = {}
    for name in chosen.set or list(SETS):
        talks = SETS[name](chosen.data)
        asked = read_all(chosen.readings, name, talks, chosen.minutes)
        every = sum(len(talk.questions) for talk in talks)
        print(f"\n{name}: {len(asked)} of {every} questions were read")
        results = answers(asked, GOLD[name](chosen.data))
        if results:
            figures[name] = report(name, results)
        if chosen.show:
            show(name, results)
    print(json.dumps(figures))


def answers(asked: Sequence[Asked], gold: Mapping[str, str]) -> list[Result]:
    talks = sorted({one.talk for one in asked})
    return [
        Result(
            one,
            gold.get(one.question.text, ""),
            answer(one),
            (talks.index(one.talk) if len(talks) > 1 else number) % 2,
        )
        for number, one in enumerate(asked)
    ]


def answer(one: Asked) -> Answer:
    question, readings = one.question, one.readings[:READ_FIRST]
    read_twice = one.read_twice[:READ_FIRST] or readings
    return compose.compose(question.text, question.asked_at, read_twice, readings)


def locomo_gold(data: Path) -> dict[str, str]:
    talks = [one for file in data_files(data / "locomo") for one in _read(file)]
    return {
        one["question"]: "" if str(one["category"]) == locomo.ADVERSARIAL else str(one["answer"])
        for talk in talks
        for one in talk["qa"]
        if "answer" in one or str(one["category"]) == locomo.ADVERSARIAL
    }


def longmemeval_gold(data: Path) -> dict[str, str]:
    rows = [one for file in data_files(data / "longmemeval") for one in _read(file)]
    return {
        row["question"]: "" if row["question_id"].endswith("_abs") else str(row["answer"])
        for row in rows
    }


GOLD = {"locomo": locomo_gold, "longmemeval": longmemeval_gold}


def _read(file: Path) -> list[dict[str, Any]]:
    return json.loads(file.read_text())


def likeliest(one: Asked) -> str:
    """The likeliest span of the first texts, as it stands."""
    spans: list[tuple[Reading, Place]] = [
        (reading, place) for reading in one.readings[:BASELINE_READ] for place in reading.places
    ]
    if not spans:
        return ""
    reading, place = max(spans, key=lambda span: span[1].confidence)
    return reading.source.content[place.start : place.end]


def first(one: Asked, count: int) -> str:
    return " ".join(reading.source.content for reading in one.readings[:count])


WAYS: dict[str, Callable[[Result], str]] = {
    "answer": lambda one: one.text,
    "likeliest span": lambda one: likeliest(one.asked),
    "top 1": lambda one: first(one.asked, 1),
    "top 5": lambda one: first(one.asked, TOP),
}


def contains(text: str, gold: str) -> bool:
    """Whether the gold stands in the text word for word, stemmed, without articles and marks."""
    return f" {' '.join(terms_of(gold))} " in f" {' '.join(terms_of(text))} "


def report(name: str, results: Sequence[Result]) -> dict[str, object]:
    answerable = [one for one in results if one.gold]
    print(f"{len(answerable)} answerable, {len(results) - len(answerable)} not")
    print(f"{'token F1':>28}" + "".join(f"{way:>16}" for way in WAYS))
    figures: dict[str, object] = {}
    for category in [*sorted({one.category for one in answerable}), "all"]:
        of = [one for one in answerable if category in ("all", one.category)]
        row = {way: _f1(name, of, text) for way, text in WAYS.items()}
        print(f"{category:>28}" + "".join(f"{mean:16.1f}" for mean, _ in row.values()), len(of))
        figures[category] = {way: round(mean, 1) for way, (mean, _) in row.items()}
    print(f"{'95 %':>28}" + "".join(f"{'± ' + format(e, '.1f'):>16}" for _, e in row.values()))
    stands = {
        way: 100 * statistics.mean(contains(text(one), one.gold) for one in answerable)
        for way, text in WAYS.items()
    }
    print(f"{'gold word for word, %':>28}" + "".join(f"{one:16.1f}" for one in stands.values()))
    figures["contains"] = {way: round(share, 1) for way, share in stands.items()}
    figures["refused"] = refusals(results)
    figures["halves"] = halves(name, results)
    return figures


def _f1(name: str, results: Sequence[Result], text: Callable[[Result], str]) -> tuple[float, float]:
    each = [100 * f1_of(name, one.category, text(one), one.gold) for one in results]
    error = 1.96 * statistics.stdev(each) / len(each) ** 0.5 if len(each) > 1 else 0.0
    return statistics.mean(each), error


def refusals(results: Sequence[Result]) -> dict[str, float]:
    """What share of the unanswerable is refused where so much of the answerable is kept."""
    figures: dict[str, float] = {}
    others = [one.confidence for one in results if not one.gold]
    if not others:
        return figures
    print(f"{'answerable kept':>28}{'refused':>16}")
    for share in KEPT_SHARES:
        least = threshold(results, share)
        refused = 100 * statistics.mean(one < least for one in others)
        print(f"{share:>26} %{refused:14.1f} %")
        figures[f"{share} % kept"] = round(refused, 1)
    return figures


def threshold(results: Sequence[Result], share: float) -> float:
    kept = sorted(one.confidence for one in results if one.gold)
    return kept[round((1 - share / 100) * (len(kept) - 1))]


def halves(name: str, results: Sequence[Result]) -> list[dict[str, float]]:
    """The threshold chosen on one half, and what it does on the other: refused ones count 0."""
    figures = []
    for half in (0, 1):
        chosen = [one for one in results if one.half == half]
        other = [one for one in results if one.half != half]
        if not any(one.gold for one in chosen) or not any(not one.gold for one in other):
            continue
        least = threshold(chosen, CHOSEN_SHARE)
        answerable = [one for one in other if one.gold]
        kept = [one for one in answerable if one.confidence >= least]
        scores = [f1_of(name, one.category, one.text, one.gold) for one in kept]
        rest = [one.confidence < least for one in other if not one.gold]
        row = {
            "kept": 100 * len(kept) / len(answerable),
            "refused": 100 * statistics.mean(rest),
            "F1": 100 * sum(scores) / len(answerable),
            "contains": 100 * sum(contains(one.text, one.gold) for one in kept) / len(answerable),
        }
        described = ", ".join(f"{key} {value:.1f}" for key, value in row.items())
        print(f"chosen on half {half}, on the other: {described}")
        figures.append({key: round(value, 1) for key, value in row.items()})
    return figures


def show(name: str, results: Sequence[Result]) -> None:
    for one in random.Random(SEED).sample(list(results), len(results)):
        score = 100 * f1_of(name, one.category, one.text, one.gold) if one.gold else 0.0
        line = [one.category, round(score), one.asked.question.text, one.gold, one.text]
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
