"""A wrong setting is named by its variable, with a valid example, in one sentence."""

import os
from pathlib import Path

import pytest

from remem.core.errors import CannotStart
from remem.settings import Settings, example_of, load
from tests.tools.preloaded import run_remem

WRONG = "%wrong%"


def variable_of(name: str) -> str:
    return f"REMEM_{name.upper()}"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_wrong_value_is_refused_with_a_valid_example(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    variable = variable_of(name)
    monkeypatch.setenv(variable, WRONG)
    try:
        load()
    except CannotStart as error:
        assert error.message.startswith(f"{variable}: ")
        assert f"for example {variable}=" in error.message and "Value error" not in error.message
        monkeypatch.setenv(variable, example_of(name))
        load()


def test_a_missing_setting_is_one_sentence(data_dir: Path) -> None:
    environment = {"REMEM_DATA_DIR": str(data_dir), "REMEM_LLM_PROVIDER": "ollama"}
    result = run_remem("serve", "--port", "0", env={**os.environ, **environment})
    assert result.returncode != 0 and "Traceback" not in result.stderr
    [line] = [line for line in result.stderr.splitlines() if line]
    assert "REMEM_LLM_MODEL is not set" in line and "for example REMEM_LLM_MODEL=" in line
