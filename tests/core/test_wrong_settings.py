"""A wrong setting is named by its variable, with a valid example, in one sentence."""

import os
from pathlib import Path

import pytest

from remem.core.errors import CannotStart
from remem.settings import MAX_RATE, Settings, example_of, load
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


RATES = ("rate_limit", "user_rate_limit", "browser_rate_limit", "client_registrations")


@pytest.mark.parametrize("name", [*RATES, "sign_in_limit", "registration_limit"])
def test_a_rate_fits_into_its_counter(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(variable_of(name), str(MAX_RATE))
    settings = load()
    assert max(settings.max_user_requests, settings.max_browser_requests) < 2**31 - 1
    monkeypatch.setenv(variable_of(name), str(MAX_RATE + 1))
    with pytest.raises(CannotStart, match=f"{variable_of(name)}: .*less than or equal"):
        load()


def test_a_missing_setting_is_one_sentence(data_dir: Path) -> None:
    environment = {"REMEM_DATA_DIR": str(data_dir), "REMEM_LLM_PROVIDER": "ollama"}
    result = run_remem("serve", "--port", "0", env={**os.environ, **environment})
    assert result.returncode != 0 and "Traceback" not in result.stderr
    [line] = [line for line in result.stderr.splitlines() if line]
    assert "REMEM_LLM_MODEL is not set" in line and "for example REMEM_LLM_MODEL=" in line
