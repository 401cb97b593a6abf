"""Everything a text says about itself, found without a model; nothing is invented."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from remem.core.chunking.code_language import code_language_of
from remem.core.chunking.languages import language_named
from remem.core.enrich.byline import author_in
from remem.core.enrich.category import SPEAKER, category_of
from remem.core.enrich.code import defined_names, opening_remark, summarise_code
from remem.core.enrich.dates import date_in, read_date
from remem.core.enrich.model import HEAD_LIMIT, SUMMARY_LIMIT, TAGS_LIMIT, Enrichment
from remem.core.enrich.phrases import key_phrases
from remem.core.enrich.reading import Paragraph, ParsedText, parse_text, top_lines
from remem.core.enrich.summary import summarise
from remem.core.enrich.titles import file_name, given_title, title_in
from remem.core.language.detect import language_of
from remem.core.text import shorten

_CODE_TITLE_LIMIT = 90
# A word behind one # that begins it; a colour or a number of an issue is none.
_HASHTAG = re.compile(r"(?<![^\s(\[])#([^\W\d_][\w/-]{1,40})(?![\w#])")
_COLOUR = re.compile(r"(?=\w*\d|(\w)\1+\b)(?:[0-9a-f]{3}){1,2}", re.I)
_WORD = re.compile(r"[^\W\d_]{3,}")
_ADDRESS = re.compile(r"(?<!\s)\s*+<[^<>]*+>")


def enrich(
    content: str, content_type: str, title: str | None, found: Mapping[str, Any]
) -> Enrichment:
    """What a text and its file say: `title` is what its owner calls it, `found` what stands in
    the file. Only the beginning of a long text is read."""
    if content_type == "code":
        return _enrich_code(content[:HEAD_LIMIT], title, found)
    text = parse_text(content[:HEAD_LIMIT])
    return _enrich_text(text, content_type, title, {**text.fields, **found})


def _enrich_text(
    text: ParsedText, content_type: str, title: str | None, found: Mapping[str, Any]
) -> Enrichment:
    category = category_of(text, content_type, found)
    if category == "conversation":
        text = parse_text(SPEAKER.sub("", text.head))
    language = _text(found.get("language")) or language_of(text.running)
    named = given_title(title, found)
    tags = _tags(text, named, language, found)
    return Enrichment(
        title=named or _own_title(text, category, found),
        summary=_summary(text.paragraphs, tags, named, found),
        author=_author(found) or author_in(text.top),
        published_at=_published(found, language) or date_in(text.top, language),
        language=language,
        tags=tags,
        category=category,
    )


def _enrich_code(head: str, title: str | None, found: Mapping[str, Any]) -> Enrichment:
    given = _text(found.get("code_language"))
    code_language = language_named(given) or given or code_language_of(head)
    remark, names = opening_remark(head), defined_names(head)
    opening = shorten(remark.split(". ")[0].rstrip("."), _CODE_TITLE_LIMIT)
    own_title = opening or ", ".join(names[:3])
    return Enrichment(
        title=given_title(title, found)
        or file_name(found)
        or own_title
        or title_in(parse_text(head)),
        summary=summarise_code(remark, names)
        or shorten(" ".join(head.split()), SUMMARY_LIMIT // 2),
        author=_author(found) or author_in(top_lines(head)),
        published_at=_published(found, None),
        language=_text(found.get("language")),
        category="code",
        code_language=code_language,
    )


def _any_title(code: str) -> str:
    return title_in(parse_text(code))


def _own_title(text: ParsedText, category: str, found: Mapping[str, Any]) -> str:
    """A table is called by its file's name rather than by its first row."""
    if category == "data" or not text.head.strip():
        return file_name(found) or title_in(text)
    return title_in(text)


def _tags(
    text: ParsedText, title: str, language: str | None, found: Mapping[str, Any]
) -> tuple[str, ...]:
    """The file's own keywords and the writer's #tags first, then phrases; each is in the text."""
    headings = [one.text for one in text.headings]
    given = found.get("tags") or found.get("keywords") or ()
    words = given.split(",") if isinstance(given, str) else [str(word) for word in given]
    words = [*words, *(tag for tag in _HASHTAG.findall(text.head) if not _COLOUR.fullmatch(tag))]
    lines = [*headings, *(one.text for one in text.paragraphs)]
    phrases = key_phrases(lines, f"{title} {headings[0] if headings else ''}", language)
    lowered = text.head.lower()
    tags = dict.fromkeys(" ".join(tag.lower().split()) for tag in [*words, *phrases])
    borne_out = (tag for tag in tags if tag and all(word in lowered for word in tag.split()))
    return tuple(islice(borne_out, TAGS_LIMIT))


def _summary(
    text: Sequence[Paragraph], tags: Sequence[str], title: str, found: Mapping[str, Any]
) -> str:
    given = _text(found.get("description")) or _text(found.get("summary")) or ""
    if given and _borne_out(given, text):
        return shorten(given, SUMMARY_LIMIT)
    return summarise(text, tags, title) or given


def _borne_out(description: str, text: Sequence[Paragraph]) -> bool:
    """Whether a file's description is about its text, and not about its site."""
    words = {word.casefold() for word in _WORD.findall(description)}
    known = {word.casefold() for one in text for word in _WORD.findall(one.text)}
    return len(description) >= 60 and len(words & known) >= 0.7 * len(words)


def _author(found: Mapping[str, Any]) -> str | None:
    given = found.get("author") or found.get("authors")
    if isinstance(given, list | tuple):
        given = ", ".join(str(one) for one in given)
    text = _text(given)
    return (_ADDRESS.sub("", text) or text) if text else None


def _published(found: Mapping[str, Any], language: str | None) -> str | None:
    return read_date(found.get("published_at") or found.get("date"), language)


def _text(value: Any) -> str | None:
    return " ".join(str(value).split()) or None if value else None
