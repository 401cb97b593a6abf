"""Tags: the few phrases that a text is about, in its own words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log2
from typing import TypeAlias

from remem.core.enrich.ideographs import ideograph_scores
from remem.core.enrich.model import TAGS_LIMIT
from remem.core.enrich.tag_words import SENSITIVE, UNITS, VERBS, secret_words
from remem.core.language.stopwords import ALL_STOP_WORDS, EMPTY_WORDS, STOP_WORDS

_LETTER = r"[^\W\d_\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_TOKEN = re.compile(rf"{_LETTER}+(?:['’.+/-]?(?:{_LETTER}|\d)+)*[+#]{{0,2}}|\S")
_NO_NAME = re.compile(r"[\d'’]")
_SIZES = (1, 2, 3)
_EARLY_TOKENS = 120
_BONUS_BY_LENGTH = {1: 1.0, 2: 2.0, 3: 2.2}


_Gram: TypeAlias = tuple[str, ...]


@dataclass(slots=True)
class _Seen:
    """What is known of a phrase: how it is written, how often, and how and where it stands."""

    form: str
    first: int
    count: int
    capital: int = 0
    free: int = 0
    alone: bool = False


@dataclass(frozen=True, slots=True)
class _Run:
    """Words that follow each other with nothing dull between: where, which, and whether they open
    a sentence, for then a capital says nothing."""

    position: int
    words: list[str]
    keys: list[str]
    opens: bool


def key_phrases(lines: Iterable[str], title: str, language: str | None) -> tuple[str, ...]:
    """At most five phrases in lower case, the most telling first; fewer rather than junk."""
    text = list(lines)
    secret = {word for line in text for word in secret_words([*_tokens(line)])}
    dull = STOP_WORDS.get(language or "", ALL_STOP_WORDS) | EMPTY_WORDS | UNITS | SENSITIVE | secret
    if language in (None, "en"):
        dull |= VERBS
    scores = _scores(list(_runs(text, dull)), title)
    scores |= ideograph_scores("\n".join(text), title)
    ranked = sorted(scores, key=lambda phrase: (-scores[phrase], phrase))
    return tuple(_distinct(ranked))


def _tokens(line: str) -> Iterator[str]:
    for found in _TOKEN.findall(line):
        yield found.removesuffix("'s").removesuffix("’s")


def _runs(lines: Iterable[str], dull: frozenset[str]) -> Iterator[_Run]:
    position = 0
    for line in lines:
        run: list[str] = []
        opens, opened = True, True
        for token in _tokens(line):
            position += 1
            if token.casefold() in dull or not _telling(token):
                if run:
                    yield _run(position - len(run), run, opened)
                run = []
                opens = token in ".!?:…"
            else:
                opened = opened if run else opens
                opens = False
                run.append(token)
        if run:
            yield _run(position - len(run), run, opened)


def _run(position: int, words: list[str], opens: bool) -> _Run:
    return _Run(position, words, [_key(word) for word in words], opens)


def _telling(word: str) -> bool:
    """A contraction is no name of anything, and what has digits may be a secret."""
    if not word[0].isalpha() or len(word) > 30 or _NO_NAME.search(word):
        return False
    return len(word) > 2 or (word.isupper() and len(word) > 1) or word[-1] in "+#"


def _grams(keys: list[str], size: int) -> Iterator[_Gram]:
    return zip(*(keys[start:] for start in range(size)), strict=False)


def _scores(runs: list[_Run], title: str) -> dict[str, float]:
    counts: Counter[_Gram] = Counter()
    for run in runs:
        for size in _SIZES:
            counts.update(_grams(run.keys, size))
    titled = {_key(word) for word in _TOKEN.findall(title)}
    seen = _seen(runs, counts)
    scores = {one.form: _score(keys, one, titled) for keys, one in seen.items()}
    return {form: score for form, score in scores.items() if score}


def _seen(runs: list[_Run], counts: Mapping[_Gram, int]) -> dict[_Gram, _Seen]:
    """What may be telling: what comes once inside of a longer run is not."""
    seen: dict[_Gram, _Seen] = {}
    for run in runs:
        whole = len(run.keys)
        for size in _SIZES:
            for start, gram in enumerate(_grams(run.keys, size)):
                if counts[gram] > 1 or size == whole:
                    _look_at(run, start, gram, seen, counts[gram])
    return seen


def _look_at(run: _Run, start: int, gram: _Gram, seen: dict[_Gram, _Seen], count: int) -> None:
    words = run.words[start : start + len(gram)]
    phrase = seen.get(gram)
    if phrase is None:
        phrase = seen[gram] = _Seen(" ".join(words).lower(), run.position, count)
    phrase.alone |= len(gram) == len(run.keys)
    if start or not run.opens:
        phrase.free += 1
        phrase.capital += all(word[0].isupper() for word in words)


def _score(keys: tuple[str, ...], phrase: _Seen, titled: set[str]) -> float:
    """What comes once tells little, unless it is a name or a title."""
    proper = phrase.capital > phrase.free / 2
    named = titled.issuperset(keys)
    if phrase.count < 2 and not (phrase.alone and (proper or named)):
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
