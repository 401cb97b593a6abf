"""How this command is typed on this machine, by a person or by a program."""

import shutil
import sys
from pathlib import Path


def argv() -> list[str]:
    """What starts this very remem, from any folder."""
    mine = Path(sys.argv[0]).absolute()
    if mine.name == "__main__.py":
        return [sys.executable, "-m", "remem"]
    return [str(mine)]


def spelled() -> str:
    """What a person types here and now."""
    program, *rest = argv()
    found = shutil.which("remem")
    if not rest and found and Path(found).resolve() == Path(program).resolve():
        return "remem"
    return " ".join([_from_here(Path(program)), *rest])


def _from_here(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
