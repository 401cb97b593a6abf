"""Keeps originals in a bucket of any store that speaks S3's protocol."""

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

from remem.adapters.blobs.keys import checked
from remem.core.errors import CannotStart, NotFound, Unavailable

if TYPE_CHECKING:
    from obstore.store import RetryConfig

CHUNK_BYTES = 1 << 20
# For one request from its first byte to its last, which a slow reader takes.
TIMEOUT_S = 600.0
# A store that refuses connections is tried twice; one that fails, or is asked too often, five
# times.
QUICK_RETRIES, QUICK_WAIT_S = 1, 0.1
RETRIES, FIRST_WAIT_S = 2, 1.0
_NO_CONNECTION, _NOT_RETRIED = "kind: Connect,", " retries: 0,"
BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}")
Reply = TypeVar("Reply")


class S3Blobs:
    """One object a key under `prefix`. Without `endpoint` it is AWS; without a key pair, what
    AWS's own environment variables or the machine's role give."""

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
        named = {
            "endpoint": endpoint,
            "region": region,
            "access_key_id": access_key_id,
            "secret_access_key": secret_access_key,
        }
        options: dict[str, Any] = {
            "prefix": prefix or None,
            "config": {name: value for name, value in named.items() if value},
            "client_options": {
                "timeout": timedelta(seconds=timeout_s),
                "allow_http": bool(endpoint and endpoint.startswith("http://")),
            },
        }
        quick = _retries(QUICK_RETRIES, min(QUICK_WAIT_S, first_wait_s))
        self._quick = S3Store(bucket, **options, retry_config=quick)
        self._patient = S3Store(bucket, **options, retry_config=_retries(RETRIES, first_wait_s))

    async def put(self, key: str, source: Path) -> None:
        with source.open("rb") as file, _translate_errors(key):

            async def send(store: S3Store) -> None:
                file.seek(0)
                await obstore.put_async(store, checked(key), file)

            await self._call(send)

    async def open(self, key: str) -> AsyncIterator[bytes]:
        with _translate_errors(key):
            found = await self._call(lambda store: obstore.get_async(store, checked(key)))
        return _chunks(key, found)

    async def delete(self, key: str) -> None:
        with _translate_errors(key):
            await self._call(lambda store: obstore.delete_async(store, checked(key)))

    async def _call(self, request: Callable[[S3Store], Awaitable[Reply]]) -> Reply:
        """obstore retries every failure alike, and nobody should wait for a store that is not
        there as long as for one that is busy."""
        try:
            return await request(self._quick)
        except GenericError as error:
            if any(sign in str(error) for sign in (_NO_CONNECTION, _NOT_RETRIED)):
                raise
        return await request(self._patient)

    async def close(self) -> None:
        """Nothing stays open."""


async def _chunks(key: str, found: "obstore.GetResult") -> AsyncIterator[bytes]:
    with _translate_errors(key):
        async for chunk in found.stream(CHUNK_BYTES):
            yield bytes(chunk)


def _retries(count: int, first_wait_s: float) -> "RetryConfig":
    return {
        "max_retries": count,
        "backoff": {"init_backoff": timedelta(seconds=first_wait_s)},
    }


@contextmanager
def _translate_errors(key: str) -> Iterator[None]:
    """The store's failures in our words; its own name bucket, address and key."""
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
