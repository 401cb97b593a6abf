"""The words of our own multilingual networks: how texts are cut into them, and their vectors."""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

FILES = ("words.npy", "scales.npy", "tokenizer.json")
DIMENSIONS = 384
UNKNOWN_TOKEN, FIRST_TOKEN, SEPARATOR = "[UNK]", "[CLS]", "[SEP]"
# The usual length of a number in a word's vector.
_UNKNOWN_SCALE = 0.08


class WordVectors:
    """The tokenizer and the vectors, which processes share: they are mapped into memory."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = _load_tokenizer(folder)
        self._unknown, self.first, self.separator = map(
            self._number, (UNKNOWN_TOKEN, FIRST_TOKEN, SEPARATOR)
        )
        self._words = np.load(folder / "words.npy", mmap_mode="r")
        self._scales = np.load(folder / "scales.npy")[:, None]

    def _number(self, token: str) -> int:
        number = self._tokenizer.token_to_id(token)
        if number is None:
            raise ValueError(f"The tokenizer has no {token}.")
        return number

    def encode(self, text: str, *, special: bool = False) -> "Encoding":
        """The tokens of a text; `special` puts it between [CLS] and [SEP]."""
        readable = text.encode("utf-8", "replace").decode("utf-8")
        return self._tokenizer.encode(readable, add_special_tokens=special)

    def vectors(self, ids: list[int], tokens: list[str]) -> np.ndarray:
        """A row for each token; several for a token of a script that the vocabulary lacks."""
        numbers = np.array(ids)
        words = self._words[numbers].astype(np.float32) * self._scales[numbers]
        if self._unknown not in ids:
            return words
        parts = [
            vectors_of_unknown(token) if id == self._unknown else words[place : place + 1]
            for place, (id, token) in enumerate(zip(ids, tokens, strict=True))
        ]
        return np.concatenate(parts)

    def vector_of_each(self, ids: list[int], tokens: list[str]) -> np.ndarray:
        """A row for each token, for networks that point at tokens."""
        numbers = np.array(ids)
        words = self._words[numbers].astype(np.float32) * self._scales[numbers]
        for place, id in enumerate(ids):
            if id == self._unknown:
                words[place] = vectors_of_unknown(tokens[place]).mean(axis=0)
        return words


@lru_cache(2)
def load_word_vectors(folder: Path) -> WordVectors:
    """The embedder and the reader of a process share one."""
    return WordVectors(folder)


def vectors_of_unknown(text: str) -> np.ndarray:
    """A vector for each pair of neighbouring characters of a script that the vocabulary lacks, made
    from their hash: texts that share words are near each other, and others are not."""
    pairs = [text[place : place + 2] for place in range(max(1, len(text) - 1))]
    digests = b"".join(hashlib.blake2b(pair.encode(), digest_size=48).digest() for pair in pairs)
    bits = np.unpackbits(np.frombuffer(digests, np.uint8)).reshape(len(pairs), DIMENSIONS)
    return (bits * np.float32(2) - 1) * np.float32(_UNKNOWN_SCALE)


def _load_tokenizer(folder: Path) -> "Tokenizer":
    # Imported here because it is slow to load and many commands do not need it.
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
