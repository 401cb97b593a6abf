"""The cost of the reader compared with the embedder, and how much its ranking gains."""

import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

from remem.core.ports import Ports
from sets.model import Talk

# Texts per call, and the number of calls.
TEXT_COUNTS = (8, 20, 30, 50)
CALLS = 20


async def cost_ms(ports: Ports, talks: Sequence[Talk]) -> dict[str, float]:
    """Milliseconds per call by number of texts, and for embedding a query."""
    reader = ports.reader
    assert reader is not None
    texts = [turn.text for talk in talks for session in talk.sessions for turn in session.turns]
    texts += [note.text for talk in talks for note in talk.notes]
    asked = [question.text for talk in talks for question in talk.questions][:CALLS]
    await reader.rank("", [""])
    figures = {"embedding a query": await _median_ms(asked, ports.embedder.embed_query)}
    for count in TEXT_COUNTS:
        sample = [texts[n * len(texts) // count] for n in range(count)]
        read = lambda text, sample=sample: reader.rank(text, sample)  # noqa: E731
        figures[f"reading {count}"] = await _median_ms(asked, read)
    print("\n" + "".join(f"{name}: {ms} ms\n" for name, ms in figures.items()))
    return figures


async def _median_ms(asked: Sequence[str], call: Callable[[str], Awaitable[object]]) -> float:
    times_ms = []
    for text in asked:
        started = time.perf_counter()
        await call(text)
        times_ms.append((time.perf_counter() - started) * 1_000)
    return round(statistics.median(times_ms), 1)


def paired_differences(
    first: Sequence[Sequence[float]], second: Sequence[Sequence[float]], columns: Sequence[str]
) -> dict[str, str]:
    """The mean difference of each column, question by question, with its 95 % interval."""
    intervals = {}
    for column, name in enumerate(columns):
        gains = [
            100 * (left[column] - right[column]) for left, right in zip(first, second, strict=True)
        ]
        error = statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
        intervals[name] = f"{statistics.mean(gains):+.1f} ± {1.96 * error:.1f}"
    print("best over deep: " + ", ".join(f"{name} {gain}" for name, gain in intervals.items()))
    return intervals
