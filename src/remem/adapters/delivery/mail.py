"""Send mail by an SMTP server (RFC 5321), with the standard library in a thread."""

import asyncio
import re
import smtplib
import ssl
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import format_datetime
from typing import Literal, TypeAlias, TypeVar

from remem.core.delivery_ports import HandingOver, Letter, MayHaveArrived, NotDelivered, Target
from remem.core.time import now

Security: TypeAlias = Literal["starttls", "tls", "none"]
Result = TypeVar("Result")

# Of each step; the steps together stay below the deadline of an attempt.
TIMEOUT_S = 10.0
_REASON_CHARS = 200
_ACCEPTED = 250


class MailChannel:
    """Who knows an address may have it confirmed; nothing here tells whether it is private."""

    recognises_repeats = False

    def __init__(
        self,
        host: str,
        port: int,
        security: Security,
        user: str | None,
        password: str | None,
        sender: str,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._host, self._port, self._security = host, port, security
        self._user, self._password, self._sender = user, password, sender
        self._tls = tls

    def check(self, target: Target) -> None:
        """Any address is allowed; it is confirmed by a code."""

    async def send(self, target: Target, message: Letter, handing_over: HandingOver) -> None:
        letter = _letter(self._sender, target.address, message)
        smtp = await asyncio.to_thread(self._open)
        try:
            await asyncio.to_thread(self._introduce, smtp, target.address)
            await handing_over()
            await asyncio.to_thread(_hand_over, smtp, letter)
        finally:
            await asyncio.to_thread(_close, smtp)

    async def close(self) -> None:
        """Each message has a connection of its own."""

    def _open(self) -> smtplib.SMTP:
        """A connection that is encrypted and signed in, as far as that is configured."""

        def connect() -> smtplib.SMTP:
            context = self._tls or ssl.create_default_context()
            if self._security == "tls":
                return smtplib.SMTP_SSL(self._host, self._port, timeout=TIMEOUT_S, context=context)
            smtp = smtplib.SMTP(self._host, self._port, timeout=TIMEOUT_S)
            try:
                if self._security == "starttls":
                    smtp.starttls(context=context)
            except BaseException:
                smtp.close()
                raise
            return smtp

        return _translate_errors(connect)

    def _introduce(self, smtp: smtplib.SMTP, address: str) -> None:
        """Everything before the text: nothing can have arrived yet."""

        def introduce() -> None:
            if self._user:
                smtp.login(self._user, self._password or "")
            smtp.ehlo_or_helo_if_needed()
            _require(smtp.mail(_bare(self._sender)))
            _require(smtp.rcpt(address))
            _require(smtp.docmd("DATA"), 354)

        _translate_errors(introduce)


def _letter(sender: str, address: str, message: Letter) -> bytes:
    """`Message-ID` is the same in each attempt."""
    letter = EmailMessage(policy=SMTP_POLICY)
    letter["From"], letter["To"], letter["Subject"] = sender, address, message.title
    letter["Date"] = format_datetime(now())
    letter["Message-ID"] = f"<{message.id.hex}@{_bare(sender).rpartition('@')[2]}>"
    # No holiday notes in reply.
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(message.text)
    data = letter.as_bytes()
    return re.sub(rb"(?m)^\.", b"..", data) + (b"" if data.endswith(b"\r\n") else b"\r\n")


def _hand_over(smtp: smtplib.SMTP, letter: bytes) -> None:
    try:
        smtp.send(letter + b".\r\n")
        code, text = smtp.getreply()
    except (OSError, smtplib.SMTPException) as error:
        raise MayHaveArrived("The mail server broke off, or did not answer in time.") from error
    _require((code, text))


def _close(smtp: smtplib.SMTP) -> None:
    # A polite end is worth a reply, but not a wait for one.
    try:
        smtp.send(b"QUIT\r\n")
    except (OSError, smtplib.SMTPException):
        pass
    finally:
        smtp.close()


def _require(reply: tuple[int, bytes], expected: int = _ACCEPTED) -> None:
    code, text = reply
    if code != expected and not (expected == _ACCEPTED and code == 251):
        raise _refused(code, text)


def _translate_errors(work: Callable[[], Result]) -> Result:
    try:
        return work()
    except smtplib.SMTPAuthenticationError as error:
        raise NotDelivered("The mail server refuses the user or the password.") from error
    except smtplib.SMTPResponseException as error:
        raise _refused(error.smtp_code, error.smtp_error) from error
    except smtplib.SMTPNotSupportedError as error:
        raise NotDelivered("The mail server does not offer what is configured.") from error
    except ssl.SSLCertVerificationError as error:
        raise NotDelivered("The mail server has no valid certificate.") from error
    except (OSError, smtplib.SMTPException) as error:
        raise NotDelivered("The mail server could not be reached.") from error


def _refused(code: int, text: bytes | str) -> NotDelivered:
    """A code from 500 on is final (RFC 5321, 4.2.1)."""
    said = text.decode(errors="replace") if isinstance(text, bytes) else text
    printable = "".join(char if char.isprintable() else " " for char in said)[:_REASON_CHARS]
    return NotDelivered(f"The mail server refused it ({code} {printable}).", is_final=code >= 500)


def _bare(address: str) -> str:
    """The address in `Name <address>`."""
    return address.rpartition("<")[2].rstrip("> ")
