"""One Dovecot for all tests of mail, emptied before each test."""

from collections.abc import AsyncIterator, Iterator
from imaplib import IMAP4_SSL

import pytest

from remem.core.connectors.model import Access
from tests.tools.mirror import Mirror
from tests.tools.places import MailPlace, mail_place


@pytest.fixture(scope="session")
def mailbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailPlace]:
    with mail_place(tmp_path_factory.mktemp("mail")) as mail:
        yield mail


@pytest.fixture
def place(mailbox: MailPlace) -> MailPlace:
    with mailbox.server.as_owner() as client:
        empty(client)
    return mailbox


@pytest.fixture
async def mirror(place: MailPlace) -> AsyncIterator[Mirror]:
    connector = place.connector
    password = {"password": place.fields["password"]}
    yield Mirror(connector, Access(place.fields, place.chosen, password))
    await connector.close()


def empty(client: IMAP4_SSL) -> None:
    """Delete all messages of the inbox and all other folders."""
    for line in client.list()[1]:
        folder = line.decode().split()[-1] if isinstance(line, bytes) else "INBOX"
        if folder != "INBOX":
            client.delete(folder)
    client.select("INBOX")
    client.uid("STORE", "1:*", "+FLAGS", r"(\Deleted)")
    client.expunge()
