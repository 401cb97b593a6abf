"""Whether what says the same is merged, and nothing else: 100 near-duplicates, 100 look-alikes.

1,000 memories are put into a new store without being compared, as an import does: 800 that have
nothing to do with each other, 100 that say again what one of them says, and 100 that look like one
of them and differ in a number, date, name, negation, speaker or tense. Then one consolidation runs,
and every merge of it is undone: the store must be exactly what it was."""

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

from remem.bootstrap import open_ports
from remem.core.evolution.upkeep.consolidate import consolidate
from remem.core.identity.register import register
from remem.core.memories.consolidation.undo import list_consolidations, undo_consolidation
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.settings import Settings

PEOPLE = (
    "Anna Bernard Chloe Dmitri Elif Farid Greta Hugo Ines Jonas Kira Liam Mona Nils Olga Pedro Rosa"
    " Sven Tara Viktor"
).split()
PLACES = (
    "Bergen Lisbon Krakow Dublin Valencia Graz Tampere Porto Lyon Ghent Leeds Turin Malmo Basel"
    " Riga Bilbao Utrecht Zagreb Odense Trieste"
).split()
THINGS = (
    "espresso machine|sailing boat|rain barrel|sewing machine|bookshelf|garden shed|record player"
    "|road bike|telescope|wood stove|hiking tent|piano|beehive|projector|kayak|workbench|printer"
    "|greenhouse|camera|heat pump"
).split("|")
# A statement, one that says the same, and look-alikes by what they differ in. Letters in braces are
# filled in anew for every pair.
FAMILIES: tuple[dict[str, str], ...] = (
    {
        "said": "{p} keeps the {t} in the cellar of the house in {c}.",
        "same": "In the cellar of the house in {c}, {p} keeps the {t}.",
        "name": "{q} keeps the {t} in the cellar of the house in {c}.",
        "negation": "{p} does not keep the {t} in the cellar of the house in {c}.",
        "tense": "{p} kept the {t} in the cellar of the house in {c}.",
    },
    {
        "said": "The {t} of {p} was bought in {c} for {n} euros.",
        "same": "The {t} of {p} was purchased in {c} for {n} euros.",
        "number": "The {t} of {p} was bought in {c} for {m} euros.",
        "date": "The {t} of {p} was bought in {c} for {n} euros in 2019.",
    },
    {
        "said": "Every autumn {p} repairs the {t} together with a neighbour from {c}.",
        "same": "Each autumn {p} repairs the {t} together with a neighbor from {c}.",
        "tense": "Every autumn {p} repaired the {t} together with a neighbour from {c}.",
        "negation": "{p} never repairs the {t} together with a neighbour from {c}.",
    },
    {
        "said": "{p} has an appointment about the {t} in {c} on {d} March 2027.",
        "same": "On {d} March 2027 {p} has an appointment in {c} about the {t}.",
        "date": "{p} has an appointment about the {t} in {c} on {e} March 2027.",
        "name": "{q} has an appointment about the {t} in {c} on {d} March 2027.",
    },
    {
        "said": "{p} is very fond of the old {t} from {c}.",
        "same": "{p} is really fond of the old {t} from {c}.",
        "negation": "{p} is not very fond of the old {t} from {c}.",
        "name": "{p} is very fond of the old {t} from {o}.",
    },
    {
        "said": "I lend my {t} to {p} whenever they visit {c}.",
        "same": "Whenever they visit {c}, I lend my {t} to {p}.",
        "speaker": "I lend my {t} to {p} whenever they visit {c}.",
        "tense": "I lent my {t} to {p} whenever they visited {c}.",
    },
    {
        "said": "The manual of the {t} that belongs to {p} lies on the desk in {c}.",
        "same": "The manual for the {t} that belongs to {p} lies on the desk in {c}.",
        "number": "The {n} manuals of the {t} that belongs to {p} lie on the desk in {c}.",
        "name": "The manual of the {t} that belongs to {q} lies on the desk in {c}.",
    },
)
SQL = {
    "memories": "SELECT to_jsonb(m) FROM memories m ORDER BY id",
    "postings": "SELECT term, owner_id, tf, length FROM postings ORDER BY 1, 2",
    "embeddings": "SELECT owner_id, model, vector::text FROM embeddings ORDER BY 1",
    "links": "SELECT from_id, to_id, relation, confidence FROM links ORDER BY 1, 2, 3",
    "entities": "SELECT id, type, name, mention_count FROM entities ORDER BY 1",
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--memories", type=int, default=1_000)
    arguments.add_argument("--pairs", type=int, default=100, help="of each kind")
    arguments.add_argument("--show", action="store_true", help="print what went wrong")
    chosen = arguments.parse_args()
    print(json.dumps(asyncio.run(measure(chosen.memories, chosen.pairs, show=chosen.show))))


async def measure(memories: int, pairs: int, *, show: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        async with open_ports(Settings(data_dir=Path(folder))) as ports:
            user, tenant = await register(ports, "bench@example.org", "correct horse")
            scope = Scope(tenant_id=tenant.id, user_id=user.id)
            return await _measure(ports, scope, memories, pairs, show=show)


async def _measure(
    ports: Ports, scope: Scope, memories: int, pairs: int, *, show: bool
) -> dict[str, Any]:
    chance = random.Random(17)
    kinds: dict[UUID, tuple[str, str]] = {}
    texts = list(_texts(chance, memories, pairs))
    async with ports.db.transaction(scope) as tx:
        project_id = (await resolve(tx, scope, None)).id
    for kind, text, speaker in texts:
        memory = await put_memory(ports, scope, project_id, text, speaker)
        kinds[memory.id] = (kind, text)
    before = await _state(ports, scope)
    started = time.perf_counter()
    work = await consolidate(ports, scope, project_id, float("inf"))
    took_s = time.perf_counter() - started
    merged = await _all_merges(ports, scope)
    wrong = [
        (kinds[one.memory_id], kinds[one.into_id])
        for one in merged
        if one.into_id and not _belong(kinds[one.memory_id][0], kinds[one.into_id][0])
    ]
    if show:
        _show(kinds, merged, wrong)
    for one in merged:
        await undo_consolidation(ports, scope, one.id)
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


def _belong(one: str, other: str) -> bool:
    """Whether two are a statement and its near-duplicate."""
    return {one.split(":")[0], other.split(":")[0]} <= {"said", "same"} and (
        one.split(":")[1] == other.split(":")[1]
    )


def _texts(chance: random.Random, memories: int, pairs: int) -> list[tuple[str, str, str | None]]:
    """Kind and number, text and speaker of each, in a random order."""
    slots = [(p, t, c) for p in PEOPLE for t in THINGS for c in PLACES]
    chance.shuffle(slots)
    found: list[tuple[str, str, str | None]] = []
    for number in range(memories - 2 * pairs):
        family = FAMILIES[number % len(FAMILIES)]
        values = _values(chance, slots[number])
        speaker = "Ada" if "speaker" in family else None
        found.append((f"said:{number}", family["said"].format(**values), speaker))
        if number < pairs:
            found.append((f"same:{number}", family["same"].format(**values), speaker))
        elif number < 2 * pairs:
            differs = [name for name in family if name not in ("said", "same")]
            name = differs[number // len(FAMILIES) % len(differs)]
            by = "Ben" if name == "speaker" else speaker
            found.append((f"{name}:{number}", family[name].format(**values), by))
    chance.shuffle(found)
    return found


def _values(chance: random.Random, slot: tuple[str, str, str]) -> dict[str, Any]:
    person, thing, place = slot
    number, day = chance.randint(20, 900), chance.randint(3, 20)
    other = chance.choice([one for one in PEOPLE if one != person])
    elsewhere = chance.choice([one for one in PLACES if one != place])
    return {
        "p": person, "q": other, "t": thing, "c": place, "o": elsewhere,
        "n": number, "m": number + chance.randint(1, 9), "d": day, "e": day + 7,
    }  # fmt: skip


async def _all_merges(ports: Ports, scope: Scope) -> list[Any]:
    found: list[Any] = []
    before = None
    while True:
        page, before = await list_consolidations(ports, scope, "merge", None, before, 100)
        found += page
        if before is None:
            return found


async def _state(ports: Ports, scope: Scope) -> dict[str, list[tuple[Any, ...]]]:
    async with ports.db.transaction(scope) as tx:
        return {name: [tuple(row) for row in await tx.fetch(sql)] for name, sql in SQL.items()}


def _show(kinds: dict[UUID, tuple[str, str]], merged: list[Any], wrong: list[Any]) -> None:
    for pair in wrong:
        print("wrong", pair)
    ended = {id for one in merged for id in (one.memory_id, one.into_id)}
    for id, (kind, text) in kinds.items():
        if kind.startswith("same") and id not in ended:
            print("missed", kind, text)


if __name__ == "__main__":
    main()
