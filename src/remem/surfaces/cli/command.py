"""How to run this command again on this machine, from a terminal or from a program."""

import shlex
import shutil
import sys
from os import environ
from pathlib import Path

# Settings that select the store and are not secret. Another terminal does not have them.
_STORE_SETTINGS = ("REMEM_DATA_DIR", "REMEM_CONFIG_DIR")
_SECRET_STORE_SETTING = "REMEM_DATABASE_URL"


def argv() -> list[str]:
    """Return the arguments that start this remem from any folder."""
    program = Path(sys.argv[0]).absolute()
    if program.name == "__main__.py":
        return [sys.executable, "-m", "remem"]
    return [str(program)]


def shell_command() -> str:
    """Return a command line that a person can paste into any terminal to run remem on this
    store."""
    chosen = {name: _absolute(environ[name]) for name in _STORE_SETTINGS if environ.get(name)}
    words = [f"{name}={shlex.quote(value)}" for name, value in chosen.items()]
    return " ".join([*words, *_program()])


def secret_setting() -> str | None:
    """Return the name of a setting that another terminal needs as well, but that must not be
    printed."""
    return _SECRET_STORE_SETTING if environ.get(_SECRET_STORE_SETTING) else None


def _program() -> list[str]:
    words = argv()
    on_path = shutil.which("remem")
    if len(words) == 1 and on_path and Path(on_path).resolve() == Path(words[0]).resolve():
        return ["remem"]
    return [shlex.quote(word) for word in words]


def _absolute(folder: str) -> str:
    return str(Path(folder).absolute())
