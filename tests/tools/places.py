"""Sources that connectors read; each can be changed as its owner would."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from remem.adapters.connectors.folder import FolderConnector
from remem.adapters.connectors.github.connector import GitHubConnector
from remem.adapters.connectors.google_drive.connector import GoogleDriveConnector
from remem.adapters.connectors.mail.imap import ImapConnector
from remem.adapters.connectors.notion.connector import NotionConnector
from remem.adapters.connectors.onedrive import OneDriveConnector
from remem.adapters.connectors.s3 import S3Connector
from remem.adapters.connectors.slack.connector import SlackConnector
from remem.adapters.connectors.web import WebConnector
from remem.adapters.connectors.x import XConnector
from remem.adapters.fetch.guarded import GuardedFetcher
from remem.core.connectors.port import Connector
from tests.tools import fake_service, google_drive, notion, onedrive, s3_store, slack, x
from tests.tools.dovecot import PASSWORD, USER, MailServer, mail_server
from tests.tools.github import REPOSITORY, TOKEN, FakeGitHub, running
from tests.tools.site import Site, page, serving


class Place(Protocol):
    """`fields` connect it; `wrong_fields` must be refused."""

    @property
    def connector(self) -> Connector: ...
    @property
    def fields(self) -> dict[str, str]: ...
    @property
    def chosen(self) -> tuple[str, ...]: ...
    @property
    def wrong_fields(self) -> dict[str, str]: ...

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
    def wrong_fields(self) -> dict[str, str]:
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
    """A repository on the fake GitHub; its owner adds documents to it."""

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
    def wrong_fields(self) -> dict[str, str]:
        return {"token": "github_pat_of_somebody_else"}

    def write(self, name: str, text: str) -> None:
        self.fake.write(name, text)

    def remove(self, name: str) -> None:
        self.fake.remove(name)

    def rename(self, name: str, other: str) -> None:
        self.fake.write(other, self.fake.files[f"{name}.md"])
        self.fake.remove(name)


@dataclass
class NotionPlace:
    """A workspace on the fake Notion, all of it selected."""

    fake: notion.FakeNotion
    chosen: tuple[str, ...] = ("everything",)

    @property
    def connector(self) -> Connector:
        return NotionConnector({"notion": self.fake.url}, waits_s=(0.0,), gap_s=0.0)

    @property
    def fields(self) -> dict[str, str]:
        return {"token": notion.TOKEN}

    @property
    def wrong_fields(self) -> dict[str, str]:
        return {"token": "ntn_of_somebody_else"}

    def write(self, name: str, text: str) -> None:
        if notion.page_id(name) in self.fake.pages:
            self.fake.edit(name, text)
        else:
            self.fake.write(name, text)

    def remove(self, name: str) -> None:
        self.fake.remove(name)

    def rename(self, name: str, other: str) -> None:
        self.fake.rename(name, other)


@dataclass
class DrivePlace:
    """A folder of Google documents on the fake Drive, shared with a service account."""

    fake: google_drive.FakeDrive
    chosen: tuple[str, ...] = (google_drive.ROOT,)

    @property
    def connector(self) -> Connector:
        urls = {"google_drive": self.fake.url, "google_token": self.fake.url}
        return GoogleDriveConnector(urls, max_bytes=1_000_000, waits_s=(0.0,))

    @property
    def fields(self) -> dict[str, str]:
        return {"key_file": google_drive.key_file()}

    @property
    def wrong_fields(self) -> dict[str, str]:
        return {"key_file": '{"type": "service_account"}'}

    def write(self, name: str, text: str) -> None:
        kind = f"{google_drive.GOOGLE}document"
        if name in self.fake.files:
            self.fake.change(name, content=text.encode())
        else:
            self.fake.add(name, name, text.encode(), kind, google_drive.ROOT)

    def remove(self, name: str) -> None:
        self.fake.change(self._id(name), trashed=True)

    def rename(self, name: str, other: str) -> None:
        self.fake.change(self._id(name), name=other)

    def _id(self, name: str) -> str:
        return next(file.id for file in self.fake.files.values() if file.name == name)


@dataclass
class SlackPlace:
    """A channel on the fake Slack; a note is the conversation of one day."""

    fake: slack.FakeSlack
    chosen: tuple[str, ...] = (slack.CHANNEL,)

    @property
    def connector(self) -> Connector:
        return SlackConnector({"slack": self.fake.url}, waits_s=(0.0,))

    @property
    def fields(self) -> dict[str, str]:
        return {"token": slack.TOKEN}

    @property
    def wrong_fields(self) -> dict[str, str]:
        return {"token": "xoxp-of-somebody-else"}

    def write(self, name: str, text: str) -> None:
        self.fake.write(name, text)

    def remove(self, name: str) -> None:
        self.fake.remove(name)

    def rename(self, name: str, other: str) -> None:
        self.fake.rename(name, other)


@dataclass
class MailPlace:
    """The inbox of a real mail server; a changed text is a new message."""

    server: MailServer
    chosen: tuple[str, ...] = ("INBOX",)

    @property
    def connector(self) -> Connector:
        return ImapConnector(["127.0.0.1"], max_bytes=1_000_000, tls=self.server.tls)

    @property
    def fields(self) -> dict[str, str]:
        return {"host": self.server.host, "user": USER, "password": PASSWORD}

    @property
    def wrong_fields(self) -> dict[str, str]:
        return {**self.fields, "password": "of somebody else"}

    def write(self, name: str, text: str) -> None:
        self.remove(name)
        head = f"From: Ada <ada@example.org>\r\nSubject: {name}\r\nContent-Type: text/plain\r\n"
        self.append(f"{head}\r\n{text}\r\n".encode())

    def append(self, data: bytes, folder: str = "INBOX") -> None:
        with self.server.as_owner() as client:
            assert client.append(folder, "", None, data)[0] == "OK"  # type: ignore[arg-type]

    def remove(self, name: str) -> None:
        with self.server.as_owner() as client:
            client.select("INBOX")
            for uid in client.uid("SEARCH", "SUBJECT", name)[1][0].split():
                client.uid("STORE", uid.decode(), "+FLAGS", r"(\Deleted)")
            client.expunge()

    def rename(self, name: str, other: str) -> None:
        """Replace the message by one with another subject: a message cannot be renamed."""
        with self.server.as_owner() as client:
            client.select("INBOX")
            (uid,) = client.uid("SEARCH", "SUBJECT", name)[1][0].split()
            data = client.uid("FETCH", uid.decode(), "(BODY.PEEK[])")[1][0][1]
        self.remove(name)
        self.append(data.replace(f"Subject: {name}".encode(), f"Subject: {other}".encode()))


@dataclass
class BucketPlace:
    """Objects below a prefix of a bucket."""

    fake: s3_store.FakeStore
    chosen: tuple[str, ...] = ()

    @property
    def connector(self) -> Connector:
        return S3Connector(["127.0.0.1"], max_bytes=1_000_000, waits_s=(0.0,))

    @property
    def fields(self) -> dict[str, str]:
        keys = {"access_key_id": s3_store.KEY, "secret_access_key": s3_store.SECRET}
        return {"url": f"{self.fake.url}/notes/my files/", **keys}

    @property
    def wrong_fields(self) -> dict[str, str]:
        return {**self.fields, "secret_access_key": "of somebody else"}

    def write(self, name: str, text: str) -> None:
        self.fake.put(f"my files/{name}.md", text.encode())

    def remove(self, name: str) -> None:
        del self.fake.objects[f"my files/{name}.md"]

    def rename(self, name: str, other: str) -> None:
        entry = self.fake.objects.pop(f"my files/{name}.md")
        self.fake.objects[f"my files/{other}.md"] = entry


@dataclass
class OneDrivePlace:
    """A folder on the fake OneDrive."""

    fake: onedrive.FakeOneDrive
    chosen: tuple[str, ...] = (onedrive.FOLDER,)

    @property
    def connector(self) -> Connector:
        urls = {"onedrive": self.fake.url}
        return OneDriveConnector(urls, max_bytes=1_000_000, waits_s=(0.0,))

    @property
    def fields(self) -> dict[str, str]:
        return {"token": onedrive.TOKEN}

    @property
    def wrong_fields(self) -> dict[str, str]:
        return {"token": "EwB-of-somebody-else"}

    def write(self, name: str, text: str) -> None:
        self.fake.write(self._id(name) or f"drive!{name}", f"{name}.md", text.encode())

    def remove(self, name: str) -> None:
        self.fake.delete(self._id(name))

    def rename(self, name: str, other: str) -> None:
        self.fake.change(self._id(name), name=f"{other}.md")

    def _id(self, name: str) -> str:
        entries = self.fake.entries.values()
        return next((entry["id"] for entry in entries if entry.get("name") == f"{name}.md"), "")


@dataclass
class WebPlace:
    """A site whose sitemap lists its notes."""

    site: Site
    chosen: tuple[str, ...] = ()
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def connector(self) -> Connector:
        fetcher = GuardedFetcher(allow_private=["127.0.0.1"], waits_s=())
        return WebConnector(fetcher, gap_s=0.0, gone_after=timedelta(0))

    @property
    def fields(self) -> dict[str, str]:
        return {"url": f"{self.site.url}/sitemap.xml"}

    @property
    def wrong_fields(self) -> dict[str, str]:
        return {"url": "http://ada:secret@127.0.0.1/"}

    def write(self, name: str, text: str) -> None:
        self.notes[name] = text
        headers = {"content_type": "text/plain"}
        self.site.pages[f"/{name}.txt"] = page(text.encode(), **headers)
        self._list()

    def remove(self, name: str) -> None:
        del self.notes[name], self.site.pages[f"/{name}.txt"]
        self._list()

    def rename(self, name: str, other: str) -> None:
        text = self.notes[name]
        self.remove(name)
        self.write(other, text)

    def _list(self) -> None:
        lines = "".join(f"<url><loc>{self.site.url}/{name}.txt</loc></url>" for name in self.notes)
        self.site.pages["/sitemap.xml"] = page(f"<urlset>{lines}</urlset>".encode())


@dataclass
class XPlace:
    """Bookmarks on the fake X; an edited post is a new post."""

    fake: x.FakeX
    chosen: tuple[str, ...] = ("bookmarks",)

    @property
    def connector(self) -> Connector:
        return XConnector({"x": self.fake.url}, waits_s=(0.0,))

    @property
    def fields(self) -> dict[str, str]:
        return {"token": x.TOKEN}

    @property
    def wrong_fields(self) -> dict[str, str]:
        return {"token": "of-somebody-else"}

    def write(self, name: str, text: str) -> None:
        self.fake.write(name, text)

    def remove(self, name: str) -> None:
        self.fake.remove(name)

    def rename(self, name: str, other: str) -> None:
        self.fake.names[other] = self.fake.names.pop(name)


@contextmanager
def folder_place(tmp_path: Path) -> Iterator[FolderPlace]:
    root = tmp_path / "Notes"
    root.mkdir()
    yield FolderPlace(root)


@contextmanager
def github_place(tmp_path: Path) -> Iterator[GitHubPlace]:
    with running(FakeGitHub()) as fake:
        yield GitHubPlace(fake)


@contextmanager
def notion_place(tmp_path: Path) -> Iterator[NotionPlace]:
    with fake_service.running(notion.FakeNotion()) as fake:
        yield NotionPlace(fake)


@contextmanager
def drive_place(tmp_path: Path) -> Iterator[DrivePlace]:
    with fake_service.running(google_drive.FakeDrive()) as fake:
        yield DrivePlace(fake)


@contextmanager
def slack_place(tmp_path: Path) -> Iterator[SlackPlace]:
    with fake_service.running(slack.FakeSlack()) as fake:
        yield SlackPlace(fake)


@contextmanager
def mail_place(tmp_path: Path) -> Iterator[MailPlace]:
    with mail_server() as server:
        yield MailPlace(server)


@contextmanager
def bucket_place(tmp_path: Path) -> Iterator[BucketPlace]:
    with fake_service.running(s3_store.FakeStore()) as fake:
        yield BucketPlace(fake)


@contextmanager
def onedrive_place(tmp_path: Path) -> Iterator[OneDrivePlace]:
    with fake_service.running(onedrive.FakeOneDrive()) as fake:
        yield OneDrivePlace(fake)


@contextmanager
def web_place(tmp_path: Path) -> Iterator[WebPlace]:
    with serving(Site()) as site:
        yield WebPlace(site)


@contextmanager
def x_place(tmp_path: Path) -> Iterator[XPlace]:
    with fake_service.running(x.FakeX()) as fake:
        yield XPlace(fake)


PLACES = {
    "folder": folder_place,
    "github": github_place,
    "notion": notion_place,
    "google_drive": drive_place,
    "slack": slack_place,
    "imap": mail_place,
    "s3": bucket_place,
    "onedrive": onedrive_place,
    "web": web_place,
    "x": x_place,
}
