"""The analysis port and its adapters: a result or an AnalysisStopped, and no other call waits."""

import asyncio
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remem.adapters.analysis.deadline import SECONDS_A_CHAR, Deadline
from remem.adapters.analysis.processes import ProcessAnalysis
from remem.adapters.analysis.threads import ThreadAnalysis
from remem.core.errors import AnalysisStopped
from remem.core.language.names.mentions import entities_in
from remem.core.memories.rules.derive import derive
from remem.core.ports import Analysis
from tests.linear.calls import dies, fails, never_done, process_of

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
SAID_AT = datetime(2027, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(params=["processes", "threads"])
async def analysis(request: pytest.FixtureRequest) -> AsyncIterator[Analysis]:
    adapter = ProcessAnalysis(1) if request.param == "processes" else ThreadAnalysis()
    yield adapter
    await adapter.close()


@pytest.fixture
async def impatient(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ProcessAnalysis]:
    """An adapter with two processes and a short deadline that calls functions of the tests."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    adapter = ProcessAnalysis(2, Deadline(0.2), package="tests.linear")
    yield adapter
    await adapter.close()


async def test_it_returns_what_the_function_returns(analysis: Analysis) -> None:
    text = "Ann Smith met Bob in Paris. I have to pay the rent by 5 March 2027."
    assert await analysis.run(entities_in, text, ("work",)) == entities_in(text, ("work",))
    assert await analysis.run(derive, text, SAID_AT) == derive(text, SAID_AT)


async def test_an_error_stops_the_analysis_and_nothing_else(analysis: Analysis) -> None:
    with pytest.raises(AnalysisStopped) as stopped:
        await analysis.run(derive, 5, SAID_AT)
    assert stopped.value.code == "failed"
    assert await analysis.run(entities_in, "", ()) == []


async def test_only_named_functions_of_the_package_are_called() -> None:
    analysis = ProcessAnalysis(1)
    try:
        with pytest.raises(TypeError):
            await analysis.run(lambda text: text, "a")
        with pytest.raises(AnalysisStopped):
            await analysis.run(os.getenv, "HOME")
    finally:
        await analysis.close()


async def test_a_call_that_never_ends_is_stopped_and_its_process_replaced(
    impatient: ProcessAnalysis,
) -> None:
    before = {await impatient.run(process_of, "a")}
    with pytest.raises(AnalysisStopped):
        await impatient.run(never_done, "a")
    after = await impatient.run(process_of, "a")
    assert after not in before
    assert await impatient.run(process_of, "b") == after, "a process that is well is used again"


async def test_other_calls_are_answered_while_one_never_ends(impatient: ProcessAnalysis) -> None:
    stuck = asyncio.create_task(impatient.run(never_done, "a"))
    await asyncio.sleep(0)
    for _ in range(5):
        assert await impatient.run(process_of, "a") != os.getpid()
    assert not stuck.done()
    with pytest.raises(AnalysisStopped):
        await stuck


async def test_a_process_that_dies_is_replaced(impatient: ProcessAnalysis) -> None:
    with pytest.raises(AnalysisStopped):
        await impatient.run(dies, "abc")
    with pytest.raises(AnalysisStopped):
        await impatient.run(fails, "abc")
    assert await impatient.run(process_of, "a")


def test_a_long_text_has_more_time() -> None:
    assert Deadline(1.0).seconds(("a" * 100, ["b" * 50])) == pytest.approx(1 + 150 * SECONDS_A_CHAR)


PARENT = """
import asyncio
from remem.adapters.analysis.deadline import Deadline
from remem.adapters.analysis.processes import ProcessAnalysis
from tests.linear.calls import never_done, process_of

async def main():
    analysis = ProcessAnalysis(1, Deadline(1_000.0), package="tests.linear")
    print(await analysis.run(process_of, "a"), flush=True)
    await analysis.run(never_done, "a")

asyncio.run(main())
"""


def test_a_busy_process_dies_with_a_parent_that_is_killed() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    handle = os.pidfd_open(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    ready, _, _ = select.select([handle], [], [], 60)
    os.close(handle)
    assert ready, "the child outlived its parent"


def test_a_process_imports_only_what_the_rules_need() -> None:
    """The first document that a server saves waits for the start of a process."""
    unwanted = ("asyncpg", "structlog", "pydantic", "onnxruntime", "remem.core.ports")
    script = (
        "import sys, remem.core.documents.chunks.cut, remem.core.documents.voice\n"
        "import remem.core.enrich.rules\n"
        f"print([name for name in {unwanted!r} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == "[]\n", result


async def test_a_thread_is_stopped_by_its_processor_time_and_not_by_a_busy_machine() -> None:
    """What waits for a processor, as everything on a small machine, uses none."""
    analysis, ended = ThreadAnalysis(Deadline(0.1)), threading.Event()

    def wait() -> bool:
        return ended.wait(3 * 0.1)

    def compute() -> None:
        while not ended.is_set():
            pass

    assert await analysis.run(wait) is False
    with pytest.raises(AnalysisStopped, match="longer"):
        await analysis.run(compute)
    ended.set()
