"""Tags: the phrases a text keeps coming back to."""

import re
from collections import Counter
from collections.abc import Iterator

from remem.core.enrich.stop_words import STOP_WORDS

TAGS = 5
PHRASE_WORDS = 3
_WORD = re.compile(r"[^\W\d_][\w’'-]*[^\W_]|[^\W\d_]{2,}")
_BREAK = re.compile(r"[.!?;:,()\[\]{}\"“”|<>*#`=\n/\\]+")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_CODE = re.compile(r"```.*?```|`[^`]*`|https?://\S+", re.DOTALL)


def key_phrases(text: str, content_type: str) -> tuple[str, ...]:
    """Up to five, in lower case; none when nothing stands out, or words are not parted."""
    if content_type in ("code", "csv", "json") or _UNSPACED.search(text[:500]):
        return ()
    candidates = Counter(_candidates(_CODE.sub(" ", text)))
    ranked = sorted(
        (phrase for phrase, n in candidates.items() if n > 1),
        key=lambda phrase: (-_weight(phrase, candidates), phrase),
    )
    return tuple(_apart(ranked))


def _weight(phrase: str, candidates: Counter[str]) -> float:
    """How often it comes back, more for longer phrases whose words belong together."""
    parts = phrase.split()
    together = candidates[phrase] / min(candidates[part] for part in parts)
    return candidates[phrase] * (1 + 0.8 * (len(parts) - 1) * together)


def _candidates(text: str) -> Iterator[str]:
    for stretch in _BREAK.split(text):
        run: list[str] = []
        for word in [*_WORD.findall(stretch.lower()), ""]:
            if word and len(word) > 2 and word not in STOP_WORDS:
                run.append(word)
                continue
            yield from _runs(run)
            run = []


def _runs(run: list[str]) -> Iterator[str]:
    for size in range(1, PHRASE_WORDS + 1):
        for start in range(len(run) - size + 1):
            yield " ".join(run[start : start + size])


def _apart(ranked: list[str]) -> Iterator[str]:
    """The best, but none that only says again what another says."""
    chosen: list[str] = []
    for phrase in ranked:
        if len(chosen) == TAGS:
            return
        if not any(_overlap(phrase, other) for other in chosen):
            chosen.append(phrase)
            yield phrase


def _overlap(one: str, other: str) -> bool:
    return bool(set(one.split()) & set(other.split()))
