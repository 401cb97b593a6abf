"""Source code: unchanged, with its language and its definitions."""

from remem.adapters.extractors import languages
from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.draft import printable, truncation_note
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import TEXT_CHARS, read_bytes
from remem.core.chunking.code_language import code_language_of
from remem.core.chunking.model import Mark
from remem.core.content_kinds import describe_type
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original


def extract(original: Original, engines: Engines) -> Extracted:
    text = decode(read_bytes(original.path)).replace("\r\n", "\n").replace("\r", "\n")
    text = printable(text)
    if not text.strip():
        raise Unreadable(f"There is no text in this {describe_type('code')}.")
    content = text[:TEXT_CHARS]
    language = _language(original.name, content)
    return Extracted(
        content=content,
        content_type="code",
        marks=_definitions(content, language) if engines.grammars else (),
        found={"code_language": language} if language else {},
        cut=truncation_note(TEXT_CHARS) if len(text) > TEXT_CHARS else None,
    )


def _language(name: str | None, content: str) -> str | None:
    return languages.by_name(name) or languages.by_content(content) or code_language_of(content)


def _definitions(content: str, language: str | None) -> tuple[Mark, ...]:
    # Imported here because a server that never parses code does not need it.
    from remem.core.chunking.outline import outline

    return tuple(outline(content, language))
