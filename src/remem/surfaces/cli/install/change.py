"""A change of one settings file: computed, checked for loss, shown, and written with a backup."""

import difflib
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remem.surfaces.cli import toml_file
from remem.surfaces.cli.files import write_atomically
from remem.surfaces.cli.install import jsonc

BACKUP = ".before-remem"


class Refused(Exception):
    """The file cannot be changed safely; the message says why."""


@dataclass(frozen=True, slots=True)
class Change:
    path: Path
    before: str | None
    after: str
    # The mode of a new file: it may contain a key.
    mode: int = 0o600

    @property
    def is_needed(self) -> bool:
        return (self.before or "") != self.after

    def diff(self) -> str:
        old, new = (self.before or "").splitlines(), self.after.splitlines()
        name = str(self.path)
        return "\n".join(difflib.unified_diff(old, new, name, name, lineterm=""))

    def write(self) -> Path | None:
        """Write the file and return the path of the backup, if there is one."""
        backup = self.path.with_name(self.path.name + BACKUP)
        try:
            if self.before is not None and not (backup.exists() and "remem" in self.before):
                write_atomically(backup, self.before, mode=self.path.stat().st_mode & 0o777)
            write_atomically(self.path, self.after, mode=None if self.path.exists() else self.mode)
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
    """Parse the file; an empty file is an empty table."""
    if text is None or not text.strip("\ufeff \t\r\n"):
        return {}
    try:
        settings = tomllib.loads(text) if is_toml else jsonc.loads(text)
    except (tomllib.TOMLDecodeError, jsonc.NotJson, RecursionError) as error:
        kind = "TOML" if is_toml else "JSON"
        raise Refused(f"{path} is not valid {kind} ({error}); fix it first") from None
    if not isinstance(settings, dict):
        raise Refused(f"{path} does not contain settings")
    return settings


def put(
    path: Path, place: Sequence[str], value: Any, is_toml: bool = False, text: str | None = None
) -> Change:
    """Set a value. `text` is the content of the file if another change precedes this one."""
    edit = toml_file.put if is_toml else jsonc.put

    def apply(current: dict[str, Any], key: str) -> dict[str, Any]:
        return {**current, key: value}

    before = read(path) if text is None else text
    return _make_change(path, before, place, is_toml, lambda now: edit(now, place, value), apply)


def remove(
    path: Path, place: Sequence[str], is_toml: bool = False, text: str | None = None
) -> Change:
    edit = toml_file.remove if is_toml else jsonc.remove

    def apply(current: dict[str, Any], key: str) -> dict[str, Any]:
        return {name: value for name, value in current.items() if name != key}

    before = read(path) if text is None else text
    return _make_change(path, before, place, is_toml, lambda now: edit(now, place), apply)


def _make_change(
    path: Path,
    before: str | None,
    place: Sequence[str],
    is_toml: bool,
    edit: Callable[[str], str],
    apply: Callable[[dict[str, Any], str], dict[str, Any]],
) -> Change:
    current = load(path, before, is_toml)
    expected = _expected_settings(path, current, place, apply)
    if expected == current:
        return Change(path, before, before or "")
    try:
        after = edit(before or "")
    except jsonc.NotJson as error:
        raise Refused(f"{path}: {error}") from None
    _verify(path, before or "", after, expected, is_toml)
    return Change(path, before, after)


def _expected_settings(
    path: Path,
    current: dict[str, Any],
    place: Sequence[str],
    apply: Callable[[dict[str, Any], str], dict[str, Any]],
) -> dict[str, Any]:
    if len(place) == 1:
        return apply(current, place[0])
    inner = current.get(place[0], {})
    if not isinstance(inner, dict):
        raise Refused(f"{path} has another type of value under {place[0]}")
    changed = _expected_settings(path, inner, place[1:], apply)
    return current if changed == inner else {**current, place[0]: changed}


def _verify(path: Path, before: str, after: str, expected: dict[str, Any], is_toml: bool) -> None:
    """Check that the new text parses to the expected settings and lost no comment."""
    try:
        loaded = load(path, after, is_toml)
    except Refused:
        loaded = None
    count = _toml_comments if is_toml else jsonc.comments
    if loaded != expected or len(count(after)) < len(count(before)):
        raise Refused(f"{path} has a format that cannot be changed without loss")


def _toml_comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("#")]
