"""Find the notes of invented people by keyword alone, in 17 languages.

python -m bench.words ../shared/data/people-train [--half chosen|reported]"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from remem.core.index.bm25 import gain, rarity
from remem.core.index.policy import WORD_POLICY
from remem.core.language.everyday import everyday_share
from remem.core.language.frames import topic_of
from remem.core.language.tokens import query_terms, terms
from remem.core.language.word_keys import all_keys, query_keys, text_keys

AMONG = 3
HALVES = ("chosen", "reported")


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    language: str
    notes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Person:
    language: str
    notes: dict[str, str]
    questions: list[Question]


@dataclass(slots=True)
class Hits:
    questions: int = 0
    first: int = 0
    among: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=HALVES)
    options = parser.parse_args()
    people = [person for half in _halves(options) for person in read_people(options.folder, half)]
    counts: dict[str, Hits] = defaultdict(Hits)
    rows = 0
    for person in people:
        index = Index(person.notes)
        rows += index.rows
        for question in person.questions:
            _add(counts, person, question, index.search(question.text))
    _print(counts, rows)


def _halves(options: argparse.Namespace) -> Sequence[str]:
    return [options.half] if options.half else HALVES


def read_people(folder: Path, half: str) -> list[Person]:
    """Every other person of each language: settings are chosen on one half and reported on the
    other."""
    by_language: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(path for path in folder.iterdir() if path.is_dir()):
        by_language[path.name.split("-")[0]].append(path)
    # Languages with one person alternate too.
    starts = {language: number % 2 for number, language in enumerate(sorted(by_language))}
    return [
        _read_person(path, language)
        for language, paths in by_language.items()
        for number, path in enumerate(paths)
        if (number + starts[language]) % 2 == HALVES.index(half)
    ]


def _read_person(path: Path, language: str) -> Person:
    notes = {id: text.replace("\\n", "\n") for id, _, text in _rows(path / "notes.tsv")}
    questions = [
        # After "|" stands the outdated note, which does not count.
        Question(text, asked_in, frozenset(ids.split("|")[0].split(",")))
        for text, asked_in, ids, _, kind, *_ in _rows(path / "questions.tsv")
        if kind != "none"
    ]
    return Person(language, notes, questions)


def _rows(path: Path) -> list[list[str]]:
    lines = path.read_text("utf-8").split("\n")
    return [line.split("\t") for line in lines if line]


class Index:
    """BM25 over a few texts, with the weights of the product."""

    def __init__(self, notes: dict[str, str]) -> None:
        counts = {id: terms(text) for id, text in notes.items()}
        self._counts = {id: counts[id] | text_keys(text) for id, text in notes.items()}
        self._lengths = {id: counts[id].total() for id in counts}
        self._mean_length = sum(self._lengths.values()) / len(notes)
        self.rows = sum(map(len, self._counts.values()))
        self._frequencies = Counter(term for found in self._counts.values() for term in found)

    def search(self, question: str) -> list[str]:
        """The ids of the notes that share words with the question, best first."""
        weights = self._weights(topic_of(question))
        scores = {
            id: sum(
                weight * gain(counts[term], self._lengths[id], self._mean_length)
                for term, weight in weights.items()
                if term in counts
            )
            for id, counts in self._counts.items()
        }
        return sorted((id for id in scores if scores[id]), key=lambda id: -scores[id])

    def _weights(self, topic: str) -> dict[str, float]:
        terms_of_topic, keys = query_terms(topic), query_keys(topic)
        weights = {term: self._weight(term) for term in terms_of_topic}
        missing = [term for term in terms_of_topic if not self._frequencies[term]]
        for key in all_keys({**keys.keys, **keys.of_missing(missing)}):
            weights.setdefault(key, WORD_POLICY.key_weight * self._weight(key))
        return weights

    def _weight(self, term: str) -> float:
        everyday = WORD_POLICY.everyday_texts * everyday_share(term)
        texts = len(self._counts) + WORD_POLICY.everyday_texts
        return rarity(texts, self._frequencies[term] + everyday)


def _add(counts: dict[str, Hits], person: Person, question: Question, found: list[str]) -> None:
    same = person.language == question.language
    for name in (person.language if same else "across", "all" if same else ""):
        if name:
            count = counts[name]
            count.questions += 1
            count.first += bool(question.notes & set(found[:1]))
            count.among += bool(question.notes & set(found[:AMONG]))


def _print(counts: dict[str, Hits], rows: int) -> None:
    print("language  questions  first  among three")
    order = sorted(counts, key=lambda name: (name in ("all", "across"), name))
    for name in order:
        count = counts[name]
        first, among = (100 * hits / count.questions for hits in (count.first, count.among))
        print(f"{name:9} {count.questions:9} {first:5.1f}% {among:11.1f}%")
    figures = {
        name: [counts[name].questions, counts[name].first, counts[name].among] for name in order
    }
    print(json.dumps({"rows": rows, "languages": figures}))


if __name__ == "__main__":
    main()
