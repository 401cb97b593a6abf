"""The project of a folder: that of its repository, whatever the folder is called.

Hooks import it for every prompt, so it imports little."""

import hashlib
import platform
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from remem.folders import default_config_dir
from remem.surfaces.cli.hooks.folder_settings import FolderSettings, settings_of
from remem.surfaces.cli.hooks.repository import (
    Repository,
    address_of,
    local_origin,
    normalise_remote,
    repository_of,
)

NAME_LIMIT, DIGEST_CHARS = 50, 8
_FINAL_SIGMA = re.compile(r"(?<=[^\W\d_])\u03c3(?![^\W_])")


@dataclass(frozen=True, slots=True)
class FolderProject:
    """`identity` is what all folders of the project share: the address of a remote, or a folder of
    this machine. It is None if the settings of the folder name the project."""

    slug: str
    name: str
    identity: str | None
    settings: FolderSettings
    # The project by the folder alone, before the repository had a remote.
    local_slug: str | None = None


def project_of(folder: str) -> str:
    return folder_project(folder).slug


def folder_project(folder: str, remote: str | None = None) -> FolderProject:
    """`remote` is the recorded address of a folder that may no longer exist."""
    absolute = Path(folder).expanduser().absolute()
    repository = repository_of(absolute)
    settings = settings_of(absolute, repository)
    if settings.project:
        return FolderProject(settings.project, settings.project, None, settings)
    address = address_of(repository) if repository else None
    if repository is None and remote and not absolute.exists():
        address = normalise_remote(remote)
    local = _local_place(absolute, repository)
    local_slug = _slug(_last_part(local), _on_this_machine(local))
    if address is None:
        name = "/".join(_named_part(local).parts[-2:]).strip("/")
        return FolderProject(local_slug, name or "home", _on_this_machine(local), settings)
    slug = _slug(address.rpartition("/")[2], address)
    name = "/".join(address.split("/")[1:][-2:])
    return FolderProject(slug, name, address, settings, local_slug)


def folder_name_slug(folder: str) -> str:
    """The slug that older versions used: the name of the repository's folder."""
    absolute = Path(folder).expanduser().absolute()
    root = next(
        (path for path in (absolute, *absolute.parents) if (path / ".git").exists()), absolute
    )
    return _readable(root.name)[:60] or "home"


def _local_place(folder: Path, repository: Repository | None) -> Path:
    return local_origin(repository) if repository else folder.resolve()


def _named_part(place: Path) -> Path:
    """A git folder has the name of the folder that it is in."""
    return place.parent if place.name.startswith(".") else place


def _last_part(place: Path) -> str:
    return _named_part(place).name.removesuffix(".git")


def _slug(name: str, identity: str) -> str:
    digest = hashlib.sha256(identity.encode(errors="surrogateescape")).hexdigest()[:DIGEST_CHARS]
    # As the server spells slugs. The dot above is what is left of the Turkish capital I.
    folded = unicodedata.normalize("NFKD", name).casefold().replace("i\u0307", "i")
    readable = _readable(unicodedata.normalize("NFKC", folded))[:NAME_LIMIT] or "home"
    return _FINAL_SIGMA.sub("\u03c2", f"{readable}-{digest}")


def _readable(name: str) -> str:
    # Some systems decompose letters, and marks such as vowel signs are no letters.
    text = unicodedata.normalize("NFC", name.lower())
    chars = (char if char.isalnum() or _is_mark(char) else "-" for char in text)
    return "-".join(filter(None, "".join(chars).split("-")))


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def _on_this_machine(place: Path) -> str:
    return f"{_machine()}:{place}"


def _machine() -> str:
    """A name for this machine that stays when its host name changes: machines that share a server
    may have different repositories in the same folder."""
    file = default_config_dir() / "machine"
    try:
        return file.read_text(encoding="utf-8").strip()
    except OSError:
        name = f"{platform.node().split('.')[0] or 'machine'}-{uuid4().hex[:6]}"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with file.open("x", encoding="utf-8") as new:
            new.write(f"{name}\n")
    except FileExistsError:
        return _machine()
    except OSError:
        return platform.node()
    return name
