"""Prints the Python to create .venv with: the newest on the path that is new enough, unless another
is clearly faster.

A Python that was built without optimization, as version managers often do, takes half as long again
for everything: to start, to serve and to test. Any Python 3 can run this script."""

import os
import subprocess
import sys
from pathlib import Path

# The environment that is created; its own Python is ignored, because it is about to be removed.
VENV = Path(__file__).resolve().parent.parent / ".venv"
NAMES = ("python3.13", "python3.12", "python3.11", "python3")
# Another Python must be faster by this factor: smaller differences are noise.
FASTER = 1.15
CHECK_S = 60
# The exit status of the check when the module venv is missing.
WITHOUT_VENV = 4
CHECK = """
import sys
if sys.version_info < (3, 11):
    sys.exit(3)
try:
    import ensurepip, venv
except ImportError:
    sys.exit(4)
from time import perf_counter

class Counted:
    def __init__(self, number):
        self.number = number
    def add(self, other):
        return self.number + other

def seconds():
    start, seen = perf_counter(), {}
    for number in range(20_000):
        name = f"n{Counted(number).add(1) % 97}"
        seen[name] = seen.get(name, 0) + len(name.split("9"))
    return perf_counter() - start

print(min(seconds() for _ in range(9)))
"""


def on_the_path(names):
    """The programs with these names, each once; a shim that acts by its name once for each name."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    places = [Path(folder, name) for name in names for folder in folders]
    programs = {}
    for place in places:
        usable = place.is_file() and os.access(str(place), os.X_OK)
        if usable and VENV not in place.parents:
            programs.setdefault((place.name, place.resolve()), str(place))
    return list(programs.values())


def check(python):
    """The seconds for a short benchmark, or None, and the exit status of the check."""
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "timeout": CHECK_S}
    try:
        process = subprocess.run([python, "-I", "-c", CHECK], **quiet)
        return (float(process.stdout) if process.returncode == 0 else None), process.returncode
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None, 1


def choose(pythons):
    """The Python to use and an empty string, or None and advice."""
    checked = [(python, *check(python)) for python in pythons]
    usable = [(python, seconds) for python, seconds, _ in checked if seconds is not None]
    if usable:
        limit = FASTER * min(seconds for _, seconds in usable)
        return next(python for python, seconds in usable if seconds <= limit), ""
    for python, _, status in checked:
        if status == WITHOUT_VENV:
            advice = "has no venv module: install it (on Debian: apt install python3-venv)."
            return None, f"{python} {advice}"
    return None, "Python 3.11 or newer is needed: install python3.13, python3.12 or python3.11."


def main(requested):
    pythons = (
        [requested] if os.sep in requested else on_the_path([requested] if requested else NAMES)
    )
    python, advice = (
        choose(pythons) if pythons or not requested else (None, f"There is no {requested}.")
    )
    print(python or advice, file=sys.stdout if python else sys.stderr)
    return 0 if python else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:] or [""]))
