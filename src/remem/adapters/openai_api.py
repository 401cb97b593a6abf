"""Shared by adapters of OpenAI's protocol: address, key, retries and errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

from remem.adapters.retries import WAITS_S, TransientError, attempts
from remem.core.errors import CannotStart, Unavailable, Unreadable


@dataclass(frozen=True, slots=True)
class Server:
    """The purpose of a server, in one word, and the model to use. `subject` names input that may be
    unreadable, such as a picture; without it, a refused request is our own fault."""

    purpose: str
    model: str
    subject: str | None = None

    @property
    def setting(self) -> str:
        """The setting that has the server's address."""
        port = {"speech": "ASR", "vision": "OCR"}.get(self.purpose, self.purpose.upper())
        return f"REMEM_{port}_URL"

    def endpoint(self, base_url: str, path: str) -> httpx2.URL:
        try:
            url = httpx2.URL(f"{base_url.rstrip('/')}{path}")
        except httpx2.InvalidURL as error:
            raise CannotStart(
                f"The {self.purpose} server's address is not a URL; correct {self.setting}."
            ) from error
        if url.scheme not in ("http", "https") or not url.host:
            raise CannotStart(
                f"The {self.purpose} server's address must begin with http:// or https://; "
                f"correct {self.setting}."
            )
        return url

    def raise_for_response(self, response: httpx2.Response) -> None:
        self.raise_for_status(response.status_code, response.headers.get("Retry-After", ""))

    def raise_for_status(self, status: int, retry_after: str = "") -> None:
        """Raise the error that a status stands for; return if it is a success."""
        if status in (408, 429) or status >= 500:
            raise TransientError(f"status {status}", _retry_after_s(retry_after))
        if status in (401, 403):
            raise Unavailable(
                f"The {self.purpose} key was refused (status {status}); set one that may use the "
                f"model {self.model}, and start again.",
                code=f"{self.purpose}_key_refused",
            )
        if self.subject and status in (400, 413, 415, 422):
            raise Unreadable(
                f"The {self.purpose} server cannot read this {self.subject} (status {status})."
            )
        if not 200 <= status < 300:
            raise Unavailable(
                f"The {self.purpose} server refused the request (status {status}); check its "
                f"address and that it has the model {self.model}.",
                code=f"{self.purpose}_refused",
            )

    def unavailable_error(self, error: TransientError) -> Unavailable:
        unavailable = Unavailable(
            f"The {self.purpose} server cannot answer now ({error}); try again later."
        )
        unavailable.service = error.service
        return unavailable

    def misread_error(self, received: str) -> Unavailable:
        return Unavailable(
            f"The {self.purpose} server returned {received}.", code=f"{self.purpose}_misread"
        )


class RetryingClient:
    """POSTs to one endpoint, blocking; transient errors are retried after each of the waits."""

    def __init__(
        self,
        server: Server,
        url: httpx2.URL,
        api_key: str | None,
        timeout_s: float,
        waits_s: Sequence[float] = WAITS_S,
    ) -> None:
        self._server, self._url, self._waits_s = server, url, waits_s
        self._client = httpx2.Client(headers=bearer_headers(api_key), timeout=timeout_s)

    def post(self, **request: Any) -> httpx2.Response:
        try:
            for attempt in attempts(self._waits_s):
                with attempt:
                    return self._post(request)
        except TransientError as error:
            raise self._server.unavailable_error(error) from error
        raise AssertionError("unreachable")

    def close(self) -> None:
        self._client.close()

    def _post(self, request: dict[str, Any]) -> httpx2.Response:
        try:
            response = self._client.post(self._url, **request)
        except httpx2.TimeoutException:
            # Files have long timeouts: four attempts would exceed the time limit of a file.
            raise self._server.unavailable_error(TransientError("no answer in time")) from None
        except httpx2.RequestError as error:
            raise TransientError(type(error).__name__) from None
        self._server.raise_for_response(response)
        return response


def bearer_headers(api_key: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {api_key.strip()}"} if api_key else {}


def _retry_after_s(value: str) -> float | None:
    try:
        if value.isdigit():
            return float(value)
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
