"""The encoder: six layers of MiniLM's shape over one table of word vectors, and their files."""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from weights import HEADS, LAYERS, POSITIONS, WIDTH, pack_rows, unpack_rows, write_parts

WORDS = "table"
# Names of the layers' parts in MiniLM's weights.
_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "n1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "n2": "output.LayerNorm",
}


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.n1, self.n2 = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = states.shape

        def heads(values: Tensor) -> Tensor:
            return values.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        attended = functional.scaled_dot_product_attention(
            heads(self.q(states)), heads(self.k(states)), heads(self.v(states)), attn_mask=mask
        )
        joined = attended.transpose(1, 2).reshape(batch, length, WIDTH)
        states = self.n1(states + self.o(joined))
        return self.n2(states + self.down(functional.gelu(self.up(states))))


class Encoder(nn.Module):
    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table)
        self.pos = nn.Parameter(torch.zeros(POSITIONS, WIDTH))
        self.n0 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """The mean of the last states of each text's tokens."""
        size = ids.shape[1]
        is_token = torch.arange(size, device=ids.device)[None] < lengths[:, None]
        states = self.n0(functional.embedding(ids, self.table) + self.pos[:size])
        kind = torch.bfloat16 if ids.is_cuda else torch.float32
        mask = torch.zeros(is_token.shape, device=ids.device, dtype=kind)
        mask = mask.masked_fill(~is_token, -1e4)[:, None, None]
        for layer in self.layers:
            states = layer(states, mask)
        weight = is_token[..., None].float()
        return (states.float() * weight).sum(1) / weight.sum(1)


def unit(vectors: Tensor) -> Tensor:
    return functional.normalize(vectors.float(), dim=-1)


def load_teacher(path: Path) -> Encoder:
    """all-MiniLM-L6-v2, of which matrices are stored as int8 with a scale for each row."""
    stored = np.load(path)
    weights = {
        name: torch.from_numpy(unpack_rows(stored, name))
        for name in stored.files
        if not name.endswith(".s")
    }
    network = Encoder(weights["embeddings.word_embeddings.weight"])
    with torch.no_grad():
        types = weights["embeddings.token_type_embeddings.weight"]
        network.pos.copy_(weights["embeddings.position_embeddings.weight"] + types[0])
        for kind in ("weight", "bias"):
            getattr(network.n0, kind).copy_(weights[f"embeddings.LayerNorm.{kind}"])
            for number, layer in enumerate(network.layers):
                for part, name in _PARTS.items():
                    source = weights[f"encoder.layer.{number}.{name}.{kind}"]
                    getattr(getattr(layer, part), kind).copy_(source)
    return network


def load_student(path: Path) -> Encoder:
    stored = np.load(path)
    words = stored["words.q"].astype(np.float32) * stored["words.s"][:, None]
    network = Encoder(torch.from_numpy(words))
    state = network.state_dict()
    for name in state.keys() - {WORDS}:
        state[name] = torch.from_numpy(unpack_rows(stored, name))
    network.load_state_dict(state)
    return network


def save_student(network: Encoder, folder: Path) -> None:
    """Write word vectors as int8 and the rest as 16-bit floats, in parts that a GPU sends back."""
    words, scales = pack_rows(network.table.detach().float().cpu().numpy())
    arrays = {"words.q": words, "words.s": scales[:, 0]}
    for name, values in network.named_parameters():
        if name != WORDS:
            arrays[name] = values.detach().cpu().numpy().astype(np.float16)
    write_parts(arrays, folder)
