"""Post to a person's address, but never to a private network."""

import ssl
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from importlib.metadata import version

import httpx2

from remem.adapters.fetch.addresses import Guard, parse_ip, validate_url
from remem.adapters.fetch.dial import NameNotFound
from remem.adapters.fetch.transport import guarded_transport
from remem.core.delivery_ports import MayHaveArrived, NotDelivered
from remem.core.errors import Invalid

TIMEOUT_S = 15.0
# Of a reply only the status and the first bytes matter.
REPLY_BYTES = 10_000
_AGENT = f"remem/{version('remem')} (+self-hosted; personal memory)"


class GuardedPost:
    """Sends POST requests only to addresses that Guard allows, and follows no redirect. No proxy,
    cookie or credential of this machine is used."""

    def __init__(self, allow_private: Sequence[str]) -> None:
        self._guard = Guard(allow_private)

    def check(self, address: str) -> None:
        try:
            host = validate_url(address).host
            if parse_ip(host) or host == "localhost" or host.endswith(".localhost"):
                self._guard.check(host, [host])
        except Invalid as error:
            reason = error.message.removeprefix("url: ")
            raise Invalid("address", reason, code=error.code) from error

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> httpx2.Response:
        """The reply, with at most the beginning of its body."""
        host = validate_url(address).host
        try:
            async with self._http.stream(
                "POST", address, headers={"User-Agent": _AGENT, **headers}, content=body
            ) as reply:
                return await _begin(reply)
        except httpx2.ConnectTimeout as error:
            raise NotDelivered(f"{host} did not accept a connection in time.") from error
        except httpx2.ConnectError as error:
            raise NotDelivered(f"{host} {_why(error)}.") from error
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            raise MayHaveArrived(f"{host} did not answer in time, or broke off.") from error

    async def close(self) -> None:
        if "_http" in vars(self):
            await self._http.aclose()

    @cached_property
    def _http(self) -> httpx2.AsyncClient:
        # Created by the first request, because loading the system's certificates takes a while.
        return httpx2.AsyncClient(
            timeout=TIMEOUT_S, trust_env=False, transport=guarded_transport(self._guard)
        )


def raise_for_refusal(reply: httpx2.Response, final: Sequence[int], detail: str = "") -> None:
    """Raise NotDelivered unless the message was accepted."""
    status = reply.status_code
    if 200 <= status < 300:
        return
    host = reply.request.url.host
    if 300 <= status < 400:
        text = f"{host} redirects (status {status}); give the address that it redirects to."
        raise NotDelivered(text, is_final=True)
    raise NotDelivered(
        f"{host} refused it (status {status}{detail}).",
        is_final=status in final,
        retry_after_s=_retry_after_s(reply.headers.get("Retry-After", "")),
    )


async def _begin(reply: httpx2.Response) -> httpx2.Response:
    body = b""
    async for piece in reply.aiter_raw():
        body += piece
        if len(body) > REPLY_BYTES:
            break
    headers = {
        name: reply.headers[name]
        for name in ("Retry-After", "Content-Type")
        if name in reply.headers
    }
    return httpx2.Response(
        reply.status_code, headers=headers, content=body[:REPLY_BYTES], request=reply.request
    )


def _why(error: BaseException) -> str:
    """What prevented the connection, from the first cause that says so."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, NameNotFound):
            return "was not found; check the address"
        if isinstance(cause, ssl.SSLCertVerificationError):
            return "has no valid certificate"
        if isinstance(cause, ConnectionRefusedError):
            return "refused the connection"
        cause = cause.__cause__ or cause.__context__
    return "could not be reached"


def _retry_after_s(value: str) -> float | None:
    if value.isdecimal() and len(value) < 10:
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
