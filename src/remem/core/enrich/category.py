"""What sort of text it is, by simple evidence."""

import re

_BY_TYPE = {
    "code": "code",
    "csv": "data",
    "xlsx": "data",
    "json": "data",
    "email": "email",
    "tweet": "post",
    "audio": "recording",
    "video": "recording",
    "subtitles": "recording",
    "note": "note",
}
# The first whose evidence is found often enough says what it is.
_FLAGS = re.MULTILINE | re.IGNORECASE
_EVIDENCE = tuple(
    (category, enough, re.compile(pattern, _FLAGS))
    for category, enough, pattern in (
        ("conversation", 3, r"^(?:user|assistant|human|ai|[A-Z]\w+):\s"),
        ("research", 2, r"^#*\s*(?:abstract|references|methodology|related work)\b"),
        ("tutorial", 2, r"\b(?:step \d|how to|in this tutorial|let's (?:build|start))\b"),
        ("documentation", 2, r"^#+\s*(?:install(?:ation)?|usage|api|configuration|options)\b"),
        ("opinion", 2, r"\b(?:i (?:think|believe)|in my (?:view|opinion)|we should)\b"),
    )
)
_ARTICLE_CHARS = 1_500


def category_of(text: str, content_type: str) -> str | None:
    if content_type in _BY_TYPE:
        return _BY_TYPE[content_type]
    for category, enough, pattern in _EVIDENCE:
        if len(pattern.findall(text)) >= enough:
            return category
    if content_type in ("html", "pdf", "epub") and len(text) > _ARTICLE_CHARS:
        return "article"
    return "note" if len(text) < _ARTICLE_CHARS else None
