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


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("github_url", "github.example.org"),
        ("service_urls", '{"slack": "slack.example.org"}'),
        ("fetch_private", '["10.0.0.0/99"]'),
        ("trusted_proxies", '["proxy.lan"]'),
    ],
)
def test_what_is_no_address_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(variable_of(name), value)
    with pytest.raises(CannotStart, match=f"^{variable_of(name)}: "):
        load()


@pytest.mark.parametrize("name", ["llm_provider", "data_dir", "port", "metrics_port", "folders"])
def test_an_empty_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(variable_of(name), raising=False)
    expected = getattr(load(), name)
    monkeypatch.setenv(variable_of(name), "")
    assert getattr(load(), name) == expected


def test_a_wrong_address_of_a_provider_is_refused_at_the_start(data_dir: Path) -> None:
    environment = {
        "REMEM_DATA_DIR": str(data_dir),
        "REMEM_LLM_PROVIDER": "ollama",
        "REMEM_LLM_MODEL": "llama3.1",
        "REMEM_LLM_URL": "127.0.0.1:11434",
    }
    result = run_remem("serve", "--port", "0", env={**os.environ, **environment})
    assert result.stderr.splitlines() == [
        "error REMEM_LLM_URL is not an address; it begins with http://."
    ]


@pytest.mark.parametrize("url", ["http://[::1", "memory.example.org"])
def test_a_wrong_server_address_is_refused_in_one_sentence(url: str) -> None:
    result = run_remem("status", "--url", url, env=dict(os.environ))
    assert result.stderr.splitlines() == [
        f"error {url} is not an address; write it as http://127.0.0.1:8080."
    ]


def test_a_host_of_another_machine_is_no_busy_port(data_dir: Path) -> None:
    environment = {**os.environ, "REMEM_DATA_DIR": str(data_dir)}
    result = run_remem("serve", "--port", "0", "--host", "192.0.2.1", env=environment)
    assert "is remem running already" not in result.stderr
    assert "set --host or REMEM_HOST" in result.stderr
