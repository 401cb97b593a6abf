"""The settings of storage: database, originals, cache and vectors."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings

from remem.adapters import vector_index
from remem.folders import default_data_dir


def listed_in(adapters: Collection[str]) -> AfterValidator:
    """Check that the setting names one of these adapters."""

    def check(name: str) -> str:
        if name not in adapters:
            raise ValueError(f"there is no {name!r}; choose one of {', '.join(adapters)}")
        return name

    return AfterValidator(check)


def _check_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("is not an address; it begins with http:// or https://")
    return value


HttpAddress = Annotated[str, AfterValidator(_check_address)]
VectorIndexName = Annotated[str, listed_in(vector_index.ADAPTERS)]


class StoreSettings(BaseSettings):
    """A part of `Settings`."""

    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="Where the embedded database, originals and the owner's key are kept.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="A PostgreSQL with pgvector to use in place of the embedded one.",
    )
    pooler_url: SecretStr | None = Field(
        default=None,
        description="A PgBouncer before that PostgreSQL, which transactions go through; it may give"
        " each one another connection.",
    )
    admin_key: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="The key of the operator's API of tenants; without it there is none.",
    )
    pool_size: int = Field(
        default=20, ge=3, description="The most database connections one process opens."
    )
    blobs: str | None = Field(
        default=None,
        description="Where originals are kept: a folder, or s3://bucket/prefix. In the data"
        " folder if absent.",
    )
    backups: str | None = Field(
        default=None,
        description="The folder of the nightly backups, or `off`. In the data folder if absent, and"
        " off with REMEM_DATABASE_URL.",
    )
    questions: str | None = Field(
        default=None,
        description="A file of your own questions. Vectors move to another local model only if it"
        " does not lose their sources.",
    )
    questions_accept_loss: bool = Field(
        default=False, description="Whether vectors move even if questions are lost."
    )
    s3_endpoint: str | None = Field(
        default=None, description="The address of an S3 store that is not AWS."
    )
    s3_region: str | None = Field(default=None, description="The region of the S3 bucket.")
    s3_access_key_id: str | None = Field(
        default=None,
        description="The access key of the S3 bucket; AWS's own variables or role if absent.",
    )
    s3_secret_access_key: SecretStr | None = Field(
        default=None, description="The secret that belongs to that access key."
    )
    redis_url: SecretStr | None = Field(
        default=None,
        description="A Redis that keeps answers for every process; each keeps its own if absent.",
    )
    vector_index: VectorIndexName = Field(
        default="pgvector", description="What finds the nearest vectors."
    )
    qdrant_url: str | None = Field(
        default=None, description="The address of a Qdrant server or cluster."
    )
    qdrant_key: SecretStr | None = Field(default=None, description="The key that Qdrant asks for.")
    qdrant_collection: str = Field(
        default="remem",
        pattern=r"^[A-Za-z0-9_-]{1,100}$",
        description="How the names of our collections there begin.",
    )

    @property
    def blobs_folder(self) -> Path:
        return Path(self.blobs) if self.blobs else self.data_dir / "blobs"

    @property
    def backups_folder(self) -> Path | None:
        """None: there are no nightly backups."""
        if self.backups:
            return None if self.backups == "off" else Path(self.backups).expanduser()
        return None if self.database_url else self.data_dir / "backups"

    @property
    def blobs_bucket(self) -> str:
        return self._s3_place[0]

    @property
    def blobs_prefix(self) -> str:
        return self._s3_place[1]

    @property
    def is_in_s3(self) -> bool:
        return bool(self.blobs and self.blobs.startswith("s3://"))

    @property
    def _s3_place(self) -> tuple[str, str]:
        bucket, _, prefix = (self.blobs or "").removeprefix("s3://").partition("/")
        return bucket, prefix.strip("/")
