"""Learn what helps with a prompt: from the prompts of invented people that no model was trained on,
and a few of their questions, which are asked of assistants too. Every second person of `people` is
reported. Which prompts are about a person's own matters is also learned from the others, by their
vectors alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

import numpy as np

from remem.core.language.detect import may_be_english
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.search.evidence import Floats
from remem.core.search.prompt_calibration import BY_LINE, BY_PROMPT
from remem.core.search.prompted import (
    embed_prompt,
    log_odds,
    prompt_measures,
    read_for_prompt,
    words_of,
)
from sets.logistic import fit_logistic
from sets.people import Person, Prompt, people_to_learn_from, people_to_report, trained_on
from sets.people_store import opened, save_person

# Of the prompts that need nothing, at most this share may get a line: less than what is promised,
# because other people have other prompts.
MAX_UNWANTED = 0.02
# The share of right lines that may be left out of a prompt that gets others.
MAX_LOST = 0.1
SHOWN, FOLDS, QUESTIONS = 3, 8, 5
# How strongly the weights on the vector are held near 0: there are hundreds, and as many prompts.
HELD = 3.0
STEPS = 12
# Weights of a prompt's vector by person; "" has those for everybody else.
AsksWeights: TypeAlias = Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Prompted:
    """`measures` and `right` have a row for each result that was read; no `right` one is needed if
    the prompt is `unrelated`."""

    person: str
    text: str
    model: str
    vector: Floats
    measures: Floats
    right: Floats
    is_unrelated: bool
    is_reported: bool

    @property
    def is_english(self) -> bool:
        return may_be_english(words_of(self.text))


async def collect_prompts(folder: Path, data: Path) -> list[Prompted]:
    prompts: list[Prompted] = []
    to_learn_from, to_report = people_to_learn_from(data), people_to_report(data)
    known = {person.name for person in to_learn_from}
    async with opened(folder) as (ports, scope):
        for people, reported in ((to_learn_from, False), (to_report, True)):
            for person in people:
                labels = await save_person(ports, scope, person)
                prompts += await _collect(ports, scope, person, labels, reported=reported)
                print(f"{person.name:12} {len(prompts):5} prompts", flush=True)
        for person in trained_on(data):
            if person.name not in known:
                prompts += await _embed(ports, scope, person)
    print(f"{len(prompts)} prompts", flush=True)
    return prompts


async def _embed(ports: Ports, scope: Scope, person: Person) -> list[Prompted]:
    """The vectors alone: what the models say of these notes, which they know, is no evidence."""
    embedded = []
    for prompt in [*person.prompts, *_questions(person)]:
        async with ports.db.transaction(scope) as tx:
            found = await embed_prompt(ports, tx, words_of(prompt.text))
        assert found is not None
        vector, none = np.array(found[1], float), np.zeros((0, len(BY_LINE) - 1))
        unrelated = not prompt.relevant
        embedded.append(
            Prompted(
                person.name, prompt.text, found[0], vector, none, np.zeros(0), unrelated, False
            )
        )
    return embedded


async def _collect(
    ports: Ports, scope: Scope, person: Person, labels: Mapping[UUID, str], *, reported: bool
) -> list[Prompted]:
    collected = []
    questions = [] if reported else _questions(person)
    for prompt in [*person.prompts, *questions]:
        said = words_of(prompt.text)
        async with ports.db.transaction(scope) as tx:
            projects = await resolve_all(tx, person.name)
            embedded = await embed_prompt(ports, tx, said)
            results = await read_for_prompt(ports, tx, said, projects)
        assert embedded is not None
        ranked = results.ranked if results else []
        notes = [
            next((labels[id] for id in (r.id, r.group_id, *r.memory_ids) if id in labels), "")
            for r in ranked
        ]
        collected.append(
            Prompted(
                person.name,
                prompt.text,
                embedded[0],
                np.array(embedded[1], float),
                results.measures if results else np.zeros((0, len(BY_LINE) - 1)),
                np.array([float(note in prompt.relevant) for note in notes]),
                not prompt.relevant,
                reported,
            )
        )
    return collected


def _questions(person: Person) -> list[Prompt]:
    plain = [question for question in person.questions if question.kind == "plain"]
    return [Prompt(question.text, question.expected) for question in plain[:QUESTIONS]]


def learn_prompts(prompts: Sequence[Prompted]) -> str:
    """The contents of prompts.toml."""
    learned = [item for item in prompts if not item.is_reported and len(item.measures)]
    others = [item for item in prompts if not item.is_reported]
    asks = _fit_held([item.vector for item in others], _needs(others))
    by_line = _fit_lines([item for item in learned if not item.is_unrelated])
    folded = _folded_asks(learned, others)
    by_prompt = _fit_prompts(learned, folded, by_line)

    def total(item: Prompted, asked: float) -> float:
        return float(log_odds(by_prompt, _measures(item, asked, by_line)))

    totals = [total(item, asked) for item, asked in zip(learned, folded, strict=True)]
    limit = _limit([t for t, item in zip(totals, learned, strict=True) if item.is_unrelated])
    least_line = _least_line(learned, by_line)
    _report("learned from", learned, totals, limit, by_line, least_line)
    held = [item for item in prompts if item.is_reported and len(item.measures)]
    held_totals = [total(item, float(log_odds(asks, item.vector))) for item in held]
    _report("reported", held, held_totals, limit, by_line, least_line)
    return "\n".join(
        [
            "# Written by bench/calibrate.py.",
            f'model = "{prompts[0].model}"',
            "asks = [",
            *(f"  {', '.join(f'{value:.3f}' for value in row)}," for row in _rows(asks)),
            "]",
            *_table("by_line", BY_LINE, by_line),
            *_table("by_prompt", BY_PROMPT, by_prompt),
            *_table("limits", ("line", "prompt"), (least_line, limit)),
        ]
    )


def _needs(prompts: Sequence[Prompted]) -> Floats:
    return np.array([float(not item.is_unrelated) for item in prompts])


def _fit_held(vectors: Sequence[Floats], right: Floats) -> Floats:
    """A logistic regression with weights that are held near 0, by Newton's method."""
    table = np.column_stack((np.ones(len(vectors)), np.vstack(vectors)))
    held = HELD * np.diag([0.0, *np.ones(table.shape[1] - 1)])
    weights: Floats = np.zeros(table.shape[1])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (right - share) - held @ weights
        curve = (table * (share * (1 - share))[:, None]).T @ table + held
        weights += np.linalg.solve(curve, slope)
    return weights


def _folded_asks(learned: Sequence[Prompted], all_prompts: Sequence[Prompted]) -> list[float]:
    """Of each prompt by weights that were learned from other people, as it will be in use."""
    weights = _weights_by_person(learned, all_prompts)
    return [float(log_odds(weights[item.person], item.vector)) for item in learned]


def asks_by_person(prompts: Sequence[Prompted]) -> AsksWeights:
    others = [item for item in prompts if not item.is_reported]
    learned = [item for item in others if len(item.measures)]
    everybody = _fit_held([item.vector for item in others], _needs(others))
    return {"": everybody, **_weights_by_person(learned, others)}


def _weights_by_person(
    learned: Sequence[Prompted], all_prompts: Sequence[Prompted]
) -> dict[str, Floats]:
    people = sorted({item.person for item in learned})
    fold_of = {person: n % FOLDS for n, person in enumerate(people)}
    by_person = {}
    for fold in range(FOLDS):
        others = [item for item in all_prompts if fold_of.get(item.person) != fold]
        weights = _fit_held([item.vector for item in others], _needs(others))
        by_person |= {person: weights for person in people if fold_of[person] == fold}
    return by_person


def _fit_lines(related: Sequence[Prompted]) -> Floats:
    right = np.concatenate([item.right for item in related])
    return fit_logistic(np.vstack([item.measures for item in related]), right, np.ones(len(right)))


def _fit_prompts(learned: Sequence[Prompted], asks: Sequence[float], by_line: Floats) -> Floats:
    rows = [_measures(item, asked, by_line) for item, asked in zip(learned, asks, strict=True)]
    return fit_logistic(np.vstack(rows), _needs(learned), np.ones(len(rows)))


def _measures(item: Prompted, asks: float, by_line: Floats) -> Floats:
    lines = log_odds(by_line, item.measures)
    return prompt_measures(asks, lines, item.measures, words_of(item.text))


def _limit(unrelated: Sequence[float]) -> float:
    """The lowest at which few of them get a line."""
    highest = sorted(unrelated, reverse=True)
    return highest[int(len(highest) * MAX_UNWANTED)] + 0.005


def _shown(item: Prompted, by_line: Floats) -> Iterator[tuple[float, float]]:
    """The log odds of the best lines, and whether each is right."""
    lines = log_odds(by_line, item.measures)
    for n in np.argsort(-lines)[:SHOWN]:
        yield float(lines[n]), float(item.right[n])


def _least_line(learned: Sequence[Prompted], by_line: Floats) -> float:
    right = sorted(line for item in learned for line, is_right in _shown(item, by_line) if is_right)
    return right[int(len(right) * MAX_LOST)]


def _report(
    title: str,
    prompts: Sequence[Prompted],
    totals: Sequence[float],
    limit: float,
    by_line: Floats,
    least: float,
) -> None:
    groups: dict[str, Callable[[Prompted], bool]] = {
        "all": lambda item: True,
        "English": lambda item: item.is_english,
        "other": lambda item: not item.is_english,
    }
    for name, belongs in groups.items():
        unrelated = related = unwanted = helped = given = 0
        for item, total in zip(prompts, totals, strict=True):
            if not belongs(item):
                continue
            lines = [right for line, right in _shown(item, by_line) if line >= least]
            is_given = total >= limit and bool(lines)
            unrelated += item.is_unrelated
            related += not item.is_unrelated
            unwanted += item.is_unrelated and is_given
            given += not item.is_unrelated and is_given
            helped += is_given and any(lines)
        print(
            f"prompts, {title}, {name}: a line for {unwanted} of {unrelated} unrelated ones;"
            f" the right one for {helped}, any for {given} of {related} related ones"
        )


def _rows(values: Floats, length: int = 12) -> Iterator[Floats]:
    return (values[n : n + length] for n in range(0, len(values), length))


def _table(name: str, keys: Sequence[str], values: Sequence[float] | Floats) -> list[str]:
    return [
        "",
        f"[{name}]",
        *(f"{key} = {value:.3f}" for key, value in zip(keys, values, strict=True)),
    ]
