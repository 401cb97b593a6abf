"""Run `remem` with two models of this machine: MiniLM, and MiniLM in another space under the name
of the other model. Within a space, the answers are the same; across them, nothing is found."""

import numpy as np

from remem.adapters.embedding.networks import MINILM, MODELS, MULTILINGUAL, LocalModel, MiniLM
from remem.core.ports import Vector

FIRST, SECOND = MINILM, MULTILINGUAL


class Rotated(MiniLM):
    def embed(self, text: str) -> Vector:
        vector = np.roll(super().embed(text), 7)
        vector.setflags(write=False)
        return vector


ROTATED = LocalModel(MODELS[FIRST].folder, MODELS[FIRST].files, Rotated)

if __name__ == "__main__":
    from remem.__main__ import main

    MODELS[SECOND] = ROTATED
    main()
