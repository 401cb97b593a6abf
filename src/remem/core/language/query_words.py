"""The words of a question that are not searched for, in its own language."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

from remem.core.language.detect import is_identified_as_other
from remem.core.language.letters import PART, fold
from remem.core.language.lists import table, word_set
from remem.core.language.stopwords import STOP_WORDS

ENGLISH = "en"
_READ_CHARS = 1_000
# Less than half of the words and a single one, such as "ward" or "med", may be English too.
_MIN_HITS = 2
# Those of "what's" and "don't".
_ENGLISH_ENDINGS = frozenset("st")
# Scripts written without spaces. The language of ideographs depends on kana beside them.
_KANA = re.compile(r"[\u3040-\u30ff]")
_HIRAGANA = re.compile(r"([\u3040-\u309f]+)")
_SCRIPTS = {
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "lo": re.compile(r"[\u0e80-\u0eff]"),
    "km": re.compile(r"[\u1780-\u17ff]"),
    "my": re.compile(r"[\u1000-\u109f]"),
}
# Shorter phrases of an alphabet also occur inside words, so they are cut only at the ends.
_MIN_INNER_CHARS, _MIN_WORD_CHARS = 4, 2


@lru_cache(maxsize=1_024)
def query_languages(query: str) -> frozenset[str]:
    """The languages, of those written with spaces, that have most of the query's words among their
    stop words. Only English if it is one of them; none if too few words are known."""
    return likely_languages(query, count_stop_words(query))


def likely_languages(text: str, hits: Counter[str]) -> frozenset[str]:
    most = max(hits.values(), default=0)
    if most < _MIN_HITS and 2 * most < len(text.split()) and text.isascii():
        return frozenset((ENGLISH,)) if ENGLISH in hits else frozenset()
    best = frozenset(language for language in hits if hits[language] == most)
    return frozenset((ENGLISH,)) if ENGLISH in best else best


def is_clearly_english(hits: Counter[str]) -> bool:
    """Whether a text has more English stop words than those of any other language."""
    others = (count for language, count in hits.items() if language != ENGLISH)
    return hits[ENGLISH] > max(others, default=0)


@lru_cache(maxsize=1_024)
def may_ask_in_english(question: str) -> bool:
    languages = query_languages(question)
    if languages and ENGLISH not in languages:
        return False
    # "Was kostet Zimmer 14?" begins with an English word, too.
    hits = count_stop_words(question)
    most = max((hits[language] for language in hits if language != ENGLISH), default=0)
    return hits[ENGLISH] > most + 1 or not is_identified_as_other(question)


def count_stop_words(text: str) -> Counter[str]:
    """The number of stop words of each language."""
    languages = _languages_of_words()
    return Counter(
        language
        for word in PART.findall(text[:_READ_CHARS].casefold())
        if word not in _ENGLISH_ENDINGS
        for language in languages.get(word, ())
    )


@lru_cache(maxsize=1_024)
def stop_words_of(languages: frozenset[str]) -> frozenset[str]:
    """The folded stop words of languages; English has its own, shorter list."""
    words = (word for language in languages - {ENGLISH} for word in _words(language))
    return frozenset(map(fold, words))


def without_phrases(run: str, query: str) -> list[str]:
    """What is left of a run of characters in a script without spaces."""
    if _KANA.search(query) and not any(script.match(run) for script in _SCRIPTS.values()):
        return _without_japanese(run)
    language = next((name for name, script in _SCRIPTS.items() if script.match(run)), "zh")
    trimmed = (_trimmed(part, language) for part in _PHRASES[language].split(run))
    return [part for part in trimmed if part]


def _without_japanese(run: str) -> list[str]:
    """Phrases with ideographs are cut out anywhere. Of hiragana, only the particles and endings
    after a word, because words are written in hiragana too."""
    kept = [""]
    for part in _HIRAGANA.split("|".join(_PHRASES["ja"].split(run))):
        word = _without_endings(part) if _HIRAGANA.fullmatch(part) else part
        kept[-1] += word
        if word != part:
            kept.append("")
    return [piece for part in kept for piece in part.split("|") if piece]


def _trimmed(part: str, language: str) -> str:
    """Without short words at the ends, but not without the first letters of a word."""
    while ending := next(filter(part.endswith, _ENDINGS[language]), ""):
        part = part[: -len(ending)]
    while beginning := next(filter(part.startswith, _ENDINGS[language]), ""):
        if len(part) - len(beginning) < _MIN_WORD_CHARS:
            return part
        part = part[len(beginning) :]
    return part


def _without_endings(part: str) -> str:
    while ending := next(filter(part.endswith, _ENDINGS["ja"]), ""):
        part = part[: -len(ending)]
    return part


@cache
def _languages_of_words() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for language in {*STOP_WORDS, *table("query_words", "any")} - set(_SCRIPTS) - {"ja", "zh"}:
        for word in _words(language):
            found.setdefault(word, set()).add(language)
    return {word: tuple(sorted(languages)) for word, languages in found.items()}


def _words(language: str) -> frozenset[str]:
    """The stop words of a language, each as it stands between apostrophes and hyphens."""
    listed = STOP_WORDS.get(language, frozenset()) | frozenset(_listed(language))
    listed |= word_set("stopwords", "search") if language == ENGLISH else frozenset()
    return frozenset(part for word in listed for part in PART.findall(word.casefold()))


def _listed(language: str) -> list[str]:
    words: str = table("query_words", "any").get(language, "")
    return words.split()


def _cut_anywhere(language: str, phrase: str) -> bool:
    if language == "ja":
        return not _HIRAGANA.fullmatch(phrase)
    return language == "zh" or len(phrase) >= _MIN_INNER_CHARS


def _by_length(phrases: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(phrases, key=len, reverse=True))


_UNSPACED_LANGUAGES = ("ja", "zh", *_SCRIPTS)
_PHRASES = {
    language: re.compile(
        "|".join(
            re.escape(phrase)
            for phrase in _by_length(_listed(language))
            if _cut_anywhere(language, phrase)
        )
    )
    for language in _UNSPACED_LANGUAGES
}
_ENDINGS = {
    language: _by_length(
        phrase for phrase in _listed(language) if not _cut_anywhere(language, phrase)
    )
    for language in _UNSPACED_LANGUAGES
}
