"""A web app that is older than its sources is said at start and by `remem doctor`."""

import shutil
import sys
from pathlib import Path

import pytest

from remem.surfaces.cli import doctor, serve, web_build

ROOT = Path(__file__).parents[3]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with a built web app."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "build_web.py", tmp_path / "tools")
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text("{}")
    package = tmp_path / "src" / "remem"
    dist = package / "web" / "dist"
    dist.mkdir(parents=True)
    (dist / "index.html").write_text("<html></html>")
    monkeypatch.syspath_prepend(str(tmp_path / "tools"))
    sys.modules.pop("build_web", None)
    import build_web

    (dist / ".sources").write_text(build_web.sum_of(tmp_path, build_web.SOURCES))
    current = web_build.web_app_problem
    monkeypatch.setattr(web_build, "web_app_problem", lambda: current(package))
    return package


def test_a_current_web_app_is_not_mentioned(package: Path) -> None:
    assert serve._web_build_lines() == []
    assert doctor._web_app().ok


def test_an_older_web_app_is_named_with_the_command(package: Path) -> None:
    (package.parents[1] / "web" / "main.ts").write_text("export {}")
    assert serve._web_build_lines() == [
        "The web app is older than its sources: run `make setup`, then restart.",
        "",
    ]
    check = doctor._web_app()
    assert (check.ok, check.says, check.fix) == (
        False,
        "older than its sources",
        "run `make setup`",
    )


def test_a_clone_without_a_build_says_so(package: Path) -> None:
    shutil.rmtree(package / "web" / "dist")
    assert "The web app is not built yet: run `make setup`, then restart." in (
        serve._web_build_lines()
    )


def test_an_installed_package_has_no_sources_to_compare(package: Path) -> None:
    shutil.rmtree(package.parents[1] / "web")
    assert serve._web_build_lines() == []
