"""What makes text of files. A process that opens files imports no more of the core than this."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from remem.core.chunking.model import Mark


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it was handed in. `name` and `claim` (a media type, or one of our content types)
    are what the sender says it is, which is not believed."""

    path: Path
    name: str | None = None
    claim: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of an original, clean, with its joints and what the file says about itself.

    `content` is what is kept and searched; `marks` point into it. `found` has only what is
    in the file: title, author, published_at (ISO 8601), language, code_language, page_count,
    duration_s, … `cut` says which limit was hit, when one was.
    """

    content: str
    content_type: str
    marks: tuple[Mark, ...] = ()
    found: Mapping[str, Any] = field(default_factory=dict)
    cut: str | None = None


class Extractor(Protocol):
    """Makes text of an original of any kind, within limits of time and memory that apply whatever
    the file contains. Raises Unreadable with a message a person understands; its code is
    `too_slow` when the time was over. Each `owner` gets a share of the processes. While somebody
    `waits` for the reply, a text has a few seconds."""

    async def extract(
        self, original: Original, *, owner: str = "", waits: bool = False
    ) -> Extracted: ...

    async def close(self) -> None: ...


class Ocr(Protocol):
    """Reads the text of one picture (PNG or JPEG bytes), lines in reading order; "" when there
    is none. Blocking: it runs beside the extractor, not in the server."""

    def read(self, image: bytes) -> str: ...


@dataclass(frozen=True, slots=True)
class Spoken:
    start_s: float
    end_s: float
    text: str


class Asr(Protocol):
    """Writes down what is said in a sound or video file, in order. Blocking, like Ocr."""

    def transcribe(self, path: Path) -> list[Spoken]: ...
