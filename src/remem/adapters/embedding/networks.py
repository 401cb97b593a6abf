"""The networks that embed on this machine: the multilingual one, and MiniLM, which is English."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from remem.adapters.word_vectors import FILES, load_word_vectors
from remem.core.errors import CannotStart
from remem.core.ports import Vector

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MAX_TOKENS = 512
# At up to 32 characters a token, the rest is beyond the token limit; this bounds tokenizing.
MAX_CHARS = 32 * MAX_TOKENS
DIMENSIONS = 384
SWITCH_INTERVAL_S = 0.0005
HOW_TO_FIX = "run `make setup`, or reinstall the package"


class Network(Protocol):
    def embed(self, text: str) -> Vector:
        """Embed one text alone; any thread may call it.

        The int8 weights scale activations over the whole input, so that in a batch a text's vector
        would depend on the other texts (cosine 0.985 in a padded batch of 2,048 tokens). Alone, it
        is always the same, and on one thread about as fast."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2, with word vectors and layers in one file."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = _load_tokenizer(folder)
        self._session = _load_session(folder / "model_quantized.onnx")

    def embed(self, text: str) -> Vector:
        ids = np.array([self._tokenizer.encode(_sanitize(text)).ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden = np.asarray(self._session.run(None, inputs)[0], dtype=np.float32)
        # Without padding the attention mask is all ones, so masked pooling is a plain mean.
        return _normalize(hidden[0].mean(axis=0))


class Multilingual:
    """Our own network. Processes share its word vectors, which are mapped into memory."""

    def __init__(self, folder: Path) -> None:
        self._words = load_word_vectors(folder)
        self._session = _load_session(folder / "embedder.onnx")

    def embed(self, text: str) -> Vector:
        encoding = self._words.encode(text[:MAX_CHARS], special=True)
        ids, tokens = encoding.ids, encoding.tokens
        if len(ids) > MAX_TOKENS:
            ids = [*ids[: MAX_TOKENS - 1], ids[-1]]
            tokens = [*tokens[: MAX_TOKENS - 1], tokens[-1]]
        words = self._words.vectors(ids, tokens)[:MAX_TOKENS]
        (vectors,) = self._session.run(None, {"words": words[None]})
        return _normalize(np.asarray(vectors)[0])


class LocalModel(NamedTuple):
    """`languages` are those it was trained on."""

    folder: str
    files: tuple[str, ...]
    load: Callable[[Path], Network]
    languages: frozenset[str] = frozenset({"en"})


MULTILINGUAL, MINILM = "remem-multilingual-1", "all-MiniLM-L6-v2-int8"
DEFAULT_MODEL = MULTILINGUAL
_LANGUAGES = "ar cs de en es fr hi it ja ko nl pl pt ru sv tr uk zh"
MODELS = {
    MULTILINGUAL: LocalModel(
        "multilingual",
        (*FILES, "embedder.onnx"),
        Multilingual,
        frozenset(_LANGUAGES.split()),
    ),
    MINILM: LocalModel("minilm", ("model_quantized.onnx", "tokenizer.json"), MiniLM),
}


def check_files(model: LocalModel, folder: Path) -> None:
    """Raise CannotStart if a file is missing."""
    for name in model.files:
        if not (folder / name).is_file():
            raise CannotStart(f"The embedding model lacks {folder / name}; {HOW_TO_FIX}.")


def load_network(model: LocalModel, folder: Path) -> Network:
    # With the default interval, each run of the model would wait for busy Python threads.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    check_files(model, folder)
    try:
        return model.load(folder)
    except Exception as error:  # Both libraries raise types of their own, and bare Exception.
        raise CannotStart(f"The embedding model in {folder} is damaged; {HOW_TO_FIX}.") from error


def _load_tokenizer(folder: Path) -> "Tokenizer":
    # Imported here because it is slow to load and many commands do not need it.
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    # MiniLM's file truncates and pads to 128 tokens, which is not a limit of the model.
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _load_session(file: Path) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    # One thread for each text: two texts in parallel are faster than one text on two threads.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Waiting threads would otherwise spin and take CPU time from PostgreSQL.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def _sanitize(text: str) -> str:
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")


def _normalize(vector: Vector) -> Vector:
    normalized = (vector / np.linalg.norm(vector)).astype(np.float32)
    # Cached vectors are shared between callers.
    normalized.setflags(write=False)
    return normalized
