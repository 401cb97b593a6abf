"""Errors for pages that could not be fetched, each with its reason and what to do."""

import ssl
from typing import TypeVar

import httpcore2
import httpx2

from remem.adapters.fetch.addresses import validate_url
from remem.adapters.fetch.dial import CONNECT_TIMEOUT_S, NameNotFound
from remem.core.errors import FetchFailed, Invalid

_Cause = TypeVar("_Cause", bound=BaseException)
FILE_INSTEAD = "open it in a browser and save it as a file"


def connection_failure(host: str, error: Exception) -> tuple[FetchFailed, bool]:
    """Return the failure, and whether it is final: a refused connection may work a second later."""
    if isinstance(error, NameNotFound):
        text = "was not found; check the address for typing errors, or save it again later"
        return _failed(host, text, "name_not_found"), False
    if _cause(error, ssl.SSLCertVerificationError):
        text = f"has no valid certificate; check the address, or {FILE_INSTEAD}"
        return _failed(host, text, "tls_certificate"), True
    if _cause(error, ssl.SSLError):
        text = "does not speak TLS as it should; check whether the address begins with http://"
        return _failed(host, text, "tls_failed"), False
    if _cause(error, ConnectionRefusedError):
        text = "refused the connection; check the address and its port, or save it again later"
        return _failed(host, text, "connection_refused"), False
    if isinstance(error, httpcore2.ConnectTimeout):
        text = f"did not accept a connection within {CONNECT_TIMEOUT_S:g} s; save it again later"
        return _failed(host, text, "connect_timeout"), False
    if isinstance(error, httpcore2.ConnectError):
        text = "could not be reached; check the address, or save it again later"
        return _failed(host, text, "unreachable"), False
    text = "closed the connection before the page was complete; save it again later"
    return _failed(host, text, "connection_lost"), False


def status_failure(host: str, status: int) -> FetchFailed | None:
    """Return the failure that a status means; None for success."""
    if 200 <= status < 300 and status not in (204, 205):
        return None
    if status in (401, 402, 403, 407):
        text = f"does not show this page to everyone (status {status}); {FILE_INSTEAD}"
        return _failed(host, text, "page_forbidden")
    if status == 410:
        text = "says that this page is gone for good (status 410); take its address out"
        return _failed(host, text, "page_removed")
    if status == 404:
        return _failed(host, f"has no such page (status {status}); check the address", "page_gone")
    if status in (408, 425, 429) or status >= 500:
        return _failed(
            host, f"cannot answer now (status {status}); save it again later", "page_down"
        )
    text = f"gave no page (status {status}); check the address in a browser"
    return _failed(host, text, "no_page")


def too_slow(host: str, timeout_s: float) -> FetchFailed:
    text = f"did not answer in full within {timeout_s:g} s; save it again later"
    return _failed(host, text, "fetch_timeout")


def broken_response(host: str) -> FetchFailed:
    text = "closed the connection early, or gave a broken answer; save it again later"
    return _failed(host, text, "broken_answer")


def too_many_redirects(host: str, limit: int) -> FetchFailed:
    text = f"redirects more than {limit} times; check the address in a browser"
    return _failed(host, text, "too_many_redirects")


def bad_redirect(error: Invalid) -> FetchFailed:
    """Convert Invalid to FetchFailed, because the page chose this URL and not the user."""
    reason = error.message.removeprefix("url: ")
    return FetchFailed(f"The page redirects to where we do not go: {reason}.", code=error.code)


def redirect_target(url: httpx2.URL, location: str) -> httpx2.URL:
    try:
        return validate_url(url.join(location))
    except httpx2.InvalidURL as error:
        raise bad_redirect(Invalid("url", "this is not an address")) from error
    except Invalid as error:
        raise bad_redirect(error) from error


def _failed(host: str, text: str, code: str) -> FetchFailed:
    return FetchFailed(f"{host} {text}.", code=code)


def _cause(error: BaseException | None, kind: type[_Cause]) -> _Cause | None:
    """Find the first cause of a type. Attempts at several addresses form an exception group."""
    while error is not None and not isinstance(error, kind):
        if isinstance(error, BaseExceptionGroup):
            return next(
                (cause for member in error.exceptions if (cause := _cause(member, kind))), None
            )
        error = error.__cause__ or error.__context__
    return error
