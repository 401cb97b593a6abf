"""remem compared with mem0, Chroma and mcp-memory-service on the same turns of LoCoMo, with the
same embedding model, on one machine in one run: how fast they save and answer, and how much they
find."""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

import numpy as np
from peers import ours
from peers.child import Failed, run_peer
from peers.embedder import Embedder
from peers.environment import NotInstalled, environment
from peers.model import PeerQuestion, Text
from sets import locomo, measures
from sets.model import Question, Session, Talk, Turn

from remem.adapters.embedding.local import LocalEmbedder

DATA = Path(__file__).parents[2] / "shared" / "data"
WEIGHTS = Path(str(files("remem.models"))) / "minilm"
PEERS = {"chroma": "Chroma", "mem0": "mem0", "mcp_memory": "mcp-memory-service"}
MODES = ("balanced", "deep")
HEADS = ("save/s", "many/s", "p50 ms", "p95 ms", "model ms", "R@5", "R@10", "MRR", "5: R@10")


@dataclass(frozen=True, slots=True)
class Row:
    """`save_rate` is texts per second saved one by one, `many_rate` in bulk; `model_ms` is the time
    to embed one question alone, measured in the same run."""

    name: str
    save_rate: float | None
    many_rate: float | None
    p50_ms: float
    p95_ms: float
    model_ms: float
    recall_5: float
    recall_10: float
    mrr: float
    adversarial_recall_10: float


@dataclass(frozen=True, slots=True)
class Job:
    talks: Sequence[Talk]
    texts: Sequence[Text]
    asked: Sequence[tuple[str, Question]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--talks", type=int, default=2, help="how many, of five")
    parser.add_argument("--only", choices=STORES, action="append")
    args = parser.parse_args()
    talks = locomo.load(args.data)[: args.talks]
    if not talks:
        raise SystemExit(f"There is no locomo in {args.data}; nothing to do.")
    # onnxruntime would send telemetry from native code, which the guard below cannot see.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    job = job_of(talks)
    print(
        f"{len(job.texts)} turns of {len(talks)} talks, {len(job.asked)} questions, top 10.\n"
        "remem answers over HTTP with a key; the peers are called in process, which favours them.\n"
        f"\n{'':34}{''.join(f'{head:>9}' for head in HEADS)}"
    )
    rows = [row for name in args.only or STORES for row in measure(name, job)]
    print(json.dumps({row.name: asdict(row) for row in rows}))


def job_of(talks: Sequence[Talk]) -> Job:
    texts = [
        text_of(talk, session, turn)
        for talk in talks
        for session in talk.sessions
        for turn in session.turns
    ]
    return Job(talks, texts, [(talk.id, question) for talk in talks for question in talk.questions])


def text_of(talk: Talk, session: Session, turn: Turn) -> Text:
    day = f"{session.at.day} {session.at:%B %Y}"
    return Text(
        id=turn.id,
        talk=talk.id,
        session=session.id,
        speaker=turn.speaker,
        at=session.at.isoformat(),
        text=f"{turn.speaker} ({day}): {turn.text}",
    )


def measure(name: str, job: Job) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        try:
            return STORES[name](Path(folder), job)
        except (NotInstalled, Failed) as error:
            print(f"{PEERS[name]:34} not measured: {error}", flush=True)
            return []


# --- remem


def measure_turns(folder: Path, job: Job) -> list[Row]:
    store = ours.Store(folder / "one")
    saved_s = ours.save_turns(store, job.texts)
    many_s = ours.save_at_once(ours.Store(folder / "many"), job.texts)
    return [ask(job, f"remem, turns, {mode}", store, mode, saved_s, many_s) for mode in MODES]


def measure_talks(folder: Path, job: Job) -> list[Row]:
    store = ours.Store(folder / "talks")
    saved_s = ours.save_talks(store, job.talks)
    return [ask(job, f"remem, talks, {mode}", store, mode, None, saved_s) for mode in MODES]


def ask(
    job: Job, name: str, store: ours.Store, mode: str, saved_s: float | None, many_s: float | None
) -> Row:
    model_ms = Embedder(WEIGHTS).cost_ms([question.text for _, question in job.asked])
    orders, took_ms = ours.ask_all(store, mode, job.asked)
    return show(job, name, saved_s, many_s, model_ms, orders, took_ms)


# --- the peers


def measure_peer(name: str, folder: Path, job: Job) -> list[Row]:
    questions = [PeerQuestion(talk, question.text) for talk, question in job.asked]
    answer = run_peer(
        environment(), name, folder, WEIGHTS, {"texts": job.texts, "asked": questions}
    )
    check_model(job.texts[0].text, answer["probe"])
    rows = [
        show(
            job,
            f"{PEERS[name]}, {way}",
            answer["save_s"],
            answer["many_s"],
            answer["model_ms"],
            measured["found"],
            measured["took_ms"],
        )
        for way, measured in answer["ways"].items()
    ]
    if answer["refused"]:
        print(f"{'':34} tried to reach {', '.join(sorted(set(answer['refused'])))}; refused")
    return rows


def check_model(text: str, peer_vector: Sequence[float]) -> None:
    [vector] = asyncio.run(LocalEmbedder().embed([text]))
    if not np.allclose(vector, peer_vector, atol=1e-5):
        raise Failed("its vectors are not those of remem's model.")


# --- measuring


def show(
    job: Job,
    name: str,
    saved_s: float | None,
    many_s: float | None,
    model_ms: float,
    orders: Sequence[list[str]],
    took_ms: Sequence[float],
) -> Row:
    results = list(zip([question for _, question in job.asked], orders, strict=True))
    answerable = [pair for pair in results if pair[0].category != locomo.ADVERSARIAL]
    adversarial = [pair for pair in results if pair[0].category == locomo.ADVERSARIAL]
    row = Row(
        name=name,
        save_rate=rate(job, saved_s),
        many_rate=rate(job, many_s),
        p50_ms=round(statistics.median(took_ms), 1),
        p95_ms=round(statistics.quantiles(took_ms, n=20)[-1], 1),
        model_ms=round(model_ms, 1),
        recall_5=mean(answerable, lambda order, gold: measures.recall(order, gold, 5)),
        recall_10=mean(answerable, lambda order, gold: measures.recall(order, gold, 10)),
        mrr=mean(answerable, measures.mrr),
        adversarial_recall_10=mean(
            adversarial, lambda order, gold: measures.recall(order, gold, 10)
        ),
    )
    cells = list(asdict(row).values())[1:]
    print(
        f"{name:34}" + "".join(f"{'–' if cell is None else cell:>9}" for cell in cells), flush=True
    )
    return row


def rate(job: Job, took_s: float | None) -> float | None:
    return None if took_s is None else round(len(job.texts) / took_s, 1)


def mean(
    results: Sequence[tuple[Question, list[str]]],
    measure: Callable[[Sequence[str], frozenset[str]], float],
) -> float:
    return round(
        100 * statistics.mean(measure(order, question.gold) for question, order in results), 1
    )


STORES: dict[str, Callable[[Path, Job], list[Row]]] = {
    "turns": measure_turns,
    "talks": measure_talks,
    **{name: partial(measure_peer, name) for name in PEERS},
}


if __name__ == "__main__":
    main()
