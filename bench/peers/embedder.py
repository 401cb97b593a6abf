"""remem's embedding model, run like its LocalEmbedder, for the environment of the peers."""

import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MAX_TOKENS = 512
SAMPLE = 100


class Embedder:
    """Embeds one text per run, on one thread, unpadded: the normalized mean of its tokens."""

    def __init__(self, folder: Path) -> None:
        # Imported late: onnxruntime checks for the telemetry switch when it is loaded.
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options = SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        weights = str(folder / "model_quantized.onnx")
        self._session = InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)

    def embed(self, text: str) -> NDArray[np.float32]:
        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden = np.asarray(self._session.run(None, inputs)[0], dtype=np.float32)
        mean = hidden[0].mean(axis=0)
        return (mean / np.linalg.norm(mean)).astype(np.float32)

    def cost_ms(self, texts: Sequence[str]) -> float:
        """The median time of the model alone for one text, under the current load."""
        times_ms = []
        for text in texts[:SAMPLE]:
            started = time.perf_counter()
            self.embed(text)
            times_ms.append((time.perf_counter() - started) * 1_000)
        return statistics.median(times_ms)
