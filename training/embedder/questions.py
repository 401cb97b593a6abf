"""Questions with the texts that answer them, for contrast: public ones, and invented people's."""

import collections
import gzip
import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mixture import LANGUAGES, TestTexts, Translations, read_lines, switch
from workers import on_all_processors

# Too easy, or answered by no passage of their own.
_LEFT_OUT = ("boolq", "cosmos", "synth")
_WORDINGS = 3
_PART = 2_000
_LEAST_OF_LANGUAGE, _MOST_OF_LANGUAGE, _MOST_TIMES = 5_000, 20_000, 8


@dataclass
class Questions:
    """Each question has the number of the text that answers it and numbers of texts that do not.
    `wordings` has every question once in English, then with words of other languages."""

    texts: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    wrong: list[list[int]] = field(default_factory=list)
    wordings: list[str] = field(default_factory=list)


def read_public(pack: Path, translations: Translations, limit: int | None = None) -> Questions:
    tests, questions = TestTexts(pack / "xqa.txt.xz"), Questions()
    with gzip.open(pack / "passages.jsonl.gz", "rt") as file:
        passages = [json.loads(line)["text"] for line in file]
    used: dict[int, int] = {}
    with gzip.open(pack / "questions.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    for row in rows[:limit]:
        is_left_out = row["rel"] != 1 or row["dev"] or row["src"] in _LEFT_OUT
        if is_left_out or tests.has(row["q"]) or tests.has(passages[row["p"]]):
            continue
        negative = random.choice(row["neg"] or range(len(passages)))
        questions.asked.append(row["q"])
        questions.right.append(used.setdefault(row["p"], len(used)))
        questions.wrong.append([used.setdefault(negative, len(used))])
    questions.texts = [passages[number] for number in used]
    questions.wordings = list(questions.asked)
    for number in range(1, _WORDINGS):

        def switched(at: int, number: int = number) -> list[str]:
            random.seed(f"{number} {at}")
            part = questions.asked[at : at + _PART]
            return [
                switch(question, random.choice(LANGUAGES), translations, 0.9) or question
                for question in part
            ]

        parts = on_all_processors(switched, range(0, len(questions.asked), _PART))
        questions.wordings += [question for part in parts for question in part]
    return questions


def read_foreign(pack: Path, limit: int | None = None) -> Questions:
    """Public questions in other languages, each against a passage of the same language."""
    questions, numbers = Questions(), dict[str, int]()
    rows = [json.loads(line) for line in read_lines(pack / "asked.jsonl.xz") if line][:limit]
    passages: dict[str, list[str]] = collections.defaultdict(list)
    for row in rows:
        passages[row["lang"]].append(row["p"])
    counts = collections.Counter[str]()
    sizes = collections.Counter(row["lang"] for row in rows)
    rows = [row for row in rows for _ in range(_times(sizes[row["lang"]]))]
    for row in random.sample(rows, len(rows)):
        counts[row["lang"]] += 1
        if counts[row["lang"]] > _MOST_OF_LANGUAGE:
            continue
        questions.asked.append(row["q"])
        questions.right.append(numbers.setdefault(row["p"], len(numbers)))
        other = random.choice(passages[row["lang"]])
        questions.wrong.append([numbers.setdefault(other, len(numbers))])
    questions.texts, questions.wordings = list(numbers), questions.asked
    return questions


def _times(size: int) -> int:
    """How often each question of a language with few of them is asked."""
    return max(1, min(_MOST_TIMES, _LEAST_OF_LANGUAGE // size))


def read_people(pack: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_lines(pack / "people.jsonl.xz") if line]


def questions_of_people(people: list[dict[str, Any]]) -> Questions:
    """Questions and prompts of people about their own notes, against their other notes."""
    questions, numbers = Questions(), dict[str, int]()
    for person in people:
        notes = person["notes"]
        asked = [(text, [note]) for text, note, _ in person["q"]]
        asked += [(text, ids) for text, ids in person["prompts"] if ids[0] in notes]
        for text, ids in asked:
            questions.asked.append(text)
            questions.right.append(numbers.setdefault(notes[ids[0]], len(numbers)))
            others = (note for id, note in notes.items() if id not in ids)
            questions.wrong.append([numbers.setdefault(note, len(numbers)) for note in others])
    questions.texts, questions.wordings = list(numbers), questions.asked
    return questions
