"""Places that connectors read, for tests: each can be written to as its owner would."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from remem.adapters.connectors.folder import FolderConnector
from remem.adapters.connectors.github import GitHubConnector
from remem.core.connectors import Connector
from tests.tools.github import REPOSITORY, TOKEN, FakeGitHub, running


class Place(Protocol):
    """`fields` connect it; `wrong` are fields that must be refused."""

    @property
    def connector(self) -> Connector: ...
    @property
    def fields(self) -> dict[str, str]: ...
    @property
    def chosen(self) -> tuple[str, ...]: ...
    @property
    def wrong(self) -> dict[str, str]: ...

    def write(self, name: str, text: str) -> None: ...
    def remove(self, name: str) -> None: ...
    def rename(self, name: str, other: str) -> None: ...


@dataclass
class FolderPlace:
    root: Path

    @property
    def connector(self) -> Connector:
        return FolderConnector([self.root.parent], 1_000_000)

    @property
    def fields(self) -> dict[str, str]:
        return {"path": str(self.root)}

    @property
    def chosen(self) -> tuple[str, ...]:
        return ()

    @property
    def wrong(self) -> dict[str, str]:
        return {"path": "/etc"}

    def write(self, name: str, text: str) -> None:
        path = self.root / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def remove(self, name: str) -> None:
        (self.root / f"{name}.md").unlink()

    def rename(self, name: str, other: str) -> None:
        (self.root / f"{name}.md").rename(self.root / f"{other}.md")


@dataclass
class GitHubPlace:
    """A repository on the fake; its owner writes documents to it."""

    fake: FakeGitHub

    @property
    def connector(self) -> Connector:
        return GitHubConnector(self.fake.url, waits_s=(0.0,))

    @property
    def fields(self) -> dict[str, str]:
        return {"token": TOKEN}

    @property
    def chosen(self) -> tuple[str, ...]:
        return (REPOSITORY,)

    @property
    def wrong(self) -> dict[str, str]:
        return {"token": "github_pat_of_somebody_else"}

    def write(self, name: str, text: str) -> None:
        self.fake.write(name, text)

    def remove(self, name: str) -> None:
        self.fake.remove(name)

    def rename(self, name: str, other: str) -> None:
        self.fake.write(other, self.fake.files[f"{name}.md"])
        self.fake.remove(name)


@contextmanager
def folder_place(tmp_path: Path) -> Iterator[FolderPlace]:
    root = tmp_path / "Notes"
    root.mkdir()
    yield FolderPlace(root)


@contextmanager
def github_place(tmp_path: Path) -> Iterator[GitHubPlace]:
    with running(FakeGitHub()) as fake:
        yield GitHubPlace(fake)


PLACES = {"folder": folder_place, "github": github_place}
