"""`remem doctor` looks at every chosen adapter: what is missing, what is down, what to do."""

import pytest

from remem.settings import Settings
from remem.surfaces.cli import doctor
from tests.tools.site import Site, serving


def check_of(settings: Settings, name: str) -> doctor.Check:
    return next(check for check in doctor._adapters(settings) if check.name == name)


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where it would connect to, elsewhere than on this machine."""
    seen: list[str] = []

    def connect(address: str) -> bool:
        seen.append(address)
        return True

    monkeypatch.setattr(doctor, "_can_connect", connect)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return seen


@pytest.mark.parametrize(
    ("chosen", "variable"),
    [
        ({"llm_provider": "openai"}, "OPENAI_API_KEY"),
        ({"llm_provider": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"llm_provider": "gemini"}, "GEMINI_API_KEY"),
    ],
)
def test_a_vendor_without_its_key_is_named_with_what_to_set(
    dialled: list[str], chosen: dict[str, str], variable: str
) -> None:
    found = check_of(Settings(**chosen), "Language model")
    assert (found.ok, found.says) == (False, f"{chosen['llm_provider']}: there is no key")
    assert found.fix == f"set REMEM_LLM_KEY, or {variable}"
    assert check_of(Settings(**chosen, llm_key="k"), "Language model").ok
    assert len(dialled) == 1 and dialled[0].startswith("https://")


def test_a_service_that_is_not_there_is_named_and_one_that_is_is_asked_nothing() -> None:
    with serving(Site()) as site:
        there = Settings(embedding_provider="ollama", embedding_url=f"{site.url}/v1")
        assert check_of(there, "Embedding model").ok
    assert site.asked == []
    gone = check_of(there, "Embedding model")
    assert not gone.ok and f"nothing answers at {site.url}" in gone.says


def test_a_setting_that_is_missing_is_named() -> None:
    found = check_of(Settings(llm_provider="ollama"), "Language model")
    assert not found.ok and "REMEM_LLM_MODEL is not set" in found.says
