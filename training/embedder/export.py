"""Write trained weights as the files that remem loads.

python training/embedder/export.py PACK_WITH_TOKENIZER WEIGHTS src/remem/models/multilingual

`words.npy` has the word vectors as int8 and `scales.npy` their scales, so that processes map them
into memory and models share them; `embedder.onnx` is what comes after them."""

import json
import lzma
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from weights import join_parts

sys.path.append(str(Path(__file__).parents[1]))
from graph import LAYERS, WIDTH, Graph, quantize, save, transformer_layer

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


def main(pack: Path, folder: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    stored = np.load(join_parts(folder))
    np.save(target / "words.npy", stored["words.q"])
    np.save(target / "scales.npy", stored["words.s"].astype(np.float32))
    whole = target / "whole.onnx"
    build_embedder(layers_of({name: stored[name] for name in stored.files}), whole)
    quantize(whole, target / "embedder.onnx")
    write_tokenizer(pack / "tokenizer.json.xz", target / "tokenizer.json")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
