"""How this command is typed on this machine, by a person or by a program."""

import shlex
import shutil
import sys
from os import environ
from pathlib import Path

# What chooses the store, and is not a secret: another terminal does not have it.
_CHOOSES_STORE = ("REMEM_DATA_DIR", "REMEM_CONFIG_DIR")
_CHOOSES_STORE_SECRETLY = "REMEM_DATABASE_URL"


def argv() -> list[str]:
    """What starts this very remem, from any folder."""
    mine = Path(sys.argv[0]).absolute()
    if mine.name == "__main__.py":
        return [sys.executable, "-m", "remem"]
    return [str(mine)]


def pasted() -> str:
    """What a person can paste into any terminal, in any folder, to run it on this store."""
    chosen = {name: _absolute(environ[name]) for name in _CHOOSES_STORE if environ.get(name)}
    words = [f"{name}={shlex.quote(value)}" for name, value in chosen.items()]
    return " ".join([*words, *_program()])


def also_needed() -> str | None:
    """A setting that other terminals need as well, but that is not to be printed."""
    return _CHOOSES_STORE_SECRETLY if environ.get(_CHOOSES_STORE_SECRETLY) else None


def _program() -> list[str]:
    words = argv()
    found = shutil.which("remem")
    if len(words) == 1 and found and Path(found).resolve() == Path(words[0]).resolve():
        return ["remem"]
    return [shlex.quote(word) for word in words]


def _absolute(folder: str) -> str:
    return str(Path(folder).absolute())
