"""The ports of text extraction. A process that opens files imports only this part of the core."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from remem.core.chunking.model import Mark


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it was sent. `name` and `claim` (a media type, or one of our content types) come
    from the sender and are not trusted."""

    path: Path
    name: str | None = None
    claim: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """The cleaned text of an original, with its structure and the metadata of the file.

    `content` is stored and searched; `marks` are positions in it. `found` has only what the file
    itself states: title, author, published_at (ISO 8601), language, code_language, page_count,
    duration_s, … `cut` names the limit that was hit, if any.
    """

    content: str
    content_type: str
    marks: tuple[Mark, ...] = ()
    found: Mapping[str, Any] = field(default_factory=dict)
    cut: str | None = None


class Extractor(Protocol):
    """Extracts the text of an original of any kind, within limits of time and memory that apply
    whatever the file contains. Raises Unreadable with a message a person understands; its code is
    `too_slow` after a timeout. Each `owner` gets a share of the processes. When a client `waits`
    for the reply, a text gets only a few seconds."""

    async def extract(
        self, original: Original, *, owner: str = "", waits: bool = False
    ) -> Extracted: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PictureText:
    """The text of a picture, "" when there is none. `is_sure` is false when some of it is unclear,
    or in a script that the model does not know."""

    text: str
    is_sure: bool = True


class Ocr(Protocol):
    """Reads the text of one picture (PNG or JPEG bytes), lines in reading order. Blocking: it runs
    in the extractor's process, not in the server."""

    def read(self, image: bytes) -> PictureText: ...


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words that were heard. `is_sure` is false when they may be invented, as a model does with
    noise or a language that it does not know. `language` is ISO 639, if the model detects it."""

    start_s: float
    end_s: float
    text: str
    is_sure: bool = True
    language: str | None = None


class Asr(Protocol):
    """Transcribes the speech of a sound or video file, in order. Blocking, like Ocr."""

    def transcribe(self, path: Path) -> list[Spoken]: ...
