"""Write what remem itself finds for the questions of LoCoMo, the input of `evaluate.py`.

    .venv/bin/python training/candidates.py [--data DIR] [--out .bench/reader/locomo.jsonl]

LoCoMo may not be trained on (CC BY-NC): its development conversations are for evaluation only.
One line a question: question, answer, category, talk, gold, asked_at, and what was found.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from quality import DATA, Kept, ids_of, keep
from sets import locomo

from remem.bootstrap import open_ports
from remem.core.identity.authenticate import authenticate_key
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.owner import ensure_owner_key
from remem.settings import load

DEPTH = 60


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--out", type=Path, default=Path(".bench/reader/locomo.jsonl"))
    chosen = arguments.parse_args()
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="remem-training-") as folder:
        lines = asyncio.run(collect(Path(folder), chosen.data))
    chosen.out.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    print(f"{len(lines)} questions in {chosen.out}")


async def collect(folder: Path, data: Path) -> list[dict[str, object]]:
    settings = load(data_dir=folder)
    answers = _gold_answers(data)
    async with open_ports(settings) as ports:
        key = await ensure_owner_key(ports, settings)
        scope = await authenticate_key(ports, key or "")
        lines: list[dict[str, object]] = []
        for number, talk in enumerate(locomo.load(data)):
            kept = await keep(ports, scope, "locomo", number, talk)
            lines += await _ask(ports, scope, kept, answers)
    return lines


def _gold_answers(data: Path) -> dict[str, str]:
    files = sorted((data / "locomo").glob("*.json"))
    questions = [
        one for file in files for talk in json.loads(file.read_text()) for one in talk["qa"]
    ]
    return {one["question"]: str(one.get("answer", "")) for one in questions}


async def _ask(
    ports: Ports, scope: Scope, kept: Kept, answers: dict[str, str]
) -> list[dict[str, object]]:
    said_at = {
        turn.id: session.at.isoformat() for session in kept.talk.sessions for turn in session.turns
    }
    lines = []
    for question in kept.talk.questions:
        query = Query(
            question.text,
            kept.project,
            limit=100,
            mode="balanced",
            asked_at=question.asked_at,
            weak=True,
        )
        found = await recall(ports, scope, query)
        hits = [hit for document in found.results for hit in document.hits]
        hits.sort(key=lambda hit: -hit.score)
        shown: dict[str, dict[str, object]] = {}
        for hit in hits:
            for id in ids_of(hit, kept):
                turn, text = kept.answers[id], hit.chunk.content if hit.chunk else ""
                shown.setdefault(
                    turn,
                    {"id": turn, "text": text, "said_at": said_at[turn], "score": hit.score}
                    | {"is_weak": hit.is_weak},
                )
        lines.append(
            {
                "question": question.text,
                "answer": answers[question.text],
                "category": question.category,
                "talk": kept.talk.id,
                "gold": sorted(question.gold),
                "asked_at": question.asked_at.isoformat(),
                "found": list(shown.values())[:DEPTH],
            }
        )
    return lines


if __name__ == "__main__":
    main()
