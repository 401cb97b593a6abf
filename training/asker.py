"""A small language model that writes questions about turns of talks, and answers them; for a GPU.

    OUT=out python asker.py FOLDER [--minutes 2.2] [--samples 3] [--ask-s 110] [--unanswered]

FOLDER is the output of `talks.py prepare`. SmolLM2 (Apache-2.0) is trained on the public questions
in both directions: from a text to an answer and a question, and from a text and a question to the
answer. Then it writes questions about every turn and answers its own questions; with --unanswered
it writes questions that the turn does not answer. Writes `asked.npz` to $OUT, for `talks.py
gather`."""

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

WIDTH, HIDDEN_WIDTH, HEADS, SHARED_HEADS, LAYERS, SIZE = 576, 1536, 9, 3, 30, 64
ROTATION, NORM = 1e5, 1e-5
RATE, WARM_STEPS, BATCH_TOKENS, POOL = 2e-4, 60, 40_000, 16_384
ASK_TOKENS, READ_TOKENS, BATCH_ROWS, TOP_K, TEMPERATURE = 56, 28, 2_048, 30, 0.85
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
        self.ffn_gate, self.ffn_up = (nn.Linear(WIDTH, HIDDEN_WIDTH, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(HIDDEN_WIDTH, WIDTH, bias=False)

    def forward(
        self, states: Tensor, rotation: tuple[Tensor, Tensor], seen: "KeyValueCache"
    ) -> Tensor:
        normed = self.attn_norm(states)
        query = _rotated(_heads(self.attn_q(normed), HEADS), rotation)
        key = _rotated(_heads(self.attn_k(normed), SHARED_HEADS), rotation)
        key, value = seen.with_new(key, _heads(self.attn_v(normed), SHARED_HEADS))
        key, value = (part.repeat_interleave(HEADS // SHARED_HEADS, 1) for part in (key, value))
        attended = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=seen.mask, is_causal=seen.mask is None
        )
        states = states + self.attn_output(attended.transpose(1, 2).flatten(2))
        normed = self.ffn_norm(states)
        return states + self.ffn_down(functional.silu(self.ffn_gate(normed)) * self.ffn_up(normed))


def _heads(states: Tensor, count: int) -> Tensor:
    return states.view(*states.shape[:2], count, SIZE).transpose(1, 2)


def _rotated(states: Tensor, rotation: tuple[Tensor, Tensor]) -> Tensor:
    """Rotate neighbouring pairs by their position, in the order of llama.cpp's weights."""
    (cosine, sine), (even, odd) = rotation, (states[..., 0::2], states[..., 1::2])
    pairs = torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], -1)
    return pairs.flatten(-2).to(states.dtype)


class KeyValueCache:
    """The attention mask of a layer (None: causal), and its keys and values while generating."""

    def __init__(self, mask: Tensor | None = None, room: tuple[int, int] | None = None) -> None:
        self.mask, self.length, self.cache = mask, 0, None
        if room:
            kind = torch.bfloat16 if DEVICE == "cuda" else torch.float32
            shape = (2, room[0], SHARED_HEADS, room[1], SIZE)
            self.cache = torch.zeros(shape, device=DEVICE, dtype=kind)

    def with_new(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        if self.cache is None:
            return key, value
        end = self.length + key.shape[2]
        self.cache[0, :, :, self.length : end] = key
        self.cache[1, :, :, self.length : end] = value
        self.length = end
        return self.cache[0, :, :, :end].to(key.dtype), self.cache[1, :, :, :end].to(key.dtype)


class Model(nn.Module):
    def __init__(self, words: int) -> None:
        super().__init__()
        self.words, self.norm = nn.Embedding(words, WIDTH), Norm()
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(
        self, ids: Tensor, places: Tensor, caches: list[KeyValueCache] | None = None
    ) -> Tensor:
        step = ROTATION ** (-torch.arange(0, SIZE, 2, device=ids.device).float() / SIZE)
        angle = places[:, None, :, None].float() * step
        states = self.words(ids)
        if DEVICE == "cuda":
            states = states.bfloat16()
        for layer, cache in zip(self.layers, caches or [KeyValueCache()] * LAYERS, strict=True):
            states = layer(states, (angle.cos(), angle.sin()), cache)
        return self.norm(states)

    def logits(self, states: Tensor) -> Tensor:
        return functional.linear(states, self.words.weight.to(states.dtype)).float()


# --- weights in the format of llama.cpp: blocks of 32 numbers with a scale


def _dequantize_8_bits(raw: np.ndarray) -> np.ndarray:
    blocks = raw.reshape(len(raw), -1, 34)
    scale = blocks[..., :2].copy().view(np.float16).astype(np.float32)
    return (blocks[..., 2:].copy().view(np.int8) * scale).reshape(len(raw), -1)


def _dequantize_4_bits(raw: np.ndarray) -> np.ndarray:
    blocks = raw.reshape(len(raw), -1, 20)
    scale, minimum = (
        blocks[..., at : at + 2].copy().view(np.float16).astype(np.float32) for at in (0, 2)
    )
    numbers = np.concatenate([blocks[..., 4:] & 15, blocks[..., 4:] >> 4], -1)
    return (numbers * scale + minimum).reshape(len(raw), -1)


def load(folder: Path) -> Model:
    arrays = {
        name: value
        for file in sorted(folder.glob("weights*.npz"))
        for name, value in np.load(file).items()
    }
    model = Model(len(arrays["token_embd"]))
    state = {
        "words.weight": _dequantize_8_bits(arrays["token_embd"]),
        "norm.weight": arrays["output_norm"],
    }
    for name, value in arrays.items():
        if name.startswith("blk."):
            weights = _dequantize_4_bits(value) if value.ndim > 1 else value
            state[f"{name.replace('blk.', 'layers.')}.weight"] = weights
    model.load_state_dict(
        {name: torch.from_numpy(np.array(array)) for name, array in state.items()}
    )
    return model.float().to(DEVICE)


# --- training


class Texts:
    """Ragged rows of token ids by name."""

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


def _batches(lengths: np.ndarray, rng: np.random.Generator) -> Iterator[list[int]]:
    """Endless random batches of rows of similar length, each within BATCH_TOKENS."""
    while True:
        order = rng.permutation(len(lengths))
        for start in range(0, len(order), POOL):
            some = order[start : start + POOL]
            packs: list[list[int]] = [[]]
            for number in some[np.argsort(lengths[some], kind="stable")].tolist():
                if (len(packs[-1]) + 1) * lengths[number] > BATCH_TOKENS:
                    packs.append([])
                packs[-1].append(number)
            yield from (packs[at] for at in rng.permutation(len(packs)) if packs[at])


def train(model: Model, texts: Texts, minutes: float) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.95), weight_decay=0.01)
    lengths = texts.lengths("given") + texts.lengths("wanted")
    started = time.time()
    for step, numbers in enumerate(_batches(lengths, np.random.default_rng(1)), 1):
        progress = (time.time() - started) / (60 * minutes)
        if progress >= 1:
            return
        rate = RATE * min(1, step / WARM_STEPS) * max(0.03, (1 + math.cos(math.pi * progress)) / 2)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = _loss(model, texts, numbers)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: {float(loss):.3f}", flush=True)


def _loss(model: Model, texts: Texts, numbers: list[int]) -> Tensor:
    rows = [(texts.row("given", number), texts.row("wanted", number)) for number in numbers]
    length = max(len(given) + len(wanted) for given, wanted in rows)
    ids, wanted_ids = np.zeros((len(rows), length), int), np.full((len(rows), length), -1)
    for at, (given, wanted) in enumerate(rows):
        ids[at, : len(given) + len(wanted)] = given + wanted
        wanted_ids[at, len(given) : len(given) + len(wanted)] = wanted
    fed, labels = (torch.from_numpy(array).to(DEVICE) for array in (ids, wanted_ids))
    places = torch.arange(length, device=DEVICE)[None].expand(len(rows), length)
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        states, counts = model(fed, places), labels[:, 1:] >= 0
        return functional.cross_entropy(model.logits(states[:, :-1][counts]), labels[:, 1:][counts])


# --- asking


@torch.no_grad()
def write(
    model: Model, prompts: list[list[int]], limit: int, end: int, temperature: float
) -> list[list[int]]:
    """Generate a continuation of each text; greedily if `temperature` is 0."""
    longest = max(map(len, prompts))
    before = torch.tensor([longest - len(tokens) for tokens in prompts], device=DEVICE)
    ids = torch.tensor(
        [[end] * (longest - len(tokens)) + tokens for tokens in prompts], device=DEVICE
    )
    place = torch.arange(longest + limit, device=DEVICE)
    is_open = place[None] >= before[:, None]
    places = (place[None] - before[:, None]).clamp(min=0)
    first = (place[:longest, None] >= place[None, :longest])[None] & is_open[:, None, :longest]
    first = first | torch.eye(longest, device=DEVICE, dtype=torch.bool)[None]
    seen = [KeyValueCache(first[:, None], (len(prompts), longest + limit)) for _ in range(LAYERS)]
    written = torch.full((len(prompts), limit), end, device=DEVICE)
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        states = model(ids, places[:, :longest], seen)[:, -1:]
        for step in range(limit):
            chosen = _next(model.logits(states[:, 0]), temperature)
            is_done = (written[:, :step] == end).any(1)
            written[:, step] = torch.where(is_done, end, chosen)
            if step == limit - 1 or bool((is_done | (chosen == end)).all()):
                break
            at = longest + step
            for tokens in seen:
                tokens.mask = is_open[:, None, None, : at + 1]
            states = model(written[:, step : step + 1], places[:, at : at + 1], seen)
    return [row[: row.index(end)] if end in row else row for row in written.tolist()]


def _next(logits: Tensor, temperature: float) -> Tensor:
    if not temperature:
        return logits.argmax(-1)
    values, places = (logits / temperature).topk(TOP_K)
    return places.gather(1, torch.multinomial(values.softmax(-1), 1))[:, 0]


def ask(
    model: Model, texts: Texts, samples: int, seconds: float, *, unanswered: bool
) -> list[tuple]:
    """Write questions about as many turns as there is time for; return the turn, the answer, the
    question, and the model's own answer to it."""
    end, until = texts.mark("end")[0], time.time() + seconds
    lengths = texts.lengths("turn")
    turns = np.repeat(np.arange(len(lengths)), samples)
    turns = turns[np.argsort(lengths[turns], kind="stable")]
    packs = [turns[at : at + BATCH_ROWS] for at in range(0, len(turns), BATCH_ROWS)]
    questions = []
    for pack in np.random.default_rng(2).permutation(len(packs)):
        if time.time() > until:
            break
        turn_rows = [texts.row("turn", number) for number in packs[pack]]
        prompts = [
            tokens + texts.mark("no_answer" if unanswered else "answer") for tokens in turn_rows
        ]
        for number, turn, written in zip(
            packs[pack], turn_rows, write(model, prompts, ASK_TOKENS, end, TEMPERATURE), strict=True
        ):
            answer, question = (
                ([], written) if unanswered else _split(written, texts.mark("then_question"))
            )
            if (answer or unanswered) and len(question) >= 3:
                questions.append((int(number), turn, answer, question))
    print(f"{len(questions)} questions", flush=True)
    return read_again(model, texts, questions)


def _split(tokens: list[int], mark: list[int]) -> tuple[list[int], list[int]]:
    for at in range(len(tokens) - len(mark) + 1):
        if tokens[at : at + len(mark)] == mark:
            return tokens[:at], tokens[at + len(mark) :]
    return [], []


def read_again(model: Model, texts: Texts, questions: list[tuple]) -> list[tuple]:
    questions = sorted(questions, key=lambda item: len(item[1]) + len(item[3]))
    read = []
    for at in range(0, len(questions), BATCH_ROWS):
        items = questions[at : at + BATCH_ROWS]
        prompts = [
            turn + texts.mark("question") + question + texts.mark("then_answer")
            for _, turn, _, question in items
        ]
        answers = write(model, prompts, READ_TOKENS, texts.mark("end")[0], 0.0)
        read += [
            (number, answer, question, reread)
            for (number, _, answer, question), reread in zip(items, answers, strict=True)
        ]
    return read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=2.2)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--ask-s", type=float, default=110.0)
    parser.add_argument("--unanswered", action="store_true", help="ask what a turn does not say")
    args = parser.parse_args()
    torch.manual_seed(1)
    model, texts = load(args.folder), Texts(args.folder)
    train(model, texts, args.minutes)
    model.eval()
    questions = ask(model, texts, args.samples, args.ask_s, unanswered=args.unanswered)
    rows = {"answer": 1, "question": 2, "again": 3}
    arrays: dict[str, np.ndarray] = {"turn": np.array([item[0] for item in questions], np.int32)}
    for name, place in rows.items():
        arrays |= ragged(name, [item[place] for item in questions])
    np.savez_compressed(Path(os.environ["OUT"]) / "asked.npz", **arrays)


if __name__ == "__main__":
    main()
