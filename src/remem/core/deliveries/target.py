"""Where a delivery goes: checked, sealed for its row, and shown without what is secret in it."""

import base64
import hashlib
import hmac
import json
import re
import secrets
from dataclasses import asdict
from urllib.parse import urlsplit
from uuid import UUID

from remem.core.deliveries.model import ADDRESS_LIMIT, TOKEN_LIMIT, ChannelName
from remem.core.delivery_ports import Target
from remem.core.errors import Invalid
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.validate import check_text, check_url

MAIL_LIMIT = 254
SECRET_PREFIX = "whsec_"
_SECRET_BYTES = 32
_MAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*", re.ASCII)
_TOPIC = re.compile(r"(?:/[^/]+)*/[A-Za-z0-9_-]{1,64}")
_TOKEN = re.compile(r"[!-~]+")
_SHOWN_END = 4
_CODE_DIGITS = 6


def new_target(channel: ChannelName, address: str, token: str | None) -> Target:
    """A target with the secret that the channel needs: a webhook is signed with a new one, and the
    code that confirms a mail address is made from one."""
    check_text("token", token, TOKEN_LIMIT, least=1)
    if token is not None and (channel != "ntfy" or not _TOKEN.fullmatch(token)):
        raise Invalid("token", "is an access token of ntfy; leave it out for other channels")
    if channel == "mail":
        check_text("address", address, MAIL_LIMIT, least=3)
        if not _MAIL.fullmatch(address):
            raise Invalid("address", "is not a mail address; send one such as you@example.org")
        return Target(address, secrets.token_hex(_SECRET_BYTES))
    check_url("address", address, limit=ADDRESS_LIMIT)
    parts = urlsplit(address)
    if channel == "webhook":
        random = base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()
        return Target(address, SECRET_PREFIX + random)
    if parts.query or parts.fragment or not _TOPIC.fullmatch(parts.path):
        raise Invalid("address", "is not a topic; send the address of one at a server of ntfy")
    return Target(address, token or "")


def code_of(target: Target) -> str:
    """The code that is sent to a mail address."""
    number = int.from_bytes(hmac.digest(target.secret.encode(), b"code", hashlib.sha256)[:8])
    return f"{number % 10**_CODE_DIGITS:0{_CODE_DIGITS}}"


def shown_address(target: Target, channel: ChannelName) -> str:
    """A mail address as it is. Of a URL the host and the end: who knows a topic can read it."""
    if channel == "mail":
        return target.address
    parts = urlsplit(target.address)
    host = parts.netloc.rpartition("@")[2]
    return f"{host}/…{parts.path[-_SHOWN_END:].lstrip('/')}"


def seal_target(ports: Ports, scope: Scope, id: UUID, target: Target) -> bytes:
    return ports.secrets.seal(json.dumps(asdict(target)).encode(), target_place(scope, id))


def open_target(ports: Ports, scope: Scope, id: UUID, sealed: bytes) -> Target:
    """Raises SecretLost if the key is not here."""
    return Target(**json.loads(ports.secrets.open(sealed, target_place(scope, id))))


def target_place(scope: Scope, id: UUID) -> str:
    return f"deliveries|{scope.tenant_id}|{id}|target"
