"""Choosing one of the models on this machine, and texts in scripts that none of them knows."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from remem.adapters.embedding import ADAPTERS, local_models
from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.word_vectors import vectors_of_unknown
from remem.core.errors import CannotStart


def test_an_unknown_model_is_refused_by_the_name_of_its_setting() -> None:
    with pytest.raises(CannotStart, match=r"REMEM_EMBEDDING_MODEL is MiniLM, .*all-MiniLM-L6-v2"):
        LocalEmbedder(model="MiniLM")


def test_words_of_an_unknown_script_are_near_texts_that_share_them() -> None:
    def vector(text: str) -> np.ndarray:
        mean = vectors_of_unknown(text).mean(axis=0)
        return mean / np.linalg.norm(mean)

    key, car_key, shop = map(vector, ("กุญแจอยู่ที่เพื่อนบ้าน", "กุญแจรถ", "ร้านปิดวันอังคาร"))
    assert key @ car_key > 0.3
    assert abs(key @ shop) < 0.15
    assert np.array_equal(vectors_of_unknown("鑰"), vectors_of_unknown("鑰"))


def test_a_named_model_without_files_is_reported_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_models, "folder_of", lambda kind: tmp_path / kind.folder)
    settings = SimpleNamespace(embedding_model="all-MiniLM-L6-v2-int8", embedding_threads=1)
    with pytest.raises(CannotStart, match="REMEM_EMBEDDING_MODEL is all-MiniLM-L6-v2-int8, but "):
        ADAPTERS["local"].make(settings)
