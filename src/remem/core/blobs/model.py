"""The values of blobs."""

from dataclasses import dataclass

UNKNOWN_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Blob:
    """What is known of an original; its bytes are in the object store under `key`."""

    key: str
    name: str | None
    media_type: str
    size: int
    sha256: str
