"""The search strategies that the arena compares: each is a constant, and a policy selects one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.search.model import Mode, Query

ArmName: TypeAlias = Literal[
    "fast_memories", "balanced_memories", "deep_memories", "balanced_hybrid", "deep_hybrid",
    "balanced_vector", "built_in",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Arm:
    """How to search: the mode, and whether documents and vectors are included."""

    id: str
    mode: Mode
    documents: bool
    vectors: bool


# The default search, used if nothing was learned. The arena measures it beside the arms.
BUILT_IN = Arm("built_in", "balanced", documents=True, vectors=True)
ARMS: Mapping[str, Arm] = {
    arm.id: arm
    for arm in (
        Arm("fast_memories", "fast", documents=False, vectors=False),
        Arm("balanced_memories", "balanced", documents=False, vectors=False),
        Arm("deep_memories", "deep", documents=False, vectors=False),
        Arm("balanced_hybrid", "balanced", documents=True, vectors=False),
        Arm("deep_hybrid", "deep", documents=True, vectors=False),
        Arm("balanced_vector", "balanced", documents=False, vectors=True),
    )
}


def arm_by_id(id: str) -> Arm:
    """The arm with this id; the built-in one if it is no longer in the table."""
    return ARMS.get(id, BUILT_IN)


def query_for_arm(arm: Arm, query: Query) -> Query:
    """The query as this arm runs it."""
    kinds = (CHUNK, MEMORY) if arm.documents else (MEMORY,)
    return replace(query, mode=arm.mode, kinds=kinds, vectors=arm.vectors)
