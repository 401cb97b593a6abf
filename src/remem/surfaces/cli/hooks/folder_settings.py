"""`.remem.toml`: what a folder says about its project, and what is never saved from it."""

import fnmatch
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from remem.surfaces.cli.hooks.repository import Repository

FILE = ".remem.toml"
SIZE_LIMIT_BYTES = 100_000
# Words of a text that may be paths; quotes, brackets and commas surround them.
_PATH = re.compile(r"[^\s\"'`<>()\[\]{},;|*]+")


@dataclass(frozen=True, slots=True)
class FolderSettings:
    """`never_save` are patterns of paths, relative to `root`."""

    root: Path
    project: str | None = None
    is_off: bool = False
    never_save: tuple[str, ...] = ()

    def is_never_saved(self, folder: str) -> bool:
        """Whether nothing of a session in this folder is saved."""
        return self.is_off or self._matches(f"{Path(folder).expanduser().absolute()}/")

    def names_private_path(self, text: str) -> bool:
        """Whether the text names a path that is never saved."""
        if not self.never_save:
            return False
        return any(map(self._matches, set(_PATH.findall(text))))

    def _matches(self, word: str) -> bool:
        path = word.lstrip("@").rstrip(".:!?").removeprefix(f"{self.root}/").removeprefix("./")
        return any(_matches(path, pattern) for pattern in self.never_save)


def settings_of(folder: Path, repository: Repository | None) -> FolderSettings:
    """The nearest file, up to the root of the repository; other working trees without one have
    that of the first working tree."""
    root = repository.root if repository else Path.home()
    for path in (folder, *folder.parents):
        if (path / FILE).is_file():
            return _load(path)
        if path == root:
            break
    if repository and (repository.main_root / FILE).is_file():
        return _load(repository.main_root)
    return FolderSettings(root)


def _load(root: Path) -> FolderSettings:
    file = root / FILE
    try:
        if file.stat().st_size > SIZE_LIMIT_BYTES:
            raise ValueError(f"{file} is larger than {SIZE_LIMIT_BYTES:,} bytes")
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        # It may say that nothing is saved here, so nothing is.
        raise ValueError(f"{file} cannot be read ({error}); fix it") from None
    unknown = values.keys() - {"project", "off", "never_save"}
    if unknown:
        raise ValueError(f"{file} has an unknown setting '{min(unknown)}'; fix its name")
    project, off, never_save = (
        values.get("project"),
        values.get("off", False),
        values.get("never_save", []),
    )
    if not isinstance(project, str | None) or not isinstance(off, bool):
        raise ValueError(f"{file}: project is a text, off is true or false")
    if not isinstance(never_save, list) or not all(isinstance(item, str) for item in never_save):
        raise ValueError(f"{file}: never_save is a list of patterns")
    return FolderSettings(root, (project or "").strip() or None, off, tuple(never_save))


def _matches(path: str, pattern: str) -> bool:
    """A pattern without a slash matches a file or folder anywhere, as in .gitignore."""
    plain = pattern.removeprefix("./").strip("/").removesuffix("/**")
    is_folder = pattern.endswith(("/", "/**"))
    if is_folder and "/" not in path:
        # A word of a sentence is no folder.
        return False
    parts = path.split("/")
    if "/" not in plain:
        return any(fnmatch.fnmatch(part, plain) for part in parts)
    starts = ("/".join(parts[: at + 1]) for at in range(len(parts)))
    return any(fnmatch.fnmatch(start, plain) for start in starts)
