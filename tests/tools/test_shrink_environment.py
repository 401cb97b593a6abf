"""Tests for tools/shrink_environment.py, with a `strip` that cuts off what was appended."""

import ctypes
import hashlib
import runpy
import shutil
import sys
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

import PIL._imaging
import pytest
import rapidfuzz.fuzz_cpp

TOOL = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "shrink_environment.py"))
LIBRARY = Path(rapidfuzz.fuzz_cpp.__file__)
PADDING = b"\0" * 100_000
STRIP = """#!{python}
import sys
target, source = sys.argv[-2:]
content = open(source, "rb").read()
if "warned" in source:
    print("warning: allocated section not in segment", file=sys.stderr)
open(target, "wb").write(b"broken" if "broken" in source else content[:{size}])
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    packages = tmp_path / "lib" / "python3.13" / "site-packages"
    for name in ("usual.so", "warned.so", "broken.so"):
        _write(packages / "package" / name, LIBRARY.read_bytes() + PADDING)
    _write(packages / "package" / "not_loadable.so", b"no library" + PADDING)
    _write(packages / "package" / "tests" / "test_it.py", b"assert True\n")
    names = sorted(path.relative_to(packages).as_posix() for path in packages.rglob("*.*"))
    rows = [f"{name},sha256=old,1\n" for name in names] + ["package-1.dist-info/RECORD,,\n"]
    _write(packages / "package-1.dist-info" / "RECORD", "".join(rows).encode())
    _write(tmp_path / "bin" / "python", f'#!/bin/sh\nexec {sys.executable} "$@"\n'.encode())
    strip = STRIP.format(python=sys.executable, size=LIBRARY.stat().st_size)
    _write(tmp_path / "programs" / "strip", strip.encode())
    monkeypatch.setenv("PATH", str(tmp_path / "programs"), prepend=":")
    return tmp_path


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755)


def _sizes(environment: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in environment.rglob("*.so*")}


def test_a_library_is_stripped_unless_that_would_harm_it(environment: Path) -> None:
    before = _sizes(environment)
    TOOL["shrink"](environment, ["package/tests"])
    after = _sizes(environment)
    assert after["usual.so"] == LIBRARY.stat().st_size
    assert {name for name in before if after[name] != before[name]} == {"usual.so"}
    assert after.keys() == before.keys(), "nothing is left behind"
    for name in ("usual.so", "warned.so", "broken.so"):
        [library] = environment.rglob(name)
        ctypes.CDLL(str(library))


def test_the_record_lists_what_is_left(environment: Path) -> None:
    TOOL["shrink"](environment, ["package/tests"])
    [record] = environment.rglob("RECORD")
    listed: dict[str, Any] = {
        line.split(",")[0]: line.split(",")[1:] for line in record.read_text().splitlines()
    }
    assert "package/tests/test_it.py" not in listed
    assert listed["package-1.dist-info/RECORD"] == ["", ""]
    library = record.parent.parent / "package" / "usual.so"
    assert listed["package/usual.so"][1] == str(library.stat().st_size)
    digest = urlsafe_b64encode(hashlib.sha256(library.read_bytes()).digest()).decode()
    assert listed["package/usual.so"][0] == f"sha256={digest.rstrip('=')}"


def test_a_pattern_without_files_is_an_error(environment: Path) -> None:
    with pytest.raises(TOOL["CannotShrink"], match="package/gone"):
        TOOL["shrink"](environment, ["package/gone"])


def test_a_file_that_another_library_needs_is_not_removed(environment: Path) -> None:
    [record] = environment.rglob("RECORD")
    packages, installed = record.parents[1], Path(PIL.__file__).parents[1]
    shutil.copytree(installed / "pillow.libs", packages / "pillow.libs")
    _write(packages / "PIL" / "_imaging.so", Path(PIL._imaging.__file__).read_bytes())
    with pytest.raises(TOOL["CannotShrink"], match="_imaging"):
        TOOL["shrink"](environment, ["pillow.libs"])
