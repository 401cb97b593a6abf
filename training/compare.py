"""Compares how weights rank and read LoCoMo's development questions, in seconds on a GPU.

    .venv/bin/python training/compare.py pack     writes the results of `candidates.py` as token ids
    python compare.py FOLDER ...                  on the GPU: measures exported weights, and means

For evaluation only. Weights are not rounded, and `ask`'s composition of answers is left out: use
the figures as differences, not as absolute values."""

import collections
import itertools
import json
import lzma
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ROOT = HERE.parent
PACKED = "locomo.json.xz"
BATCH, MAX_TOKENS, MAX_SPAN = 512, 224, 30
CLS, SEP = 101, 102
# The parameters with which `best` ranks a talk, and how many of its first results are read.
RELEVANCE_WEIGHT, CHECKED, ANSWER_WEIGHT, READ_FIRST, RANK_PENALTY = 0.6, 16, 0.25, 10, 0.25
ODDS = (-12.0, 20.0)

Pair = tuple[list[int], list[int]]


def pack() -> None:
    from evaluate import turns_before
    from tokenizers import Tokenizer

    from remem.core.search.policy import POLICY
    from remem.core.search.rerank import BEFORE_CHARS, RankedText, max_texts

    tokenizer = Tokenizer.from_file(str(ROOT / "src/remem/models/minilm/tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    before, places = turns_before(ROOT.parent / "shared" / "data"), {}
    rows = []
    for line in (ROOT / ".bench/reader/locomo.jsonl").read_text().splitlines():
        question = json.loads(line)
        texts = [
            RankedText(
                candidate["text"],
                before.get((question["talk"], candidate["id"]), "")[-BEFORE_CHARS:],
            )
            for candidate in question["found"][: POLICY.talk_first]
        ]
        texts = texts[: max_texts(texts)]
        row = {
            "whole": [places.setdefault(text.reader_input, len(places)) for text in texts],
            "said": [places.setdefault(text.text, len(places)) for text in texts],
            "scores": [candidate["score"] for candidate in question["found"][: len(texts)]],
            "ids": [candidate["id"] for candidate in question["found"]],
        }
        for name in ("question", "answer"):
            row[name] = tokenizer.encode(question[name], add_special_tokens=False).ids
        rows.append(row | {"gold": question["gold"], "category": question["category"]})
    texts = [
        candidate.ids
        for candidate in tokenizer.encode_batch(list(places), add_special_tokens=False)
    ]
    packed = lzma.compress(json.dumps({"rows": rows, "texts": texts}).encode())
    (ROOT / ".bench/reader/pack" / PACKED).write_bytes(packed)


def measure(state: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Recall and rank of the gold, the F1 of the likeliest span by category, and how well the odds
    separate answerable from unanswerable questions."""
    import torch
    from network import Reader

    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = Reader().to(device).eval()
    network.load_state_dict({name: torch.as_tensor(value) for name, value in state.items()})
    data = json.loads(lzma.decompress((HERE / PACKED).read_bytes()))
    scores = collections.defaultdict(list)
    answered: dict[bool, list[float]] = {True: [], False: []}
    for row, read in zip(data["rows"], _read(network, device, data), strict=True):
        order, best = _ordered(row, read)
        odds, span = max(((read[n][1] - RANK_PENALTY * at, n) for at, n in enumerate(best)))
        answered[row["category"] != "5"].append(odds)
        if row["category"] == "5":
            continue
        first, last = read[span][2]
        tokens = data["texts"][row["said"][span]][first : last + 1]
        scores[f"F1 {row['category']}"].append(_f1(tokens, row["answer"]))
        ids, gold = [row["ids"][n] for n in order], set(row["gold"])
        scores["R@10"].append(len(gold & set(ids[:10])) / max(1, len(gold)))
        scores["MRR"].append(next((1 / at for at, id in enumerate(ids, 1) if id in gold), 0.0))
    known, unknown = np.array(answered[True]), np.array(answered[False])
    scores["AUC"].append(float((known[:, None] > unknown[None]).mean()))
    return {name: round(100 * float(np.mean(values)), 2) for name, values in scores.items()}


def _ordered(row: dict[str, Any], read: Sequence[Any]) -> tuple[list[int], list[int]]:
    relevance, scores = np.array([reading[0] for reading in read]), np.array(row["scores"])
    mixed = (1 - RELEVANCE_WEIGHT) * _z(scores) + RELEVANCE_WEIGHT * _z(relevance)
    places = np.argsort(-mixed, kind="stable").tolist()
    first = places[:CHECKED]
    odds = np.clip([read[n][1] for n in first], *ODDS)
    answer_score = _z(relevance[first]) + ANSWER_WEIGHT * _z(odds)
    again = (1 - RELEVANCE_WEIGHT) * _z(scores[first]) + RELEVANCE_WEIGHT * _z(answer_score)
    order = [first[n] for n in np.argsort(-again, kind="stable")]
    rest = range(len(read), len(row["ids"]))
    return [*order, *places[CHECKED:], *rest], order[:READ_FIRST]


def _z(values: np.ndarray) -> np.ndarray:
    spread = values.std()
    return (values - values.mean()) / spread if spread > 1e-9 else np.zeros_like(values)


def _f1(answer: list[int], gold: list[int]) -> float:
    shared = (collections.Counter(answer) & collections.Counter(gold)).total()
    return 2 * shared / (len(answer) + len(gold)) if shared else 0.0


def _read(network: Any, device: str, data: dict[str, Any]) -> Iterator[list[Any]]:
    """For each text of a question: its relevance together with the previous turn, and the odds and
    position of the likeliest span in the text alone."""
    pairs: list[Pair] = []
    for row in data["rows"]:
        texts = [data["texts"][n] for n in (*row["whole"], *row["said"])]
        pairs += [(row["question"], text) for text in texts]
    outputs = _outputs(network, device, pairs)
    at = 0
    for row in data["rows"]:
        count = len(row["whole"])
        context_outputs, alone_outputs = (
            outputs[at : at + count],
            outputs[at + count : at + 2 * count],
        )
        yield [
            (with_context[0], *alone[1:])
            for with_context, alone in zip(context_outputs, alone_outputs, strict=True)
        ]
        at += 2 * count


def _outputs(network: Any, device: str, pairs: Sequence[Pair]) -> list[Any]:
    import torch
    from batches import padded

    order = sorted(range(len(pairs)), key=lambda n: sum(map(len, pairs[n])))
    results: list[Any] = [None] * len(pairs)
    for start in range(0, len(order), BATCH):
        numbers = order[start : start + BATCH]
        sequences, seconds = [], []
        for question, text in (pairs[n] for n in numbers):
            room = MAX_TOKENS - 3 - len(question)
            sequences.append([CLS, *question, SEP, *text[:room], SEP])
            seconds.append(len(question) + 2)
        batch = padded(sequences, seconds)
        inputs = [torch.from_numpy(batch[name]).to(device).long() for name in batch]
        with torch.no_grad():
            read = [output.float().cpu().numpy() for output in network(*inputs)]
        for row, n in enumerate(numbers):
            last = len(sequences[row]) - 1
            results[n] = _span(*(output[row] for output in read), seconds[row], last)
    return results


def _span(relevance: float, start: np.ndarray, end: np.ndarray, first: int, last: int) -> Any:
    total = start[first:last, None] + end[None, first:last]
    length = np.arange(last - first)
    width = length[None] - length[:, None]
    total = np.where((width >= 0) & (width < MAX_SPAN), total, -1e9)
    place = np.unravel_index(int(total.argmax()), total.shape) if total.size else (0, 0)
    odds = float(total[place] - start[0] - end[0]) if total.size else ODDS[0]
    return float(relevance), odds, tuple(map(int, place))


def main() -> None:
    if sys.argv[1:] == ["pack"]:
        pack()
        return
    from start import mean_weights

    folders = sys.argv[1:]
    for count in range(1, len(folders) + 1):
        for names in itertools.combinations(folders, count):
            mean = mean_weights([(Path(name), 1) for name in names])
            print(json.dumps([names, measure(mean)]), flush=True)


if __name__ == "__main__":
    main()
