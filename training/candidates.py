"""Write remem's search results for the questions of LoCoMo, the input of `evaluate.py`.

    .venv/bin/python training/candidates.py [--data DIR] [--out .bench/reader/locomo.jsonl]

LoCoMo may not be used for training (CC BY-NC): its development conversations are for evaluation
only. Each line has question, answer, category, talk, gold, asked_at and the results of a question.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from quality import DATA, SavedTalk, labelled_ids, save_talk
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=Path(".bench/reader/locomo.jsonl"))
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="remem-training-") as folder:
        lines = asyncio.run(collect(Path(folder), args.data))
    args.out.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    print(f"{len(lines)} questions in {args.out}")


async def collect(folder: Path, data: Path) -> list[dict[str, object]]:
    settings = load(data_dir=folder)
    answers = _gold_answers(data)
    async with open_ports(settings) as ports:
        key = await ensure_owner_key(ports, settings)
        scope = await authenticate_key(ports, key or "")
        lines: list[dict[str, object]] = []
        for number, talk in enumerate(locomo.load(data)):
            saved_talk = await save_talk(ports, scope, "locomo", number, talk)
            lines += await _ask(ports, scope, saved_talk, answers)
    return lines


def _gold_answers(data: Path) -> dict[str, str]:
    files = sorted((data / "locomo").glob("*.json"))
    questions = [
        question
        for file in files
        for talk in json.loads(file.read_text())
        for question in talk["qa"]
    ]
    return {question["question"]: str(question.get("answer", "")) for question in questions}


async def _ask(
    ports: Ports, scope: Scope, saved_talk: SavedTalk, answers: dict[str, str]
) -> list[dict[str, object]]:
    said_at = {
        turn.id: session.at.isoformat()
        for session in saved_talk.talk.sessions
        for turn in session.turns
    }
    lines = []
    for question in saved_talk.talk.questions:
        query = Query(
            question.text,
            saved_talk.project,
            limit=100,
            mode="balanced",
            asked_at=question.asked_at,
            weak=True,
        )
        reply = await recall(ports, scope, query)
        hits = [hit for document in reply.results for hit in document.hits]
        hits.sort(key=lambda hit: -hit.score)
        shown: dict[str, dict[str, object]] = {}
        for hit in hits:
            for id in labelled_ids(hit, saved_talk):
                turn, text = saved_talk.answers[id], hit.chunk.content if hit.chunk else ""
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
                "talk": saved_talk.talk.id,
                "gold": sorted(question.gold),
                "asked_at": question.asked_at.isoformat(),
                "found": list(shown.values())[:DEPTH],
            }
        )
    return lines


if __name__ == "__main__":
    main()
