"""Questions and what answers them, by language: paragraphs of XQuAD by the cosine of remem's local
models, and the notes of invented people by the search of remem and of its peers, each with its
own default local model.

    .venv/bin/python bench/languages.py [--only xquad|people|peers] [--peers]"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx2
import numpy as np
from peers.child import Failed
from peers.environment import NotInstalled
from peers.notes import PEERS
from peers.notes import measure as measure_peer
from people import AMONG, MODES, Store
from sets import xquad
from sets.people import Person, Question, read_people
from sets.processes import memory_mb, postgres_pid
from sets.serving import served

from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.embedding.local_models import has_files
from remem.adapters.embedding.networks import DEFAULT_MODEL, MODELS, MULTILINGUAL

DATA = Path(__file__).parents[2] / "shared" / "data"
PARTS = ("xquad", "people", "peers")
GROUPS = ("English", "others", "across")


@dataclass(frozen=True, slots=True)
class Row:
    """`hits` counts, by group and by language, the questions, the answers found first and those
    among three."""

    name: str
    model: str
    hits: dict[str, tuple[int, int, int]]
    p50_ms: float
    memory_mb: float


def main() -> None:
    options = read_options()
    parts = options.only or ["xquad", "people", *(["peers"] if options.peers else [])]
    people = read_people(options.data / "people")
    figures: dict[str, object] = {}
    if "xquad" in parts:
        figures["xquad"] = asyncio.run(measure_xquad(options))
    rows: list[Row] = []
    if "people" in parts:
        for model in options.model or [DEFAULT_MODEL]:
            rows += measure_remem(people, model)
    if "peers" in parts:
        rows += measure_peers(people, options.peer, options.python)
    if rows:
        print_people(rows)
        figures["people"] = {f"{row.name}, {row.model}": asdict(row) for row in rows}
    print(json.dumps(figures))


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--peers", action="store_true", help="the people's notes in peers too")
    parser.add_argument("--peer", choices=[peer.name for peer in PEERS], action="append")
    parser.add_argument("--model", choices=MODELS, action="append", help="of remem, for the notes")
    parser.add_argument("--multilingual", type=Path, help=f"a folder with {MULTILINGUAL}")
    parser.add_argument("--sample", type=int, default=1_190, help="questions of XQuAD a language")
    parser.add_argument("--python", help="a Python of 3.12 or later, for basic-memory")
    return parser.parse_args()


# --- XQuAD


async def measure_xquad(options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """By model and language, the percentage of questions whose paragraph is the nearest."""
    languages = xquad.load(options.data)
    if not languages:
        raise SystemExit(f"There is no XQuAD in {options.data}; nothing to do.")
    names = [language.name for language in languages]
    print(f"\nXQuAD, question to paragraph by cosine, % first of {len(languages[0].paragraphs)}\n")
    print(f"| | {' | '.join(names)} | mean of the others |\n|---|{'---|' * (len(names) + 1)}")
    figures = {}
    for embedder in open_embedders(options.multilingual):
        shares = {language.name: await first_share(embedder, language, options.sample)
                  for language in languages}  # fmt: skip
        await embedder.close()
        shares["others"] = statistics.mean(
            share for name, share in shares.items() if name != xquad.ENGLISH
        )
        figures[embedder.model] = {name: round(share, 1) for name, share in shares.items()}
        cells = " | ".join(f"{share:.0f}" for share in shares.values())
        print(f"| {embedder.model} | {cells} |", flush=True)
    return figures


def open_embedders(folder: Path | None) -> Iterator[LocalEmbedder]:
    for model in MODELS:
        if folder and model == MULTILINGUAL:
            yield LocalEmbedder(model=model, folder=folder)
        elif has_files(model):
            yield LocalEmbedder(model=model)


async def first_share(embedder: LocalEmbedder, language: xquad.Language, sample: int) -> float:
    step = max(1, len(language.questions) // sample)
    questions, gold = language.questions[::step], language.gold[::step]
    paragraphs = np.stack(await embedder.embed_in_batches(language.paragraphs))
    vectors = np.stack(await embedder.embed_in_batches(questions))
    nearest = (vectors @ paragraphs.T).argmax(axis=1)
    return 100 * float(np.mean(nearest == np.array(gold)))


# --- the notes of people


def measure_remem(people: Sequence[Person], model: str) -> list[Row]:
    rows = []
    with (
        tempfile.TemporaryDirectory(prefix="remem-bench-") as folder,
        served(Path(folder), {"REMEM_EMBEDDING_MODEL": model}) as server,
        httpx2.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {server.key}"}, timeout=120
        ) as http,
    ):
        stores = {person.name: Store(http, person) for person in people}
        for mode in MODES:
            found, took_ms = ask(people, stores, mode)
            memory = memory_mb(server.pid) + memory_mb(postgres_pid(Path(folder)))
            rows.append(row(f"remem, {mode}", model, people, found, took_ms, memory))
    return rows


def ask(
    people: Sequence[Person], stores: Mapping[str, Store], mode: str
) -> tuple[list[list[str]], list[float]]:
    found, took_ms = [], []
    for person, question in questions_of(people):
        started = time.perf_counter()
        found.append(stores[person.name].find(question.text, mode))
        took_ms.append((time.perf_counter() - started) * 1_000)
    return found, took_ms


def questions_of(people: Sequence[Person]) -> list[tuple[Person, Question]]:
    """Those that a note answers."""
    return [
        (person, question) for person in people for question in person.questions
        if question.expected
    ]  # fmt: skip


def measure_peers(
    people: Sequence[Person], names: Sequence[str] | None, python: str | None
) -> list[Row]:
    rows = []
    for peer in PEERS:
        if names and peer.name not in names:
            continue
        try:
            ways = measure_peer(peer, people, questions_of(people), python)
        except (NotInstalled, Failed) as error:
            print(f"{peer.title}: not measured: {error}", flush=True)
            continue
        rows += [
            row(
                f"{peer.title}, {way}",
                peer.models[way],
                people,
                answers.found,
                answers.took_ms,
                answers.memory_mb,
            )
            for way, answers in ways.items()
        ]
    return rows


def row(
    name: str,
    model: str,
    people: Sequence[Person],
    found: Sequence[list[str]],
    took_ms: Sequence[float],
    memory: float,
) -> Row:
    asked, first, among = Counter[str](), Counter[str](), Counter[str]()
    for (person, question), notes in zip(questions_of(people), found, strict=True):
        for group in groups_of(person, question):
            asked[group] += 1
            first[group] += question.expected[0] in notes[:1]
            among[group] += question.expected[0] in notes[:AMONG]
    hits = {group: (asked[group], first[group], among[group]) for group in asked}
    return Row(name, model, hits, round(statistics.median(took_ms), 1), round(memory))


def groups_of(person: Person, question: Question) -> list[str]:
    language = person.name[:2]
    group = "English" if person.is_english else "others"
    return [group, language, *(["across"] if question.kind == "cross" else [])]


def print_people(rows: Sequence[Row]) -> None:
    groups = [*GROUPS, *sorted(set(rows[0].hits) - set(GROUPS) - {"en"})]
    heads = [f"{group} ({rows[0].hits[group][0]})" for group in groups]
    print("\nNotes of people, % of the questions with their note first / among three\n")
    print(f"| | model | {' | '.join(heads)} | ms | MB |\n|---|---|{'---|' * (len(groups) + 2)}")
    for row in rows:
        cells = " | ".join(shares(*row.hits[group]) for group in groups)
        print(f"| {row.name} | {row.model} | {cells} | {row.p50_ms:.0f} | {row.memory_mb:.0f} |")
    print()


def shares(asked: int, first: int, among: int) -> str:
    return f"{100 * first / asked:.0f} / {100 * among / asked:.0f}"


if __name__ == "__main__":
    main()
