"""Tags: the main phrases of a text, in its own words."""

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
_NOT_TAG = re.compile(r"[\d'’]")
_SIZES = (1, 2, 3)
_EARLY_TOKENS = 120
_BONUS_BY_LENGTH = {1: 1.0, 2: 2.0, 3: 2.2}


_Gram: TypeAlias = tuple[str, ...]


@dataclass(slots=True)
class _PhraseStats:
    """Statistics of a phrase: its form, its count, and how and where it occurs."""

    form: str
    first: int
    count: int
    capital: int = 0
    free: int = 0
    alone: bool = False


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive words without excluded words between them. `opens`: they begin a sentence, where
    a capital says nothing."""

    position: int
    words: list[str]
    keys: list[str]
    opens: bool


def key_phrases(lines: Iterable[str], title: str, language: str | None) -> tuple[str, ...]:
    """At most five phrases in lower case, the most specific first; fewer if the rest would be
    junk."""
    text_lines = list(lines)
    secrets = {word for line in text_lines for word in secret_words([*_tokens(line)])}
    excluded = (
        STOP_WORDS.get(language or "", ALL_STOP_WORDS) | EMPTY_WORDS | UNITS | SENSITIVE | secrets
    )
    if language in (None, "en"):
        excluded |= VERBS
    scores = _scores(list(_runs(text_lines, excluded)), title)
    scores |= ideograph_scores("\n".join(text_lines), title)
    ranked = sorted(scores, key=lambda phrase: (-scores[phrase], phrase))
    return tuple(_distinct(ranked))


def _tokens(line: str) -> Iterator[str]:
    for token in _TOKEN.findall(line):
        yield token.removesuffix("'s").removesuffix("’s")


def _runs(lines: Iterable[str], excluded: frozenset[str]) -> Iterator[_Run]:
    position = 0
    for line in lines:
        run: list[str] = []
        opens, run_opens = True, True
        for token in _tokens(line):
            position += 1
            if token.casefold() in excluded or not _may_be_tag(token):
                if run:
                    yield _build_run(position - len(run), run, run_opens)
                run = []
                opens = token in ".!?:…"
            else:
                run_opens = run_opens if run else opens
                opens = False
                run.append(token)
        if run:
            yield _build_run(position - len(run), run, run_opens)


def _build_run(position: int, words: list[str], opens: bool) -> _Run:
    return _Run(position, words, [_key(word) for word in words], opens)


def _may_be_tag(word: str) -> bool:
    """Whether a word may be part of a tag. Contractions are not, and words with digits may be
    secrets."""
    if not word[0].isalpha() or len(word) > 30 or _NOT_TAG.search(word):
        return False
    return len(word) > 2 or (word.isupper() and len(word) > 1) or word[-1] in "+#"


def _grams(keys: list[str], size: int) -> Iterator[_Gram]:
    return zip(*(keys[start:] for start in range(size)), strict=False)


def _scores(runs: list[_Run], title: str) -> dict[str, float]:
    counts: Counter[_Gram] = Counter()
    for run in runs:
        for size in _SIZES:
            counts.update(_grams(run.keys, size))
    title_keys = {_key(word) for word in _TOKEN.findall(title)}
    candidates = _candidates(runs, counts)
    scores = {phrase.form: _score(keys, phrase, title_keys) for keys, phrase in candidates.items()}
    return {form: score for form, score in scores.items() if score}


def _candidates(runs: list[_Run], counts: Mapping[_Gram, int]) -> dict[_Gram, _PhraseStats]:
    """The candidate phrases; one that occurs once inside a longer run is not a candidate."""
    candidates: dict[_Gram, _PhraseStats] = {}
    for run in runs:
        run_length = len(run.keys)
        for size in _SIZES:
            for start, gram in enumerate(_grams(run.keys, size)):
                if counts[gram] > 1 or size == run_length:
                    _count_occurrence(run, start, gram, candidates, counts[gram])
    return candidates


def _count_occurrence(
    run: _Run, start: int, gram: _Gram, candidates: dict[_Gram, _PhraseStats], count: int
) -> None:
    words = run.words[start : start + len(gram)]
    phrase = candidates.get(gram)
    if phrase is None:
        phrase = candidates[gram] = _PhraseStats(" ".join(words).lower(), run.position, count)
    phrase.alone |= len(gram) == len(run.keys)
    if start or not run.opens:
        phrase.free += 1
        phrase.capital += all(word[0].isupper() for word in words)


def _score(keys: tuple[str, ...], phrase: _PhraseStats, title_keys: set[str]) -> float:
    """Score a phrase. One that occurs once scores 0, unless it is a run of its own that is a name
    or in the title."""
    is_proper_name = phrase.capital > phrase.free / 2
    is_in_title = title_keys.issuperset(keys)
    if phrase.count < 2 and not (phrase.alone and (is_proper_name or is_in_title)):
        return 0.0
    frequency = log2(1 + phrase.count) if phrase.count > 1 else 0.7
    score = frequency * _BONUS_BY_LENGTH[len(keys)]
    score *= (1.6 if is_in_title else 1.0) * (1.3 if is_proper_name else 1.0)
    return score * (1.2 if phrase.first < _EARLY_TOKENS else 1.0)


def _key(word: str) -> str:
    """The form under which a word is counted; singular and plural are the same."""
    folded = word.casefold()
    if len(folded) < 5 or not folded.endswith("s") or folded.endswith(("ss", "us", "is")):
        return folded
    return folded[:-3] + "y" if folded.endswith("ies") else folded[:-1]


def _distinct(ranked: list[str]) -> Iterator[str]:
    """Phrases that do not overlap with higher ranked ones."""
    chosen: list[set[str]] = []
    for phrase in ranked:
        words = {_key(word) for word in phrase.split()}
        if not any(words <= other or other <= words or phrase in other for other in chosen):
            chosen.append(words)
            yield phrase
        if len(chosen) == TAGS_LIMIT:
            return
