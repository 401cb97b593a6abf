"""The data class of blobs."""

from dataclasses import dataclass

UNKNOWN_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Blob:
    """The metadata of an original; its bytes are in the object store under `key`."""

    key: str
    name: str | None
    media_type: str
    size: int
    sha256: str
