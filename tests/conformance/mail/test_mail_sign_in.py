"""Mail with a sign-in instead of a password: XOAUTH2, against a Dovecot that checks tokens."""

import pytest

from remem.adapters.connectors.mail.accounts import (
    GmailConnector,
    OutlookConnector,
    SignedInMail,
)
from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.model import Access
from tests.tools.dovecot import USER, MailServer
from tests.tools.mirror import Mirror
from tests.tools.places import MailPlace

pytestmark = pytest.mark.anyio

TOKEN = "ya29.xyzzy-never-to-be-seen"


@pytest.fixture
def server(place: MailPlace) -> MailServer:
    return place.server


@pytest.fixture(params=[GmailConnector, OutlookConnector])
def mail(request: pytest.FixtureRequest, server: MailServer) -> SignedInMail:
    urls = {request.param.name: server.host}
    return request.param(urls, ["127.0.0.1"], tls=server.tls)


async def test_a_token_replaces_the_password(mail: SignedInMail, server: MailServer) -> None:
    server.set_token(TOKEN)
    with server.as_owner() as client:
        client.append("INBOX", "", None, b"From: Bob <b@example.org>\r\n\r\nTea at four.\r\n")  # type: ignore[arg-type]
    # A sign-in names its account.
    mirror = Mirror(mail, Access({}, ("INBOX",), {"token": TOKEN, "email": USER}))
    account = await mail.account(mirror.access)
    assert account.name == USER and USER in account.key
    await mirror.sync()
    assert mirror.texts == ["Bob: Tea at four."]
    without_email = Access({"user": USER}, ("INBOX",), {"token": TOKEN})
    assert (await mail.account(without_email)).key == account.key
    await mail.close()


async def test_a_token_that_is_refused(mail: SignedInMail, server: MailServer) -> None:
    server.set_token(None)
    access = Access({}, ("INBOX",), {"token": TOKEN, "email": USER})
    with pytest.raises(NeedsAuth, match="connect the account again"):
        await mail.account(access)
    server.set_token(TOKEN)
    with pytest.raises(NeedsAuth):
        await mail.account(Access({}, (), {"token": TOKEN + "\r\nA LOGOUT", "email": USER}))
    with pytest.raises(NeedsAuth, match="whose account"):
        await mail.account(Access({}, (), {"token": TOKEN}))
    # A token is valid for one account only.
    other = Access({}, (), {"token": TOKEN, "email": "bob@example.org"})
    with pytest.raises(NeedsAuth):
        await mail.account(other)
    await mail.close()


def test_the_oauth_settings_of_google_and_microsoft() -> None:
    gmail = GmailConnector({}, [], client_id="id", client_secret="secret").provider.oauth
    assert gmail is not None and gmail.token_url == "https://oauth2.googleapis.com/token"
    assert gmail.scopes == ("https://mail.google.com/", "openid", "email")
    outlook = OutlookConnector({}, []).provider.oauth
    assert outlook is not None and outlook.client_id is None and outlook.device_url
    assert "https://outlook.office.com/IMAP.AccessAsUser.All" in outlook.scopes
    assert "offline_access" in outlook.scopes
