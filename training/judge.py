"""Train the judge: two layers of its own over the states of the shipped reader; on a CPU.

python training/judge.py states             what the reader makes of the pairs, computed once
python training/judge.py train --minutes 30
python training/judge.py export             judge.onnx, and the output of model.onnx that it needs

Ranking and reading stay as they are, bit by bit: only the relation of two statements is learned.
"""

import argparse
import random
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import changes
import matters
import numpy as np
from export import EXACT, WIDTH, Graph, quantize_nodes, transformer_layer

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "src" / "remem" / "models"
KEPT = ROOT / ".bench" / "reader" / "judge"
# After so many layers the judge goes its own way.
SHARED, OWN = 4, 2
PAIRS, DEV_PAIRS, MATTERS = 13_000, 900, 2_600
# Pairs of the public data beside ours, so that it keeps what it learned from them.
REPLAYED = {"mnli": 1800, "snli": 600, "paws": 500, "rand_mnli": 300, "synth": 900, "grammar": 900}
LONGEST, LONGEST_PAIR = 48, 60
BATCH, RATE, WARM_UP = 48, 2.5e-4, 40
CLS, SEP = 101, 102
Row = tuple[list[int], int, int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("states", "train", "export"))
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    if chosen.step == "states":
        own, other = changes.pairs(PAIRS, chosen.seed), matters.pairs(MATTERS, chosen.seed)
        write_states(KEPT / "dev.npz", numbered(changes.pairs(DEV_PAIRS, 99)))
        rows = [*numbered([*own, *other]), *public_pairs(chosen.seed)]
        random.Random(chosen.seed).shuffle(rows)
        write_states(KEPT / "train.npz", rows)
    elif chosen.step == "train":
        train(chosen.minutes, chosen.seed)
    else:
        expose_states(MODELS / "reader" / "model.onnx")
        export(dict(np.load(KEPT / "judge.npz")), MODELS / "reader" / "judge.onnx")


# --- pairs, and what the reader makes of them


def numbered(pairs: Iterable[tuple[str, str, int]]) -> list[Row]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(MODELS / "minilm" / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def numbers(text: str) -> list[int]:
        return tokenizer.encode(text, add_special_tokens=False).ids[:LONGEST]

    return [row(numbers(old), numbers(new), relation) for old, new, relation in pairs]


def public_pairs(seed: int) -> Iterator[Row]:
    arrays = np.load(ROOT / ".bench" / "reader" / "data.npz")
    sources = [str(name) for name in arrays["sources"]]
    source, left_out, relation = (arrays[n] for n in ("pair_source", "pair_dev", "relation"))
    texts = {name: (arrays[f"{name}_flat"], arrays[f"{name}_end"]) for name in ("old", "new")}
    for name, count in REPLAYED.items():
        rows = np.flatnonzero((source == sources.index(name)) & (left_out == 0))
        made = 0
        for number in np.random.default_rng(seed).permutation(rows):
            old, new = (ragged(*texts[part], int(number)) for part in ("old", "new"))
            if len(old) + len(new) <= LONGEST_PAIR and made < count:
                made += 1
                yield row(old, new, int(relation[number]))


def ragged(flat: np.ndarray, ends: np.ndarray, number: int) -> list[int]:
    return flat[ends[number - 1] if number else 0 : ends[number]].tolist()


def row(old: list[int], new: list[int], relation: int) -> Row:
    return [CLS, *old, SEP, *new, SEP], len(old) + 2, relation


def write_states(path: Path, rows: list[Row]) -> None:
    session, name = lower_session()
    flat, ends, total = [], [], 0
    for ids, second, _ in rows:
        numbers = np.array([ids])
        kinds = np.zeros_like(numbers)
        kinds[:, second:] = 1
        fed = {
            "input_ids": numbers,
            "attention_mask": np.ones_like(numbers),
            "token_type_ids": kinds,
        }
        flat.append(session.run([name], fed)[0][0].astype(np.float16))
        total += len(ids)
        ends.append(total)
    relations = np.array([relation for _, _, relation in rows])
    np.savez(path, flat=np.concatenate(flat), ends=np.array(ends), relation=relations)
    print(f"{path}: {len(rows)} pairs")


def lower_session() -> tuple[Any, str]:
    import onnx
    import onnxruntime

    model = onnx.load(str(MODELS / "reader" / "model.onnx"))
    name = shared_states(model)
    inputs = [one.name for one in model.graph.input]
    part = onnx.utils.Extractor(model).extract_model(inputs, [name])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(part.SerializeToString(), options), name


def shared_states(model: Any) -> str:
    """The output of the last shared layer: one norm of the words, then two a layer."""
    norms = [one for one in model.graph.node if one.op_type == "LayerNormalization"]
    return norms[2 * SHARED].output[0]


# --- training


def train(minutes: float, seed: int) -> None:
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    judge = started_judge()
    data, dev = Pairs(KEPT / "train.npz"), Pairs(KEPT / "dev.npz")
    optimizer = torch.optim.AdamW(judge.parameters(), lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    mean = {name: value.clone() for name, value in judge.state_dict().items()}
    began, step = time.time(), 0
    for chosen in data.batches(seed):
        done = (time.time() - began) / 60 / minutes
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / WARM_UP) * max(0.03, 1 - done)
        states, mask, relation = data.batch(chosen)
        loss = functional.cross_entropy(judge(states, mask), relation, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
        optimizer.step()
        step += 1
        share = min(0.99, step / (step + 10))
        with torch.no_grad():
            for name, value in judge.state_dict().items():
                mean[name].lerp_(value, 1 - share)
        if step % 50 == 0:
            print(f"{step} steps, loss {float(loss.detach()):.3f}", flush=True)
    judge.load_state_dict(mean)
    print(f"{step} steps, {100 * right(judge, dev):.1f} % of {len(dev)} pairs right")
    np.savez(KEPT / "judge.npz", **{name: value.numpy() for name, value in mean.items()})


def started_judge() -> Any:
    """With the last layers and the head that the reader was trained with."""
    import torch
    from network import Judge

    parts = sorted((ROOT / ".bench" / "reader" / "run1").glob("state.npz.[0-9]"))
    whole = KEPT / "state.npz"
    whole.write_bytes(b"".join(part.read_bytes() for part in parts))
    kept = np.load(whole)
    state = {}
    for name in kept.files:
        if name.startswith("relation"):
            state[name] = kept[name]
        elif name.startswith("layers.") and int(name.split(".")[1]) >= SHARED:
            number, rest = name.split(".", 2)[1:]
            state[f"layers.{int(number) - SHARED}.{rest}"] = kept[name]
    judge = Judge(OWN)
    judge.load_state_dict(
        {name: torch.from_numpy(v.astype(np.float32)) for name, v in state.items()}
    )
    return judge


class Pairs:
    """States of pairs as they were written."""

    def __init__(self, path: Path) -> None:
        arrays = np.load(path)
        self.flat, self.ends, self.relation = (arrays[n] for n in ("flat", "ends", "relation"))
        self.lengths = np.diff(np.r_[0, self.ends])

    def __len__(self) -> int:
        return len(self.ends)

    def batches(self, seed: int) -> Iterator[np.ndarray]:
        """Of like length, in an order of their own each time, without end."""
        choose = np.random.default_rng(seed)
        while True:
            order = choose.permutation(len(self))
            for at in range(0, len(order) - BATCH * 20, BATCH * 20):
                part = order[at : at + BATCH * 20]
                part = part[np.argsort(self.lengths[part], kind="stable")]
                some = [part[n : n + BATCH] for n in range(0, len(part), BATCH)]
                choose.shuffle(some)
                yield from some

    def batch(self, chosen: np.ndarray) -> tuple[Any, Any, Any]:
        import torch

        rows = [self.flat[self.ends[n] - self.lengths[n] : self.ends[n]] for n in chosen]
        longest = max(map(len, rows))
        states = np.zeros((len(rows), longest, WIDTH), np.float32)
        mask = np.zeros((len(rows), longest), bool)
        for number, one in enumerate(rows):
            states[number, : len(one)], mask[number, : len(one)] = one, True
        relation = torch.from_numpy(self.relation[chosen])
        return torch.from_numpy(states), torch.from_numpy(mask), relation


def right(judge: Any, pairs: Pairs) -> float:
    import torch

    judge.eval()
    with torch.no_grad():
        guesses = [
            (judge(states, mask).argmax(1) == relation).float().sum()
            for at in range(0, len(pairs), BATCH)
            for states, mask, relation in [pairs.batch(np.arange(at, min(at + BATCH, len(pairs))))]
        ]
    judge.train()
    return float(sum(guesses)) / len(pairs)


# --- ONNX


def expose_states(path: Path) -> None:
    """Give the model the states of its shared layers as one more output."""
    import onnx
    from onnx import TensorProto, helper

    model = onnx.load(str(path))
    if any(one.name == "states" for one in model.graph.output):
        return
    model.graph.node.append(helper.make_node("Identity", [shared_states(model)], ["states"]))
    shape = ["batch", "length", WIDTH]
    model.graph.output.append(helper.make_tensor_value_info("states", TensorProto.FLOAT, shape))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def export(weights: dict[str, np.ndarray], path: Path) -> None:
    """One pair at a time, as the reader runs it: no mask."""
    import onnx
    from onnx import TensorProto, helper

    graph = Graph()
    states = "states"
    closed = graph.constant("open", np.zeros((1, 1, 1, 1), np.float32))
    for number in range(OWN):
        states = transformer_layer(graph, weights, f"layers.{number}", states, closed)
    first = graph.add("Gather", [states, graph.constant("first", np.array(0, np.int64))], axis=1)
    known = graph.add("Tanh", [graph.linear(first, weights, "relation_in")])
    graph.linear(known, weights, "relation_out", "relation")
    inputs = [
        helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "length", WIDTH])
    ]
    outputs = [helper.make_tensor_value_info("relation", TensorProto.FLOAT, ["batch", 4])]
    made = helper.make_graph(graph.nodes, "judge", inputs, outputs, list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    whole = path.with_suffix(".fp32.onnx")
    onnx.save(model, str(whole))
    quantize_nodes(whole, path, [f"n_{name}.mm" for name in EXACT])
    whole.unlink()
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
