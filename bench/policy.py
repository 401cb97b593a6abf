"""Whether the policy that the arena learns is as good as the best fixed arm, on LoCoMo.

Each talk is a project and each of its turns a memory. Half of the questions are replayed as
sessions in which the answer used the gold turns, and the arena learns from those. Recall@10 of the
other half is measured under the learned policy, as in `search-index`, and under each arm."""

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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="where the data sets are")
    parser.add_argument("--talks", type=int, default=2, help="how many of LoCoMo's talks")
    parser.add_argument("--questions", type=int, default=60, help="per half and talk")
    args = parser.parse_args()
    talks = locomo.load(args.data)[: args.talks]
    print(json.dumps(asyncio.run(measure(talks, args.questions))))


async def measure(talks: list[Talk], questions: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        async with open_ports(Settings(data_dir=Path(folder), distil=False)) as opened:
            ports = replace(opened, embedder=CachedEmbedder(opened.embedder))
            user, tenant = await register(ports, "bench@example.org", "correct horse")
            scope = Scope(tenant_id=tenant.id, user_id=user.id)
            results = [await _talk(ports, scope, talk, questions) for talk in talks]
    names = ("learned", *ARMS)
    count = sum(result["questions"] for result in results)
    recall = {
        name: round(sum(result["recall"][name] for result in results) / count, 4) for name in names
    }
    best = max(ARMS, key=lambda arm: recall[arm])
    return {
        "talks": len(talks),
        "questions": count,
        "policies": [result["policy"] for result in results],
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
    all_questions = [
        question for question in talk.questions if question.category != locomo.ADVERSARIAL
    ]
    learned, held_out = all_questions[0::2][:questions], all_questions[1::2][:questions]
    for question in learned:
        gold = [ids[turn] for turn in question.gold]
        await send_signal(ports, scope, "used", gold, question.text, project.id)
    work = await compare_arms(ports, scope, project.id, float("inf"))
    recall = {arm: await _recall(ports, scope, project.id, held_out, ids, arm) for arm in ARMS}
    recall["learned"] = await _recall(ports, scope, project.id, held_out, ids, None)
    return {"questions": len(held_out), "policy": work.result["arm"], "recall": recall}


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
    for question in questions:
        query = Query(
            question.text, project_id, limit=RESULTS_LIMIT, fusion="rrf", asked_at=question.asked_at
        )
        if arm:
            hits: Hits = await find(ports, scope, query_for_arm(ARMS[arm], query))
        else:
            hits, _ = await find_by_policy(ports, scope, query)
        shown = {memory.id for hit in hits.hits for memory in hit.memories}
        total += sum(ids[turn] in shown for turn in question.gold) / len(question.gold)
    return total


if __name__ == "__main__":
    main()
