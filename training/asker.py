"""A small language model that asks questions of turns of talks, and answers them again; for a GPU.

    OUT=out python asker.py FOLDER [--minutes 2.2] [--samples 3] [--ask-s 110] [--unanswered]

FOLDER is what `talks.py prepare` wrote. SmolLM2 (Apache-2.0) is trained on the public questions
both ways, text to answer and question, and text and question to answer; then it asks of every turn
and reads its own questions; with --unanswered it asks what a turn does not say. Writes `asked.npz`
to $OUT, for `talks.py gather`."""

import argparse
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from batches import ragged
from torch import Tensor, nn
from torch.nn import functional

WIDTH, WIDE, HEADS, SHARED_HEADS, LAYERS, SIZE = 576, 1536, 9, 3, 30, 64
ROTATION, NORM = 1e5, 1e-5
RATE, WARM_STEPS, BATCH_TOKENS, POOL = 2e-4, 60, 40_000, 16_384
ASK_TOKENS, READ_TOKENS, AT_ONCE, LIKELIEST, TEMPERATURE = 56, 28, 2_048, 30, 0.85
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Norm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, states: Tensor) -> Tensor:
        return functional.rms_norm(states.float(), (WIDTH,), self.weight, NORM).to(states.dtype)


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        shared = SHARED_HEADS * SIZE
        self.attn_norm, self.ffn_norm = Norm(), Norm()
        self.attn_q, self.attn_output = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.attn_k, self.attn_v = (nn.Linear(WIDTH, shared, bias=False) for _ in range(2))
        self.ffn_gate, self.ffn_up = (nn.Linear(WIDTH, WIDE, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(WIDE, WIDTH, bias=False)

    def forward(self, states: Tensor, turned: tuple[Tensor, Tensor], seen: "Seen") -> Tensor:
        normed = self.attn_norm(states)
        query = _turned(_heads(self.attn_q(normed), HEADS), turned)
        key = _turned(_heads(self.attn_k(normed), SHARED_HEADS), turned)
        key, value = seen.with_new(key, _heads(self.attn_v(normed), SHARED_HEADS))
        key, value = (one.repeat_interleave(HEADS // SHARED_HEADS, 1) for one in (key, value))
        read = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=seen.mask, is_causal=seen.mask is None
        )
        states = states + self.attn_output(read.transpose(1, 2).flatten(2))
        normed = self.ffn_norm(states)
        return states + self.ffn_down(functional.silu(self.ffn_gate(normed)) * self.ffn_up(normed))


def _heads(states: Tensor, count: int) -> Tensor:
    return states.view(*states.shape[:2], count, SIZE).transpose(1, 2)


def _turned(states: Tensor, turned: tuple[Tensor, Tensor]) -> Tensor:
    """By the place: pairs of neighbouring numbers, as the weights are stored for llama.cpp."""
    (cosine, sine), (even, odd) = turned, (states[..., 0::2], states[..., 1::2])
    pairs = torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], -1)
    return pairs.flatten(-2).to(states.dtype)


class Seen:
    """What a layer may look at: all before, or a mask; with the keys of what was written so far."""

    def __init__(self, mask: Tensor | None = None, room: tuple[int, int] | None = None) -> None:
        self.mask, self.length, self.kept = mask, 0, None
        if room:
            kind = torch.bfloat16 if DEVICE == "cuda" else torch.float32
            shape = (2, room[0], SHARED_HEADS, room[1], SIZE)
            self.kept = torch.zeros(shape, device=DEVICE, dtype=kind)

    def with_new(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        if self.kept is None:
            return key, value
        end = self.length + key.shape[2]
        self.kept[0, :, :, self.length : end] = key
        self.kept[1, :, :, self.length : end] = value
        self.length = end
        return self.kept[0, :, :, :end].to(key.dtype), self.kept[1, :, :, :end].to(key.dtype)


class Model(nn.Module):
    def __init__(self, words: int) -> None:
        super().__init__()
        self.words, self.norm = nn.Embedding(words, WIDTH), Norm()
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, places: Tensor, seen: list[Seen] | None = None) -> Tensor:
        step = ROTATION ** (-torch.arange(0, SIZE, 2, device=ids.device).float() / SIZE)
        angle = places[:, None, :, None].float() * step
        states = self.words(ids)
        if DEVICE == "cuda":
            states = states.bfloat16()
        for layer, of in zip(self.layers, seen or [Seen()] * LAYERS, strict=True):
            states = layer(states, (angle.cos(), angle.sin()), of)
        return self.norm(states)

    def logits(self, states: Tensor) -> Tensor:
        return functional.linear(states, self.words.weight.to(states.dtype)).float()


# --- weights as llama.cpp keeps them: blocks of 32 numbers with a scale


def _by_bytes(raw: np.ndarray) -> np.ndarray:
    blocks = raw.reshape(len(raw), -1, 34)
    scale = blocks[..., :2].copy().view(np.float16).astype(np.float32)
    return (blocks[..., 2:].copy().view(np.int8) * scale).reshape(len(raw), -1)


def _by_halves(raw: np.ndarray) -> np.ndarray:
    blocks = raw.reshape(len(raw), -1, 20)
    scale, least = (
        blocks[..., at : at + 2].copy().view(np.float16).astype(np.float32) for at in (0, 2)
    )
    numbers = np.concatenate([blocks[..., 4:] & 15, blocks[..., 4:] >> 4], -1)
    return (numbers * scale + least).reshape(len(raw), -1)


def load(folder: Path) -> Model:
    kept = {
        name: value
        for file in sorted(folder.glob("weights*.npz"))
        for name, value in np.load(file).items()
    }
    model = Model(len(kept["token_embd"]))
    state = {"words.weight": _by_bytes(kept["token_embd"]), "norm.weight": kept["output_norm"]}
    for name, value in kept.items():
        if name.startswith("blk."):
            whole = _by_halves(value) if value.ndim > 1 else value
            state[f"{name.replace('blk.', 'layers.')}.weight"] = whole
    model.load_state_dict({name: torch.from_numpy(np.array(one)) for name, one in state.items()})
    return model.float().to(DEVICE)


# --- training


class Texts:
    """Ragged rows of token numbers by name."""

    def __init__(self, folder: Path) -> None:
        self.all = dict(np.load(folder / "texts.npz"))

    def row(self, name: str, number: int) -> list[int]:
        ends = self.all[f"{name}_end"]
        flat = self.all[f"{name}_flat"]
        return flat[ends[number - 1] if number else 0 : ends[number]].tolist()

    def lengths(self, name: str) -> np.ndarray:
        return np.diff(self.all[f"{name}_end"], prepend=0)

    def mark(self, name: str) -> list[int]:
        return self.all[f"mark_{name}"].tolist()


def _batches(lengths: np.ndarray, choose: np.random.Generator) -> Iterator[list[int]]:
    """Of like length, as many as there are tokens for, by chance and for ever."""
    while True:
        order = choose.permutation(len(lengths))
        for start in range(0, len(order), POOL):
            some = order[start : start + POOL]
            packs: list[list[int]] = [[]]
            for number in some[np.argsort(lengths[some], kind="stable")].tolist():
                if (len(packs[-1]) + 1) * lengths[number] > BATCH_TOKENS:
                    packs.append([])
                packs[-1].append(number)
            yield from (packs[at] for at in choose.permutation(len(packs)) if packs[at])


def train(model: Model, texts: Texts, minutes: float) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.95), weight_decay=0.01)
    lengths = texts.lengths("given") + texts.lengths("wanted")
    started = time.time()
    for step, some in enumerate(_batches(lengths, np.random.default_rng(1)), 1):
        done = (time.time() - started) / (60 * minutes)
        if done >= 1:
            return
        rate = RATE * min(1, step / WARM_STEPS) * max(0.03, (1 + math.cos(math.pi * done)) / 2)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = _loss(model, texts, some)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: {float(loss):.3f}", flush=True)


def _loss(model: Model, texts: Texts, some: list[int]) -> Tensor:
    rows = [(texts.row("given", number), texts.row("wanted", number)) for number in some]
    length = max(len(given) + len(wanted) for given, wanted in rows)
    ids, wanted_ids = np.zeros((len(rows), length), int), np.full((len(rows), length), -1)
    for at, (given, wanted) in enumerate(rows):
        ids[at, : len(given) + len(wanted)] = given + wanted
        wanted_ids[at, len(given) : len(given) + len(wanted)] = wanted
    fed, labels = (torch.from_numpy(one).to(DEVICE) for one in (ids, wanted_ids))
    places = torch.arange(length, device=DEVICE)[None].expand(len(rows), length)
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        states, counts = model(fed, places), labels[:, 1:] >= 0
        return functional.cross_entropy(model.logits(states[:, :-1][counts]), labels[:, 1:][counts])


# --- asking


@torch.no_grad()
def write(
    model: Model, given: list[list[int]], most: int, end: int, temperature: float
) -> list[list[int]]:
    """What follows each text; the likeliest words where there is no temperature."""
    longest = max(map(len, given))
    before = torch.tensor([longest - len(one) for one in given], device=DEVICE)
    ids = torch.tensor([[end] * (longest - len(one)) + one for one in given], device=DEVICE)
    place = torch.arange(longest + most, device=DEVICE)
    is_open = place[None] >= before[:, None]
    places = (place[None] - before[:, None]).clamp(min=0)
    first = (place[:longest, None] >= place[None, :longest])[None] & is_open[:, None, :longest]
    first = first | torch.eye(longest, device=DEVICE, dtype=torch.bool)[None]
    seen = [Seen(first[:, None], (len(given), longest + most)) for _ in range(LAYERS)]
    written = torch.full((len(given), most), end, device=DEVICE)
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        states = model(ids, places[:, :longest], seen)[:, -1:]
        for step in range(most):
            chosen = _next(model.logits(states[:, 0]), temperature)
            over = (written[:, :step] == end).any(1)
            written[:, step] = torch.where(over, end, chosen)
            if step == most - 1 or bool((over | (chosen == end)).all()):
                break
            at = longest + step
            for one in seen:
                one.mask = is_open[:, None, None, : at + 1]
            states = model(written[:, step : step + 1], places[:, at : at + 1], seen)
    return [row[: row.index(end)] if end in row else row for row in written.tolist()]


def _next(logits: Tensor, temperature: float) -> Tensor:
    if not temperature:
        return logits.argmax(-1)
    values, places = (logits / temperature).topk(LIKELIEST)
    return places.gather(1, torch.multinomial(values.softmax(-1), 1))[:, 0]


def ask(
    model: Model, texts: Texts, samples: int, seconds: float, *, unanswered: bool
) -> list[tuple]:
    """Of as many turns as there is time for: the turn, the answer, the question, and what the model
    answers to it."""
    end, until = texts.mark("end")[0], time.time() + seconds
    lengths = texts.lengths("turn")
    turns = np.repeat(np.arange(len(lengths)), samples)
    turns = turns[np.argsort(lengths[turns], kind="stable")]
    packs = [turns[at : at + AT_ONCE] for at in range(0, len(turns), AT_ONCE)]
    asked = []
    for pack in np.random.default_rng(2).permutation(len(packs)):
        if time.time() > until:
            break
        given = [texts.row("turn", number) for number in packs[pack]]
        begun = [one + texts.mark("no_answer" if unanswered else "answer") for one in given]
        for number, turn, said in zip(
            packs[pack], given, write(model, begun, ASK_TOKENS, end, TEMPERATURE), strict=True
        ):
            answer, question = (
                ([], said) if unanswered else _split(said, texts.mark("then_question"))
            )
            if (answer or unanswered) and len(question) >= 3:
                asked.append((int(number), turn, answer, question))
    print(f"{len(asked)} questions", flush=True)
    return read_again(model, texts, asked)


def _split(tokens: list[int], mark: list[int]) -> tuple[list[int], list[int]]:
    for at in range(len(tokens) - len(mark) + 1):
        if tokens[at : at + len(mark)] == mark:
            return tokens[:at], tokens[at + len(mark) :]
    return [], []


def read_again(model: Model, texts: Texts, asked: list[tuple]) -> list[tuple]:
    asked = sorted(asked, key=lambda one: len(one[1]) + len(one[3]))
    read = []
    for at in range(0, len(asked), AT_ONCE):
        some = asked[at : at + AT_ONCE]
        given = [
            turn + texts.mark("question") + question + texts.mark("then_answer")
            for _, turn, _, question in some
        ]
        said = write(model, given, READ_TOKENS, texts.mark("end")[0], 0.0)
        read += [
            (number, answer, question, again)
            for (number, _, answer, question), again in zip(some, said, strict=True)
        ]
    return read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=2.2)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--ask-s", type=float, default=110.0)
    parser.add_argument("--unanswered", action="store_true", help="what a turn does not say")
    chosen = parser.parse_args()
    torch.manual_seed(1)
    model, texts = load(chosen.folder), Texts(chosen.folder)
    train(model, texts, chosen.minutes)
    model.eval()
    asked = ask(model, texts, chosen.samples, chosen.ask_s, unanswered=chosen.unanswered)
    rows = {"answer": 1, "question": 2, "again": 3}
    arrays: dict[str, np.ndarray] = {"turn": np.array([one[0] for one in asked], np.int32)}
    for name, place in rows.items():
        arrays |= ragged(name, [one[place] for one in asked])
    np.savez_compressed(Path(os.environ["OUT"]) / "asked.npz", **arrays)


if __name__ == "__main__":
    main()
