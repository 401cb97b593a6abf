"""Mail of providers that require a sign-in instead of a password: Google and Microsoft, by IMAP."""

import ssl
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

from remem.adapters.connectors.mail.dial import Login
from remem.adapters.connectors.mail.imap import ATTACHMENTS, WEEK_S, ImapConnector
from remem.adapters.connectors.sign_in import google_app, with_client
from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.model import Access
from remem.core.connectors.provider import Field, OAuthApp, Provider

MICROSOFT = "https://login.microsoftonline.com/common/oauth2/v2.0"
GMAIL_SCOPE = "https://mail.google.com/"
OUTLOOK_SCOPE = "https://outlook.office.com/IMAP.AccessAsUser.All"
UNNAMED = (
    "The service did not say whose account it is; connect again, and allow your address to be seen."
)
_USER = Field("user", "your mail address", example="ada@example.org")


class SignedInMail(ImapConnector, ABC):
    """Mail at a fixed server, with a token instead of a password. The sign-in provides the address
    of the account."""

    server: str
    name: str

    def __init__(
        self,
        urls: Mapping[str, str],
        allow_private: Sequence[str],
        max_bytes: int = 100_000_000,
        client_id: str | None = None,
        client_secret: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(allow_private, max_bytes, tls)
        self._server = urls.get(self.name, self.server)
        offered = replace(self.provider, oauth=self.app(urls))
        self.provider = with_client(offered, client_id, client_secret)

    @staticmethod
    @abstractmethod
    def app(urls: Mapping[str, str]) -> OAuthApp:
        """OAuth settings of the provider."""

    def _host(self, access: Access) -> str:
        return self._server

    def _login(self, access: Access) -> Login:
        user = access.credential.get("email") or str(access.settings.get("user", ""))
        if not user:
            raise NeedsAuth(UNNAMED)
        return Login(user, token=access.credential.get("token", ""))


class GmailConnector(SignedInMail):
    server, name = "imap.gmail.com", "gmail"
    provider = Provider(
        title="Gmail",
        about="Conversations of the labels you choose, by a sign-in with Google.",
        help="Sign in with an app of your own at Google, or give an access token. With a personal"
        " account an app password is quicker: connect Mail (IMAP) instead.",
        fields=(
            _USER,
            Field("token", f"an access token with the scope {GMAIL_SCOPE}", is_secret=True),
            ATTACHMENTS,
        ),
        choice="labels, such as INBOX",
        walk_every_s=WEEK_S,
        index_only=True,
    )

    @staticmethod
    def app(urls: Mapping[str, str]) -> OAuthApp:
        return google_app(urls, GMAIL_SCOPE)


class OutlookConnector(SignedInMail):
    server, name = "outlook.office365.com", "outlook"
    provider = Provider(
        title="Outlook mail",
        about="Conversations of the folders you choose, by a sign-in with Microsoft.",
        help="Sign in with an app of your own at Microsoft, or give an access token.",
        fields=(
            _USER,
            Field("token", f"an access token with the scope {OUTLOOK_SCOPE}", is_secret=True),
            ATTACHMENTS,
        ),
        choice="folders, such as INBOX",
        walk_every_s=WEEK_S,
        index_only=True,
    )

    @staticmethod
    def app(urls: Mapping[str, str]) -> OAuthApp:
        site = urls.get("microsoft_sign_in", MICROSOFT)
        return OAuthApp(
            authorize_url=f"{site}/authorize",
            token_url=f"{site}/token",
            device_url=f"{site}/devicecode",
            scopes=(OUTLOOK_SCOPE, "offline_access", "openid", "email"),
            refused_hint="Microsoft no longer accepts the sign-in; connect Outlook again.",
        )
