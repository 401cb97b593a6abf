"""The network: one small BERT over `[CLS] question [SEP] text [SEP]` with four heads."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, LAYERS, HEADS, WORDS, POSITIONS = 384, 6, 12, 30_522, 512
CLOSED = -1e4


class Layer(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.joined = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
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
    """Gives relevance, start, end (position 0: no answer) and relation (same, updates, extends,
    unrelated). An answer stands in the second text only."""

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.kinds, self.norm = nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.dropout = nn.Dropout(dropout)
        self.relevance_in, self.relevance_out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        self.relation_in, self.relation_out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 4)
        self.span = nn.Linear(WIDTH, 2)

    def forward(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        states = self.words(ids) + self.kinds(kinds) + self.places.weight[: ids.shape[1]]
        states = self.dropout(self.norm(states))
        seen = mask[:, None, None, :] > 0
        for layer in self.layers:
            states = layer(states, seen)
        first = self.dropout(states[:, 0])
        relevance = self.relevance_out(torch.tanh(self.relevance_in(first)))[:, 0]
        relation = self.relation_out(torch.tanh(self.relation_in(first)))
        open_places = (mask > 0) & (kinds > 0)
        open_places[:, 0] = True
        span = self.span(states).float().masked_fill(~open_places[..., None], CLOSED)
        return relevance.float(), span[..., 0], span[..., 1], relation.float()


class Judge(nn.Module):
    """Layers of its own over the reader's states; gives the relation. Of the last layer only the
    first place is needed."""

    def __init__(self, layers: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.relation_in, self.relation_out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 4)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        seen = mask[:, None, None, :]
        *before, last = self.layers
        for layer in before:
            states = layer(states, seen)
        first = self.dropout(_first(last, states, seen))
        return self.relation_out(torch.tanh(self.relation_in(first)))


def _first(layer: nn.Module, states: Tensor, seen: Tensor) -> Tensor:
    batch, length, _ = states.shape
    query = layer.query(states[:, :1]).view(batch, 1, HEADS, -1).transpose(1, 2)
    key, value = (
        part(states).view(batch, length, HEADS, -1).transpose(1, 2)
        for part in (layer.key, layer.value)
    )
    found = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    found = layer.joined(found.transpose(1, 2).reshape(batch, WIDTH))
    first = layer.norm_attention(states[:, 0] + layer.dropout(found))
    output = layer.narrow(functional.gelu(layer.wide(first)))
    return layer.norm_output(first + layer.dropout(output))


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
    """Begin with the weights of all-MiniLM-L6-v2; gives the names of those that begin anew."""
    kept = np.load(path)
    state = {"words.weight": kept["words"].astype(np.float32) * kept["words_scale"][:, None]}
    for name in kept.files:
        if name in _EMBEDDINGS:
            state[_EMBEDDINGS[name]] = kept[name]
        elif name.startswith("encoder.layer."):
            number, _, rest = name.removeprefix("encoder.layer.").partition(".")
            part, _, kind = rest.rpartition(".")
            state[f"layers.{number}.{_NAMES[part]}.{kind}"] = kept[name]
    tensors = {name: torch.from_numpy(value.astype(np.float32)) for name, value in state.items()}
    result = network.load_state_dict(tensors, strict=False)
    assert not result.unexpected_keys, result.unexpected_keys
    return result.missing_keys
