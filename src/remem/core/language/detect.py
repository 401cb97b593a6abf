"""Detect the language of a text; None rather than a guess."""

import re
from collections import Counter
from functools import cache
from threading import Lock
from typing import Any

from remem.core.language.stopwords import STOP_WORDS

_ENGLISH = "en"
_SAMPLE_CHARS = 4_000
# More characters do not change the result.
_IDENTIFIER_CHARS = 1_000
_MIN_LETTERS, _FEW_LETTERS = 12, 24
_MIN_CONFIDENCE, _MIN_CONFIDENCE_FEW_LETTERS, _MIN_CONFIDENCE_OTHER = 0.6, 0.8, 0.5
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# Scripts used by one language, or by one that is by far the most likely.
_SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af\u1100-\u11ff]"),
    "zh": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "he": re.compile(r"[\u0590-\u05ff]"),
    "el": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
    "ka": re.compile(r"[\u10a0-\u10ff]"),
    "hy": re.compile(r"[\u0530-\u058f]"),
    "ta": re.compile(r"[\u0b80-\u0bff]"),
    "te": re.compile(r"[\u0c00-\u0c7f]"),
    "km": re.compile(r"[\u1780-\u17ff]"),
}
_LIKELY_LANGUAGES = (
    "en de fr es it pt nl sv da no fi is pl cs sk sl hr sr hu ro bg ru uk be mk el tr az kk ar fa"
    " ur he hi mr bn ta te th vi id ms tl zh ja ko lt lv et ca gl eu sq sw af eo la"
).split()


_loading = Lock()


def language_of(text: str) -> str | None:
    """ISO 639 code of the main language of a text."""
    sample = text[:_SAMPLE_CHARS]
    letters = sum(map(str.isalpha, sample))
    if not letters:
        return None
    script = _by_script(sample, letters)
    if script or letters < _MIN_LETTERS:
        return script
    min_confidence = _MIN_CONFIDENCE if letters >= _FEW_LETTERS else _MIN_CONFIDENCE_FEW_LETTERS
    return _by_stop_words(sample) or _by_identifier(sample, min_confidence)


def _by_script(sample: str, letters: int) -> str | None:
    counts = {language: len(script.findall(sample)) for language, script in _SCRIPTS.items()}
    if counts["ja"] and counts["ja"] + counts["zh"] > letters / 2:
        return "ja" if counts["ja"] > letters / 20 else "zh"
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] > max(1, letters / 2) else None


def may_be_english(text: str) -> bool:
    """Whether no other language has more of its stop words in a text, however short."""
    hits = _count_stop_words(Counter(_WORD.findall(text[:_SAMPLE_CHARS].lower())))
    return hits[_ENGLISH] == max(hits.values())


def is_in_other_language(text: str) -> bool:
    """Whether another language has at least as many of its stop words in a text as English."""
    hits = _count_stop_words(Counter(_WORD.findall(text[:_SAMPLE_CHARS].lower())))
    english = hits.pop(_ENGLISH)
    return 0 < max(hits.values()) >= english


def is_identified_as_other(text: str) -> bool:
    """Whether the letters of a text, however short, are most likely those of a language other than
    English that has stop words here. For texts with too few of them to decide by: loading the
    identifier takes a second."""
    language = _by_identifier(text, _MIN_CONFIDENCE_OTHER)
    return language != _ENGLISH and language in STOP_WORDS


def _count_stop_words(words: Counter[str]) -> Counter[str]:
    """The number of stop words of each language."""
    return Counter(
        {
            language: sum(words[word] for word in stop_words if word in words)
            for language, stop_words in STOP_WORDS.items()
        }
    )


def _by_stop_words(sample: str) -> str | None:
    """The language with several stop words in the text, and clearly more than any other."""
    words = Counter(_WORD.findall(sample.lower()))
    hits = _count_stop_words(words)
    (best, first), (_, second) = hits.most_common(2)
    is_enough = first >= max(4, words.total() / 5)
    return best if is_enough and first >= 1.5 * second else None


def _by_identifier(sample: str, min_confidence: float) -> str | None:
    # The model takes a second to load. The lock makes concurrent callers load it only once.
    with _loading:
        identifier = _identifier()
    language, confidence = identifier.classify(sample[:_IDENTIFIER_CHARS])
    return language if confidence >= min_confidence else None


@cache
def _identifier() -> Any:
    # Imported here because most texts do not need it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(sorted(set(_LIKELY_LANGUAGES) & set(identifier.labels)))
    return identifier
