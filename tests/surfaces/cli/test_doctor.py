"""`remem doctor` looks at every chosen adapter: what is missing, what is down, what to do."""

import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from remem.adapters.reader.weights import SHA256, weights_problem
from remem.choices import choices
from remem.core.errors import CannotStart
from remem.settings import Settings
from remem.surfaces.cli import doctor
from remem.surfaces.cli.installation import PackageProblem
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


@pytest.mark.parametrize(
    ("chosen", "name", "at"),
    [
        ({"redis_url": "redis://me:secret@127.0.0.1:9/0"}, "Answer cache", "redis://127.0.0.1:9/0"),
        ({"redis_url": "redis://127.0.0.1:9/0"}, "Request counts", "redis://127.0.0.1:9/0"),
        (
            {"vector_index": "qdrant", "qdrant_url": "http://127.0.0.1:9"},
            "Vector index",
            "http://127.0.0.1:9",
        ),
        (
            {"blobs": "s3://originals", "s3_endpoint": "http://127.0.0.1:9"},
            "Originals",
            "http://127.0.0.1:9",
        ),
    ],
)
def test_each_service_of_a_cluster_that_is_not_there_is_named(
    chosen: dict[str, str], name: str, at: str
) -> None:
    found = check_of(Settings(**chosen), name)
    assert not found.ok and found.says.endswith(f"nothing answers at {at}")
    assert "secret" not in found.says


def test_qdrant_without_its_address_is_named() -> None:
    found = check_of(Settings(vector_index="qdrant"), "Vector index")
    assert not found.ok and "REMEM_QDRANT_URL is not set" in found.says


WRONG = {
    "REMEM_REDIS_URL": {"redis_url": "http://127.0.0.1:6379"},
    "REMEM_QDRANT_URL": {"vector_index": "qdrant", "qdrant_url": "127.0.0.1:6333"},
    "REMEM_BLOBS": {"blobs": "s3://a b"},
    "REMEM_S3_ENDPOINT": {"blobs": "s3://originals", "s3_endpoint": "127.0.0.1:9000"},
    "REMEM_EMBEDDING_URL": {"embedding_provider": "openai", "embedding_url": "127.0.0.1/v1"},
    "REMEM_LLM_URL": {"llm_provider": "openai", "llm_url": "127.0.0.1/v1"},
    "REMEM_OCR_URL": {"ocr": "vision", "ocr_model": "m", "ocr_url": "127.0.0.1/v1"},
    "REMEM_ASR_URL": {"asr": "openai", "asr_model": "m", "asr_url": "127.0.0.1/v1"},
}


@pytest.mark.parametrize("setting", WRONG)
def test_an_address_that_is_none_is_said_with_its_setting(setting: str) -> None:
    """By `remem doctor`, and by a server that does not start with it."""
    settings = Settings(**WRONG[setting])
    [port] = {
        choice.port
        for choice in choices(settings).values()
        if setting.removeprefix("REMEM_").lower() in choice.adapter.settings.values()
        or (setting == "REMEM_BLOBS" and choice.port == "blobs")
    } - {"rate"}
    with pytest.raises(CannotStart, match=setting):
        choices(settings)[port].adapter.make(settings, db=None, budget=None)
    if setting != "REMEM_BLOBS":
        assert setting in check_of(settings, doctor._PORTS[port]).says


def test_the_reader_is_looked_at() -> None:
    there = doctor._reader(Settings())
    assert (there.ok, there.says) == (True, "local: its weights are complete")
    off = doctor._reader(Settings(reader=False))
    assert off.ok and "switched off by REMEM_READER" in off.says


def test_a_reader_without_its_weights_is_named_with_the_fix(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("remem.choices.weights_problem", lambda: "reader.onnx is missing")
    found = doctor._reader(Settings())
    assert (found.ok, found.says) == (False, "reader.onnx is missing")
    assert "git restore src/remem/models/reader" in found.fix


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    models = Path(str(files("remem.models")))
    for name in ("reader", "minilm"):
        shutil.copytree(models / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("name", [*(f"reader/{file}" for file in SHA256), "minilm/tokenizer.json"])
def test_weights_that_are_gone_are_found(weights: Path, name: str) -> None:
    assert weights_problem(weights) is None
    (weights / name).unlink()
    assert weights_problem(weights) == f"{weights / name} is missing"


def test_weights_with_one_other_byte_are_found(weights: Path) -> None:
    file = weights / "reader/judge.onnx"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert weights_problem(weights) == f"{file} is damaged"


def test_the_model_card_names_the_same_sums() -> None:
    card = (Path(str(files("remem.models"))) / "reader/README.md").read_text()
    assert re.findall(r"sha256 ([0-9a-f]{64})", card) == list(SHA256.values())


def test_packages_that_are_missing_are_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = PackageProblem("lxml is missing", "lxml>=6")
    monkeypatch.setattr("remem.surfaces.cli.installation.find_problems", lambda: [gone])
    found = doctor._packages()
    assert not found.ok and found.fix.endswith("--no-deps 'lxml>=6'")
    doctor._print([found])
    [line] = capsys.readouterr().out.splitlines()
    assert line.endswith(f"lxml is missing → {found.fix}")
