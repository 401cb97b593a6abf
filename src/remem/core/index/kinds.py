"""The kinds of things that the indexes hold."""

from typing import Literal

CHUNK: Literal["chunk"] = "chunk"
MEMORY: Literal["memory"] = "memory"
