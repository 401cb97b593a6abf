"""The peers on the notes of people: each with the model it would use on this machine by default, or
with remem's English one where its own cannot be had from a package registry."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sets.people import Person, Question

from peers.child import run_peer
from peers.environment import Environment, environment
from peers.model import PeerQuestion, Text

WEIGHTS = Path(str(files("remem.models"))) / "minilm"
IN_PLACE = "all-MiniLM-L6-v2 in place of {}, a download"


@dataclass(frozen=True, slots=True)
class NotesPeer:
    """`models` says of each kind of search what it ranks with."""

    name: str
    title: str
    models: Mapping[str, str]
    environment: Environment = Environment.SHARED


@dataclass(frozen=True, slots=True)
class Answers:
    """For each question the notes found, best first, and the milliseconds it took."""

    found: list[list[str]]
    took_ms: list[float]
    memory_mb: float


_MEM0 = IN_PLACE.format("multi-qa-MiniLM-L6-cos-v1")
_BASIC = IN_PLACE.format("bge-small-en-v1.5")
PEERS = (
    NotesPeer("mem0", "mem0", {"vectors": _MEM0, "hybrid": _MEM0}),
    NotesPeer("basic_memory", "basic-memory", {"text": "none", "hybrid": _BASIC}, Environment.OWN),
    NotesPeer(
        "mcp_memory",
        "mcp-memory-service",
        dict.fromkeys(("vectors", "hybrid"), "all-MiniLM-L6-v2, its own"),
    ),
)


def measure(
    peer: NotesPeer,
    people: Sequence[Person],
    asked: Sequence[tuple[Person, Question]],
    python: str | None,
) -> dict[str, Answers]:
    """The answers by kind of search."""
    job: dict[str, Sequence[Text | PeerQuestion]] = {
        "texts": [text for person in people for text in _texts(person)],
        "asked": [PeerQuestion(person.name, question.text) for person, question in asked],
    }
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        python_of_peer = environment(peer.environment, python)
        answer = run_peer(python_of_peer, peer.name, Path(folder), WEIGHTS, job)
    return {
        way: Answers(_notes(measured["found"]), measured["took_ms"], answer["memory_mb"])
        for way, measured in answer["ways"].items()
    }


def _texts(person: Person) -> list[Text]:
    return [
        Text(
            id=f"{person.name}/{note.id}",
            talk=person.name,
            session=person.name,
            speaker=person.name,
            at=note.written_at,
            text=note.text,
        )
        for note in person.notes
    ]


def _notes(found: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[id.split("/")[1] for id in ids] for ids in found]
