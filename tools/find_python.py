"""Prints the Python that .venv is made with: of those on the path that are new enough, the newest,
unless another is clearly faster.

One that was built without optimization, as version managers often do, takes half as long again for
everything: to start, to serve and to test. Any Python 3 can run this."""

import os
import subprocess
import sys
from pathlib import Path

# What is made anew with what is found here: its own Python is about to go.
VENV = Path(__file__).resolve().parent.parent / ".venv"
NAMES = ("python3.13", "python3.12", "python3.11", "python3")
# By so much another must be faster: less than that is chance.
FASTER = 1.15
CHECK_S = 60
# How the check ends where there is no venv.
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
    """What each name leads to, once. One program may be several: it goes by its name then."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    places = [Path(folder, name) for name in names for folder in folders]
    found = {}
    for place in places:
        usable = place.is_file() and os.access(str(place), os.X_OK)
        if usable and VENV not in place.parents:
            found.setdefault((place.name, place.resolve()), str(place))
    return list(found.values())


def check(python):
    """The seconds that it takes for a little work, or None, and how the check ended."""
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "timeout": CHECK_S}
    try:
        ran = subprocess.run([python, "-I", "-c", CHECK], **quiet)
        return (float(ran.stdout) if ran.returncode == 0 else None), ran.returncode
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None, 1


def choose(pythons):
    """One of them, or None with what to do."""
    checked = [(python, *check(python)) for python in pythons]
    usable = [(python, seconds) for python, seconds, _ in checked if seconds is not None]
    if usable:
        enough = FASTER * min(seconds for _, seconds in usable)
        return next(python for python, seconds in usable if seconds <= enough), ""
    for python, _, ended in checked:
        if ended == WITHOUT_VENV:
            advice = "has no venv module: install it (on Debian: apt install python3-venv)."
            return None, f"{python} {advice}"
    return None, "Python 3.11 or newer is needed: install python3.13, python3.12 or python3.11."


def main(asked):
    pythons = [asked] if os.sep in asked else on_the_path([asked] if asked else NAMES)
    python, advice = choose(pythons) if pythons or not asked else (None, f"There is no {asked}.")
    print(python or advice, file=sys.stdout if python else sys.stderr)
    return 0 if python else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:] or [""]))
