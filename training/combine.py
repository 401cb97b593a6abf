r"""Weights to start the multilingual reader from: what the English reader learned beyond MiniLM,
added to the embedder's layers.

.venv/bin/python training/combine.py --embedder WEIGHTS --reader READER --minilm minilm.npz \
    --out init.npz

WEIGHTS is what `embedder/train.py` wrote (or its `start.npz`), READER the folder of the English
reader, which had its own word vectors (`words.onnx`), as it was at commit 9f4bdad5, or its weights
in one file (`--pack READER.npz`, for a GPU without onnx). All three began
as MiniLM, so the differences add up: without any training, answers in 16 languages are right as
often as after learning them in English alone."""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).with_name("embedder")))
from weights import LAYERS, join_parts, pack_rows, unpack_rows

RELATIONS = 5
# The embedder's names of a layer's parts, the reader's, and MiniLM's.
_PARTS = (
    ("q", "query", "attention.self.query"),
    ("k", "key", "attention.self.key"),
    ("v", "value", "attention.self.value"),
    ("o", "joined", "attention.output.dense"),
    ("n1", "norm_attention", "attention.output.LayerNorm"),
    ("up", "wide", "intermediate.dense"),
    ("down", "narrow", "output.dense"),
    ("n2", "norm_output", "output.LayerNorm"),
)
_CLS = 101
_TAGS, _WORTH = 13, 8

Weights = dict[str, np.ndarray]


def _exported(folder: Path) -> Weights:
    from start import exported_weights

    return exported_weights(folder)


def read_weights(path: Path) -> Weights:
    stored = np.load(join_parts(path) if path.is_dir() else path)
    kept = [name for name in stored.files if not name.endswith(".s") and name != "words.q"]
    weights = {name: unpack_rows(stored, name) for name in kept}
    if "words.q" in stored.files:
        scales = stored["words.s"].reshape(-1, 1)
        weights["words"] = stored["words.q"].astype(np.float32) * scales
    return weights


def combine(embedder: Weights, reader: Weights, minilm: Weights) -> Weights:
    combined = {"words": embedder["words"]}
    for trunk, layers in (("reading", "layers"), ("judging", "judging")):
        combined |= _trunk(trunk, layers, embedder, reader, minilm)
    for head in ("relevance_in", "relevance_out", "span", "relation_in", "relation_out"):
        for kind in ("weight", "bias"):
            combined[f"{head}.{kind}"] = reader[f"{head}.{kind}"]
    return combined | _new_heads(reader)


def _trunk(trunk: str, layers: str, embedder: Weights, reader: Weights, minilm: Weights) -> Weights:
    types = minilm["embeddings.token_type_embeddings.weight"]
    places = reader["places.weight"] - minilm["embeddings.position_embeddings.weight"]
    places[0] += reader["words.weight"][_CLS] - minilm["embeddings.word_embeddings.weight"][_CLS]
    # The embedder's places have the vector of the first kind in them.
    combined = {
        f"{trunk}.places.weight": embedder["pos"] + places,
        f"{trunk}.kinds.weight": reader["kinds.weight"] - types[0],
    }
    for kind in ("weight", "bias"):
        learned = reader[f"norm.{kind}"] - minilm[f"embeddings.LayerNorm.{kind}"]
        combined[f"{trunk}.norm.{kind}"] = embedder[f"n0.{kind}"] + learned
        for number in range(LAYERS):
            for ours, theirs, first in _PARTS:
                learned = reader[f"{layers}.{number}.{theirs}.{kind}"]
                learned = learned - minilm[f"encoder.layer.{number}.{first}.{kind}"]
                name = f"{trunk}.layers.{number}.{theirs}.{kind}"
                combined[name] = embedder[f"layers.{number}.{ours}.{kind}"] + learned
    return combined


def _new_heads(reader: Weights) -> Weights:
    """`cancels` begins as `updates`, a little less likely; the heads for notes begin anew."""
    draw = np.random.default_rng(1)
    relation, bias = reader["relation_out.weight"], reader["relation_out.bias"]
    width = relation.shape[1]
    return {
        "relation_out.weight": np.concatenate([relation, relation[1:2]]),
        "relation_out.bias": np.append(bias, bias[1] - 1),
        "tag.weight": draw.normal(0, 0.02, (_TAGS, width)),
        "tag.bias": np.zeros(_TAGS),
        "worth.weight": draw.normal(0, 0.02, (_WORTH, width)),
        "worth.bias": np.zeros(_WORTH),
    }


def pack_reader(folder: Path, path: Path) -> None:
    weights = _exported(folder)
    # Of the words, only [CLS] is used.
    weights["words.weight"] = weights["words.weight"][: _CLS + 1]
    write(weights, path)


def write(weights: Weights, path: Path) -> None:
    arrays: Weights = {}
    for name, values in weights.items():
        if values.ndim == 2 and min(values.shape) > 2:
            arrays[name], arrays[f"{name}.s"] = pack_rows(values)
        else:
            arrays[name] = values.astype(np.float16)
    np.savez(path, **arrays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--embedder", "--reader", "--minilm", "--out", "--pack"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    if options.pack:
        pack_reader(options.reader, options.pack)
        return
    is_folder = options.reader.is_dir()
    reader = _exported(options.reader) if is_folder else read_weights(options.reader)
    weights = combine(read_weights(options.embedder), reader, read_weights(options.minilm))
    write(weights, options.out)


if __name__ == "__main__":
    main()
