"""The kinds of things in the indexes."""

from typing import Literal

CHUNK: Literal["chunk"] = "chunk"
MEMORY: Literal["memory"] = "memory"
