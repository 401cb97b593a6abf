"""The network: two small BERTs over the embedder's word vectors. One reads a question with a text
(relevance, answers), the other what people write (the relation of two statements; the tags of a
note's words, and what of it is worth keeping)."""

from pathlib import Path

import numpy as np
import torch
from labels import CATEGORIES, RELATIONS, TAGS
from torch import Tensor, nn
from torch.nn import functional
from weights import join_parts, unpack_rows, write_parts

WIDTH, LAYERS, HEADS, POSITIONS = 384, 6, 12, 512
CLOSED = -1e4
# The resolution of the int8 weights and activations in the exported model.
WEIGHT_STEPS, ACTIVATION_STEPS = 64, 255


class Rounding:
    """Whether the linear layers round their numbers, like the exported model."""

    on = False


class Linear(nn.Linear):
    def forward(self, states: Tensor) -> Tensor:
        if not Rounding.on:
            return super().forward(states)
        weight = self.weight
        scale = weight.detach().abs().amax(dim=1, keepdim=True) / WEIGHT_STEPS
        rounded = weight + ((weight / scale).round() * scale - weight).detach()
        return functional.linear(_rounded(states), rounded, self.bias)


def _rounded(states: Tensor) -> Tensor:
    """Round with one scale per text, because each text runs alone."""
    values = states.detach().float()
    dims = tuple(range(1, values.ndim))
    high, low = values.amax(dims, keepdim=True), values.amin(dims, keepdim=True)
    scale = (high.clamp(min=0) - low.clamp(max=0)).clamp(min=1e-6) / ACTIVATION_STEPS
    return states + ((values / scale).round() * scale - values).to(states.dtype)


class Layer(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.joined = (Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = Linear(WIDTH, 4 * WIDTH), Linear(4 * WIDTH, WIDTH)
        self.norm_attention, self.norm_output = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = states.shape
        parts = [
            part(states).view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        ]
        dropped = self.dropout.p if self.training else 0.0
        seen = functional.scaled_dot_product_attention(*parts, attn_mask=mask, dropout_p=dropped)
        seen = self.joined(seen.transpose(1, 2).reshape(batch, length, WIDTH))
        states = self.norm_attention(states + self.dropout(seen))
        output = self.narrow(functional.gelu(self.wide(states)))
        return self.norm_output(states + self.dropout(output))


class Trunk(nn.Module):
    """Layers over word vectors, which are not its own."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.places, self.kinds = nn.Embedding(POSITIONS, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.dropout = nn.Dropout(dropout)

    def forward(self, words: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        states = words + self.kinds(kinds) + self.places.weight[: words.shape[1]]
        states = self.dropout(self.norm(states))
        seen = mask[:, None, None, :] > 0
        for layer in self.layers:
            states = layer(states, seen)
        return states


class Reader(nn.Module):
    """Returns relevance, start and end (position 0: no answer). Answers are only in the second
    text. `judge` returns the relation of two statements, `note` the tags of each word and how
    likely it is worth keeping, with the category. The word vectors stay those of the embedder."""

    def __init__(self, words: Tensor, dropout: float = 0.1) -> None:
        super().__init__()
        self.register_buffer("words", words, persistent=False)
        self.reading, self.judging = Trunk(dropout), Trunk(dropout)
        self.dropout = nn.Dropout(dropout)
        self.relevance_in, self.relevance_out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        self.span = nn.Linear(WIDTH, 2)
        self.relation_in, self.relation_out = Linear(WIDTH, WIDTH), nn.Linear(WIDTH, len(RELATIONS))
        self.tag = nn.Linear(WIDTH, TAGS)
        self.worth = nn.Linear(WIDTH, 1 + len(CATEGORIES))

    def train_only(self, part: str) -> None:
        """Freeze the other trunk with its heads."""
        own = {
            "reading": ("reading.", "relevance_", "span."),
            "judging": ("judging.", "relation_", "tag.", "worth."),
        }[part]
        for name, weight in self.named_parameters():
            weight.requires_grad = name.startswith(own)

    def forward(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        states = self.reading(functional.embedding(ids, self.words), kinds, mask)
        first = self.dropout(states[:, 0])
        relevance = self.relevance_out(torch.tanh(self.relevance_in(first)))[:, 0]
        open_places = (mask > 0) & (kinds > 0)
        open_places[:, 0] = True
        span = self.span(states).float().masked_fill(~open_places[..., None], CLOSED)
        return relevance.float(), span[..., 0], span[..., 1]

    def judge(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        states = self.judging(functional.embedding(ids, self.words), kinds, mask)
        first = self.dropout(states[:, 0])
        return self.relation_out(torch.tanh(self.relation_in(first))).float()

    def note(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        states = self.judging(functional.embedding(ids, self.words), kinds, mask)
        states = self.dropout(states)
        return self.tag(states).float(), self.worth(states).float()


def load_reader(path: Path, words_of: Path | None = None) -> Reader:
    """A reader with stored weights; word vectors and matrices are int8 with a scale for each row.
    Weights of a training have no word vectors, and take those of `words_of`."""
    stored = np.load(join_parts(path) if path.is_dir() else path)
    source = np.load(words_of) if words_of else stored
    words = torch.from_numpy(unpack_rows(source, "words"))
    network = Reader(words)
    own = {
        name: torch.from_numpy(unpack_rows(stored, name))
        for name in stored.files
        if not name.endswith(".s") and name != "words"
    }
    missing = network.load_state_dict(own, strict=False)
    if missing.unexpected_keys or missing.missing_keys:
        raise SystemExit(f"{path}: {missing}")
    return network


def save_reader(network: Reader, folder: Path) -> None:
    """Write the weights but for the words, as 16-bit floats, in parts that a GPU sends back."""
    state = network.state_dict()
    write_parts(
        {name: value.cpu().numpy().astype(np.float16) for name, value in state.items()}, folder
    )
