"""`remem doctor` checks every chosen adapter: what is missing or down, and how to fix it."""

import json
import os
import re
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from remem.adapters.reader.weights import SHA256, weights_problem
from remem.choices import choices, languages_read
from remem.core.errors import CannotStart
from remem.settings import Settings
from remem.surfaces.cli import doctor
from remem.surfaces.cli.installation import PackageProblem
from tests.conftest import start_server, stop_server
from tests.tools.preloaded import run_remem
from tests.tools.site import Site, serving


def check_of(settings: Settings, name: str) -> doctor.Check:
    return next(check for check in doctor._adapters(settings) if check.name == name)


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The remote addresses that it would connect to."""
    addresses: list[str] = []

    def connect(address: str) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr(doctor, "_can_connect", connect)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return addresses


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({"llm_provider": "openai"}, "OPENAI_API_KEY"),
        ({"llm_provider": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"llm_provider": "gemini"}, "GEMINI_API_KEY"),
    ],
)
def test_a_missing_vendor_key_is_reported_with_a_fix(
    dialled: list[str], settings: dict[str, str], variable: str
) -> None:
    result = check_of(Settings(**settings), "Language model")
    assert (result.ok, result.says) == (False, f"{settings['llm_provider']}: there is no key")
    assert result.fix == f"set REMEM_LLM_KEY, or {variable}"
    assert check_of(Settings(**settings, llm_key="k"), "Language model").ok
    assert len(dialled) == 1 and dialled[0].startswith("https://")


def test_a_missing_service_is_reported_and_a_running_one_gets_no_request() -> None:
    with serving(Site()) as site:
        reachable = Settings(embedding_provider="ollama", embedding_url=f"{site.url}/v1")
        assert check_of(reachable, "Embedding model").ok
    assert site.requests == []
    unreachable = check_of(reachable, "Embedding model")
    assert not unreachable.ok and f"nothing answers at {site.url}" in unreachable.says


def test_a_missing_setting_is_reported() -> None:
    result = check_of(Settings(llm_provider="ollama"), "Language model")
    assert not result.ok and "REMEM_LLM_MODEL is not set" in result.says


@pytest.mark.parametrize(
    ("settings", "name", "address"),
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
def test_each_missing_service_of_a_cluster_is_reported(
    settings: dict[str, str], name: str, address: str
) -> None:
    result = check_of(Settings(**settings), name)
    assert not result.ok and result.says.endswith(f"nothing answers at {address}")
    assert "secret" not in result.says


@pytest.mark.parametrize(
    ("name", "reads"),
    [("Text in pictures", "it reads Latin script"), ("Speech", "it reads English")],
)
def test_the_languages_that_are_read_are_named(name: str, reads: str) -> None:
    result = check_of(Settings(), name)
    assert result.ok and reads in result.says


def test_another_speech_model_may_know_other_languages() -> None:
    assert "REMEM_ASR_MODEL" in languages_read(Settings(asr_model="/models/large"), "asr")


def test_a_missing_qdrant_address_is_reported() -> None:
    result = check_of(Settings(vector_index="qdrant"), "Vector index")
    assert not result.ok and "REMEM_QDRANT_URL is not set" in result.says


@pytest.mark.parametrize(
    ("settings", "name", "says"),
    [
        ({"asr_model": "/no/such/folder"}, "Speech", "REMEM_ASR_MODEL is /no/such/folder, which"),
        ({"embedding_model": "tiny"}, "Embedding model", "REMEM_EMBEDDING_MODEL is tiny, which"),
    ],
)
def test_a_model_that_is_not_there_is_reported(settings: Any, name: str, says: str) -> None:
    result = check_of(Settings(**settings), name)
    assert not result.ok and says in result.says and "set it to" in result.says


INVALID_ADDRESSES = {
    "REMEM_REDIS_URL": {"redis_url": "http://127.0.0.1:6379"},
    "REMEM_QDRANT_URL": {"vector_index": "qdrant", "qdrant_url": "127.0.0.1:6333"},
    "REMEM_BLOBS": {"blobs": "s3://a b"},
    "REMEM_S3_ENDPOINT": {"blobs": "s3://originals", "s3_endpoint": "127.0.0.1:9000"},
    "REMEM_EMBEDDING_URL": {"embedding_provider": "openai", "embedding_url": "127.0.0.1/v1"},
    "REMEM_LLM_URL": {"llm_provider": "openai", "llm_url": "127.0.0.1/v1"},
    "REMEM_OCR_URL": {"ocr": "vision", "ocr_model": "m", "ocr_url": "127.0.0.1/v1"},
    "REMEM_ASR_URL": {"asr": "openai", "asr_model": "m", "asr_url": "127.0.0.1/v1"},
}


@pytest.mark.parametrize("setting", INVALID_ADDRESSES)
def test_an_invalid_address_is_reported_with_its_setting(setting: str) -> None:
    """Both `remem doctor` and a server that cannot start with it report the setting."""
    settings = Settings(**INVALID_ADDRESSES[setting])
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


def test_a_server_on_every_address_is_asked_by_loopback(data_dir: Path) -> None:
    """In a container the server listens on 0.0.0.0, which is the name of no host."""
    server = start_server(data_dir, REMEM_HOST="0.0.0.0")
    try:
        environment = {"REMEM_DATA_DIR": str(data_dir), "REMEM_HOST": "0.0.0.0"}
        result = run_remem("doctor", "--json", env={**os.environ, **environment})
    finally:
        stop_server(server)
    checks = {check["name"]: check for check in json.loads(result.stdout)}
    port = urlsplit(server.url).port
    assert checks["Server"]["says"] == f"http://127.0.0.1:{port} answers 200"
    assert checks["Server"]["ok"]


def test_the_reader_is_checked() -> None:
    present = doctor._reader(Settings())
    assert (present.ok, present.says) == (True, "local: its weights are complete")
    off = doctor._reader(Settings(reader=False))
    assert off.ok and "switched off by REMEM_READER" in off.says


def test_missing_reader_weights_are_reported_with_a_fix(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("remem.choices.weights_problem", lambda: "reader.onnx is missing")
    result = doctor._reader(Settings())
    assert (result.ok, result.says) == (False, "reader.onnx is missing")
    assert "git restore src/remem/models/reader" in result.fix


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    models = Path(str(files("remem.models")))
    for name in SHA256:
        shutil.copytree(models / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize(
    "name", [f"{folder}/{file}" for folder, sums in SHA256.items() for file in sums]
)
def test_missing_weights_are_detected(weights: Path, name: str) -> None:
    assert weights_problem(weights) is None
    (weights / name).unlink()
    assert weights_problem(weights) == f"{weights / name} is missing"


def test_damaged_weights_are_detected(weights: Path) -> None:
    file = weights / "reader/judge.onnx"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert weights_problem(weights) == f"{file} is damaged"


@pytest.mark.parametrize("folder", SHA256)
def test_the_model_card_has_the_same_checksums(folder: str) -> None:
    card = (Path(str(files("remem.models"))) / folder / "README.md").read_text()
    assert set(SHA256[folder].values()) <= set(re.findall(r"sha256\s+([0-9a-f]{64})", card))


def test_missing_packages_are_reported_with_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = PackageProblem("lxml is missing", "lxml>=6")
    monkeypatch.setattr("remem.surfaces.cli.installation.find_problems", lambda: [missing])
    result = doctor._packages()
    assert not result.ok and result.fix.endswith("--no-deps 'lxml>=6'")
    doctor._print([result])
    [line] = capsys.readouterr().out.splitlines()
    assert line.endswith(f"lxml is missing → {result.fix}")
