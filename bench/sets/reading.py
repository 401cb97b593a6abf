"""What the reader costs beside the embedder, and by how much what it ranks is better."""

import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

from remem.core.ports import Ports
from sets.model import Talk

# Texts a call, and calls.
READ = (8, 20, 30, 50)
CALLS = 20


async def cost_ms(ports: Ports, talks: Sequence[Talk]) -> dict[str, float]:
    """Milliseconds a call by how many texts are read, and for a query that is embedded."""
    reader = ports.reader
    assert reader is not None
    texts = [turn.text for one in talks for session in one.sessions for turn in session.turns]
    texts += [note.text for one in talks for note in one.notes]
    asked = [question.text for one in talks for question in one.questions][:CALLS]
    await reader.rank("", [""])
    figures = {"embedding a query": await _median_ms(asked, ports.embedder.embed_query)}
    for count in READ:
        sample = [texts[n * len(texts) // count] for n in range(count)]
        read = lambda text, sample=sample: reader.rank(text, sample)  # noqa: E731
        figures[f"reading {count}"] = await _median_ms(asked, read)
    print("\n" + "".join(f"{name}: {ms} ms\n" for name, ms in figures.items()))
    return figures


async def _median_ms(asked: Sequence[str], call: Callable[[str], Awaitable[object]]) -> float:
    taken = []
    for text in asked:
        started = time.perf_counter()
        await call(text)
        taken.append((time.perf_counter() - started) * 1_000)
    return round(statistics.median(taken), 1)


def better(
    ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]], columns: Sequence[str]
) -> dict[str, str]:
    """The mean difference of each column, question by question, with its 95 % interval."""
    shown = {}
    for place, name in enumerate(columns):
        gains = [100 * (one[place] - other[place]) for one, other in zip(ours, theirs, strict=True)]
        error = statistics.stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
        shown[name] = f"{statistics.mean(gains):+.1f} ± {1.96 * error:.1f}"
    print("best over deep: " + ", ".join(f"{name} {gain}" for name, gain in shown.items()))
    return shown
