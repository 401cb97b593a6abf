"""Source code: kept as it is, with the language it is in."""

from remem.adapters.extractors import languages
from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.draft import named, only_first, printable
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import TEXT_CHARS, read_bytes
from remem.core.errors import Unreadable
from remem.core.ports import Extracted, Original


def extract(original: Original, engines: Engines) -> Extracted:
    text = decode(read_bytes(original.path)).replace("\r\n", "\n").replace("\r", "\n")
    text = printable(text)
    if not text.strip():
        raise Unreadable(f"There is no text in this {named('code')}.")
    content = text[:TEXT_CHARS]
    language = languages.by_name(original.name) or languages.by_content(content)
    return Extracted(
        content=content,
        content_type="code",
        found={"code_language": language} if language else {},
        cut=only_first(TEXT_CHARS) if len(text) > TEXT_CHARS else None,
    )
