"""A change of one file: worked out, proven to lose nothing, shown, written with a backup."""

import difflib
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remem.surfaces.cli import toml_file
from remem.surfaces.cli.files import write_over
from remem.surfaces.cli.install import jsonc

BACKUP = ".before-remem"


class Refused(Exception):
    """The file cannot be changed safely; says why."""


@dataclass(frozen=True, slots=True)
class Change:
    path: Path
    before: str | None
    after: str
    # Of a file that is new: it may contain a key.
    mode: int = 0o600

    @property
    def is_needed(self) -> bool:
        return (self.before or "") != self.after

    def diff(self) -> str:
        old, new = (self.before or "").splitlines(), self.after.splitlines()
        name = str(self.path)
        return "\n".join(difflib.unified_diff(old, new, name, name, lineterm=""))

    def write(self) -> Path | None:
        """Where the file as it was is kept, if there was one."""
        backup = self.path.with_name(self.path.name + BACKUP)
        try:
            if self.before is not None and not (backup.exists() and "remem" in self.before):
                write_over(backup, self.before, mode=self.path.stat().st_mode & 0o777)
            write_over(self.path, self.after, mode=None if self.path.exists() else self.mode)
        except OSError as error:
            raise Refused(f"{self.path} cannot be written ({error.strerror})") from error
        return backup if self.before is not None and backup.exists() else None


def read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8") if path.exists() else None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8") from None
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror})") from error


def load(path: Path, text: str | None, is_toml: bool) -> dict[str, Any]:
    """The content of the file; an empty file is an empty table."""
    if text is None or not text.strip("\ufeff \t\r\n"):
        return {}
    try:
        found = tomllib.loads(text) if is_toml else jsonc.loads(text)
    except (tomllib.TOMLDecodeError, jsonc.NotJson, RecursionError) as error:
        kind = "TOML" if is_toml else "JSON"
        raise Refused(f"{path} is not valid {kind} ({error}); fix it first") from None
    if not isinstance(found, dict):
        raise Refused(f"{path} does not contain settings")
    return found


def put(
    path: Path, place: Sequence[str], value: Any, is_toml: bool = False, text: str | None = None
) -> Change:
    """`text` is what the file is going to contain, when another change comes first."""
    edit = toml_file.put if is_toml else jsonc.put

    def mean(current: dict[str, Any], key: str) -> dict[str, Any]:
        return {**current, key: value}

    before = read(path) if text is None else text
    return _changed(path, before, place, is_toml, lambda now: edit(now, place, value), mean)


def take(path: Path, place: Sequence[str], is_toml: bool = False) -> Change:
    edit = toml_file.take if is_toml else jsonc.take

    def mean(current: dict[str, Any], key: str) -> dict[str, Any]:
        return {name: one for name, one in current.items() if name != key}

    return _changed(path, read(path), place, is_toml, lambda now: edit(now, place), mean)


def _changed(
    path: Path,
    before: str | None,
    place: Sequence[str],
    is_toml: bool,
    edit: Callable[[str], str],
    mean: Callable[[dict[str, Any], str], dict[str, Any]],
) -> Change:
    current = load(path, before, is_toml)
    meant = _meant(path, current, place, mean)
    if meant == current:
        return Change(path, before, before or "")
    try:
        after = edit(before or "")
    except jsonc.NotJson as error:
        raise Refused(f"{path}: {error}") from None
    _prove(path, before or "", after, meant, is_toml)
    return Change(path, before, after)


def _meant(
    path: Path,
    current: dict[str, Any],
    place: Sequence[str],
    mean: Callable[[dict[str, Any], str], dict[str, Any]],
) -> dict[str, Any]:
    if len(place) == 1:
        return mean(current, place[0])
    inner = current.get(place[0], {})
    if not isinstance(inner, dict):
        raise Refused(f"{path} has something else under {place[0]}")
    changed = _meant(path, inner, place[1:], mean)
    return current if changed == inner else {**current, place[0]: changed}


def _prove(path: Path, before: str, after: str, meant: dict[str, Any], is_toml: bool) -> None:
    """Read back, it says what was meant, and no comment is gone."""
    try:
        loaded = load(path, after, is_toml)
    except Refused:
        loaded = None
    count = _toml_comments if is_toml else jsonc.comments
    if loaded != meant or len(count(after)) < len(count(before)):
        raise Refused(f"{path} is written in a way that cannot be changed without loss")


def _toml_comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("#")]
