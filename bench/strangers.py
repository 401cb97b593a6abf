"""Which results of a sentence are marked as weak: the strangers among them should be, and no right
one. Notes of three people are searched in each mode and as the MCP tool `search_memory` does."""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from sets import sentences
from sets.embeddings import CachedEmbedder
from sets.sentences import Person, SearchSentence

from remem.adapters.reader.local import LocalReader
from remem.bootstrap import open_ports
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.identity.authenticate import authenticate_key
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.find import find
from remem.core.search.model import Hit, Query
from remem.owner import ensure_owner_key
from remem.settings import load

LIMIT = 10
CUT = 0.5
QUERIES = {
    "fast": Query("", mode="fast", limit=LIMIT, weak=True),
    "balanced": Query("", mode="balanced", limit=LIMIT, weak=True),
    "best": Query("", mode="best", limit=LIMIT, weak=True),
    "search_memory": Query("", mode="deep", fusion="rrf", limit=LIMIT, weak=True),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A result: whether it answers, or is on the subject, and what search says about it."""

    label: str
    is_right: bool
    is_related: bool
    is_weak: bool
    relevance: float

    @property
    def is_stranger(self) -> bool:
        return not self.is_right and not self.is_related


@dataclass(frozen=True, slots=True)
class Searched:
    query: SearchSentence
    person: str
    shown: Sequence[Shown]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="not used: the set is our own")
    parser.add_argument("--show", action="store_true", help="print what is wrong")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        results = asyncio.run(measure(Path(folder)))
    print(json.dumps(report(results, show=args.show)))


async def measure(folder: Path) -> dict[str, list[Searched]]:
    settings = load(data_dir=folder)
    async with open_ports(settings) as opened:
        ports = replace(
            opened,
            reader=LocalReader(deadline_s=60),
            embedder=CachedEmbedder(opened.embedder),
        )
        scope = await authenticate_key(ports, await ensure_owner_key(ports, settings) or "")
        people = sentences.load()
        labels = {
            id: label
            for person in people
            for id, label in (await save_notes(ports, scope, person)).items()
        }
        return {
            mode: [
                await _search(ports, scope, replace(plain, text=query.text), query, person, labels)
                for person in people
                for query in person.queries
            ]
            for mode, plain in QUERIES.items()
        }


async def save_notes(ports: Ports, scope: Scope, person: Person) -> dict[UUID, str]:
    """The label of each saved chunk and memory; documents and memories alternate."""
    labels, project = {}, person.name
    for number, (label, text) in enumerate(person.notes.items()):
        if number % 2:
            draft = MemoryDraft(text, project=project, create_project=True)
            labels[(await save_memory(ports, scope, draft)).memory.id] = label
        else:
            document = Draft(text, content_type="text", project=project, create_project=True)
            labels[(await ingest(ports, scope, document)).document.id] = label
    return labels


async def _search(
    ports: Ports,
    scope: Scope,
    search: Query,
    query: SearchSentence,
    person: Person,
    labels: dict[UUID, str],
) -> Searched:
    hits = (await find(ports, scope, replace(search, project=person.name))).hits
    shown = [_shown(hit, query, labels) for hit in hits]
    return Searched(query, person.name, shown)


def _shown(hit: Hit, query: SearchSentence, labels: dict[UUID, str]) -> Shown:
    id = hit.id if hit.lone else hit.chunk.document_id if hit.chunk else hit.id
    label = labels[id]
    return Shown(
        label, label in query.right, label in query.related, hit.is_weak, round(hit.relevance, 4)
    )


def report(results: dict[str, list[Searched]], *, show: bool) -> dict[str, object]:
    figures: dict[str, object] = {}
    names = ("right found", "kept", "strangers", "none: results", ">= 0.5", "strangers >= 0.5")
    print(f"{'':34}" + "".join(f"{name:>17}" for name in names))
    for mode, searched in results.items():
        for half, is_reported in (("choose", False), ("report", True)):
            group = [item for item in searched if item.query.is_reported == is_reported]
            figures[f"{mode} {half}"] = row = summarize(group)
            print(f"{mode:24}{half:10}" + "".join(f"{value:>17}" for value in row.values()))
        if show:
            _show(mode, searched)
    return figures


def summarize(searched: Sequence[Searched]) -> dict[str, str]:
    """Queries with a right result among all, kept as not weak, and at `CUT`; strangers that are
    not weak; queries without an answer that get a stranger."""
    answerable = [item for item in searched if item.query.right]
    unanswerable = [item for item in searched if not item.query.right]
    strong = [(item, shown) for item in searched for shown in item.shown if not shown.is_weak]
    return {
        "found": f"{sum(any(s.is_right for s in i.shown) for i in answerable)}/{len(answerable)}",
        "kept": f"{len({i.query for i, s in strong if s.is_right})}",
        "strangers": f"{sum(s.is_stranger for _, s in strong)}",
        "results": (
            f"{len({i.query for i, s in strong if s.is_stranger and not i.query.right})}"
            f"/{len(unanswerable)}"
        ),
        "at_cut": f"{sum(s.is_right and s.relevance >= CUT for i in searched for s in i.shown)}",
        "strangers_at_cut": (
            f"{sum(s.is_stranger and s.relevance >= CUT for i in searched for s in i.shown)}"
        ),
    }


def _show(mode: str, searched: Sequence[Searched]) -> None:
    for item in searched:
        lost = item.query.right and not any(s.is_right and not s.is_weak for s in item.shown)
        strangers = [(s.label, s.relevance) for s in item.shown if s.is_stranger and not s.is_weak]
        if lost or strangers:
            right = [(s.label, s.relevance) for s in item.shown if s.is_right]
            print(f"  {mode}: {item.query.text}", "LOST" if lost else "", right, strangers)


if __name__ == "__main__":
    main()
