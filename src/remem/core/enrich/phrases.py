"""Tags: the main phrases of a text, in its own words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import TypeAlias

from remem.core.enrich.ideographs import ideograph_scores
from remem.core.enrich.model import TAGS_LIMIT
from remem.core.enrich.tag_words import BEFORE_NOUNS, languages_in, not_tags, secret_words

_LETTER = r"[^\W\d_\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_TOKEN = re.compile(rf"{_LETTER}+(?:['’.+/-]?(?:{_LETTER}|\d)+)*[+#]{{0,2}}|\S")
_NOT_TAG = re.compile(r"[\d'’]")
_SIZES = (1, 2, 3)
_EARLY_TOKENS = 120
_BONUS_BY_LENGTH = {1: 1.0, 2: 2.0, 3: 2.2}
_NOUN_FIRST = frozenset({"fr", "es", "it", "pt"})
_COMPOUND_CHARS, _ACRONYM_CHARS = 10, 5


_Gram: TypeAlias = tuple[str, ...]


@dataclass(slots=True)
class _PhraseStats:
    """Statistics of a phrase: its form, its count, and how and where it occurs. `named`: it occurs
    after an article or the like."""

    form: str
    first: int
    count: int
    capital: int = 0
    free: int = 0
    alone: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive words without excluded words between them. `opens`: they begin a sentence, where
    a capital says nothing; nor does it in a line of capitals. `before`: the word before them."""

    position: int
    words: list[str]
    keys: list[str]
    opens: bool
    before: str
    is_shouted: bool


@dataclass(frozen=True, slots=True)
class _Nouns:
    """How the nouns of a text are recognised: by the words before them, by a capital, or neither
    in a language without data."""

    before: frozenset[str]
    come_first: bool
    have_capitals: bool
    is_known: bool


def key_phrases(lines: Iterable[str], title: str, language: str | None) -> tuple[str, ...]:
    """At most five phrases in lower case, the most specific first; fewer if the rest would be
    junk."""
    text_lines = list(lines)
    secrets = {word for line in text_lines for word in secret_words([*_tokens(line)])}
    words = frozenset(token.casefold() for line in text_lines for token in _tokens(line))
    languages = languages_in(words, language)
    excluded = not_tags(languages) | secrets
    scores = _scores(list(_runs(text_lines, excluded)), title, _nouns(languages))
    scores |= ideograph_scores("\n".join(text_lines), title)
    ranked = sorted(scores, key=lambda phrase: (-scores[phrase], phrase))
    return tuple(_distinct(ranked))


def _nouns(languages: Sequence[str]) -> _Nouns:
    known = [language for language in languages if language in BEFORE_NOUNS]
    return _Nouns(
        before=frozenset[str]().union(*(BEFORE_NOUNS[language] for language in known)),
        come_first=bool(known) and known[0] in _NOUN_FIRST,
        have_capitals="de" in known,
        is_known=bool(known) or not languages,
    )


def _tokens(line: str) -> Iterator[str]:
    for token in _TOKEN.findall(line):
        yield token.removesuffix("'s").removesuffix("’s")


def _runs(lines: Iterable[str], excluded: frozenset[str]) -> Iterator[_Run]:
    position = 0
    for line in lines:
        is_shouted = line.isupper()
        for words, opens, before, end in _runs_of_line(line, excluded):
            keys = [_key(word) for word in words]
            yield _Run(position + end - len(words), words, keys, opens, before, is_shouted)
        position += sum(1 for _ in _tokens(line))


def _runs_of_line(
    line: str, excluded: frozenset[str]
) -> Iterator[tuple[list[str], bool, str, int]]:
    """Each run of a line, whether it opens a sentence, the word before it, and where it ends."""
    run: list[str] = []
    opens, run_opens, before, run_before = True, True, "", ""
    end = 0
    for end, token in enumerate(_tokens(line), 1):
        if _is_excluded(token, excluded) or not _may_be_tag(token):
            if run:
                yield run, run_opens, run_before, end
            run = []
            # Numbers, bullets and quotation marks are before the first word of a sentence.
            opens = token in ".!?:…" or (opens and not token[0].isalpha())
        else:
            run_opens, run_before = (run_opens, run_before) if run else (opens, before)
            opens = False
            run.append(token)
        before = token.casefold()
    if run:
        yield run, run_opens, run_before, end + 1


def _is_excluded(token: str, excluded: frozenset[str]) -> bool:
    """Whether a word is excluded: alone, or put together of two such words."""
    word = token.casefold()
    return word in excluded or any(
        word[:at] in excluded and word[at:] in excluded for at in range(4, len(word) - 3)
    )


def _may_be_tag(word: str) -> bool:
    """Whether a word may be part of a tag. Contractions are not, and words with digits may be
    secrets."""
    if not word[0].isalpha() or len(word) > 30 or _NOT_TAG.search(word):
        return False
    return len(word) > 2 or (word.isupper() and len(word) > 1) or word[-1] in "+#"


def _grams(keys: list[str], size: int) -> Iterator[_Gram]:
    return zip(*(keys[start:] for start in range(size)), strict=False)


def _scores(runs: list[_Run], title: str, nouns: _Nouns) -> dict[str, float]:
    counts: Counter[_Gram] = Counter()
    for run in runs:
        for size in _SIZES:
            counts.update(_grams(run.keys, size))
    title_keys = {_key(word) for word in _TOKEN.findall(title)}
    candidates = _candidates(runs, counts, nouns)
    scores = {
        phrase.form: _score(keys, phrase, title_keys, nouns) for keys, phrase in candidates.items()
    }
    return {form: score for form, score in scores.items() if score}


def _candidates(
    runs: list[_Run], counts: Mapping[_Gram, int], nouns: _Nouns
) -> dict[_Gram, _PhraseStats]:
    """The candidate phrases; one that occurs once inside a longer run is not a candidate."""
    candidates: dict[_Gram, _PhraseStats] = {}
    for run in runs:
        run_length = len(run.keys)
        for size in _SIZES:
            for start, gram in enumerate(_grams(run.keys, size)):
                if counts[gram] > 1 or size == run_length:
                    _count_occurrence(run, start, gram, candidates, counts[gram], nouns)
    return candidates


def _count_occurrence(
    run: _Run,
    start: int,
    gram: _Gram,
    candidates: dict[_Gram, _PhraseStats],
    count: int,
    nouns: _Nouns,
) -> None:
    words = run.words[start : start + len(gram)]
    phrase = candidates.get(gram)
    if phrase is None:
        phrase = candidates[gram] = _PhraseStats(" ".join(words).lower(), run.position, count)
    ends_run = start + len(gram) == len(run.keys)
    phrase.alone |= len(gram) == len(run.keys) and not run.before.isdigit()
    phrase.named |= not start and run.before in nouns.before and (ends_run or nouns.come_first)
    if (start or not run.opens) and not run.is_shouted:
        phrase.free += 1
        phrase.capital += all(_is_capitalised(word, count) for word in words)


def _is_capitalised(word: str, count: int) -> bool:
    """Whether a word has the form of a name. One in capitals may be emphasised, unless it is short
    and occurs again."""
    return word[0].isupper() and (not word.isupper() or (count > 1 and len(word) <= _ACRONYM_CHARS))


def _score(
    keys: tuple[str, ...], phrase: _PhraseStats, title_keys: set[str], nouns: _Nouns
) -> float:
    """Score a phrase: 0 if nothing says that it is a noun, or if it occurs once and is no name."""
    is_proper_name = phrase.capital > phrase.free / 2
    is_in_title = title_keys.issuperset(keys)
    is_noun = phrase.named and not nouns.have_capitals
    if phrase.count < 2:
        is_noun &= is_in_title
        is_proper_name &= nouns.is_known
        if nouns.have_capitals:
            is_proper_name &= len(keys) == 1 and len(phrase.form) >= _COMPOUND_CHARS
    if not (is_noun or is_proper_name) or (phrase.count < 2 and not phrase.alone):
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
