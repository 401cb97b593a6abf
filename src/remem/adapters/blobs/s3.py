"""Store originals in a bucket of any S3-compatible store."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import obstore
from obstore.exceptions import (
    BaseError,
    GenericError,
    PermissionDeniedError,
    UnauthenticatedError,
)
from obstore.store import S3Store

from remem.adapters.blobs.keys import check_key
from remem.core.errors import CannotStart, NotFound, Unavailable

if TYPE_CHECKING:
    from obstore.store import RetryConfig

CHUNK_BYTES = 1 << 20
# For a whole request, including a slow reader.
TIMEOUT_S = 600.0
# Two attempts if the store refuses connections, five if it fails or throttles.
QUICK_RETRIES, QUICK_WAIT_S = 1, 0.1
RETRIES, FIRST_WAIT_S = 2, 1.0
_NO_CONNECTION, _NOT_RETRIED = "kind: Connect,", " retries: 0,"
BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}")
Reply = TypeVar("Reply")


class S3Blobs:
    """One object for each key, under `prefix`. The default `endpoint` is AWS; the default
    credentials come from AWS's environment variables or the machine's role."""

    def __init__(
        self,
        bucket: str,
        *,
        endpoint: str | None = None,
        region: str | None = None,
        access_key_id: str | None = None,
        secret_access_key: str | None = None,
        prefix: str = "",
        timeout_s: float = TIMEOUT_S,
        first_wait_s: float = FIRST_WAIT_S,
    ) -> None:
        if not BUCKET.fullmatch(bucket):
            raise CannotStart("REMEM_BLOBS names no S3 bucket; write it as s3://bucket/prefix.")
        if endpoint and not endpoint.startswith(("http://", "https://")):
            raise CannotStart("REMEM_S3_ENDPOINT must begin with http:// or https://.")
        config = {
            "endpoint": endpoint,
            "region": region,
            "access_key_id": access_key_id,
            "secret_access_key": secret_access_key,
        }
        options: dict[str, Any] = {
            "prefix": prefix or None,
            "config": {name: value for name, value in config.items() if value},
            "client_options": {
                "timeout": timedelta(seconds=timeout_s),
                "allow_http": bool(endpoint and endpoint.startswith("http://")),
            },
        }
        quick_retries = _retry_config(QUICK_RETRIES, min(QUICK_WAIT_S, first_wait_s))
        self._quick = S3Store(bucket, **options, retry_config=quick_retries)
        self._patient = S3Store(
            bucket, **options, retry_config=_retry_config(RETRIES, first_wait_s)
        )

    async def put(self, key: str, source: Path) -> None:
        with source.open("rb") as file, _translate_errors(key):

            async def send(store: S3Store) -> None:
                file.seek(0)
                await obstore.put_async(store, check_key(key), file)

            await self._call(send)

    async def open(self, key: str) -> AsyncIterator[bytes]:
        with _translate_errors(key):
            result = await self._call(lambda store: obstore.get_async(store, check_key(key)))
        return _chunks(key, result)

    async def delete(self, key: str) -> None:
        with _translate_errors(key):
            await self._call(lambda store: obstore.delete_async(store, check_key(key)))

    async def _call(self, request: Callable[[S3Store], Awaitable[Reply]]) -> Reply:
        """Retry a failed connection only briefly, and other errors for longer; obstore itself
        treats all failures alike."""
        try:
            return await request(self._quick)
        except GenericError as error:
            if any(phrase in str(error) for phrase in (_NO_CONNECTION, _NOT_RETRIED)):
                raise
        return await request(self._patient)

    async def close(self) -> None:
        """Nothing to close."""


async def _chunks(key: str, result: "obstore.GetResult") -> AsyncIterator[bytes]:
    with _translate_errors(key):
        async for chunk in result.stream(CHUNK_BYTES):
            yield bytes(chunk)


def _retry_config(count: int, first_wait_s: float) -> "RetryConfig":
    return {
        "max_retries": count,
        "backoff": {"init_backoff": timedelta(seconds=first_wait_s)},
    }


@contextmanager
def _translate_errors(key: str) -> Iterator[None]:
    """Translate errors of the store, whose messages contain bucket, address and key."""
    try:
        yield
    except FileNotFoundError:
        raise NotFound("original", key) from None
    except (PermissionDeniedError, UnauthenticatedError) as error:
        raise Unavailable(
            "The S3 store refused our key; set one that may read and write the bucket.",
            code="blobs_key_refused",
        ) from error
    except BaseError as error:
        raise Unavailable("The S3 store cannot answer now; try again later.") from error
