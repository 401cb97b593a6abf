"""Which adapter each port has, by the settings."""

from dataclasses import dataclass

from remem.adapters import asr, blobs, cache, database, embedding, llm, ocr, secrets
from remem.adapters.table import Adapter
from remem.core.errors import CannotStart
from remem.settings import Settings


@dataclass(frozen=True, slots=True)
class Choice:
    port: str
    name: str
    adapter: Adapter


def choices(settings: Settings) -> dict[str, Choice]:
    """One choice a port; a port that may stay empty and does is not among them."""
    named = {
        "database": (database.ADAPTERS, "url" if settings.database_url else "embedded"),
        "blobs": (blobs.ADAPTERS, "s3" if settings.is_in_s3 else "folder"),
        "cache": (cache.ADAPTERS, "redis" if settings.redis_url else "memory"),
        "embedding": (embedding.ADAPTERS, settings.embedding_provider),
        "ocr": (ocr.ADAPTERS, settings.ocr),
        "asr": (asr.ADAPTERS, settings.asr),
        "secrets": (secrets.ADAPTERS, "aes"),
        "llm": (llm.ADAPTERS, settings.llm_provider),
    }
    return {
        port: Choice(port, name, adapters[name]) for port, (adapters, name) in named.items() if name
    }


def problem(choice: Choice, settings: Settings) -> str | None:
    """Why this adapter cannot start, if it cannot."""
    try:
        choice.adapter.arguments(settings)
    except CannotStart as error:
        return error.message
    return None
