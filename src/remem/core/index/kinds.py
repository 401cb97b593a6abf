"""The kinds of indexed items."""

from typing import Literal

CHUNK: Literal["chunk"] = "chunk"
MEMORY: Literal["memory"] = "memory"
