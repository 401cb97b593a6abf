"""Builds the browser extension into `src/remem/web/extension`, unless its sources are unchanged."""

import hashlib
import json
import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import build_web

ROOT = build_web.ROOT
# Everything that the built extension depends on, below the root of the project.
SOURCES = (
    "package.json",
    "package-lock.json",
    "extension",
    "clients/typescript",
    "web/src/tokens.css",
    "web/src/features/highlights/ranges.ts",
    "src/remem/surfaces/rest/v3/composers.json",
    "tools/build_extension.py",
)
WORKSPACES = (*build_web.WORKSPACES, "extension")
BROWSERS = ("chrome", "firefox", "safari")
# The earliest time that a zip can store; with it, the same files give the same zip.
MOMENT = (1980, 1, 1, 0, 0, 0)


def build(root: Path = ROOT) -> bool:
    """Build if the sources changed; return whether they did."""
    if is_built(root):
        return False
    with build_web.alone(root):
        return not is_built(root) and _build(root)


def is_built(root: Path = ROOT) -> bool:
    stamp = _target(root) / ".sources"
    return stamp.is_file() and stamp.read_text() == build_web.sum_of(root, SOURCES)


def _target(root: Path) -> Path:
    return root / "src" / "remem" / "web" / "extension"


def _build(root: Path) -> bool:
    target, wanted = _target(root), build_web.sum_of(root, SOURCES)
    print("Building the browser extension", flush=True)
    node = build_web.find_node(root)
    build_web.install_packages(root, node, WORKSPACES)
    fresh = target.with_name("extension.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    version = json.loads((root / "extension" / "package.json").read_text())["version"]
    _build_zips(root, node, fresh, root / "extension" / "dist", version)
    (fresh / "files.json").write_text(json.dumps(_description(fresh, version), indent=2) + "\n")
    (fresh / ".sources").write_text(wanted)
    build_web.replace_folder(target, fresh)
    return True


def _build_zips(root: Path, node: build_web.Node, target: Path, out: Path, version: str) -> None:
    for browser in BROWSERS:
        arguments = (
            "exec",
            "--workspace",
            "extension",
            "--",
            "wxt",
            "build",
            "-b",
            browser,
            "--mv3",
        )
        node.run_npm(root, *arguments)
        built = out / f"{browser}-mv3"
        _zip(target / f"remem-extension-{version}-{browser}.zip", built, _files(built))
    sources = build_web.files_below(root, SOURCES)
    _zip(target / f"remem-extension-{version}-sources.zip", root, sources)


def differences(root: Path = ROOT) -> list[str]:
    """The names of the files that differ after another build in another folder."""
    build(root)
    offered = json.loads((_target(root) / "files.json").read_text())
    with build_web.alone(root), tempfile.TemporaryDirectory() as folder:
        os.environ["REMEM_EXTENSION_OUT"] = folder
        _build_zips(root, build_web.find_node(root), Path(folder), Path(folder), offered["version"])
        rebuilt = _description(Path(folder), offered["version"])
    first, second = offered["files"], rebuilt["files"]
    return [before["name"] for before, after in zip(first, second, strict=True) if before != after]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _zip(target: Path, folder: Path, paths: list[Path]) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in paths:
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), MOMENT)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, path.read_bytes())


def _description(folder: Path, version: str) -> dict[str, Any]:
    files = [
        {
            "browser": path.stem.rsplit("-", 1)[1],
            "name": path.name,
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(folder.glob("*.zip"))
    ]
    return {"version": version, "files": files}


def main() -> None:
    try:
        if "--packages" in sys.argv[1:]:
            with build_web.alone(ROOT):
                node = build_web.find_node()
                workspaces = (*WORKSPACES, "tests/extension")
                build_web.install_packages(ROOT, node, workspaces, build_web.WITH_CHECKS)
        build()
        if "--check" in sys.argv[1:] and (changed := differences()):
            sys.exit(f"A second build gives different files: {', '.join(changed)}")
    except build_web.NoNode as error:
        message = f"The browser extension is not built, because Node is missing: {error}"
        print(message, file=sys.stderr)
    except build_web.BuildFailed as error:
        sys.exit(f"The browser extension could not be built. {error}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Interrupted. Run the same command again to do the rest.")
