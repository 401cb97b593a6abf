"""Find the metadata of a text by rules, without a model; nothing is invented."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from remem.core.chunking.code_language import code_language_of
from remem.core.chunking.front_matter import tags_in_front
from remem.core.chunking.languages import language_named
from remem.core.chunking.messenger import messages_of, words_of
from remem.core.enrich.byline import author_in
from remem.core.enrich.category import SPEAKER, category_of
from remem.core.enrich.code import defined_names, opening_comment, summarise_code
from remem.core.enrich.dates import date_in, read_date
from remem.core.enrich.model import HEAD_LIMIT, SUMMARY_LIMIT, TAGS_LIMIT, Enrichment
from remem.core.enrich.phrases import key_phrases
from remem.core.enrich.reading import Paragraph, ParsedText, parse_text, top_lines
from remem.core.enrich.summary import summarise
from remem.core.enrich.titles import chat_title, file_name, given_title, title_in
from remem.core.language.detect import language_of
from remem.core.text import shorten

_CODE_TITLE_LIMIT = 90
# A word after a single #; colours and issue numbers do not count.
_HASHTAG = re.compile(r"(?<![^\s(\[])#([^\W\d_][\w/-]{1,40})(?![\w#])")
_COLOUR = re.compile(r"(?=\w*\d|(\w)\1+\b)(?:[0-9a-f]{3}){1,2}", re.I)
_WORD = re.compile(r"[^\W\d_]{3,}")
_ADDRESS = re.compile(r"(?<!\s)\s*+<[^<>]*+>")


def enrich(
    content: str, content_type: str, title: str | None, metadata: Mapping[str, Any]
) -> Enrichment:
    """The metadata of a text: `title` is the one its owner gave, `metadata` is what its file
    contains. Only the beginning of a long text is read."""
    if content_type == "code":
        return _enrich_code(content[:HEAD_LIMIT], title, metadata)
    text = parse_text(content[:HEAD_LIMIT])
    return _enrich_text(text, content_type, title, {**text.fields, **metadata})


def _enrich_text(
    text: ParsedText, content_type: str, title: str | None, metadata: Mapping[str, Any]
) -> Enrichment:
    messages = messages_of(text.head)
    category = "conversation" if messages else category_of(text, content_type, metadata)
    if messages:
        text = parse_text(words_of(text.head, messages))
    elif category == "conversation":
        text = parse_text(SPEAKER.sub("", text.head))
    language = _text_or_none(metadata.get("language")) or language_of(text.running)
    given = given_title(title, metadata) or (chat_title(messages, metadata) if messages else "")
    own_tags = tuple(tags_in_front(text.fields.get("tags")))
    tags = own_tags or _tags(text, given, language, metadata)
    return Enrichment(
        title=given or _own_title(text, category, metadata),
        summary=_summary(text.paragraphs, tags, given, metadata),
        author=_author(metadata) or author_in(text.top),
        published_at=_published(metadata, language) or date_in(text.top, language),
        language=language,
        tags=tags,
        own_tags=own_tags,
        category=category,
    )


def _enrich_code(head: str, title: str | None, metadata: Mapping[str, Any]) -> Enrichment:
    declared = _text_or_none(metadata.get("code_language"))
    code_language = language_named(declared) or declared or code_language_of(head)
    comment, names = opening_comment(head), defined_names(head)
    opening = shorten(comment.split(". ")[0].rstrip("."), _CODE_TITLE_LIMIT)
    own_title = opening or ", ".join(names[:3])
    return Enrichment(
        title=given_title(title, metadata)
        or file_name(metadata)
        or own_title
        or title_in(parse_text(head)),
        summary=summarise_code(comment, names)
        or shorten(" ".join(head.split()), SUMMARY_LIMIT // 2),
        author=_author(metadata) or author_in(top_lines(head)),
        published_at=_published(metadata, None),
        language=_text_or_none(metadata.get("language")),
        category="code",
        code_language=code_language,
    )


def _own_title(text: ParsedText, category: str, metadata: Mapping[str, Any]) -> str:
    """The title from the text; data is named after its file instead of its first row."""
    if category == "data" or not text.head.strip():
        return file_name(metadata) or title_in(text)
    return title_in(text)


def _tags(
    text: ParsedText, title: str, language: str | None, metadata: Mapping[str, Any]
) -> tuple[str, ...]:
    """The keywords of the file and the #tags of the author first, then key phrases; each occurs in
    the text."""
    headings = [heading.text for heading in text.headings]
    keywords = metadata.get("tags") or metadata.get("keywords") or ()
    words = keywords.split(",") if isinstance(keywords, str) else [str(word) for word in keywords]
    words = [*words, *(tag for tag in _HASHTAG.findall(text.head) if not _COLOUR.fullmatch(tag))]
    lines = [*headings, *(paragraph.text for paragraph in text.paragraphs)]
    phrases = key_phrases(lines, f"{title} {headings[0] if headings else ''}", language)
    lowered = text.head.lower()
    tags = dict.fromkeys(" ".join(tag.lower().split()) for tag in [*words, *phrases])
    supported = (tag for tag in tags if tag and all(word in lowered for word in tag.split()))
    return tuple(islice(supported, TAGS_LIMIT))


def _summary(
    text: Sequence[Paragraph], tags: Sequence[str], title: str, metadata: Mapping[str, Any]
) -> str:
    description = (
        _text_or_none(metadata.get("description")) or _text_or_none(metadata.get("summary")) or ""
    )
    if description and _describes_text(description, text):
        return shorten(description, SUMMARY_LIMIT)
    return summarise(text, tags, title) or description


def _describes_text(description: str, text: Sequence[Paragraph]) -> bool:
    """Whether a description is about the text and not about the site it comes from."""
    words = {word.casefold() for word in _WORD.findall(description)}
    known = {word.casefold() for paragraph in text for word in _WORD.findall(paragraph.text)}
    return len(description) >= 60 and len(words & known) >= 0.7 * len(words)


def _author(metadata: Mapping[str, Any]) -> str | None:
    author = metadata.get("author") or metadata.get("authors")
    if isinstance(author, list | tuple):
        author = ", ".join(str(name) for name in author)
    text = _text_or_none(author.strip("[]\"' ") if isinstance(author, str) else author)
    return (_ADDRESS.sub("", text) or text) if text else None


def _published(metadata: Mapping[str, Any], language: str | None) -> str | None:
    return read_date(metadata.get("published_at") or metadata.get("date"), language)


def _text_or_none(value: Any) -> str | None:
    return " ".join(str(value).split()) or None if value else None
