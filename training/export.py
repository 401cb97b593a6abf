"""Write trained weights as the networks that remem loads, with int8 weights.

python training/export.py --weights OUT -- src/remem/models/reader

The networks get word vectors, which are the embedder's (`words.npy`), and have no mask: remem runs
one pair or note at a time."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from graph import LAYERS, WIDTH, Graph, quantize, save, transformer_layer

MODELS = READER, JUDGE = "reader.onnx", "judge.onnx"
CLOSED = -1e4
# As many tokens as the reader was trained with.
PLACES = 224
EXACT = ("relevance_in", "relevance_out", "relation_out", "span", "tag", "worth")

Weights = Mapping[str, np.ndarray]


def build_reader(weights: Weights, path: Path) -> None:
    graph = Graph()
    states = _trunk(graph, weights, "reading")
    _relevance(graph, weights, states)
    _spans(graph, weights, states)
    places = ["batch", "length"]
    outputs = [_floats("relevance", ["batch"]), _floats("start", places), _floats("end", places)]
    save(graph, "reader", _inputs(), outputs, path)


def build_judge(weights: Weights, path: Path) -> None:
    """The relation of a pair, and tags and worth of a note's words."""
    graph = Graph()
    states = _trunk(graph, weights, "judging")
    known = graph.add("Tanh", [graph.linear(_first(graph, states), weights, "relation_in")])
    graph.linear(known, weights, "relation_out", "relation")
    graph.linear(states, weights, "tag", "tags")
    graph.linear(states, weights, "worth", "values")
    names = {"relation": ["batch"], "tags": ["batch", "length"], "values": ["batch", "length"]}
    heads = {"relation": "relation_out", "tags": "tag", "values": "worth"}
    outputs = [
        _floats(name, [*shape, len(weights[f"{heads[name]}.bias"])])
        for name, shape in names.items()
    ]
    save(graph, "judge", _inputs(), outputs, path)


def _trunk(graph: Graph, weights: Weights, name: str) -> str:
    one, zero = (graph.constant(f"at_{n}", np.array([n], np.int64)) for n in (1, 0))
    length = graph.add("Gather", [graph.add("Shape", ["words"]), one], axis=0)
    table = graph.constant("places", weights[f"{name}.places.weight"][:PLACES])
    places = graph.add("Slice", [table, zero, length, zero])
    kinds = graph.add(
        "Gather", [graph.constant("kinds", weights[f"{name}.kinds.weight"]), "second"], axis=0
    )
    states = graph.add("Add", [graph.add("Add", ["words", kinds]), places])
    states = graph.norm(states, weights, f"{name}.norm")
    for number in range(LAYERS):
        states = transformer_layer(graph, weights, f"{name}.layers.{number}", states)
    return states


def _first(graph: Graph, states: str) -> str:
    return graph.add("Gather", [states, graph.constant("first", np.array(0, np.int64))], axis=1)


def _relevance(graph: Graph, weights: Weights, states: str) -> None:
    known = graph.add("Tanh", [graph.linear(_first(graph, states), weights, "relevance_in")])
    relevance = graph.linear(known, weights, "relevance_out")
    graph.add("Squeeze", [relevance, graph.constant("one", np.array([1], np.int64))], "relevance")


def _spans(graph: Graph, weights: Weights, states: str) -> None:
    """An answer is in the second text; position 0 means that there is none."""
    from onnx import TensorProto, helper

    one = graph.constant("one", np.array([1], np.int64))
    shape = graph.add("Shape", ["second"])
    length = graph.add("Gather", [shape, one], axis=0)
    ones = helper.make_tensor("v", TensorProto.FLOAT, [1], [1.0])
    kinds = graph.add("Cast", ["second"], to=TensorProto.FLOAT)
    shut = graph.add("Sub", [graph.add("ConstantOfShape", [shape], value=ones), kinds])
    rest = graph.add("Concat", [one, graph.add("Sub", [length, one])], axis=0)
    after = graph.add("ConstantOfShape", [rest], value=ones)
    but_first = graph.add(
        "Concat", [graph.constant("zero_f", np.zeros((1, 1), np.float32)), after], axis=1
    )
    closed = graph.constant("closed", np.array(CLOSED, np.float32))
    penalty = graph.add("Mul", [graph.add("Mul", [shut, but_first]), closed])
    spans = graph.linear(states, weights, "span")
    for number, name in enumerate(("start", "end")):
        index = graph.constant(f"index_{number}", np.array(number, np.int64))
        graph.add("Add", [graph.add("Gather", [spans, index], axis=2), penalty], name)


def _inputs() -> list[Any]:
    """The vectors of the words, and 1 for each word of the second text."""
    from onnx import TensorProto, helper

    second = helper.make_tensor_value_info("second", TensorProto.INT64, ["batch", "length"])
    return [_floats("words", ["batch", "length", WIDTH]), second]


def _floats(name: str, shape: list[Any]) -> Any:
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def write_models(weights: Weights, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in ((READER, build_reader), (JUDGE, build_judge)):
        whole = folder / f"{name}.fp32"
        make(weights, whole)
        quantize(whole, folder / name, EXACT)


def main() -> None:
    from combine import read_weights

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, nargs="+", help="several: their mean")
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    read = [read_weights(path) for path in options.weights]
    mean = {
        name: sum(weights[name] for weights in read) / len(read)
        for name in read[0]
        if name != "words"
    }
    write_models(mean, options.target)


if __name__ == "__main__":
    main()
