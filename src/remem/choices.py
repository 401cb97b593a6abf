"""Choose the adapter of each port from the settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from remem.adapters import (
    asr,
    blobs,
    cache,
    database,
    embedding,
    llm,
    ocr,
    rate,
    secrets,
    vector_index,
)
from remem.adapters.asr.ffmpeg import INSTALL_FFMPEG, find_ffmpeg
from remem.adapters.reader.weights import weights_problem
from remem.adapters.table import Adapter
from remem.core.errors import CannotStart
from remem.settings import Settings

# Arguments of adapters that contain the address of a service.
_ADDRESSES = frozenset({"base_url", "url", "endpoint"})


@dataclass(frozen=True, slots=True)
class Choice:
    port: str
    name: str
    adapter: Adapter


def choices(settings: Settings) -> dict[str, Choice]:
    """One choice per port; an optional port that is not configured is left out."""
    adapters_by_port = {
        "database": (database.ADAPTERS, "url" if settings.database_url else "embedded"),
        "blobs": (blobs.ADAPTERS, "s3" if settings.is_in_s3 else "folder"),
        "rate": (rate.ADAPTERS, "redis" if settings.redis_url else "postgres"),
        "cache": (cache.ADAPTERS, "redis" if settings.redis_url else "memory"),
        "embedding": (embedding.ADAPTERS, settings.embedding_provider),
        "ocr": (ocr.ADAPTERS, settings.ocr),
        "asr": (asr.ADAPTERS, settings.asr),
        "secrets": (secrets.ADAPTERS, "aes"),
        "vector_index": (vector_index.ADAPTERS, settings.vector_index),
        "llm": (llm.ADAPTERS, settings.llm_provider),
    }
    return {
        port: Choice(port, name, adapters[name])
        for port, (adapters, name) in adapters_by_port.items()
        if name
    }


def languages_read(settings: Settings, port: str) -> str:
    """The languages or scripts that the model for pictures (`ocr`) or speech (`asr`) reads."""
    if port == "asr" and settings.asr == "local" and settings.asr_model:
        return "the languages of the model in REMEM_ASR_MODEL"
    return choices(settings)[port].adapter.reads


def is_remote(choice: Choice) -> bool:
    """Whether the adapter calls a service, which may be down and may cost money."""
    return any(name.endswith("_url") for name in choice.adapter.settings.values())


def configuration_problem(choice: Choice, settings: Settings) -> str | None:
    """Why this adapter cannot start, or None if it can."""
    try:
        arguments = choice.adapter.arguments(settings)
    except CannotStart as error:
        return error.message
    if choice.port == "database":
        return None
    schemes = ("redis", "rediss", "unix") if choice.name == "redis" else ("http", "https")
    for argument in _ADDRESSES & arguments.keys():
        if arguments[argument] and urlsplit(arguments[argument]).scheme not in schemes:
            name = choice.adapter.settings[argument].upper()
            return f"REMEM_{name} is not an address; it begins with {schemes[0]}://."
    return None


def require_valid(chosen: Mapping[str, Choice], settings: Settings) -> None:
    """Raise CannotStart for the first adapter that cannot start with these settings."""
    for choice in chosen.values():
        if problem := configuration_problem(choice, settings):
            raise CannotStart(problem)


def remote_address(choice: Choice, settings: Settings) -> str | None:
    """The address of the service the adapter calls, or None. The database is checked elsewhere."""
    if choice.port == "database":
        return None
    arguments = choice.adapter.arguments(settings)
    return next((arguments[name] for name in _ADDRESSES & arguments.keys()), None)


def missing_key(choice: Choice, settings: Settings) -> str | None:
    """What to set when the vendor's own service would be called without a key."""
    variable = choice.adapter.key_variable
    if not variable or choice.adapter.arguments(settings).get("api_key"):
        return None
    if not choice.adapter.is_at_default(settings):
        return None
    return f"set REMEM_{choice.adapter.settings['api_key'].upper()}, or {variable}"


def reader_problem() -> str | None:
    """Why the local reader cannot run, or None if it can."""
    return weights_problem()


def describe_video() -> str:
    """The program that decodes video and phone recordings, or how to install one."""
    missing = f"ffmpeg was not found; to save MP4, WebM and M4A files, {INSTALL_FFMPEG}"
    return find_ffmpeg() or missing
