"""Tags: the few phrases that a text is about, in its own words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log2

from remem.core.enrich.ideographs import ideograph_scores
from remem.core.enrich.model import TAGS_LIMIT
from remem.core.enrich.stopwords import ALL_STOP_WORDS, EMPTY_WORDS, STOP_WORDS

_LETTER = r"[^\W\d_\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_TOKEN = re.compile(rf"{_LETTER}+(?:['’.+/-]?(?:{_LETTER}|\d)+)*[+#]{{0,2}}|\S")
_PHRASE_WORDS = 3
_EARLY_TOKENS = 120
_FEW_PHRASES = 150
_BONUS_BY_LENGTH = {1: 1.0, 2: 2.0, 3: 2.2}


@dataclass(slots=True)
class _Seen:
    """What is known of a phrase: how it is written, how often, and how and where it stands."""

    form: str
    first: int
    count: int = 0
    capital: int = 0
    free: int = 0
    alone: bool = False


def key_phrases(lines: Iterable[str], title: str, language: str | None) -> tuple[str, ...]:
    """At most five phrases in lower case, the most telling first; fewer rather than junk."""
    text = list(lines)
    scores = _scores(_phrases(text, language), title)
    scores |= ideograph_scores("\n".join(text), title)
    ranked = sorted(scores, key=lambda phrase: (-scores[phrase], phrase))
    return tuple(_distinct(ranked))


def _phrases(lines: Iterable[str], language: str | None) -> dict[tuple[str, ...], _Seen]:
    dull = STOP_WORDS.get(language or "", ALL_STOP_WORDS) | EMPTY_WORDS
    seen: dict[tuple[str, ...], _Seen] = {}
    for position, run, opens in _runs(lines, dull):
        keys = [_key(word) for word in run]
        capitals = [word[0].isupper() for word in run]
        for start, end in _grams(len(run)):
            key = tuple(keys[start:end])
            phrase = seen.get(key)
            if phrase is None:
                phrase = seen[key] = _Seen(" ".join(run[start:end]).lower(), position)
            phrase.count += 1
            phrase.alone |= end - start == len(run)
            if start or not opens:
                phrase.free += 1
                phrase.capital += all(capitals[start:end])
    return seen


def _runs(lines: Iterable[str], dull: frozenset[str]) -> Iterator[tuple[int, list[str], bool]]:
    """Words that follow each other with nothing dull between: where, which, and whether they
    open a sentence, for then a capital says nothing."""
    position = 0
    for line in lines:
        run: list[str] = []
        opens, opened = True, True
        for found in _TOKEN.findall(line):
            token = found.removesuffix("'s").removesuffix("’s")
            position += 1
            if token.casefold() in dull or not _telling(token):
                if run:
                    yield position - len(run), run, opened
                run = []
                opens = token in ".!?:…"
            else:
                opened = opened if run else opens
                opens = False
                run.append(token)
        if run:
            yield position - len(run), run, opened


def _telling(word: str) -> bool:
    if not word[0].isalpha() or len(word) > 30:
        return False
    return len(word) > 2 or (word.isupper() and len(word) > 1) or word[-1] in "+#"


def _grams(length: int) -> Iterator[tuple[int, int]]:
    for size in range(1, min(length, _PHRASE_WORDS) + 1):
        for start in range(length - size + 1):
            yield start, start + size


def _scores(seen: dict[tuple[str, ...], _Seen], title: str) -> dict[str, float]:
    titled = {_key(word) for word in _TOKEN.findall(title)}
    short = len(seen) < _FEW_PHRASES
    scores = {one.form: _score(keys, one, titled, short) for keys, one in seen.items()}
    return {form: score for form, score in scores.items() if score}


def _score(keys: tuple[str, ...], phrase: _Seen, titled: set[str], short: bool) -> float:
    """What comes once tells little, unless it is a name, a title, or the text is short."""
    proper = phrase.capital > phrase.free / 2
    named = titled.issuperset(keys)
    once = proper or named or (short and len(keys) > 1)
    if phrase.count < 2 and not (phrase.alone and once):
        return 0.0
    again = log2(1 + phrase.count) if phrase.count > 1 else 0.7
    score = again * _BONUS_BY_LENGTH[len(keys)]
    score *= (1.6 if named else 1.0) * (1.3 if proper else 1.0)
    return score * (1.2 if phrase.first < _EARLY_TOKENS else 1.0)


def _key(word: str) -> str:
    """A word as it is counted: one and many are the same."""
    folded = word.casefold()
    if len(folded) < 5 or not folded.endswith("s") or folded.endswith(("ss", "us", "is")):
        return folded
    return folded[:-3] + "y" if folded.endswith("ies") else folded[:-1]


def _distinct(ranked: list[str]) -> Iterator[str]:
    """Phrases that say something new beside the ones before them."""
    chosen: list[set[str]] = []
    for phrase in ranked:
        words = {_key(word) for word in phrase.split()}
        if not any(words <= other or other <= words or phrase in other for other in chosen):
            chosen.append(words)
            yield phrase
        if len(chosen) == TAGS_LIMIT:
            return
