"""Whether consolidation merges 100 near-duplicates, and none of 100 look-alikes.

1,000 memories are inserted into a new store without being compared, as an import does: 800
unrelated ones, 100 that repeat one of them in other words, and 100 that look like one of them but
differ in a number, date, name, negation, speaker or tense. Then one consolidation runs, and each
merge is undone: the store must be exactly as before."""

import argparse
import asyncio
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from sets.memories import put_memory
from sets.statements import BLIND, FAMILIES, SEEN, Families, shuffled_slots, values_for

from remem.bootstrap import open_ports
from remem.core.evolution.upkeep.consolidate import consolidate
from remem.core.identity.register import register
from remem.core.memories.consolidation.undo import list_consolidations, undo_consolidation
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.settings import Settings

SETS: dict[str, Families] = {"known": FAMILIES, "seen": SEEN, "blind": BLIND}
SQL = {
    "memories": "SELECT to_jsonb(m) FROM memories m ORDER BY id",
    "postings": "SELECT term, owner_id, tf, length FROM postings ORDER BY 1, 2",
    "embeddings": "SELECT owner_id, model, vector::text FROM embeddings ORDER BY 1",
    "links": "SELECT from_id, to_id, relation, confidence FROM links ORDER BY 1, 2, 3",
    "entities": "SELECT id, type, name, mention_count FROM entities ORDER BY 1",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--pairs", type=int, default=100, help="of each kind")
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    parser.add_argument(
        "--families",
        choices=list(SETS),
        default="known",
        help="which sentence families; blind: written after the rules",
    )
    args = parser.parse_args()
    families = SETS[args.families]
    figures = asyncio.run(measure(families, args.memories, args.pairs, show=args.show))
    print(json.dumps({"families": args.families, **figures}))


async def measure(families: Families, memories: int, pairs: int, *, show: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        async with open_ports(Settings(data_dir=Path(folder))) as ports:
            user, tenant = await register(ports, "bench@example.org", "correct horse")
            scope = Scope(tenant_id=tenant.id, user_id=user.id)
            texts = _texts(families, random.Random(17), memories, pairs)
            return await _measure(ports, scope, texts, pairs, show=show)


async def _measure(
    ports: Ports,
    scope: Scope,
    texts: list[tuple[str, str, str | None]],
    pairs: int,
    *,
    show: bool,
) -> dict[str, Any]:
    kinds: dict[UUID, tuple[str, str]] = {}
    async with ports.db.transaction(scope) as tx:
        project_id = (await resolve(tx, None)).id
    for kind, text, speaker in texts:
        memory = await put_memory(ports, scope, project_id, text, speaker)
        kinds[memory.id] = (kind, text)
    before = await _state(ports, scope)
    started = time.perf_counter()
    work = await consolidate(ports, scope, project_id, float("inf"))
    took_s = time.perf_counter() - started
    merged = await _all_merges(ports, scope)
    wrong = [
        (kinds[merge.memory_id], kinds[merge.into_id])
        for merge in merged
        if merge.into_id and not _belong(kinds[merge.memory_id][0], kinds[merge.into_id][0])
    ]
    if show:
        _show(kinds, merged, wrong)
    for merge in merged:
        await undo_consolidation(ports, scope, merge.id)
    return {
        "memories": len(texts),
        "near_duplicates": pairs,
        "merged": len(merged) - len(wrong),
        "look_alikes": pairs,
        "look_alikes_merged": len(wrong),
        "compared": work.result["compared"],
        "took_s": round(took_s, 1),
        "undo_exact": await _state(ports, scope) == before,
    }


def _belong(kind: str, other_kind: str) -> bool:
    """Whether two memories are a statement and its near-duplicate."""
    return {kind.split(":")[0], other_kind.split(":")[0]} <= {"said", "same"} and (
        kind.split(":")[1] == other_kind.split(":")[1]
    )


def _texts(
    families: Families, rng: random.Random, memories: int, pairs: int
) -> list[tuple[str, str, str | None]]:
    """Kind and number, text and speaker of each memory, in random order. No two have the same text
    by chance."""
    slots = iter(shuffled_slots(rng))
    texts: list[tuple[str, str, str | None]] = []
    seen: set[tuple[str, str | None]] = set()
    for number in range(memories - 2 * pairs):
        family = families[number % len(families)]
        differs = [name for name in family if name not in ("said", "same")]
        name = differs[number // len(families) % len(differs)]
        kinds = ["said", *(["same"] if number < pairs else [name] if number < 2 * pairs else [])]
        added: list[tuple[str, str, str | None]] = []
        while not added or seen & {(text, by) for _, text, by in added}:
            values = values_for(rng, next(slots))
            added = [
                (f"{kind}:{number}", family[kind].format(**values), _speaker(family, kind))
                for kind in kinds
            ]
        seen |= {(text, by) for _, text, by in added}
        texts += added
    rng.shuffle(texts)
    return texts


def _speaker(family: dict[str, str], kind: str) -> str | None:
    return None if "speaker" not in family else "Ben" if kind == "speaker" else "Ada"


async def _all_merges(ports: Ports, scope: Scope) -> list[Any]:
    merges: list[Any] = []
    before = None
    while True:
        page, before = await list_consolidations(ports, scope, "merge", None, before, 100)
        merges += page
        if before is None:
            return merges


async def _state(ports: Ports, scope: Scope) -> dict[str, list[tuple[Any, ...]]]:
    async with ports.db.transaction(scope) as tx:
        return {
            name: [tuple(row) for row in await tx.system.fetch(sql)] for name, sql in SQL.items()
        }


def _show(kinds: dict[UUID, tuple[str, str]], merged: list[Any], wrong: list[Any]) -> None:
    for pair in wrong:
        print("wrong", pair)
    merged_ids = {id for merge in merged for id in (merge.memory_id, merge.into_id)}
    for id, (kind, text) in kinds.items():
        if kind.startswith("same") and id not in merged_ids:
            print("missed", kind, text)


if __name__ == "__main__":
    main()
