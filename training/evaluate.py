"""Evaluates a reader on LoCoMo's development questions, with the output of `candidates.py`.

    .venv/bin/python training/evaluate.py --models FOLDER [--minutes 10] [--out readings.json]

Each question's first candidates are ranked as in `best`, and the first of them are read. Prints
R@5, R@10 and MRR with 95 % intervals, for as many questions as there is time for, in a seeded
random order. FOLDER has `reader/` and `minilm/` as in the package. LoCoMo may not be used for
training."""

import argparse
import json
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from remem.adapters.reader.network import Network, load
from remem.core.search.evidence import z
from remem.core.search.policy import POLICY
from remem.core.search.rerank import BEFORE_CHARS, RankedText, _log_odds, max_texts, session_gain

READ_FIRST = 12
SEED = 14
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Read:
    """A question with its first candidates in the order of `best`, each with its answers."""

    question: dict[str, Any]
    found: list[dict[str, Any]]
    rank: int
    in_five: float
    in_ten: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--found", type=Path, default=ROOT / ".bench/reader/locomo.jsonl")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    questions = [json.loads(line) for line in args.found.read_text().splitlines()]
    random.Random(SEED).shuffle(questions)
    network, before = load(args.models), turns_before(args.data)
    until = time.monotonic() + 60 * args.minutes
    with ThreadPoolExecutor(2) as threads:
        results = threads.map(lambda result: _in_time(network, before, result, until), questions)
        read = [result for result in results if result is not None]
    answerable = [result for result in read if result.question["category"] != "5"]
    print(f"{len(answerable)} answerable of {len(read)} that were read", file=sys.stderr)
    show("R@5", [result.in_five for result in answerable])
    show("R@10", [result.in_ten for result in answerable])
    show("MRR", [1 / result.rank for result in answerable])
    if args.out:
        args.out.write_text(json.dumps([asdict(result) for result in read]))


def _in_time(
    network: Network, before: dict[tuple[str, str], str], question: dict[str, Any], until: float
) -> Read | None:
    return read_one(network, before, question) if time.monotonic() < until else None


def show(name: str, values: list[float]) -> None:
    error = 1.96 * float(np.std(values)) / max(1, len(values)) ** 0.5
    print(f"{name} {100 * float(np.mean(values)):.1f} ± {100 * error:.1f}")


def turns_before(data: Path) -> dict[tuple[str, str], str]:
    before = {}
    for talk in json.loads((data / "locomo" / "locomo-dev.json").read_text()):
        for name, turns in talk["conversation"].items():
            if name.startswith("session_") and isinstance(turns, list):
                texts = [f"{turn['speaker']}: {turn.get('text', '')}" for turn in turns]
                for turn, last in zip(turns[1:], texts, strict=False):
                    before[talk["sample_id"], turn["dia_id"]] = last
    return before


def read_one(
    network: Network, before: dict[tuple[str, str], str], question: dict[str, Any]
) -> Read:
    asked = question["question"]
    texts = [
        RankedText(
            candidate["text"], before.get((question["talk"], candidate["id"]), "")[-BEFORE_CHARS:]
        )
        for candidate in question["found"][: POLICY.talk_first]
    ]
    texts = texts[: max_texts(texts)]
    relevance = [network.relevance(asked, text.reader_input) for text in texts]
    scores = np.array([candidate["score"] for candidate in question["found"][: len(texts)]])
    mixed = (1 - POLICY.talk_weight) * z(scores) + POLICY.talk_weight * z(np.array(relevance))
    gain = session_gain(
        [candidate["id"].split(":")[0] for candidate in question["found"][: len(texts)]], mixed
    )
    mixed += gain
    places = np.argsort(-mixed, kind="stable").tolist()
    first = places[: POLICY.talk_again]
    answers = {n: network.answers(asked, texts[n].text) for n in first}
    odds = np.array(
        [max([POLICY.min_log_odds, *(_log_odds(a.confidence) for a in answers[n])]) for n in first]
    )
    answer_score = z(np.array([relevance[n] for n in first])) + POLICY.talk_answer * z(odds)
    final = (
        (1 - POLICY.talk_weight) * z(scores[first])
        + POLICY.talk_weight * z(answer_score)
        + gain[first]
    )
    order = [first[n] for n in np.argsort(-final, kind="stable")] + places[POLICY.talk_again :]
    order += list(range(len(texts), len(question["found"])))
    ids = [question["found"][n]["id"] for n in order]
    gold = set(question["gold"])
    rank = next((at for at, id in enumerate(ids, 1) if id in gold), 10**9)
    results = [
        question["found"][n] | {"relevance": relevance[n], "answers": answers[n]}
        for n in order[:READ_FIRST]
    ]
    fields = {name: question[name] for name in question if name != "found"}
    in_five, in_ten = (len(gold & set(ids[:most])) / max(1, len(gold)) for most in (5, 10))
    return Read(fields, results, rank, in_five, in_ten)


if __name__ == "__main__":
    main()
