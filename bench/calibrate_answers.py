"""Learn which text answers a question, and how certain that is; writes certainty.toml.

Run it again with another embedder or reader. Notes of invented people that no model was trained on,
and everyday notes: every second person of `people` is reported, and of the everyday sets the blind
one. Conversations with named speakers have weights of their own."""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import everyday
import numpy as np
from sets.logistic import fit_logistic
from sets.people import Person, is_right, people_to_learn_from, people_to_report

from remem.adapters.reader.local import LocalReader
from remem.bootstrap import open_ports
from remem.core.answers import calibration, compose, scoring
from remem.core.answers.answer_question import read_sources
from remem.core.answers.calibration import AnswerWeights, CertaintyWeights, OrderWeights
from remem.core.answers.model import Reading
from remem.core.answers.people import named_speakers
from remem.core.answers.questions import what_is_asked
from remem.core.answers.scoring import ScoredPlace
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.identity.authenticate import authenticate_key
from remem.core.language.word_keys import query_words
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.time import now
from remem.owner import ensure_owner_key
from remem.settings import load

DATA = Path(__file__).parents[2] / "shared" / "data"
OUT = Path(calibration.__file__).with_name(calibration.FILE)
# The answers to the others are changed (a day is said in full) or replaced by a later statement.
KINDS, ASKED_KINDS = ("plain", "none"), ("one", "list")
# A right place counts for so many wrong ones, of which there are many more.
RIGHT_WEIGHT = 3.0
# An answer is given if it is at least so likely to be right.
KNOWN = 0.6
SHOWN = (0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its readings; `gold` is empty if nothing answers."""

    group: str
    is_reported: bool
    text: str
    gold: Sequence[str]
    asked_at: datetime
    readings: Sequence[Reading]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--person", default="", help="only those whose name begins so")
    parser.add_argument("--write", action="store_true", help=f"write {OUT.name}")
    args = parser.parse_args()
    asked = asyncio.run(read_all(args.data, args.person))
    learned = [item for item in asked if not item.is_reported]
    order = learn_order(learned)
    use(scoring.CALIBRATION._replace(order=order))
    known = float(np.log(KNOWN / (1 - KNOWN)))
    chosen = AnswerWeights(order, learn_certainty(learned), round(known, 3))
    use(chosen)
    figures = report([item for item in asked if item.is_reported])
    if args.write:
        OUT.write_text(as_toml(chosen))
    print(json.dumps(figures))


def use(chosen: AnswerWeights) -> None:
    scoring.CALIBRATION = chosen


def as_toml(chosen: AnswerWeights) -> str:
    tables = {
        "order": chosen.order._asdict(),
        "certainty": chosen.certainty._asdict(),
        "answer": {"known": chosen.known},
    }
    lines = ["# Written by bench/calibrate_answers.py."]
    for name, values in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {value}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


# --- reading


async def read_all(data: Path, chosen: str) -> list[Asked]:
    asked = []
    groups = ((people_to_learn_from(data), False), (people_to_report(data), True))
    for people, is_reported in groups:
        for person in people:
            if person.name.startswith(chosen):
                asked += await _read_person(person, is_reported=is_reported)
                print(f"{person.name}: {len(asked)} questions", flush=True)
    for name, file in everyday.FILES.items():
        for store in everyday.read_stores(file):
            asked += await _read_everyday(store, is_reported=name == "blind")
    return asked


async def _read_person(person: Person, *, is_reported: bool) -> list[Asked]:
    questions = [
        (question.text, [] if question.kind == "none" else question.gold)
        for question in person.questions
        if question.kind in KINDS
    ]

    async def save(ports: Ports, scope: Scope) -> None:
        for note in person.notes:
            draft = Draft(note.text, content_type="text", metadata={"date": note.written_at})
            await ingest(ports, scope, draft)

    group = "people, English" if person.is_english else "people, others"
    asked_at = datetime.fromisoformat(f"{person.today[:10]}T12:00:00+00:00")
    return await _read(save, questions, asked_at, group, is_reported=is_reported)


async def _read_everyday(store: everyday.Store, *, is_reported: bool) -> list[Asked]:
    async def save(ports: Ports, scope: Scope) -> None:
        await everyday.save(ports, scope, store.notes)

    questions = [*store.questions, *((text, list[str]()) for text in store.unanswerable)]
    return await _read(save, questions, now(), "everyday", is_reported=is_reported)


async def _read(
    save: Callable[[Ports, Scope], Awaitable[None]],
    questions: Sequence[tuple[str, Sequence[str]]],
    asked_at: datetime,
    group: str,
    *,
    is_reported: bool,
) -> list[Asked]:
    """The readings of the questions that ask for one thing or several."""
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as data_dir:
        settings = load(data_dir=Path(data_dir))
        async with open_ports(settings) as opened:
            ports = replace(opened, reader=LocalReader(deadline_s=600))
            scope = await authenticate_key(ports, await ensure_owner_key(ports, settings) or "")
            await save(ports, scope)
            read = [
                (text, gold, await read_sources(ports, scope, Query(text, asked_at=asked_at)))
                for text, gold in questions
                if what_is_asked(text).kind in ASKED_KINDS
            ]
    return [
        Asked(group, is_reported, text, gold, asked_at, readings)
        for text, gold, (readings, _) in read
        if readings and not named_speakers(text, [reading.source for reading in readings])
    ]


# --- learning


def learn_order(asked: Sequence[Asked]) -> OrderWeights:
    rows, right = list[OrderWeights](), list[float]()
    for item in asked:
        words = query_words(item.text)
        for reading in item.readings:
            for number, place in enumerate(reading.places):
                rows.append(scoring.measures_of(words, reading, number))
                text = reading.source.content[place.start : place.end]
                right.append(float(is_right(text, [*item.gold])))
    flags = np.array(right)
    weights = fit_logistic(np.array(rows), flags, np.where(flags > 0, RIGHT_WEIGHT, 1.0))
    return OrderWeights(*weights[1:].round(3).tolist())


def learn_certainty(asked: Sequence[Asked]) -> CertaintyWeights:
    ranked = [*_ranked(asked)]
    rows = np.array([scoring.certainty_measures(scored) for _, scored in ranked])
    right = np.array([_is_right(item, scored) for item, scored in ranked])
    weights = fit_logistic(rows, right, np.ones(len(right)))
    learned = CertaintyWeights(*weights.round(3).tolist())
    # An answer that another text gives as well is never more certain for it.
    return learned._replace(lead=max(learned.lead, 0.0))


def _ranked(asked: Sequence[Asked]) -> Iterator[tuple[Asked, list[ScoredPlace]]]:
    for item in asked:
        if scored := compose.rank_places(item.text, item.asked_at, item.readings):
            yield item, scored


def _is_right(item: Asked, scored: Sequence[ScoredPlace]) -> float:
    return float(is_right(scored[0].text, [*item.gold]))


# --- reporting


def report(asked: Sequence[Asked]) -> dict[str, dict[str, str]]:
    """Right, wrong, and answered though nothing answers, for several minimum probabilities."""
    figures: dict[str, dict[str, str]] = {}
    print(f"{'answered from':20}" + "".join(f"{share:>14}" for share in SHOWN))
    for group in sorted({item.group for item in asked}):
        found = [*_ranked([item for item in asked if item.group == group])]
        answerable = sum(1 for item in asked if item.group == group and item.gold)
        others = sum(1 for item in asked if item.group == group and not item.gold)
        likely = np.array([_probability(scored) for _, scored in found])
        right = np.array([_is_right(*pair) for pair in found])
        is_asked = np.array([bool(item.gold) for item, _ in found])
        row = {
            str(share): "/".join(
                str(round(100 * float(np.sum(known & (likely >= share))) / max(1, of)))
                for known, of in (
                    ((right > 0), answerable),
                    (is_asked & (right == 0), answerable),
                    (~is_asked, others),
                )
            )
            for share in SHOWN
        }
        figures[f"{group}, {answerable} and {others}"] = row
        print(f"{group:20}" + "".join(f"{cell:>14}" for cell in row.values()), answerable, others)
    return figures


def _probability(scored: Sequence[ScoredPlace]) -> float:
    return scoring.probability(scoring.certainty(scored, cover=0.0, named=False))


if __name__ == "__main__":
    main()
