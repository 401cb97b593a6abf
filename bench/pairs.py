"""Whether everyday updates are noticed, and statements that only look like updates replace nothing.

The pairs of sets/pairs.toml and sets/blind_pairs.toml are judged by the rules alone, by the reader
alone, and by both as in the product. Rules and thresholds were chosen on pairs.toml; the `blind`
pairs were written before that and are used only for measuring."""

import argparse
import asyncio
import json
import statistics
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from remem.adapters.analysis.threads import ThreadAnalysis
from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.reader.local import LocalReader
from remem.core.judgements import NO_CONTEXT, KnownMemory
from remem.core.judges.by_reader import ReaderJudge
from remem.core.memories.rules.relate import relate
from remem.core.readings import Verdict

SETS = Path(__file__).parent / "sets"
FILES = {"seen": "pairs.toml", "unseen": "pairs.toml", "blind": "blind_pairs.toml"}
SAID_AT = datetime(2026, 1, 1, tzinfo=UTC)
WAYS = ("rules", "reader", "both")


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair, and which of the three judges call it an update."""

    pair: dict[str, str]
    rules: bool
    reader: bool
    both: bool
    took_ms: float


@dataclass(frozen=True, slots=True)
class Reading:
    """The two ports that are needed."""

    reader: LocalReader
    embedder: LocalEmbedder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=FILES, action="append")
    parser.add_argument("--models", type=Path, help="folder with reader/ and minilm/")
    parser.add_argument(
        "--show", action="store_true", help="print the pairs that are judged wrongly"
    )
    args = parser.parse_args()
    splits = args.split or ["seen", "unseen"]
    pairs = [pair for split in splits for pair in pairs_of(split)]
    judged = asyncio.run(judge(pairs, args.models))
    figures = {split: report(split, judged) for split in splits}
    if args.show:
        show(judged)
    print(json.dumps(figures))


def pairs_of(split: str) -> list[dict[str, str]]:
    pairs = tomllib.loads((SETS / FILES[split]).read_text())["pair"]
    return [pair for pair in pairs if pair["split"] == split]


async def judge(pairs: Sequence[dict[str, str]], models: Path | None = None) -> list[Judged]:
    reader, embedder = LocalReader(folder=models, deadline_s=60), LocalEmbedder()
    try:
        await reader.judge([""], "")
        return [await judge_one(Reading(reader, embedder), pair) for pair in pairs]
    finally:
        await reader.close()
        await embedder.close()


async def judge_one(reading: Reading, pair: dict[str, str]) -> Judged:
    old, new = await reading.embedder.embed([pair["old"], pair["new"]])
    known = KnownMemory(UUID(int=1), pair["old"], float(old @ new), SAID_AT)
    relations = relate(pair["new"], [known])
    started = time.perf_counter()
    [verdict] = await reading.reader.judge([pair["old"]], pair["new"])
    took_ms = (time.perf_counter() - started) * 1_000
    judge = ReaderJudge(ThreadAnalysis(), reader=reading.reader)
    both = await judge.relate(pair["new"], [known], NO_CONTEXT)
    return Judged(
        pair,
        rules=any(relation.action == "update" for relation in relations),
        reader=_says_update(verdict),
        both=any(relation.action == "update" for relation in both),
        took_ms=took_ms,
    )


def _says_update(verdict: Verdict) -> bool:
    return verdict.updates == max(verdict)


def report(split: str, judged: Sequence[Judged]) -> dict[str, object]:
    group = [result for result in judged if result.pair["split"] == split]
    updates = [result for result in group if result.pair["label"] == "update"]
    others = [result for result in group if result.pair["label"] != "update"]
    ms = statistics.median(result.took_ms for result in group)
    print(f"{split}: {len(updates)} updates, {len(others)} look-alikes, {ms:.0f} ms to read a pair")
    print(f"{'':10}{'noticed':>16}{'replaced wrongly':>20}")
    figures: dict[str, object] = {}
    for way in WAYS:
        noticed = sum(getattr(result, way) for result in updates)
        wrong = sum(getattr(result, way) for result in others)
        print(f"{way:10}{noticed:8} {noticed / max(1, len(updates)):6.1%}{wrong:20}")
        figures[way] = {
            "noticed": noticed,
            "of": len(updates),
            "wrong": wrong,
            "among": len(others),
        }
    print()
    return figures


def show(judged: Sequence[Judged]) -> None:
    for result in judged:
        if result.both != (result.pair["label"] == "update"):
            pair = result.pair
            print(
                f"{pair['split']} {pair['label']} ({pair['kind']}): {pair['old']} | {pair['new']}"
            )


if __name__ == "__main__":
    main()
