"""Reports about packages that are missing, too old or damaged."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from remem.surfaces.cli.installation import find_problems, fix


def add_package(site: Path, name: str, version: str, *requires: str) -> Path:
    """Add a module and its dist-info, as an installer does."""
    (site / f"{name}.py").touch()
    info = site / f"{name}-{version}.dist-info"
    info.mkdir()
    lines = [
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {requirement}" for requirement in requires),
    ]
    (info / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", *lines, ""]))
    record = [f"{name}.py,sha256=x,0", f"__pycache__/{name}.pyc,,", "../../bin/command,,"]
    (info / "RECORD").write_text("\n".join([*record, f"{info.name}/METADATA,,"]))
    return site / f"{name}.py"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_this_installation_is_complete() -> None:
    assert find_problems() == []


def test_missing_and_old_packages_are_reported_with_a_fix(site: Path) -> None:
    add_package(site, "zz_old", "1.4")
    add_package(site, "zz_root", "1", "zz-absent<9,>=2", "zz_old>=2")
    problems = find_problems("zz_root")
    assert [problem.says for problem in problems] == [
        "zz-absent is missing",
        "zz_old is 1.4 where >=2 is required",
    ]
    assert fix(problems) == (
        f"run: {sys.executable} -m pip install --force-reinstall --no-deps 'zz-absent<9,>=2'"
        " 'zz_old>=2'"
    )


def test_requirements_of_requirements_are_checked_too(site: Path) -> None:
    add_package(site, "zz_root", "1", "zz_between[extra]")
    add_package(site, "zz_between", "1", "zz_deep; extra == 'extra'", "zz_other; extra == 'other'")
    assert [problem.says for problem in find_problems("zz_root")] == ["zz_deep is missing"]


def test_requirements_for_other_platforms_are_ignored(site: Path) -> None:
    add_package(site, "zz_root", "1", "zz_elsewhere; sys_platform == 'none'")
    assert find_problems("zz_root") == []


def test_a_package_with_missing_files_is_reinstalled_in_the_same_version(site: Path) -> None:
    module = add_package(site, "zz_whole", "1.5")
    add_package(site, "zz_root", "1", "zz_whole>=1")
    assert find_problems("zz_root") == []
    module.unlink()
    [problem] = find_problems("zz_root")
    assert problem.says == "zz_whole has lost zz_whole.py"
    assert "zz_whole==1.5" in fix([problem])


def test_an_import_error_of_a_command_says_what_to_install(site: Path) -> None:
    """A broken typer takes precedence over the installed one."""
    add_package(site, "typer", "0.1").write_text("import zz_absent")
    result = subprocess.run(
        [sys.executable, "-m", "remem", "status"],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    assert result.stderr.startswith("error No module named 'zz_absent': typer is 0.1 where >=")
    assert "pip install" in result.stderr and "Traceback" not in result.stderr
