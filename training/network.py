"""The network: a small BERT over `[CLS] question [SEP] text [SEP]` with heads for relevance and
answers, and a judge with its own layers over the same word vectors."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, LAYERS, HEADS, WORDS, POSITIONS = 384, 6, 12, 30_522, 512
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


class Reader(nn.Module):
    """Returns relevance, start and end (position 0: no answer). Answers are only in the second
    text. `judge` returns the relation of two statements (same, updates, extends, unrelated)."""

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.kinds, self.norm = nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.judging = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.dropout = nn.Dropout(dropout)
        self.relevance_in, self.relevance_out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        self.relation_in, self.relation_out = Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 4)
        self.span = nn.Linear(WIDTH, 2)

    def train_reading(self) -> None:
        """Freeze everything that the judge uses."""
        self._train_only("layers.", "relevance_", "span.")

    def train_judging(self) -> None:
        """Freeze everything that the reader uses."""
        self._train_only("judging.", "relation_")

    def _train_only(self, *own: str) -> None:
        for name, weight in self.named_parameters():
            weight.requires_grad = name.startswith(own)

    def embedded(self, ids: Tensor, kinds: Tensor) -> Tensor:
        states = self.words(ids) + self.kinds(kinds) + self.places.weight[: ids.shape[1]]
        return self.dropout(self.norm(states))

    def forward(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        seen = mask[:, None, None, :] > 0
        states = self.embedded(ids, kinds)
        for layer in self.layers:
            states = layer(states, seen)
        first = self.dropout(states[:, 0])
        relevance = self.relevance_out(torch.tanh(self.relevance_in(first)))[:, 0]
        open_places = (mask > 0) & (kinds > 0)
        open_places[:, 0] = True
        span = self.span(states).float().masked_fill(~open_places[..., None], CLOSED)
        return relevance.float(), span[..., 0], span[..., 1]

    def judge(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        seen = mask[:, None, None, :] > 0
        states = self.embedded(ids, kinds)
        for layer in self.judging:
            states = layer(states, seen)
        first = self.dropout(states[:, 0])
        return self.relation_out(torch.tanh(self.relation_in(first))).float()


_NAMES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "joined",
    "attention.output.LayerNorm": "norm_attention",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "norm_output",
}
_EMBEDDINGS = {
    "embeddings.position_embeddings.weight": "places.weight",
    "embeddings.token_type_embeddings.weight": "kinds.weight",
    "embeddings.LayerNorm.weight": "norm.weight",
    "embeddings.LayerNorm.bias": "norm.bias",
}


def load_start(network: Reader, path: str) -> list[str]:
    """Load the weights of all-MiniLM-L6-v2; return the names of weights that are not in it."""
    arrays = np.load(path)
    state = {"words.weight": arrays["words"].astype(np.float32) * arrays["words_scale"][:, None]}
    for name in arrays.files:
        if name in _EMBEDDINGS:
            state[_EMBEDDINGS[name]] = arrays[name]
        elif name.startswith("encoder.layer."):
            number, _, rest = name.removeprefix("encoder.layer.").partition(".")
            part, _, kind = rest.rpartition(".")
            state[f"layers.{number}.{_NAMES[part]}.{kind}"] = arrays[name]
            state[f"judging.{number}.{_NAMES[part]}.{kind}"] = arrays[name]
    return load_state(network, state)


def load_state(network: Reader, state: dict[str, np.ndarray]) -> list[str]:
    tensors = {name: torch.from_numpy(value.astype(np.float32)) for name, value in state.items()}
    result = network.load_state_dict(tensors, strict=False)
    assert not result.unexpected_keys, result.unexpected_keys
    return result.missing_keys
