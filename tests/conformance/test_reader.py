"""The reader: its scores are independent for each text, limited in time, or Unavailable."""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from remem.adapters.reader import local
from remem.adapters.reader.local import LocalReader
from remem.adapters.reader.network import MAX_TOKENS, Network, load
from remem.core.errors import ReaderBusy, Unavailable
from remem.core.model_ports import Reader

pytestmark = pytest.mark.anyio

MODELS = Path(str(files("remem.models")))
TURNS = [
    "Ben: The weather was awful all week.",
    "Ana: I adopted a grey cat from the shelter on Sunday.",
    "Ben: We should book the train soon.",
]


@asynccontextmanager
async def open_reader(**settings: Any) -> AsyncIterator[LocalReader]:
    reader = LocalReader(**{"deadline_s": 60.0, **settings})
    try:
        yield reader
    finally:
        await reader.close()


async def test_ranks_the_text_that_answers_first() -> None:
    async with open_reader() as reader:
        ranking: Reader = reader
        scores = await ranking.rank("Which pet does Ana have?", TURNS)
    assert len(scores) == 3
    assert max(range(3), key=scores.__getitem__) == 1


async def test_the_score_of_a_text_does_not_depend_on_the_others() -> None:
    async with open_reader() as reader:
        together = await reader.rank("Which pet does Ana have?", TURNS)
        alone = [(await reader.rank("Which pet does Ana have?", [text]))[0] for text in TURNS]
    assert together == alone


async def test_finds_an_answer_and_its_position() -> None:
    async with open_reader() as reader:
        spans = await reader.read("Where does Carla live?", ["It rains.", "Carla lives in Oslo."])
    best = spans[0]
    assert (best.text, "Carla lives in Oslo."[best.start : best.end]) == (1, "Oslo")
    assert best.confidence > 0.5
    assert all(span.confidence < 0.5 for span in spans if span.text == 0)
    assert [span.confidence for span in spans] == sorted(
        (span.confidence for span in spans), reverse=True
    )


async def test_a_text_that_was_ranked_is_read_without_another_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    question, texts = "Where does Carla live?", ["It rains.", "Carla lives in Oslo."]
    runs: list[object] = []
    cut = Network._pair
    monkeypatch.setattr(Network, "_pair", lambda *pair: runs.append(pair) or cut(*pair))
    async with open_reader() as reader:
        monkeypatch.setattr(reader._model, "_network", load())
        ranked = await reader.rank(question, texts)
        after_ranking = await reader.read(question, texts)
        assert len(runs) == 2
        assert await reader.rank(question, texts) == ranked
        await reader.read("Where does Ben live?", texts)
        assert len(runs) == 4
        monkeypatch.setattr(reader._model, "_network", load())
        assert await reader.read(question, texts) == after_ranking


async def test_judges_the_relation_to_each_earlier_statement() -> None:
    earlier = ["The wifi password is hunter2.", "My brother plays chess."]
    async with open_reader() as reader:
        changed, other = await reader.judge(earlier, "The wifi password was changed to swordfish.")
    assert changed.updates == max(changed)
    assert other.unrelated == max(other)
    assert sum(changed) == pytest.approx(1)


@pytest.mark.parametrize("text", ["", " ", "\ud800 broken", "x" * 1_000_000, "猫 " * 5_000])
async def test_accepts_any_text(text: str) -> None:
    async with open_reader() as reader:
        assert len(await reader.rank(text, [text, "A cat."])) == 2
        await reader.read(text, [text])
        assert len(await reader.judge([text], text)) == 1


async def test_an_empty_list_makes_no_call() -> None:
    async with open_reader(folder=Path("/nowhere")) as reader:
        assert await reader.rank("cat", []) == []


def test_a_long_question_leaves_room_for_the_text() -> None:
    pair = load()._pair("cat " * 500, "dog " * 500)
    assert len(pair.ids) == MAX_TOKENS
    assert pair.second < MAX_TOKENS / 2


@pytest.mark.parametrize("weights", [None, b"not a model"])
async def test_without_weights_it_is_unavailable(tmp_path: Path, weights: bytes | None) -> None:
    shutil.copytree(MODELS / "minilm", tmp_path / "minilm")
    if weights:
        (tmp_path / "reader").mkdir()
        (tmp_path / "reader" / "reader.onnx").write_bytes(weights)
    async with open_reader(folder=tmp_path) as reader:
        for _ in range(2):
            with pytest.raises(Unavailable):
                await reader.rank("cat", ["A cat."])


async def test_too_slow_is_unavailable_and_the_next_call_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()
    monkeypatch.setattr(Network, "relevance", lambda *_: float(release.wait(60)))
    async with open_reader(threads=1, deadline_s=0.05) as reader:
        with pytest.raises(Unavailable):
            await reader.rank("cat", ["A cat."] * 5)
        release.set()
        monkeypatch.setattr(reader, "_deadline_s", 60.0)
        assert await reader.rank("cat", ["A cat."]) == [1.0]


async def test_too_many_concurrent_calls_are_refused_and_the_loop_is_not_blocked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()
    monkeypatch.setattr(Network, "relevance", lambda *_: float(release.wait(60)))
    async with open_reader(threads=1, max_calls=2) as reader:
        first, second = (asyncio.create_task(reader.rank("cat", ["A cat."])) for _ in range(2))
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await reader.rank("cat", ["A cat."])
        release.set()
        assert await first == await second == [1.0]
        assert await reader.rank("cat", ["A cat."]) == [1.0]


async def test_calls_in_turn_wait_and_have_more_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "MAX_WAITING", 3)
    order: list[int] = []

    async def ask(reader: LocalReader, number: int) -> None:
        async with reader.in_turn() as patient:
            assert await patient.rank("cat", ["A cat."])
            order.append(number)

    async with open_reader(threads=1, deadline_s=0.0) as reader:
        async with reader.in_turn():
            waiting = [asyncio.create_task(ask(reader, number)) for number in range(2)]
            await asyncio.sleep(0)
            with pytest.raises(ReaderBusy):
                await ask(reader, 2)
            assert not order
        await asyncio.gather(*waiting)
        with pytest.raises(ReaderBusy):
            await reader.rank("cat", ["A cat."])
    assert order == [0, 1]


async def test_a_failure_of_the_network_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> float:
        raise RuntimeError("no memory")

    monkeypatch.setattr(Network, "relevance", fail)
    async with open_reader() as reader:
        with pytest.raises(Unavailable):
            await reader.rank("cat", ["A cat."])


async def test_a_closed_reader_is_unavailable() -> None:
    async with open_reader() as reader:
        pass
    with pytest.raises(Unavailable):
        await reader.rank("cat", ["A cat."])


async def test_a_failure_leaves_no_cancellation_behind(tmp_path: Path) -> None:
    """A task that looks cancelled would be ended by the next library that checks for it."""
    async with open_reader(folder=tmp_path) as reader:
        with pytest.raises(Unavailable):
            await reader.rank("cat", ["A cat.", "A dog."])
    task = asyncio.current_task()
    assert task is not None and task.cancelling() == 0
