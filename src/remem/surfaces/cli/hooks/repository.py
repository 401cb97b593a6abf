"""Which git repository a folder belongs to, read from its files: starting git takes too long."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

SIZE_LIMIT_BYTES = 1_000_000
# A clone of a clone of a clone …
HOPS = 5
_SECTION = re.compile(r'^\s*\[\s*(\w+)(?:\s+"(.*)")?\s*\]')
_URL = re.compile(r"^\s*url\s*=\s*(.+?)\s*$", re.I)
# user@host:path, which is no URL; a drive letter is no host.
_SCP = re.compile(r"^(?:[^/@:]+@)?([^/:]{2,}):(?!//)(.+)$")
# Some hosts have another name for SSH on the port of HTTPS.
_HOST_PREFIX = re.compile(r"^(?:altssh|ssh|www)\.(?=.+\.)")


@dataclass(frozen=True, slots=True)
class Repository:
    """`root` is the working tree, `common` the git folder that all its working trees share."""

    root: Path
    common: Path
    remote: str | None

    @property
    def main_root(self) -> Path:
        """The first working tree; the folder itself if it has none."""
        return self.common.parent if self.common.name.startswith(".") else self.common


def repository_of(folder: Path) -> Repository | None:
    for path in (folder, *folder.parents):
        if (path / ".git").exists():
            common = _common_folder(path / ".git")
            return Repository(path, common, _remote(common))
    return None


def address_of(repository: Repository, hops: int = HOPS) -> str | None:
    """The normalised address of the remote, `host/path`. A clone of a local repository has the
    address of that one; None if there is none: then `local_origin` is what identifies it."""
    if repository.remote is None:
        return None
    address = normalise_remote(repository.remote)
    if address or hops == 0:
        return address
    origin = _bare_or_working(local_path(repository.remote, repository.root))
    return address_of(origin, hops - 1) if origin else None


def local_origin(repository: Repository, hops: int = HOPS) -> Path:
    """The git folder of the repository that this one was cloned from, or its own."""
    if repository.remote is None or normalise_remote(repository.remote) or hops == 0:
        return repository.common
    path = local_path(repository.remote, repository.root)
    origin = _bare_or_working(path)
    return local_origin(origin, hops - 1) if origin else path


def normalise_remote(url: str) -> str | None:
    """`github.com/ana/web` for every way to write it; None for a path on this machine. The port of
    SSH is left out, because the same repository has another one over HTTPS."""
    scp = _SCP.match(url)
    if scp and "://" not in url:
        return _join(scp[1], scp[2])
    parts = urlsplit(url.strip())
    if parts.scheme in ("", "file") or len(parts.scheme) == 1 or not parts.hostname:
        return None
    is_web = parts.scheme in ("http", "https")
    port = _port(parts) if is_web else None
    own_port = f":{port}" if port not in (None, 80, 443) else ""
    return _join(parts.hostname + own_port, parts.path)


def local_path(url: str, root: Path) -> Path:
    path = urlsplit(url).path if url.startswith("file:") else url
    return (root / Path(path).expanduser()).resolve()


def _join(host: str, path: str) -> str | None:
    # The large hosts ignore the case of a path.
    name = path.strip().strip("/").casefold().removesuffix(".git").strip("/")
    return f"{_HOST_PREFIX.sub('', host.casefold())}/{name}" if name else None


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        return None


def _common_folder(git: Path) -> Path:
    """A working tree and a submodule have a file that names their git folder."""
    if git.is_file():
        named = _read(git).removeprefix("gitdir:").strip()
        git = git.parent / named if named else git
    common = _read(git / "commondir").strip()
    return (git / common if common else git).resolve()


def _bare_or_working(path: Path) -> Repository | None:
    if (path / ".git").exists():
        common = _common_folder(path / ".git")
        return Repository(path, common, _remote(common))
    common = path if (path / "HEAD").exists() else path.with_name(f"{path.name}.git")
    return Repository(common, common, _remote(common)) if (common / "HEAD").exists() else None


def _remote(common: Path) -> str | None:
    """The URL of `origin`, or of the only other remote."""
    urls: dict[str, str] = {}
    remote: str | None = None
    for line in _read(common / "config").splitlines():
        if section := _SECTION.match(line):
            remote = section[2] if section[1].lower() == "remote" else None
        elif remote is not None and (url := _URL.match(line)):
            urls.setdefault(remote, url[1].strip('"'))
    return urls.get("origin") or (next(iter(urls.values())) if len(urls) == 1 else None)


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > SIZE_LIMIT_BYTES:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
