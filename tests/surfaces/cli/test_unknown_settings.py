"""A misspelt setting is named, with the one that was probably meant."""

import pytest

from remem.settings import Settings
from remem.surfaces.cli import doctor, serve
from remem.unknown_settings import unknown_variables


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("REMEM_LLM_BASE_URL", "REMEM_LLM_URL"),
        ("REMEM_PORTS", "REMEM_PORT"),
        ("REMEM_EMBEDING_MODEL", "REMEM_EMBEDDING_MODEL"),
        ("REMEM_QWXZ", ""),
    ],
)
def test_a_misspelt_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, nearest: str
) -> None:
    monkeypatch.setenv(variable, "1")
    line = "".join(serve._unknown_setting_lines())
    check = doctor._setting_names()
    for says in (line, check.says):
        assert variable in says
        assert (f"did you mean {nearest}?" if nearest else "no such setting") in says
    assert not check.ok


def test_every_setting_is_known() -> None:
    names = [f"REMEM_{name.upper()}" for name in Settings.model_fields]
    assert unknown_variables(dict.fromkeys([*names, "REMEM_URL", "REMEM_KEY", "PATH"], "")) == {}
