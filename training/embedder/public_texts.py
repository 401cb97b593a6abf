"""Parallel texts, and questions with passages, of other languages than English, from public
repositories.

python public_texts.py --mirror MIRROR --tests xqa.txt.xz --target TARGET
python public_texts.py --list    the repositories

MIRROR has a git directory OWNER+NAME/repo for each repository, as of `git clone --bare`.
TARGET gets `parallel.txt.xz` (language, text, English) and `asked.jsonl.xz` (`lang`, question
`q`, passage `p`, start `s` and end `e` of the answer in it or -1, source `src`). Texts of XQuAD
(`--tests`) are left out, because it is what the embedder is evaluated on.
"""

import argparse
import collections
import csv
import io
import json
import lzma
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

LANGUAGES = frozenset("de fr es it pt nl pl ru tr zh ja ko ar hi sv cs uk".split())
_CODES = {
    "deu": "de", "fra": "fr", "spa": "es", "ita": "it", "por": "pt", "nld": "nl", "pol": "pl",
    "rus": "ru", "tur": "tr", "zho": "zh", "jpn": "ja", "kor": "ko", "arb": "ar", "hin": "hi",
    "swe": "sv", "ces": "cs", "ukr": "uk",
}  # fmt: skip
_PUD = {
    "Arabic": "ar", "Chinese": "zh", "Czech": "cs", "French": "fr", "German": "de", "Hindi": "hi",
    "Italian": "it", "Japanese": "ja", "Korean": "ko", "Polish": "pl", "Portuguese": "pt",
    "Russian": "ru", "Spanish": "es", "Swedish": "sv", "Turkish": "tr",
}  # fmt: skip
_TICO_MEMORIES = {
    "ar": "ar", "es-LA": "es", "fr": "fr", "hi": "hi", "pt-BR": "pt", "ru": "ru", "zh": "zh",
}  # fmt: skip
_TICO, _SIB, _NTREX = "tico-19/tico-19.github.io", "dadelani/sib-200", "MicrosoftTranslator/NTREX"
_PIRA, _RUBQ, _MGSM = "C4AI/Pira", "vladislavneon/RuBQ", "google-research/url-nlp"
_TEXT_CHARS = range(2, 601)
_PASSAGE_CHARS, _QUESTION_CHARS = 1_200, range(4, 401)
_SHARED_CHARS = 60
_TITLE_END = " [SEP] "
_SENTENCE_END = re.compile(r"[.!?؟।](?=\s)|[。！？]|\n")


class Pair(NamedTuple):
    language: str
    text: str
    english: str


@dataclass(frozen=True)
class Asked:
    lang: str
    q: str
    p: str
    s: int
    e: int
    src: str


class Mirror:
    """Files of the newest commit of each repository. A mirror may lack the largest ones."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, repository: str) -> bool:
        return (self._folder / repository.replace("/", "+")).is_dir()

    def paths(self, repository: str, pattern: str) -> list[str]:
        listed = self._git(repository, "ls-tree", "-r", "-l", "-z", "HEAD").decode()
        rows = (row.partition("\t") for row in listed.split("\0"))
        return [
            path
            for columns, _, path in rows
            if re.fullmatch(pattern, path) and columns.split()[3].isdecimal()
        ]

    def read(self, repository: str, path: str) -> bytes:
        return self._git(repository, "show", f"HEAD:{path}")

    def text(self, repository: str, path: str) -> str:
        return self.read(repository, path).decode("utf-8-sig")

    def _git_dir(self, repository: str) -> Path:
        folder = self._folder / repository.replace("/", "+") / "repo"
        return folder / ".git" if (folder / ".git").is_dir() else folder

    def _git(self, repository: str, *arguments: str) -> bytes:
        command = ["git", "--git-dir", str(self._git_dir(repository)), *arguments]
        return subprocess.run(command, check=True, capture_output=True).stdout


class TestTexts:
    """Texts of XQuAD in all of its languages, which are never trained on."""

    def __init__(self, path: Path) -> None:
        with lzma.open(path, "rt", encoding="utf8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        self._texts = {_key(text) for row in rows for text in row[1:]}
        self._parts: dict[str, set[str]] = collections.defaultdict(set)
        for language, passage in {(row[0], row[2]) for row in rows}:
            self._parts[language].update(_parts(_key(passage)))
        self._known: dict[tuple[str, str], bool] = {}

    def has(self, language: str, text: str) -> bool:
        key = _key(text)
        if (language, key) not in self._known:
            parts = self._parts.get(language, set())
            is_test = key in self._texts or any(part in parts for part in _parts(key))
            self._known[language, key] = is_test
        return self._known[language, key]


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _parts(key: str) -> Iterator[str]:
    return (key[start : start + _SHARED_CHARS] for start in range(len(key) - _SHARED_CHARS + 1))


def sib_pairs(mirror: Mirror) -> Iterator[Pair]:
    """Sentences of FLORES-200 with their topics, of which only the sentences are read."""
    folders: dict[str, dict[str, str]] = collections.defaultdict(dict)
    for path in mirror.paths(_SIB, r"data/annotated/[^/]+/(train|dev|test)\.tsv"):
        folder = path.split("/")[2]
        if folder == "eng_Latn" or (folder[:3] in _CODES and folder != "arb_Latn"):
            lines = mirror.text(_SIB, path).splitlines()[1:]
            rows = [row for line in lines if len(row := line.split("\t")) == 3]
            folders[folder] |= {row[0]: row[2] for row in rows}
    english = folders.pop("eng_Latn")
    for folder, texts in folders.items():
        for number, text in texts.items():
            if number in english:
                yield Pair(_CODES[folder[:3]], text, english[number])


def ntrex_pairs(mirror: Mirror) -> Iterator[Pair]:
    """News, translated by people."""
    english = mirror.text(_NTREX, "NTREX-128/newstest2019-src.eng.txt").splitlines()
    for path in mirror.paths(_NTREX, r"NTREX-128/newstest2019-ref(-2)?\.[^/]+\.txt"):
        if language := _CODES.get(path.split(".")[1][:3]):
            texts = mirror.text(_NTREX, path).splitlines()
            if len(texts) == len(english):
                yield from (Pair(language, *pair) for pair in zip(texts, english, strict=True))


def _pud_sentences(mirror: Mirror, language: str) -> dict[str, str]:
    repository = f"UniversalDependencies/UD_{language}-PUD"
    sentences: dict[str, str] = {}
    for path in mirror.paths(repository, r"[^/]+\.conllu"):
        for block in mirror.text(repository, path).split("\n\n"):
            comments = dict(re.findall(r"^# (sent_id|text) = (.+)$", block, re.M))
            if len(comments) == 2:
                sentences[comments["sent_id"]] = comments["text"]
    return sentences


def pud_pairs(mirror: Mirror) -> Iterator[Pair]:
    """Sentences of news and Wikipedia from parallel treebanks."""
    english = _pud_sentences(mirror, "English")
    for name, language in _PUD.items():
        if mirror.has(f"UniversalDependencies/UD_{name}-PUD"):
            for id, text in _pud_sentences(mirror, name).items():
                if id in english:
                    yield Pair(language, text, english[id])


def tico_pairs(mirror: Mirror) -> Iterator[Pair]:
    """Sentences about COVID-19, half of them what patients and doctors say."""
    for code, language in _TICO_MEMORIES.items():
        packed = io.BytesIO(mirror.read(_TICO, f"data/TM/all.en-{code}.tmx.zip"))
        with zipfile.ZipFile(packed) as archive:
            name = next(name for name in archive.namelist() if name.endswith(f"en-{code}.tmx"))
            tree = ElementTree.fromstring(archive.read(name))
        for unit in tree.iter("tu"):
            english, text = ("".join(segment.itertext()) for segment in unit.iter("seg"))
            yield Pair(language, text, english)


def tico_terms(mirror: Mirror) -> Iterator[Pair]:
    """Terms of medicine and everyday life."""
    for path in mirror.paths(_TICO, r"data/terminologies/f_en-[^/]+\.csv"):
        language = path.partition("f_en-")[2][:2]
        if language in LANGUAGES:
            for row in csv.DictReader(io.StringIO(mirror.text(_TICO, path))):
                yield Pair(language, row["targetString"] or "", row["sourceString"] or "")


def pira_pairs(mirror: Mirror) -> Iterator[Pair]:
    """Questions about the sea and their answers; not the passages, which are Scopus's."""
    columns = [f"question_{{}}_{kind}" for kind in ("origin", "paraphase")]
    columns += [f"answer_{{}}_{kind}" for kind in ("origin", "validate")]
    for path in ("Data/validation.csv", "Data/test.csv"):
        for row in csv.DictReader(io.StringIO(mirror.text(_PIRA, path))):
            for column in columns:
                yield Pair("pt", row[column.format("pt")], row[column.format("en")])


def rubq_pairs(mirror: Mirror) -> Iterator[Pair]:
    """Quiz questions."""
    for path in mirror.paths(_RUBQ, r"RuBQ_[12]\.0/RuBQ_[12]\.0_(dev|test)\.json"):
        for row in json.loads(mirror.text(_RUBQ, path)):
            yield Pair("ru", row["question_text"], row.get("question_eng") or "")


def mgsm_pairs(mirror: Mirror) -> Iterator[Pair]:
    """Everyday sums in words, translated by people."""
    english = _first_column(mirror.text(_MGSM, "mgsm/mgsm_en.tsv"))
    for path in mirror.paths(_MGSM, r"mgsm/mgsm_..\.tsv"):
        language = path[-6:-4]
        if language in LANGUAGES:
            texts = _first_column(mirror.text(_MGSM, path))
            yield from (Pair(language, *pair) for pair in zip(texts, english, strict=True))


def _first_column(table: str) -> list[str]:
    return [line.split("\t")[0] for line in table.splitlines()]


class QuestionSource(NamedTuple):
    name: str
    language: str
    repository: str
    paths: str


_TYDI = "sagorbrur/tydiqa-language-specific"
_QUESTION_SOURCES = (
    QuestionSource("jaquad", "ja", "SkelterLabsInc/JaQuAD", r"data/(train|dev)/.+\.json"),
    QuestionSource("jsquad", "ja", "yahoojapan/JGLUE", r"datasets/jsquad-v1\.3/.+\.json"),
    QuestionSource("drcd", "zh", "DRCKnowledgeTeam/DRCD", r"DRCD_\w+\.json"),
    QuestionSource("cmrc2018", "zh", "ymcui/cmrc2018", r"squad-style-data/cmrc2018_\w+\.json"),
    QuestionSource("arcd", "ar", "husseinmozannar/SOQAL", r"data/arcd\.json"),
    QuestionSource("tydiqa", "ko", _TYDI, r"language_data/korean/.+\.json"),
    QuestionSource("tydiqa", "ru", _TYDI, r"language_data/russian/.+\.json"),
    QuestionSource("tydiqa", "ar", _TYDI, r"language_data/arabic/.+\.json"),
    QuestionSource("piaf", "fr", "psorianom/piaf-combo-huggingface", r"data/piaf-v1\.1\.json"),
    QuestionSource("faquad", "pt", "liafacom/faquad", r"data/dataset\.json"),
)
_PAIR_SOURCES: dict[str, Callable[[Mirror], Iterator[Pair]]] = {
    "sib-200": sib_pairs,
    "ntrex-128": ntrex_pairs,
    "pud": pud_pairs,
    "tico-19": tico_pairs,
    "tico-19 terms": tico_terms,
    "pira": pira_pairs,
    "rubq": rubq_pairs,
    "mgsm": mgsm_pairs,
}


def repositories() -> list[str]:
    treebanks = [f"UniversalDependencies/UD_{name}-PUD" for name in ("English", *_PUD)]
    questions = dict.fromkeys(source.repository for source in _QUESTION_SOURCES)
    return [_SIB, _NTREX, _TICO, _PIRA, _RUBQ, _MGSM, *treebanks, *questions]


def asked(mirror: Mirror, source: QuestionSource) -> Iterator[Asked]:
    """Questions of files in the form of SQuAD."""
    for path in mirror.paths(source.repository, source.paths):
        for article in json.loads(mirror.text(source.repository, path))["data"]:
            for paragraph in article["paragraphs"]:
                for question in paragraph["qas"]:
                    if question.get("answers") and not question.get("is_impossible"):
                        yield _asked(source, paragraph["context"], question)


def _asked(source: QuestionSource, context: str, question: dict[str, Any]) -> Asked:
    answer = question["answers"][0]
    text, start = answer["text"], int(answer["answer_start"])
    if context[start : start + len(text)] != text:
        start = context.find(text)
    # JSQuAD puts the title of the article first.
    first = context.find(_TITLE_END) + len(_TITLE_END) if _TITLE_END in context else 0
    if start < first:
        start = context.find(text, first)
    passage, offset = _cut(context, first, start, start + len(text))
    start -= offset
    end = start + len(text)
    if start < 0 or passage[start:end] != text:
        start, end = -1, -1
    asked_text = " ".join(question["question"].split())
    return Asked(source.language, asked_text, passage, start, end, source.name)


def _cut(context: str, first: int, start: int, end: int) -> tuple[str, int]:
    """Whole sentences around the answer, as many as a passage may have, and where they begin."""
    last = len(context)
    if last - first > _PASSAGE_CHARS:
        stops = [match.end() for match in _SENTENCE_END.finditer(context, first)]
        earliest = max(first, min(start, end - _PASSAGE_CHARS * 2 // 3))
        if earliest > first:
            first = min((stop for stop in stops if earliest <= stop <= start), default=earliest)
        latest = first + _PASSAGE_CHARS
        last = max((stop for stop in stops if end <= stop <= latest), default=latest)
    passage = context[first:last]
    return passage.strip(), first + len(passage) - len(passage.lstrip())


def kept_pairs(pairs: Iterable[Pair], tests: TestTexts) -> Iterator[Pair]:
    for pair in pairs:
        text, english = (" ".join(text.split()) for text in pair[1:])
        is_right = len(text) in _TEXT_CHARS and len(english) in _TEXT_CHARS and text != english
        if is_right and not tests.has(pair.language, text) and not tests.has("en", english):
            yield Pair(pair.language, text, english)


def kept_questions(questions: Iterable[Asked], tests: TestTexts) -> Iterator[Asked]:
    for question in questions:
        is_right = len(question.q) in _QUESTION_CHARS and len(question.p) > len(question.q)
        is_test = tests.has(question.lang, question.q) or tests.has(question.lang, question.p)
        if is_right and not is_test:
            yield question


def read_pairs(mirror: Mirror, tests: TestTexts) -> list[Pair]:
    found: dict[Pair, str] = {}
    for name, read in _PAIR_SOURCES.items():
        for pair in kept_pairs(read(mirror), tests):
            found.setdefault(pair, name)
    _report((name, pair.language) for pair, name in found.items())
    return sorted(found)


def read_questions(mirror: Mirror, tests: TestTexts, per_language: int) -> list[Asked]:
    found: dict[tuple[str, str], Asked] = {}
    for source in _QUESTION_SOURCES:
        for question in kept_questions(asked(mirror, source), tests):
            found.setdefault((question.q, question.p), question)
    by_language: dict[str, list[Asked]] = collections.defaultdict(list)
    for question in found.values():
        by_language[question.lang].append(question)
    kept = []
    for questions in by_language.values():
        numbers = random.sample(range(len(questions)), min(per_language, len(questions)))
        kept += [questions[number] for number in sorted(numbers)]
    _report((question.src, question.lang) for question in kept)
    return kept


def _report(rows: Iterable[tuple[str, str]]) -> None:
    for (source, language), count in sorted(collections.Counter(rows).items()):
        print(f"{source}\t{language}\t{count}")


def _write(path: Path, lines: Iterable[str]) -> None:
    with lzma.open(path, "wt", encoding="utf8", preset=9) as file:
        file.writelines(f"{line}\n" for line in lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the repositories and stop")
    for name in ("--mirror", "--tests", "--target"):
        parser.add_argument(name, type=Path, required="--list" not in sys.argv)
    parser.add_argument("--per-language", type=int, default=50_000, help="questions at most")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    options = _options()
    if options.list:
        print("\n".join(repositories()))
        return
    random.seed(options.seed)
    mirror, tests = Mirror(options.mirror), TestTexts(options.tests)
    options.target.mkdir(parents=True, exist_ok=True)
    pairs = read_pairs(mirror, tests)
    _write(options.target / "parallel.txt.xz", ("\t".join(pair) for pair in pairs))
    questions = read_questions(mirror, tests, options.per_language)
    lines = (json.dumps(asdict(question), ensure_ascii=False) for question in questions)
    _write(options.target / "asked.jsonl.xz", lines)


if __name__ == "__main__":
    main()
