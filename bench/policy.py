"""Whether the policy that the arena learns is as good as the best fixed arm, on LoCoMo.

Each talk is a project; each turn of it a memory. Half of the questions are replayed as sessions in
which the answer used the gold turns; the arena learns from those. Recall@10 of the other half is
measured under the learned policy, as `search-index` serves it, and under each arm."""

import argparse
import asyncio
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

from sets import locomo
from sets.embeddings import CachedEmbedder
from sets.memories import put_memory
from sets.model import Question, Talk

from remem.bootstrap import open_ports
from remem.core.evolution.arena.compare import RESULTS_LIMIT, compare_arms
from remem.core.evolution.arena.find_by_policy import find_by_policy
from remem.core.evolution.signals.send import send_signal
from remem.core.identity.register import register
from remem.core.ports import Ports
from remem.core.projects.manage import create_project
from remem.core.scope import Scope
from remem.core.search.arms import ARMS, query_for_arm
from remem.core.search.find import find
from remem.core.search.model import Hits, Query
from remem.settings import Settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA, help="where the data sets are")
    arguments.add_argument("--talks", type=int, default=2, help="how many of the ten")
    arguments.add_argument("--questions", type=int, default=60, help="of each half, a talk")
    chosen = arguments.parse_args()
    talks = locomo.load(chosen.data)[: chosen.talks]
    print(json.dumps(asyncio.run(measure(talks, chosen.questions))))


async def measure(talks: list[Talk], questions: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        async with open_ports(Settings(data_dir=Path(folder), distil=False)) as opened:
            ports = replace(opened, embedder=CachedEmbedder(opened.embedder))
            user, tenant = await register(ports, "bench@example.org", "correct horse")
            scope = Scope(tenant_id=tenant.id, user_id=user.id)
            found = [await _talk(ports, scope, talk, questions) for talk in talks]
    names = ("learned", *ARMS)
    count = sum(one["questions"] for one in found)
    recall = {name: round(sum(one["recall"][name] for one in found) / count, 4) for name in names}
    best = max(ARMS, key=lambda arm: recall[arm])
    return {
        "talks": len(talks),
        "questions": count,
        "policies": [one["policy"] for one in found],
        "recall_at_10": recall,
        "best_fixed": best,
        "learned_less_best": round(recall["learned"] - recall[best], 4),
    }


async def _talk(ports: Ports, scope: Scope, talk: Talk, questions: int) -> dict[str, Any]:
    project = await create_project(ports, scope, talk.id, None, None)
    ids: dict[str, UUID] = {}
    for session in talk.sessions:
        for turn in session.turns:
            memory = await put_memory(ports, scope, project.id, turn.text, turn.speaker)
            ids[turn.id] = memory.id
    asked = [one for one in talk.questions if one.category != locomo.ADVERSARIAL]
    learned, tried = asked[0::2][:questions], asked[1::2][:questions]
    for one in learned:
        gold = [ids[turn] for turn in one.gold]
        await send_signal(ports, scope, "used", gold, one.text, project.id)
    work = await compare_arms(ports, scope, project.id, float("inf"))
    recall = {arm: await _recall(ports, scope, project.id, tried, ids, arm) for arm in ARMS}
    recall["learned"] = await _recall(ports, scope, project.id, tried, ids, None)
    return {"questions": len(tried), "policy": work.result["arm"], "recall": recall}


async def _recall(
    ports: Ports,
    scope: Scope,
    project_id: UUID,
    questions: list[Question],
    ids: dict[str, UUID],
    arm: str | None,
) -> float:
    """The sum of the shares of gold turns found."""
    total = 0.0
    for one in questions:
        query = Query(
            one.text, project_id, limit=RESULTS_LIMIT, fusion="rrf", asked_at=one.asked_at
        )
        if arm:
            found: Hits = await find(ports, scope, query_for_arm(ARMS[arm], query))
        else:
            found, _ = await find_by_policy(ports, scope, query)
        shown = {memory.id for hit in found.hits for memory in hit.memories}
        total += sum(ids[turn] in shown for turn in one.gold) / len(one.gold)
    return total


if __name__ == "__main__":
    main()
