"""A real mail server, Dovecot, on loopback, with one account and a certificate of its own."""

import json
import os
import shutil
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from imaplib import IMAP4_SSL
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote

import pytest
from cryptography import x509

from tests.tools.certificates import self_signed
from tests.tools.local_program import answers, free_port
from tests.tools.waiting import until

USER, PASSWORD = "ada@example.org", "xyzzy never to be seen"
_PROGRAMS = ("dovecot", "/usr/sbin/dovecot")


@dataclass
class MailServer:
    port: int
    tls: ssl.SSLContext
    certificate: Path
    users: Path
    tokens: "Tokens"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def as_owner(self) -> IMAP4_SSL:
        client = IMAP4_SSL("127.0.0.1", self.port, ssl_context=self.tls)
        client.login(USER, PASSWORD)
        return client

    def set_token(self, token: str | None) -> None:
        """Set the token that a sign-in accepts from now on."""
        self.tokens.token = token

    def set_password(self, password: str) -> None:
        self.users.write_text(f"{USER}:{{PLAIN}}{password}\n")


@contextmanager
def mail_server() -> Iterator[MailServer]:
    program = next((path for name in _PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        pytest.fail("Dovecot is not installed; run `apt-get install dovecot-imapd`.")
    with tempfile.TemporaryDirectory(prefix="remem-mail-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        server = _configure(root)
        process = subprocess.Popen(
            [program, "-F", "-c", str(root / "dovecot.conf")], stderr=subprocess.PIPE
        )
        try:
            until(lambda: answers(server.port))
            yield server
        finally:
            process.terminate()
            process.communicate(timeout=120)
            server.tokens.shutdown()
            server.tokens.server_close()


def _configure(root: Path) -> MailServer:
    certificate, port = make_certificate(root), free_port()
    users = root / "users"
    mail = root / "mail"
    mail.mkdir()
    owner = "mail" if os.getuid() == 0 else str(os.getuid())
    if os.getuid() == 0:
        shutil.chown(mail, "mail", "mail")
    tokens = Tokens()
    (root / "oauth2").write_text(_OAUTH2.format(port=tokens.server_port))
    (root / "dovecot.conf").write_text(_CONFIGURATION.format(root=root, port=port, owner=owner))
    server = MailServer(
        port, ssl.create_default_context(cafile=certificate), certificate, users, tokens
    )
    server.set_password(PASSWORD)
    return server


class Tokens(ThreadingHTTPServer):
    """The endpoint at which Dovecot validates a token, as it does with Google's."""

    def __init__(self) -> None:
        self.token: str | None = None
        super().__init__(("127.0.0.1", 0), _TokenHandler)
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


class _TokenHandler(BaseHTTPRequestHandler):
    server: Tokens

    def do_GET(self) -> None:
        token = unquote(self.path.partition("access_token=")[2])
        is_valid = self.server.token is not None and token == self.server.token
        data = json.dumps({"email": USER, "active": True} if is_valid else {}).encode()
        self.send_response_only(200 if is_valid else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Keep requests out of the test's output."""


_OAUTH2 = """
tokeninfo_url = http://127.0.0.1:{port}/tokeninfo?access_token=
introspection_mode = auth
username_attribute = email
"""
_CONFIGURATION = """
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{root}/certificate.pem
ssl_key = <{root}/key.pem
mail_location = maildir:{root}/mail/%u
mail_uid = {owner}
mail_gid = {owner}
first_valid_uid = 1
auth_cache_size = 0
auth_failure_delay = 0
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {root}/oauth2
}}
passdb {{
  driver = passwd-file
  mechanisms = plain login
  args = {root}/users
}}
userdb {{
  driver = static
  args = uid={owner} gid={owner} home={root}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
# No penalty: otherwise a wrong password delays the next sign-in from this address for seconds.
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""


def make_certificate(root: Path) -> Path:
    certificate = self_signed("127.0.0.1", [x509.IPAddress(ip_address("127.0.0.1"))])
    (root / "key.pem").write_bytes(certificate.private_key)
    (root / "certificate.pem").write_bytes(certificate.certificate)
    return root / "certificate.pem"
