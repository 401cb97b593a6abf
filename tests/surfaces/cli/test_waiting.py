"""`remem import` and `remem save` of folders wait until all is searchable or report the queue."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from remem.core.stats.count import Stats
from remem.surfaces.cli.waiting import still_queued, unfinished_count
from tests.conftest import Person
from tests.surfaces.cli.running import Shell


def stats(**counts: Any) -> Stats:
    zeros = {name: 0 for name in Stats.__dataclass_fields__ if not name.endswith("_by_status")}
    return Stats(**{**zeros, "documents_by_status": {}, "jobs_by_status": {}, **counts})


@pytest.mark.parametrize(
    ("counts", "coverage"),
    [
        ({}, 1.0),
        ({"chunks": 4, "chunks_embedded": 4, "memories": 1, "memories_embedded": 1}, 1.0),
        ({"chunks": 4, "chunks_embedded": 1}, 0.25),
        ({"chunks": 1, "chunks_embedded": 1, "memories": 1}, 0.5),
        ({"chunks": 1, "chunks_embedded": 1, "documents_waiting": 3}, 0.25),
        ({"documents_waiting": 2}, 0.0),
    ],
)
def test_coverage_counts_waiting_items(counts: dict[str, int], coverage: float) -> None:
    assert stats(**counts).embedding_coverage == coverage


@pytest.mark.parametrize(
    ("documents", "coverage", "jobs", "remaining", "sentence"),
    [
        ({"done": 3, "failed": 1}, 1.0, {}, 0, None),
        ({"done": 3, "queued": 2, "embedding": 1}, 0.5, {"pending": 3}, 3, "3 still queued;"),
        ({"done": 3}, 0.16, {"processing": 1}, 1, "1 still queued;"),
        ({"done": 3}, 0.16, {"failed": 1}, 1, "Only 16 % is found by meaning;"),
    ],
)
def test_remaining_work_is_reported(
    documents: dict[str, int],
    coverage: float,
    jobs: dict[str, int],
    remaining: int,
    sentence: str | None,
) -> None:
    counts = {
        "documents_by_status": documents,
        "embedding_coverage": coverage,
        "jobs_by_status": jobs,
    }
    assert unfinished_count(counts) == remaining
    message = still_queued(counts)
    assert message is None if sentence is None else message and message.startswith(sentence)


def test_an_import_waits_until_everything_is_searchable(
    shell: Shell, person: Person, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(5):
        (notes / f"note{number}.md").write_text(f"# Pier {number}\n\nLamp {number} is lit at dusk.")
    result = shell.piped("import", str(notes), "--json")
    assert result.code == 0, result.err
    assert json.loads(result.out)["embedding_coverage"] == 1
    assert person.http.get("/v3/stats").json()["documents_by_status"] == {"done": 5}


def test_a_saved_file_has_its_modification_time(
    shell: Shell, person: Person, tmp_path: Path
) -> None:
    note = tmp_path / "note.txt"
    note.write_text("The dentist moved my appointment to Friday at nine.")
    os.utime(note, (1_700_000_000, 1_700_000_000))
    assert shell.piped("save", str(note)).code == 0
    [document] = person.http.get("/v3/documents").json()["documents"]
    assert document["metadata"]["modified_at"] == "2023-11-14T22:13:20+00:00"
    [chunk] = person.recall("when do I see the dentist?")[0]["chunks"]
    assert chunk["said_at"].startswith("2023-11-14T22:13:20")


def test_without_waiting_a_folder_is_saved_or_queued(shell: Shell, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(3):
        (notes / f"note{number}.txt").write_text(f"Buoy {number} is red.")
    result = shell.piped("save", str(notes), "--no-wait", "--json")
    assert result.code == 0, result.err
    counts = json.loads(result.out)
    assert counts["saved"] + counts["queued"] == 3
    assert counts["failed"] == []
