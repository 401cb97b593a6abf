"""Notes of three invented people, and sentences that are searched for in them."""

from dataclasses import dataclass, field
from pathlib import Path

_FILE = Path(__file__).with_name("sentences.txt")


@dataclass(frozen=True, slots=True)
class SearchSentence:
    """`right` are the labels of the notes that answer, none if nothing does; `related` notes are on
    the subject and count neither way."""

    text: str
    right: frozenset[str]
    related: frozenset[str]
    is_reported: bool


@dataclass(slots=True)
class Person:
    name: str
    notes: dict[str, str] = field(default_factory=dict)
    queries: list[SearchSentence] = field(default_factory=list)
    # Names and keywords.
    short: list[SearchSentence] = field(default_factory=list)


def load() -> list[Person]:
    """In turn, one query is for choosing and one for reporting."""
    people: list[Person] = []
    number = 0
    for line in _FILE.read_text().splitlines():
        kind, (labels, _, text) = line[:1], line[1:].partition(": ")
        if kind == "P":
            people.append(Person(line[2:]))
        elif kind == "N":
            people[-1].notes[labels.strip()] = text
        elif kind in ("Q", "U"):
            people[-1].queries.append(_query(labels, text, is_reported=number % 2 == 1))
            number += 1
        elif kind == "K":
            people[-1].short.append(_query(labels, text, is_reported=False))
    return people


def _query(labels: str, text: str, *, is_reported: bool) -> SearchSentence:
    names = labels.split()
    right = frozenset(name for name in names if name[0] != "~")
    related = frozenset(name[1:] for name in names if name[0] == "~")
    return SearchSentence(text, right, related, is_reported)
