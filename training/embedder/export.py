"""Write trained weights as the files that remem loads.

python training/embedder/export.py PACK src/remem/models/multilingual WEIGHTS [OTHER_WEIGHTS]

`words.npy` has the word vectors as int8 and `scales.npy` their scales, so that processes map them
into memory and models share them; `embedder.onnx` is what comes after them."""

import json
import lzma
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from mixture import read_lines
from weights import join_parts, pack_rows, unpack_rows

sys.path.append(str(Path(__file__).parents[1]))
from graph import LAYERS, WIDTH, Graph, quantize, save, transformer_layer
from smooth import smooth

TEXTS, MOST_TOKENS = 150, 200

# Our names of a layer's parts, and those of the graph.
_PARTS = {
    "q": "query",
    "k": "key",
    "v": "value",
    "o": "joined",
    "n1": "norm_attention",
    "up": "wide",
    "down": "narrow",
    "n2": "norm_output",
}


def layers_of(stored: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The weights of the layers by the names of the graph."""
    weights = {}
    for name, values in stored.items():
        if name.startswith("layers."):
            _, number, part, kind = name.split(".")
            name = f"layers.{number}.{_PARTS[part]}.{kind}"
        weights[name] = values.astype(np.float32)
    return weights


def with_places(graph: Graph, weights: Mapping[str, np.ndarray]) -> str:
    """Word vectors with those of their places."""
    one, zero = (graph.constant(f"at_{n}", np.array([n], np.int64)) for n in (1, 0))
    length = graph.add("Gather", [graph.add("Shape", ["words"]), one], axis=0)
    places = graph.constant("places", weights["pos"])
    near = graph.add("Slice", [places, zero, length, zero])
    return graph.norm(graph.add("Add", ["words", near]), weights, "n0")


def build_embedder(weights: Mapping[str, np.ndarray], path: Path) -> None:
    from onnx import TensorProto, helper

    graph = Graph()
    states = with_places(graph, weights)
    for number in range(LAYERS):
        states = transformer_layer(graph, weights, f"layers.{number}", states)
    mean = graph.add("ReduceMean", [states], axes=[1], keepdims=0)
    graph.add("LpNormalization", [mean], "vector", axis=-1, p=2)
    words = helper.make_tensor_value_info("words", TensorProto.FLOAT, ["batch", "length", WIDTH])
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["batch", WIDTH])
    save(graph, "embedder", [words], [vector], path)


def write_tokenizer(packed: Path, target: Path) -> None:
    model = json.loads(lzma.decompress(packed.read_bytes()))
    target.write_text(json.dumps(model, ensure_ascii=False, separators=(",", ":")))


def usual_inputs(pack: Path, target: Path) -> Iterator[dict[str, np.ndarray]]:
    """Word vectors of sentences in all languages, of English passages and of notes."""
    from tokenizers import Tokenizer

    draw = random.Random(1)
    lines = [line.split("\t")[-1] for line in read_lines(pack / "tatoeba.txt.xz")]
    texts = draw.sample(lines, TEXTS) + draw.sample(read_lines(pack / "long.txt.xz"), TEXTS)
    for line in read_lines(pack / "people.jsonl.xz"):
        if line:
            texts += draw.sample(list(json.loads(line)["notes"].values()), 2)
    tokenizer = Tokenizer.from_file(str(target / "tokenizer.json"))
    tokenizer.enable_truncation(MOST_TOKENS)
    words, scales = np.load(target / "words.npy"), np.load(target / "scales.npy")[:, None]
    for text in texts:
        ids = np.array(tokenizer.encode(text).ids)
        yield {"words": (words[ids].astype(np.float32) * scales[ids])[None]}


def main(pack: Path, target: Path, *folders: Path) -> None:
    """Export weights, or the mean of several."""
    target.mkdir(parents=True, exist_ok=True)
    weights = mean_weights([np.load(join_parts(folder)) for folder in folders])
    words, scales = pack_rows(weights.pop("words"))
    np.save(target / "words.npy", words)
    np.save(target / "scales.npy", scales[:, 0])
    write_tokenizer(pack / "tokenizer.json.xz", target / "tokenizer.json")
    whole = target / "whole.onnx"
    build_embedder(layers_of(weights), whole)
    smooth(whole, usual_inputs(pack, target))
    quantize(whole, target / "embedder.onnx")


def mean_weights(stored: Sequence["np.lib.npyio.NpzFile"]) -> dict[str, np.ndarray]:
    names = [name for name in stored[0].files if not name.endswith((".s", ".q"))]
    weights = {
        name: sum(unpack_rows(part, name) for part in stored) / len(stored) for name in names
    }
    words = [part["words.q"].astype(np.float32) * part["words.s"].reshape(-1, 1) for part in stored]
    return weights | {"words": sum(words) / len(words)}


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
