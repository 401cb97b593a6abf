"""How everyday questions about personal notes are answered without a language model: right, not
known, or wrong; and how often an answer is invented that the notes do not have."""

import argparse
import asyncio
import json
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from remem.adapters.reader.local import LocalReader
from remem.bootstrap import open_ports
from remem.core.answers.ask import ask
from remem.core.answers.reply import AskReply, AskRequest
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.identity.authenticate import authenticate_key
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.owner import ensure_owner_key
from remem.settings import load

SETS = Path(__file__).parent / "sets"
# The rules were written with the first set in view, but not the second.
FILES = {"seen": SETS / "everyday.txt", "blind": SETS / "everyday_blind.txt"}


@dataclass(slots=True)
class Store:
    """Notes, questions with what their answers must contain, and questions without an answer."""

    name: str
    notes: list[str] = field(default_factory=list)
    questions: list[tuple[str, list[str]]] = field(default_factory=list)
    unanswerable: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="not used: the set is our own")
    parser.add_argument("--show", action="store_true", help="print every answer")
    parser.add_argument("--half", choices=FILES, default="seen")
    args = parser.parse_args()
    stores = read_stores(FILES[args.half])
    results = [result for store in stores for result in asyncio.run(measure(store))]
    print(json.dumps(report(results, show=args.show)))


def read_stores(file: Path) -> list[Store]:
    stores: list[Store] = []
    for line in file.read_text().splitlines():
        kind, _, text = line.partition(" ")
        if kind == "S":
            stores.append(Store(text))
        elif kind == "N":
            stores[-1].notes.append(text)
        elif kind == "Q":
            question, _, gold = text.partition(" = ")
            stores[-1].questions.append((question, gold.split("; ")))
        elif kind == "U":
            stores[-1].unanswerable.append(text)
    return stores


Result = tuple[list[str], AskReply]


async def measure(store: Store) -> list[Result]:
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        settings = load(data_dir=Path(folder))
        async with open_ports(settings) as opened:
            ports = replace(opened, reader=LocalReader(deadline_s=60))
            scope = await authenticate_key(ports, await ensure_owner_key(ports, settings) or "")
            await save(ports, scope, store.notes)
            questions = [*store.questions, *((text, []) for text in store.unanswerable)]
            return [
                (gold, await ask(ports, scope, AskRequest(question, record=False)))
                for question, gold in questions
            ]


async def save(ports: Ports, scope: Scope, notes: Sequence[str]) -> None:
    """Save the notes as documents and memories in turn."""
    for number, note in enumerate(notes):
        if number % 2:
            await save_memory(ports, scope, MemoryDraft(note))
        else:
            await ingest(ports, scope, Draft(note, content_type="text"))


def is_right(gold: Sequence[str], reply: AskReply) -> bool:
    return reply.is_known and all(part.lower() in reply.text.lower() for part in gold)


def report(results: Sequence[Result], *, show: bool) -> dict[str, object]:
    figures: dict[str, object] = {}
    print(f"{'':12}{'right':>10}{'not known':>12}{'wrong':>10}")
    kinds = sorted({reply.kind for gold, reply in results if gold})
    for kind in [*kinds, "all"]:
        group = [result for result in results if result[0] and kind in ("all", result[1].kind)]
        right = sum(is_right(*result) for result in group)
        unknown = sum(not reply.is_known for _, reply in group)
        figures[kind] = {"right": right, "unknown": unknown, "of": len(group)}
        print(f"{kind:12}{right:10}{unknown:12}{len(group) - right - unknown:10} of {len(group)}")
    replies = [reply for gold, reply in results if not gold]
    invented = [reply for reply in replies if reply.is_known]
    print(f"{'unanswerable':12}{len(replies) - len(invented):10} refused, {len(invented)} answered")
    took = statistics.median(reply.took_ms for _, reply in results)
    print(f"median {took:.0f} ms an answer")
    for gold, reply in results:
        wrong = reply.is_known if not gold else not is_right(gold, reply)
        if show or wrong:
            print(json.dumps([reply.question, gold or None, reply.text], ensure_ascii=False))
    return figures | {"invented": len(invented), "unanswerable": len(replies), "ms": round(took)}


if __name__ == "__main__":
    main()
