"""The weights of the encoder as files, with NumPy alone."""

import io
from pathlib import Path

import numpy as np

WIDTH, HEADS, LAYERS, POSITIONS = 384, 12, 6, 512
PART_BYTES = 15 << 20


def pack_rows(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A matrix as int8 with a scale for each row."""
    scales = np.abs(values).max(1, keepdims=True).clip(1e-8) / 127
    return np.round(values / scales).astype(np.int8), scales.astype(np.float32)


def unpack_rows(stored: "np.lib.npyio.NpzFile", name: str) -> np.ndarray:
    values = stored[name].astype(np.float32)
    return values * stored[f"{name}.s"] if stored[name].dtype == np.int8 else values


def write_parts(arrays: dict[str, np.ndarray], folder: Path) -> None:
    """Write arrays in parts that a GPU sends back."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    data = buffer.getvalue()
    for number, start in enumerate(range(0, len(data), PART_BYTES)):
        (folder / f"weights.npz.{number}").write_bytes(data[start : start + PART_BYTES])


def join_parts(folder: Path) -> io.BytesIO:
    parts = sorted(folder.glob("weights.npz.*"), key=lambda path: int(path.suffix[1:]))
    return io.BytesIO(b"".join(path.read_bytes() for path in parts))
