"""Check that every package that remem requires is installed, without importing any of them."""

import os
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.requirements import Requirement

PACKAGE = "remem"


@dataclass(frozen=True, slots=True)
class PackageProblem:
    says: str
    install: str


def find_problems(package: str = PACKAGE) -> list[PackageProblem]:
    """Check the packages that `package` requires, and their requirements in turn."""
    try:
        import packaging.requirements  # noqa: F401 The package that compares versions may be missing.
    except ImportError:
        return [PackageProblem("packaging is missing", "packaging")]
    checked: set[tuple[str, str]] = set()
    return list(_problems(_required(package, ()), checked))


def fix(problems: Iterable[PackageProblem]) -> str:
    wanted = sorted({shlex.quote(problem.install) for problem in problems})
    python = shlex.quote(sys.executable)
    return f"run: {python} -m pip install --force-reinstall --no-deps {' '.join(wanted)}"


def _problems(
    required: "Iterable[Requirement]", checked: set[tuple[str, str]]
) -> Iterator[PackageProblem]:
    for requirement in required:
        key = (requirement.name.lower(), ",".join(sorted(requirement.extras)))
        if key in checked:
            continue
        checked.add(key)
        if problem := _problem(requirement):
            yield problem
        else:
            yield from _problems(_required(requirement.name, requirement.extras), checked)


def _problem(required: "Requirement") -> PackageProblem | None:
    wanted = f"{required.name}{required.specifier}"
    try:
        installed = metadata.distribution(required.name)
    except metadata.PackageNotFoundError:
        return PackageProblem(f"{required.name} is missing", wanted)
    if not required.specifier.contains(installed.version, prereleases=True):
        says = f"{required.name} is {installed.version} where {required.specifier} is required"
        return PackageProblem(says, wanted)
    if missing := _missing_file(installed):
        pinned = f"{required.name}=={installed.version}"
        return PackageProblem(f"{required.name} has lost {missing}", pinned)
    return None


def _missing_file(installed: metadata.Distribution) -> str | None:
    """Return the first of its files that is missing, ignoring compiled ones, which come and go."""
    root = str(installed.locate_file(""))
    for line in (installed.read_text("RECORD") or "").splitlines():
        name = line.split(",")[0].strip('"')
        if name.startswith("..") or name.endswith(".pyc"):
            continue
        if not os.access(f"{root}/{name}", os.F_OK):
            return name
    return None


def _required(package: str, extras: Iterable[str]) -> "Iterator[Requirement]":
    from packaging.requirements import Requirement

    environments = [{"extra": extra} for extra in ("", *extras)]
    for line in metadata.requires(package) or ():
        required = Requirement(line)
        if not required.marker or any(required.marker.evaluate(extra) for extra in environments):
            yield required
