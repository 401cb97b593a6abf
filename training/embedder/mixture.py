"""What the encoder is trained on: texts in many languages, each with its English."""

import collections
import lzma
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workers import on_all_processors

LANGUAGES = "de fr es it pt nl pl ru tr zh ja ko ar hi sv cs uk".split()
# How much more often than its share of the data a language is drawn.
_WEIGHTS = {
    "de": 1.5, "fr": 1.3, "es": 1.5, "it": 1.1, "pt": 1.1, "ja": 1.4, "zh": 1.6, "ar": 2.6,
    "hi": 2.8, "ru": 1.6, "tr": 1.6, "ko": 1.2, "uk": 1.2,
}  # fmt: skip
WORDS = "words"
_WORDS_SHARE = 0.10
# Letters of a passage that tell it from others.
_PART = 40
# Generated texts are made in this many parts, each with random numbers of its own.
_PARTS = 64
_UNSPACED = ("zh", "ja")
_WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)?")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_NOT_ALNUM = re.compile(r"[^a-z0-9]")
_FUNCTION_WORDS = frozenset(
    "the a an of to in is are was were be been and or that this it i you he she we they do does"
    " did have has had not for on at with as by from will would can could me my your his her their"
    " our him them us if so no but there what who".split()
)

Translations = Mapping[str, Mapping[str, collections.Counter[str]]]


def read_lines(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf8") as file:
        return file.read().split("\n")


@dataclass
class Mixture:
    """`short` has texts by language with the number of their English text in `english`; `far`
    pairs long texts with their English; `passages` are English alone."""

    english: list[str] = field(default_factory=list)
    short: dict[str, list[tuple[str, int]]] = field(
        default_factory=lambda: collections.defaultdict(list)
    )
    far: list[tuple[str, str]] = field(default_factory=list)
    passages: list[str] = field(default_factory=list)

    def shares(self) -> list[float]:
        """How often to draw each language of `short`."""
        shares = {
            language: 0.0 if language == WORDS else len(pairs) ** 0.4 * _WEIGHTS.get(language, 1)
            for language, pairs in self.short.items()
        }
        total = sum(shares.values())
        return [
            _WORDS_SHARE if language == WORDS else share / total * (1 - _WORDS_SHARE)
            for language, share in shares.items()
        ]


class TestTexts:
    """Recognises texts of the evaluation, which are never trained on."""

    def __init__(self, path: Path) -> None:
        rows = [line.split("\t") for line in read_lines(path) if line.startswith("en\t")]
        self._questions = {_key(row[1]) for row in rows}
        self._parts = {
            passage[start : start + _PART]
            for passage in {_key(row[2]) for row in rows}
            for start in range(len(passage) - _PART + 1)
        }

    def has(self, text: str) -> bool:
        key = _key(text)
        return key in self._questions or key[:_PART] in self._parts or key[-_PART:] in self._parts


def _key(text: str) -> str:
    return _NOT_ALNUM.sub("", text.lower())


def read_mixture(pack: Path, size: float = 1.0) -> tuple[Mixture, Translations]:
    """Read the pack; `size` is the share of the generated texts."""
    tests = TestTexts(pack / "xqa.txt.xz")
    mixture = Mixture(english=read_lines(pack / "en.txt.xz"))
    numbers = {text: number for number, text in enumerate(mixture.english)}

    def number_of(text: str) -> int:
        if text not in numbers:
            numbers[text] = len(mixture.english)
            mixture.english.append(text)
        return numbers[text]

    for language, text, number in _sentences(pack):
        mixture.short[language].append((text, number))
    words, translations = _dictionary(pack)
    articles, manuals = _by_language(pack / "par.txt.xz"), _by_language(pack / "manuals.txt.xz")
    for language, pairs in articles.items():
        mixture.short[language] += [(text, number_of(english)) for text, english in pairs]
        mixture.far += _windows(language, pairs)
    for language, pairs in manuals.items():
        _add_pairs(mixture, number_of, language, random.sample(pairs, min(15_000, len(pairs))))
    for language, pairs in _by_language(pack / "parallel.txt.xz").items():
        _add_pairs(mixture, number_of, language, pairs)
    wiki = [line.split("\t") for line in read_lines(pack / "wiki.txt.xz") if line]
    titles = [re.sub(r" \(.*", "", title) for title, _ in wiki]
    plain = [text for text in read_lines(pack / "long.txt.xz") if text and not tests.has(text)]
    plain += [f"{title}. {text}" for title, text in wiki]
    sentences = [
        text for texts in _generate(_sentences_of(plain), 300_000 * size) for text in texts
    ]
    short = [text for text in mixture.english if 15 < len(text) < 140]
    for language, text, english in _generate(
        lambda: _switched_sentence(sentences, short, translations), 700_000 * size
    ):
        mixture.short[language].append((text, number_of(english)))
    joined = _generate(lambda: _joined(mixture, (2, 3)), 200_000 * size)
    far = _generate(lambda: _joined(mixture, range(4, 10)), 250_000 * size)
    for language, text, english in joined:
        mixture.short[language].append((text, number_of(english)))
    mixture.far += [(text, english) for _, text, english in far]
    mixture.far += _generate(lambda: _switched_passage(plain, translations), 300_000 * size)
    mixture.short[WORDS] = [(text, number_of(english)) for text, english in words]
    renamed = _generate(lambda: rename(random.choice(plain), titles), 200_000 * size)
    mixture.passages = plain + renamed
    return mixture, translations


def _add_pairs(
    mixture: Mixture,
    number_of: Callable[[str], int],
    language: str,
    pairs: Iterable[tuple[str, str]],
) -> None:
    for text, english in pairs:
        if len(english) < 160:
            mixture.short[language].append((text, number_of(english)))
        if len(english) >= 100:
            mixture.far.append((text, english))


def _generate(make: Callable[[], Any], count: float) -> list[Any]:
    """What `make` returns when called so often, without None."""

    def part(number: int) -> list[Any]:
        random.seed(number)
        made = (make() for _ in range(int(count / _PARTS)))
        return [text for text in made if text is not None]

    return [text for texts in on_all_processors(part, range(_PARTS)) for text in texts]


def _sentences(pack: Path) -> Iterator[tuple[str, str, int]]:
    """Sentences of Tatoeba, each with the number of its English."""
    language, number = "", 0
    for line in read_lines(pack / "tatoeba.txt.xz"):
        if line.startswith("#") and "\t" not in line:
            language, number = line[1:], 0
        elif line:
            step, text = line.split("\t", 1)
            number += int(step)
            yield language, text, number


def _dictionary(pack: Path) -> tuple[list[tuple[str, str]], Translations]:
    words: list[tuple[str, str]] = []
    translations: dict[str, dict[str, collections.Counter[str]]] = collections.defaultdict(
        lambda: collections.defaultdict(collections.Counter)
    )
    for line in read_lines(pack / "lex.txt.xz"):
        fields = line.split("\t")
        if len(fields) != 4:
            continue
        kind, language, text, english = fields
        words.append((text, english))
        if kind in "wco" and language in LANGUAGES and "," not in text:
            for word in english.split("; "):
                translations[word.lower()][language][text] += 1
    return words, translations


def _by_language(path: Path) -> dict[str, list[tuple[str, str]]]:
    pairs: dict[str, list[tuple[str, str]]] = collections.defaultdict(list)
    for line in read_lines(path):
        fields = line.split("\t")
        if len(fields) == 3:
            pairs[fields[0]].append((fields[1], fields[2]))
    return pairs


def _windows(language: str, pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Two, four and six sentences of an article in a row."""
    separator = "" if language in _UNSPACED else " "
    for start in range(len(pairs)):
        for count in (2, 4, 6):
            window = pairs[start : start + count]
            yield separator.join(text for text, _ in window), " ".join(text for _, text in window)


def _joined(mixture: Mixture, lengths: Sequence[int]) -> tuple[str, str, str]:
    """Some sentences in a row: notes are longer than the sentences of Tatoeba."""
    weights = [_WEIGHTS.get(language, 1) for language in LANGUAGES]
    language = random.choices(LANGUAGES, weights)[0]
    chosen = random.choices(mixture.short[language], k=random.choice(lengths))
    separator = "" if language in _UNSPACED else " "
    english = " ".join(mixture.english[number] for _, number in chosen)
    return language, separator.join(text for text, _ in chosen), english


def _sentences_of(texts: Sequence[str]) -> Callable[[], list[str]]:
    def sentences() -> list[str]:
        split = re.split(r"(?<=[.!?])\s+", random.choice(texts))
        return [sentence for sentence in split if 25 < len(sentence) < 200]

    return sentences


def _switched_sentence(
    sentences: Sequence[str], short: Sequence[str], translations: Translations
) -> tuple[str, str, str] | None:
    language = random.choice(LANGUAGES)
    text = random.choice(sentences if random.random() < 0.67 else short)
    switched = switch(text, language, translations, random.choice((0.5, 0.8, 1.0)))
    return (language, switched, text) if switched else None


def _switched_passage(texts: Sequence[str], translations: Translations) -> tuple[str, str] | None:
    text, language = random.choice(texts), random.choice(LANGUAGES)
    if len(text) <= 150:
        return None
    switched = switch(text, language, translations, random.choice((0.6, 0.9, 1.0)))
    return (switched, text) if switched else None


def switch(text: str, language: str, translations: Translations, share: float) -> str | None:
    """Replace English words by those of another language, which teaches the dictionary in
    sentences; None if none was replaced."""
    replaced = 0

    def translate(match: re.Match[str]) -> str:
        nonlocal replaced
        word = _base_form(match[0].lower(), translations)
        choices = translations[word].get(language) if word else None
        if not choices or random.random() > share:
            return match[0]
        replaced += 1
        return random.choices(list(choices), [count**2 for count in choices.values()])[0]

    switched = _WORD.sub(translate, text)
    return switched if replaced else None


def _base_form(word: str, translations: Translations) -> str | None:
    if word in _FUNCTION_WORDS:
        return None
    endings = (("", ""), ("s", ""), ("es", ""), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e"))
    forms = (
        word.removesuffix(ending) + instead
        for ending, instead in (*endings, ("ies", "y"))
        if word.endswith(ending)
    )
    return next((form for form in forms if len(form) > 2 and form in translations), None)


def rename(text: str, names: list[str]) -> str:
    """Replace names by others: rare names are cut into other pieces than MiniLM's."""
    chosen: dict[str, str] = {}

    def other(match: re.Match[str]) -> str:
        if random.random() > 0.7:
            return match[0]
        return chosen.setdefault(match[0], random.choice(names))

    return _NAME.sub(other, text)
