"""Make the pack for `train.py`: vocabulary, first weights and texts.

python training/embedder/prepare.py --data ../shared/data --manuals manuals.txt.xz --pack PACK

The vocabulary is the one of the first run and the pieces of MiniLM that it lacks, so that English
is cut nearly as MiniLM cuts it."""

import argparse
import collections
import json
import lzma
import math
import random
import re
import shutil
import tarfile
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from mixture import read_lines
from tokenizers import Tokenizer
from weights import join_parts, pack_rows

PEOPLE, ARTICLES = (Path(__file__).parents[1] / n for n in ("people.tar.xz", "articles.txt.xz"))
SEVERAL = " || "
SPECIAL = 4
# Fewer and longer pieces, as MiniLM has: each piece costs this much more.
PIECE_COST = 2.0
# The share of English among the texts, for the scores of the added pieces.
ENGLISH_SHARE = 0.5
_COPIED = ("tatoeba", "en", "lex", "par", "long", "xqa")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--manuals", type=Path, required=True)
    parser.add_argument(
        "--public", type=Path, default=Path("training"), help="what public_texts.py wrote"
    )
    parser.add_argument("--pack", type=Path, required=True)
    return parser.parse_args()


def wiki_paragraphs(data: Path) -> list[tuple[str, str]]:
    """Titles and texts of encyclopedia articles, without the questions of the evaluation."""
    tests = json.loads((data / "hotpot/hotpot-dev.json").read_text())
    questions = {question["question"].strip() for question in tests["questions"]}
    titles = {passage["title"] for passage in tests["passages"]}
    articles: dict[str, str] = {}
    for line in read_lines(data / "reader/hotpot-2wiki-groups.jsonl.xz"):
        group = json.loads(line) if line else {"q": "", "p": [], "n": []}
        if group["q"].strip() in questions:
            continue
        for title, text in _texts_by_title(group).items():
            if title not in titles and len(text) > max(60, len(articles.get(title, ""))):
                articles[title] = text[:900]
    # A single word is the name of somebody who talks.
    return sorted(item for item in articles.items() if not re.fullmatch(r"[A-Z][a-z]+", item[0]))


def _texts_by_title(group: dict[str, Any]) -> dict[str, str]:
    texts = collections.defaultdict(list)
    for sentence in group["p"] + group["n"]:
        title, found, text = sentence.partition(": ")
        if found:
            texts[title].append(" ".join(text.split()))
    return {title: " ".join(sentences) for title, sentences in texts.items()}


def is_mixed(piece: str) -> bool:
    """Whether a piece joins letters, digits and signs, which MiniLM never does."""
    kinds = {
        "digit" if char.isdigit() else "sign" if unicodedata.category(char)[0] in "PS" else "letter"
        for char in piece.replace("▁", "")
    }
    return len(kinds) > 1


def added_pieces(teacher: Tokenizer, known: set[str], texts: list[str]) -> Iterator[tuple]:
    """Piece, score and number of MiniLM's pieces that the vocabulary lacks."""
    counts = collections.Counter[int]()
    for start in range(0, len(texts), 10_000):
        batch = texts[start : start + 10_000]
        for encoding in teacher.encode_batch(batch, add_special_tokens=False):
            counts.update(encoding.ids)
    total = sum(counts.values())
    for text, number in teacher.get_vocab().items():
        piece = text[2:] if text.startswith("##") else f"▁{text}" if text.isalnum() else text
        is_usable = text.isascii() and len(text) > 1 and not text.startswith("[")
        if is_usable and piece not in known and not is_mixed(piece):
            yield piece, math.log((counts[number] + 0.3) / total * ENGLISH_SHARE), number


def mapped(
    vocabulary: list[list], table: np.ndarray, teacher_table: np.ndarray, teacher: dict[str, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The linear map from MiniLM's word vectors to those of the table, by the pieces of both."""
    shared = []
    for number, (piece, _) in enumerate(vocabulary[SPECIAL:], SPECIAL):
        name = piece[1:] if piece.startswith("▁") else f"##{piece}"
        if name in teacher and name.isalnum() == piece.startswith("▁"):
            shared.append((number, teacher[name]))
    source = teacher_table[[number for _, number in shared]]
    target = table[[number for number, _ in shared]]
    centred = source - source.mean(0)
    squares = centred.T @ centred + 1e-2 * np.eye(source.shape[1])
    weights = np.linalg.solve(squares, centred.T @ (target - target.mean(0)))
    return weights, source.mean(0), target.mean(0)


def write_people(data: Path, target: Path) -> None:
    """The people of the data, and those of this project."""
    with tempfile.TemporaryDirectory() as ours, lzma.open(target, "wt", encoding="utf8") as file:
        with tarfile.open(PEOPLE) as packed:
            packed.extractall(ours)
        sources = (data / "people-train", Path(ours))
        for folder in (path for source in sources for path in sorted(source.glob("*-*"))):
            file.write(json.dumps(_person(folder), ensure_ascii=False) + "\n")


def _person(folder: Path) -> dict[str, Any]:
    def rows(name: str) -> list[list[str]]:
        lines = (folder / name).read_text(encoding="utf8").split("\n")
        return [line.split("\t") for line in lines if line]

    notes = {row[0]: row[2].replace("\\n", "\n") for row in rows("notes.tsv")}
    questions = [
        (row[0], row[2].split("|")[0], row[4]) for row in rows("questions.tsv") if row[3] != "-"
    ]
    prompts = [(row[0], row[1].split("|")) for row in rows("prompts.tsv") if row[1] != "-"]
    known = [question for question in questions if question[1] in notes]
    return {"who": folder.name, "notes": notes, "q": known, "prompts": prompts}


def main(settings: argparse.Namespace) -> None:
    random.seed(3)
    data, pack = settings.data, settings.pack
    folder = data / "multilingual"
    pack.mkdir(parents=True, exist_ok=True)
    wiki = wiki_paragraphs(data)
    with lzma.open(pack / "wiki.txt.xz", "wt", encoding="utf8") as file:
        file.writelines(f"{title}\t{text}\n" for title, text in wiki)
    model = json.loads(lzma.decompress((folder / "baseline/tokenizer.json.xz").read_bytes()))
    first = model["model"]["vocab"]
    kept = [
        number for number, (piece, _) in enumerate(first) if number < SPECIAL or not is_mixed(piece)
    ]
    teacher = Tokenizer.from_file(str(folder / "models/bert-tokenizer.json"))
    teacher.no_padding()
    teacher.no_truncation()
    plain, sentences = (
        read_lines(folder / "data/long.txt.xz"),
        read_lines(folder / "data/en.txt.xz"),
    )
    sample = random.sample(plain, 70_000) + random.sample(sentences, 70_000)
    sample += [f"{title}. {text}" for title, text in random.sample(wiki, min(len(wiki), 40_000))]
    added = list(added_pieces(teacher, {piece for piece, _ in first}, sample))
    vocabulary = [first[number] for number in kept]
    vocabulary += [[piece, score] for piece, score, _ in added]
    model["model"]["vocab"] = [
        [piece, score if number < SPECIAL else score - PIECE_COST]
        for number, (piece, score) in enumerate(vocabulary)
    ]
    with lzma.open(pack / "tokenizer.json.xz", "wt", encoding="utf8") as file:
        json.dump(model, file, ensure_ascii=False)
    write_start(folder, pack, teacher.get_vocab(), vocabulary, kept, [row[2] for row in added])
    write_people(data, pack / "people.jsonl.xz")
    write_foreign(settings.public, pack)
    shutil.copy(settings.manuals, pack / "manuals.txt.xz")
    for name in _COPIED:
        shutil.copy(folder / f"data/{name}.txt.xz", pack)
    for path in ("data/hotpot-dev.json.xz", "models/minilm.npz", "models/bert-tokenizer.json"):
        shutil.copy(folder / path, pack)
    for name in ("passages.jsonl.gz", "questions.jsonl.gz"):
        shutil.copy(data / "reader" / name, pack)


def write_foreign(public: Path, pack: Path) -> None:
    """Public parallel texts and questions in other languages, and our own articles."""
    articles = [line.split("\t") for line in read_lines(ARTICLES) if line]
    parallel, asked = list[str](), list[str]()
    for language, article, english, questions, english_questions in articles:
        texts = [article, *questions.split(SEVERAL)]
        for text, meaning in zip(texts, [english, *english_questions.split(SEVERAL)], strict=True):
            parallel.append(f"{language}\t{text}\t{meaning}")
        for question in questions.split(SEVERAL):
            row = {"lang": language, "q": question, "p": article, "s": -1, "e": -1, "src": "own"}
            asked.append(json.dumps(row, ensure_ascii=False))
    for name, ours in (("parallel.txt.xz", parallel), ("asked.jsonl.xz", asked)):
        with lzma.open(pack / name, "wt", encoding="utf8") as file:
            file.writelines(f"{line}\n" for line in read_lines(public / name) + ours if line)


def write_start(
    folder: Path,
    pack: Path,
    teacher: dict[str, int],
    vocabulary: list[list],
    kept: list[int],
    added: list[int],
) -> None:
    """The weights of the first run, with vectors of the added pieces from MiniLM's."""
    first = np.load(join_parts(folder / "baseline"))
    table = (first["words.q"].astype(np.float32) * first["words.s"][:, None])[kept]
    minilm = np.load(folder / "models/minilm.npz")
    name = "embeddings.word_embeddings.weight"
    teacher_table = minilm[name].astype(np.float32) * minilm[f"{name}.s"].astype(np.float32)
    weights, source, target = mapped(vocabulary[: len(kept)], table, teacher_table, teacher)
    vectors = (teacher_table[added] - source) @ weights + target
    words, scales = pack_rows(np.concatenate([table, vectors]))
    arrays = {"words.q": words, "words.s": scales[:, 0]}
    for part in first.files:
        values = first[part].astype(np.float32)
        if part.startswith("words"):
            continue
        if values.ndim == 2 and part != "pos":
            arrays[part], arrays[f"{part}.s"] = pack_rows(values)
        else:
            arrays[part] = values.astype(np.float16)
    np.savez(pack / "start.npz", **arrays)


if __name__ == "__main__":
    main(options())
