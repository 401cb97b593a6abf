"""Collect the training data in one file of token ids, small enough to be sent to a GPU.

    .venv/bin/python training/prepare.py --pack EMBEDDER_PACK [--out .bench/reader/pack]

Writes `data.npz.xz` and copies the network and the training loop into the same folder, which is
then, with weights to start from (`combine.py`), all that the GPU needs.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import beside
import changes
import foreign
import grammar
import later
import matters
import notes
import numpy as np
import people
import people_groups
import switched
import written
from batches import ragged
from groups import NO_ANSWER, NO_SPAN, NOT_RELEVANT, RELEVANT, UNKNOWN, Group, Texts
from labels import CATEGORIES
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
# The share of questions about a person that are repeated about another person.
SWAPPED_SHARES = {
    "friends": 0.8,
    "chitchat": 0.4,
    "molweni": 0.6,
    "adjacent": 0.5,
    "synth": 0.2,
    "talked": 0.4,
    "written": 0.3,
}
# The share of questions about a turn that are repeated as questions about personal notes.
NOTED_SHARE = 0.5
# The number of other lines of a block that are negatives of a question.
MAX_OWN_LINES = 12
# The number of lines of other talks that are negatives, and the number of talks they are from. The
# names in them are replaced by those of the talk.
FOREIGN_LINES, OTHER_TALKS = 4, 25


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--pack", type=Path, required=True, help="what embedder/prepare.py wrote")
    parser.add_argument("--out", type=Path, default=ROOT / ".bench" / "reader" / "pack")
    parser.add_argument("--talked", type=Path, help="folder with the output of talks.py gather")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    texts = Texts()
    source = args.data / "reader"
    passages = _lines(source / "passages.jsonl.gz")
    ids = _passages(texts, passages)
    groups = [*_questions(source, ids), *_adjacent(texts, passages, ids)]
    blocks = written.blocks()
    similarity = _compute_similarity(blocks)
    groups += [*_multi_hop(texts, args.data), *_generated(texts, passages)]
    groups += [*_written(texts, blocks, similarity)]
    if args.talked:
        groups += [*_talked(texts, args.talked)]
    groups += [*_swapped(texts, groups)]
    pairs = [*_pairs(source), *_generated_pairs(), *_unrelated_pairs(args.data, blocks, similarity)]
    translations = switched.read_translations(args.pack / "lex.txt.xz")
    groups += [*switched.groups(texts, groups, translations, SEED)]
    pairs += [*switched.pairs(pairs, translations, SEED)]
    groups += [*foreign.groups(texts, args.pack / "asked.jsonl.xz", SEED)]
    everybody = [*people.read_people(args.data)]
    for person, is_held in everybody:
        groups += people_groups.groups(texts, person, dev=is_held)
        pairs += _pairs_of(person, dev=is_held)
    print(collections.Counter(group.source for group in groups))
    print(collections.Counter((source, relation) for source, _, _, relation, _ in pairs))
    tokenizer = _load_tokenizer(args.pack)
    arrays = _examples(tokenizer, texts, groups, pairs) | _notes(tokenizer, everybody)
    _write(args.out / "data.npz.xz", arrays)
    here = Path(__file__).parent
    for name in ("network.py", "batches.py", "labels.py", "train.py", "combine.py"):
        shutil.copy(here / name, args.out / name)
    shutil.copy(here / "embedder/weights.py", args.out)


def _pairs_of(person: people.Person, *, dev: bool) -> Iterator[tuple[str, str, str, int, bool]]:
    for old, new, relation in person.changes:
        yield "people", old, new, people.relation_number(relation), dev
    for old, new in people.neighbours(person, SEED):
        yield "people_beside", old, new, people.relation_number("unrelated"), dev


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
    """Questions like "What do you do for fun?", rewritten to name the person whose next turn
    answers them."""
    rng = random.Random(SEED)
    talks: dict[str, list[int]] = collections.defaultdict(list)
    for number, passage in enumerate(passages):
        if passage["src"] in ("chitchat", "friends"):
            talks[passage["doc"]].append(number)
    for turns in talks.values():
        for at in range(len(turns) - 1):
            asked, answer = passages[turns[at]]["text"], passages[turns[at + 1]]["text"]
            question = _about_answerer(asked, answer)
            if question is None:
                continue
            rest = [ids[turn] for turn in turns if turn not in (turns[at], turns[at + 1])]
            others = rng.sample(rest, min(10, len(rest)))
            own = [ids[turns[at + 1]]]
            yield Group(
                "adjacent",
                question,
                own,
                others,
                NO_SPAN,
                NO_SPAN,
                RELEVANT,
                rng.random() < 0.04,
            )


def _about_answerer(question_turn: str, answer_turn: str) -> str | None:
    who, _, text = question_turn.partition(": ")
    name, _, answer = answer_turn.partition(": ")
    questions = _ASKED.findall(text)
    if who == name or not questions or "?" in answer or len(answer.split()) < 4:
        return None
    question = questions[-1].strip()
    if not 4 <= len(question.split()) <= 25 or not re.search(r"\byou", question, re.I):
        return None
    for pattern, new in _YOU:
        question = pattern.sub(new.format(name), question)
    return question


# --- multi-hop questions, and our own


def _articles(data: Path) -> list[dict[str, Any]]:
    """The multi-hop questions, without those reserved for evaluation."""
    evaluation = json.loads((data / "hotpot" / "hotpot-dev.json").read_text())["questions"]
    held_out = {row["question"] for row in evaluation}
    rows = _lines(data / "reader" / "hotpot-2wiki-groups.jsonl.xz")
    return [row for row in rows if row["q"] not in held_out]


def _multi_hop(texts: Texts, data: Path) -> Iterator[Group]:
    rng = random.Random(SEED)
    for row in _articles(data):
        if row["k"].endswith("para") and rng.random() < 0.6:
            continue
        answer = row.get("a") or ""
        positives = sorted(row["p"], key=lambda text: answer not in text) if answer else row["p"]
        start = positives[0].find(answer) if answer and answer.lower() not in ("yes", "no") else -1
        span = (start, start + len(answer)) if start >= 0 else (NO_SPAN, NO_SPAN)
        own = [texts.add(text) for text in positives]
        others = [texts.add(text) for text in row["n"][:10]]
        yield Group(row["k"], row["q"], own, others, *span, RELEVANT, rng.random() < 0.04)


def _generated(texts: Texts, passages: list[dict[str, Any]]) -> Iterator[Group]:
    chats = [row["text"].partition(": ")[2] for row in passages if row["src"] == "chitchat"]
    fillers = [text for text in chats if 3 <= len(text.split()) <= 14]
    rng = random.Random(SEED)
    sources = [
        ("grammar", example) for example in grammar.questions(GRAMMAR_QUESTIONS, fillers, SEED)
    ]
    sources += [("notes", example) for example in notes.questions(NOTE_QUESTIONS, fillers, SEED)]
    for source, example in sources:
        relevance = (
            RELEVANT if example.start >= 0 else UNKNOWN if example.relevant else NOT_RELEVANT
        )
        span = (example.start, example.end) if example.start >= 0 else (NO_ANSWER, NO_ANSWER)
        if source == "notes" and example.start < 0:
            source = "unsaid"
        own, others = [texts.add(example.text)], [texts.add(text) for text in example.others]
        yield Group(source, example.question, own, others, *span, relevance, rng.random() < 0.04)


def _talked(texts: Texts, folder: Path) -> Iterator[Group]:
    """Questions that a language model wrote about turns of talks (`talks.py`), with other turns of
    the same chat as negatives; some are repeated as if the turns were personal notes."""
    rng = random.Random(SEED)
    ids: list[int] = []
    turns = json.loads((folder / "turns.json").read_text())
    for number, (talk, speaker, text) in enumerate(turns):
        follows = number and turns[number - 1][0] == talk
        ids.append(texts.add(f"{speaker}: {text}", ids[-1] if follows else -1))
    for line in (folder / "talked.jsonl").read_text().splitlines():
        row = json.loads(line)
        # Questions about talks ask when something happened, not which time a turn names.
        if row["s"] >= 0 and row["q"].startswith("When"):
            continue
        own, others = [ids[row["turn"]]], [ids[other] for other in row["neg"]]
        is_answered, dev = row["s"] >= 0, rng.random() < 0.04
        source = "talked" if is_answered else "untalked"
        relevance = RELEVANT if is_answered else UNKNOWN
        span = (row["s"], row["e"])
        yield Group(source, row["q"], own, others, *span, relevance, dev)
        speaker = turns[row["turn"]][1]
        question = _in_first_person(row["q"], speaker)
        if question and rng.random() < NOTED_SHARE:
            own, *others = (texts.add(turns[turn][2]) for turn in (row["turn"], *row["neg"]))
            span = [at - len(speaker) - 2 if is_answered else NO_ANSWER for at in span]
            source = source.replace("talked", "noted")
            yield Group(source, question, [own], others, *span, relevance, dev)


def _written(
    texts: Texts, blocks: list[written.Block], similarity: beside.Similarity
) -> Iterator[Group]:
    """Questions about written blocks; their negatives are other lines of the block, the most
    similar first, and lines of other talks."""
    rng = random.Random(SEED)
    for number, block in enumerate(blocks):
        elsewhere = _foreign_lines(block, blocks, rng)
        ids: dict[int, int] = {}
        last = -1
        for line, text in block.lines.items():
            last = texts.add(text, last if line in block.follows else -1)
            ids[line] = last
        for question in block.questions:
            rest = [line for line in ids if line not in question.places]
            rest.sort(key=lambda line: -similarity(question.text, block.lines[line]))
            others = [ids[line] for line in rest[:MAX_OWN_LINES]]
            nearest = max(
                similarity(question.text, block.lines[place]) for place in question.places
            )
            others += [
                texts.add(foreign, texts.add(before) if before else -1)
                for foreign, before in _most_similar(question.text, elsewhere, similarity, nearest)
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
class ForeignLine:
    """A line of another talk with replaced names, and the line before it."""

    original: str
    text: str
    before: str


def _foreign_lines(
    block: written.Block, blocks: list[written.Block], rng: random.Random
) -> list[ForeignLine]:
    """Lines of other talks with the names of this one: a long talk has hundreds of turns by the
    same two people, most of them about other subjects."""
    people = block.speakers()
    if block.kind != "talk" or len(people) != 2:
        return []
    others = [
        candidate
        for candidate in blocks
        if candidate.kind == "talk" and len(candidate.speakers()) == 2
    ]
    lines: list[ForeignLine] = []
    for other in rng.sample(others, min(OTHER_TALKS, len(others))):
        if other is block:
            continue
        names = dict(zip(other.speakers(), rng.sample(people, 2), strict=True))
        pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, names)) + r")\b")
        before = ""
        for line, original in other.lines.items():
            text = pattern.sub(lambda match, names=names: names[match[0]], original)
            lines.append(ForeignLine(original, text, before if line in other.follows else ""))
            before = text
    return lines


def _most_similar(
    question: str, elsewhere: list[ForeignLine], similarity: beside.Similarity, nearest: float
) -> list[tuple[str, str]]:
    """The most similar foreign lines. Lines more similar than the answering line are left out,
    because they may answer the question as well."""
    if not elsewhere:
        return []
    similarities = similarity.with_each(question, [line.original for line in elsewhere])
    ranked = np.argsort(-similarities, kind="stable").tolist()
    fitting = [elsewhere[at] for at in ranked if similarities[at] < nearest]
    return [(line.text, line.before) for line in fitting[:FOREIGN_LINES]]


def _written_places(
    question: written.Question, block: written.Block
) -> Iterator[tuple[int, tuple[int, int]]]:
    if not question.is_answered:
        yield question.places[0], (NO_ANSWER, NO_ANSWER)
    elif not question.answers:
        yield question.places[0], (NO_SPAN, NO_SPAN)
    for place, answer in zip(question.places, question.answers, strict=False):
        yield place, written.place_of(answer, block.lines[place]) or (NO_SPAN, NO_SPAN)


def _compute_similarity(blocks: list[written.Block]) -> beside.Similarity:
    lines = [line for block in blocks for line in block.lines.values()]
    questions = [question.text for block in blocks for question in block.questions]
    return beside.Similarity(asyncio.run(_embedded([*dict.fromkeys([*lines, *questions])])))


async def _embedded(texts: list[str]) -> dict[str, np.ndarray]:
    embedder = LocalEmbedder()
    vectors: dict[str, np.ndarray] = {}
    for start in range(0, len(texts), 256):
        batch = texts[start : start + 256]
        vectors |= zip(batch, map(np.array, await embedder.embed(batch)), strict=True)
    await embedder.close()
    return vectors


_AFTER = "does|did|is|was|has|had|will|would|can|could|should|do|are|were"
_ME = {"does": "do", "is": "am", "has": "have", "are": "am", "were": "was"}


def _in_first_person(question: str, speaker: str) -> str | None:
    """Rewrite "What does Anna like?" as "What do I like?"; None if the form is not clear."""
    if question.count(speaker) != 1:
        return None
    possessive = question.replace(f"{speaker}'s", "my")
    if possessive != question:
        return possessive
    match = re.search(rf"\b({_AFTER}) {speaker}\b(?!')", question)
    if match is None:
        return None
    verb = _ME.get(match[1], match[1])
    return f"{question[: match.start()]}{verb} I{question[match.end() :]}"


def _swapped(texts: Texts, groups: list[Group]) -> Iterator[Group]:
    """The same questions about another person, which the text does not answer."""
    rng = random.Random(SEED)
    for group in groups:
        if rng.random() >= SWAPPED_SHARES.get(group.source, 0) or group.relevance != RELEVANT:
            continue
        own = texts.all[group.own[0]]
        around = [texts.all[number].partition(": ")[0] for number in group.others]
        speakers = {name for name in around if re.fullmatch(r"[A-Z][a-z]+", name)}
        about = own.partition(": ")[0]
        question_words = set(re.findall(r"\w+", group.question))
        if about not in question_words:
            about = next((name for name in grammar.NAMES if name in question_words), "")
        others = sorted((speakers or set(grammar.NAMES)) - {about})
        if not about or not others or (other := rng.choice(others)) in own:
            continue
        question = re.sub(rf"\b{re.escape(about)}\b", other, group.question)
        span = (NO_ANSWER, NO_ANSWER)
        yield Group(
            "swapped", question, group.own[:1], group.others, *span, NOT_RELEVANT, group.dev
        )


def _pairs(source: Path) -> Iterator[tuple[str, str, str, int, bool]]:
    for row in _lines(source / "pairs.jsonl.gz"):
        yield row["src"], row["a"], row["b"], row["y"], bool(row["dev"])


def _generated_pairs() -> Iterator[tuple[str, str, str, int, bool]]:
    rng = random.Random(SEED)
    for old, new, relation in grammar.pairs(GRAMMAR_PAIRS, SEED):
        yield "grammar", old, new, relation, rng.random() < 0.04
    for old, new, relation in dict.fromkeys(changes.pairs(CHANGE_PAIRS, SEED)):
        yield "changes", old, new, relation, rng.random() < 0.02
    for old, new, relation in dict.fromkeys(matters.pairs(MATTER_PAIRS, SEED)):
        yield "matters", old, new, relation, rng.random() < 0.02
    for old, new, relation, dev in later.pairs(_most_similar_indexes, SEED):
        yield "later", old, new, relation, dev
    for old, new, relation, dev in later.pairs_in_languages(SEED):
        yield "later_languages", old, new, relation, dev


def _unrelated_pairs(
    data: Path, blocks: list[written.Block], similarity: beside.Similarity
) -> Iterator[tuple[str, str, str, int, bool]]:
    rows = _articles(data)
    random.Random(SEED).shuffle(rows)
    articles = [[*row["p"], *row["n"][:6]] for row in rows[:ARTICLES]]
    for pairs in (
        beside.block_pairs(blocks, similarity, SEED),
        beside.article_pairs(articles, SEED),
    ):
        for old, new, relation, dev in beside.labelled(pairs, SEED):
            yield "beside", old, new, relation, dev


def _most_similar_indexes(texts: list[str], others: list[str]) -> list[int]:
    vectors = asyncio.run(_embedded([*dict.fromkeys([*texts, *others])]))
    matrix = np.array([vectors[other] for other in others])
    return [int(np.argmax(matrix @ vectors[text])) for text in texts]


# --- writing token ids


def _load_tokenizer(pack: Path) -> Tokenizer:
    packed = (pack / "tokenizer.json.xz").read_bytes()
    tokenizer = Tokenizer.from_str(lzma.decompress(packed).decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _examples(
    tokenizer: Tokenizer, texts: Texts, groups: list[Group], pairs: list[Any]
) -> dict[str, np.ndarray]:
    used = sorted({text for group in groups for text in (*group.own, *group.others)})
    used += sorted({texts.before[text] for text in used} - set(used) - {-1})
    place = {text: number for number, text in enumerate(used)}
    encoded = tokenizer.encode_batch([texts.all[text] for text in used], add_special_tokens=False)
    spans = np.array([_token_span(encoded[place[group.own[0]]].offsets, group) for group in groups])
    sources = sorted({group.source for group in groups} | {pair[0] for pair in pairs})

    def ids(rows: list[str], limit: int) -> list[list[int]]:
        return [row.ids[:limit] for row in tokenizer.encode_batch(rows, add_special_tokens=False)]

    arrays = {
        **ragged("text", [item.ids[:TEXT_TOKENS] for item in encoded]),
        **ragged("question", ids([group.question for group in groups], QUESTION_TOKENS)),
        **ragged("old", ids([pair[1] for pair in pairs], STATEMENT_TOKENS)),
        **ragged("new", ids([pair[2] for pair in pairs], STATEMENT_TOKENS)),
        **ragged("own", [[place[text] for text in group.own] for group in groups]),
        **ragged("other", [[place[text] for text in group.others] for group in groups]),
        "before": np.array([place.get(texts.before[text], -1) for text in used], np.int32),
        "span": spans.astype(np.int16),
        "relevance": np.array([group.relevance for group in groups], np.int8),
        "group_dev": np.array([group.dev for group in groups]),
        "group_source": np.array([sources.index(group.source) for group in groups], np.int16),
        "relation": np.array([pair[3] for pair in pairs], np.int8),
        "pair_dev": np.array([pair[4] for pair in pairs]),
        "pair_source": np.array([sources.index(pair[0]) for pair in pairs], np.int16),
        "sources": np.array(sources),
        "slash": np.array(tokenizer.encode("/", add_special_tokens=False).ids, np.int32),
    }
    print(f"{len(groups)} groups, {len(pairs)} pairs, {len(used)} texts")
    return arrays


def _token_span(offsets: list[tuple[int, int]], group: Group) -> tuple[int, int]:
    if group.start < 0:
        return group.start, group.start
    inside = [
        n for n, (start, end) in enumerate(offsets) if end > group.start and start < group.end
    ]
    return (inside[0], inside[-1]) if inside and inside[-1] < TEXT_TOKENS else (NO_SPAN, NO_SPAN)


def _notes(
    tokenizer: Tokenizer, everybody: list[tuple[people.Person, bool]]
) -> dict[str, np.ndarray]:
    """Notes with the tag of each word (-1: not tagged), and what their lines are worth."""
    rows = [(note, held) for person, held in everybody for note in person.notes.values()]
    rows = [(note, held) for note, held in rows if note.tags is not None or note.worth]
    encoded = tokenizer.encode_batch([note.text for note, _ in rows], add_special_tokens=False)
    tags, worth = list[list[int]](), list[tuple[int, ...]]()
    for number, ((note, _), text) in enumerate(zip(rows, encoded, strict=True)):
        offsets = text.offsets[:TEXT_TOKENS]
        tags.append(
            [-1] * len(offsets) if note.tags is None else people.word_tags(offsets, note.tags)
        )
        for (start, end), category in note.worth:
            inside = [n for n, (first, last) in enumerate(offsets) if last > start and first < end]
            if inside:
                kind = CATEGORIES.index(category) if category else -1
                worth.append((number, inside[0], inside[-1], kind))
    return {
        **ragged("note", [text.ids[:TEXT_TOKENS] for text in encoded]),
        **ragged("tag", tags),
        "worth": np.array(worth, np.int32),
        "note_dev": np.array([held for _, held in rows]),
    }


def _write(path: Path, arrays: dict[str, np.ndarray]) -> None:
    raw = io.BytesIO()
    np.savez(raw, **arrays)
    path.write_bytes(lzma.compress(raw.getvalue(), preset=4))
    print(f"{path}: {path.stat().st_size >> 20} MB")


if __name__ == "__main__":
    main()
