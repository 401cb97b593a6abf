"""Posts and threads in JSON: text, author, date and reactions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from remem.adapters.extractors.dates import iso_date
from remem.adapters.extractors.draft import Draft
from remem.core.chunking.model import Joint
from remem.core.extraction_ports import Extracted

LIST_KEYS = ("tweets", "thread", "posts", "data", "statuses", "feed")
TEXTS = ("full_text", "text", "content")
AUTHORS = ("user", "author", "account", "author_id", "username", "screen_name", "handle")
DATES = ("created_at", "createdAt", "date", "timestamp", "published_at")
METRICS = {
    "likes": (
        "favorite_count",
        "like_count",
        "likeCount",
        "favourites_count",
        "likes",
        "favorites",
    ),
    "reposts": ("retweet_count", "repostCount", "reblogs_count", "retweets", "reposts"),
    "replies": ("reply_count", "replyCount", "replies_count", "replies"),
    "quotes": ("quote_count", "quoteCount", "quotes"),
    "views": ("impression_count", "view_count", "views"),
}
KNOWN_METRICS = frozenset(name for names in METRICS.values() for name in names)
TAG = re.compile(r"<br\s*/?>|</p>\s*<p>|<[^>]{1,300}>")


@dataclass(frozen=True, slots=True)
class Post:
    text: str
    author: str = ""
    handle: str = ""
    date: str | None = None
    url: str = ""
    metrics: dict[str, int] = field(default_factory=dict)

    @property
    def byline(self) -> str:
        author_line = f"{self.author} (@{self.handle})" if self.author and self.handle else ""
        author_line = author_line or self.author or (f"@{self.handle}" if self.handle else "")
        return ", ".join(filter(None, [author_line, (self.date or "")[:10]]))


def recognises(loaded: Any) -> bool:
    raw = _raw_posts(loaded)
    return bool(raw) and all(_is_post(post) for post in raw[:20])


def write(loaded: Any) -> Extracted:
    people = _people(loaded)
    posts = [_post(raw, people) for raw in _raw_posts(loaded)]
    draft = Draft()
    for post in posts:
        if post.text:
            draft.mark(Joint.TURN, post.handle or post.author)
            draft.add("\n".join(_lines(post)))
    first = posts[0]
    metadata = {
        "author": first.author or first.handle,
        "published_at": first.date,
        "url": first.url,
    }
    counts = first.metrics if len(posts) == 1 else {"post_count": len(posts)}
    return draft.finish("tweet", {**metadata, **counts})


def _raw_posts(loaded: Any) -> list[dict[str, Any]]:
    if isinstance(loaded, dict):
        posts = next(
            (loaded[key] for key in LIST_KEYS if isinstance(loaded.get(key), list | dict)), None
        )
        return _raw_posts(posts) if posts else [_unwrap(loaded)]
    if not isinstance(loaded, list):
        return []
    return [_unwrap(post) for post in loaded if isinstance(post, dict)]


def _unwrap(wrapped: dict[str, Any]) -> dict[str, Any]:
    """Unwrap a post from the objects that an export or a feed puts around it."""
    for key in ("tweet", "post", "status"):
        if isinstance(wrapped.get(key), dict):
            wrapped = wrapped[key]
    record = wrapped.get("record")
    return {**wrapped, **record} if isinstance(record, dict) else wrapped


def _is_post(raw: dict[str, Any]) -> bool:
    """Whether an object has a text, reactions, and an author or a date."""
    if not _first(raw, TEXTS):
        return False
    metrics = raw.get("public_metrics")
    has_metrics = bool(KNOWN_METRICS & raw.keys()) or isinstance(metrics, dict)
    signals = (any(key in raw for key in AUTHORS), any(key in raw for key in DATES), has_metrics)
    return has_metrics and sum(signals) >= 2


def _first(raw: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((raw[key] for key in keys if raw.get(key)), None)


def _post(raw: dict[str, Any], people: dict[str, dict[str, Any]]) -> Post:
    author = _first(raw, ("user", "author", "account")) or people.get(str(raw.get("author_id")), {})
    name, handle = _names(author, raw)
    text = TAG.sub(
        lambda tag: "" if tag[0][1] not in "bB/" else "\n", str(_first(raw, TEXTS) or "")
    )
    return Post(
        unescape(text).strip(),
        name,
        handle,
        iso_date(_first(raw, DATES)),
        str(raw.get("url") or ""),
        dict(_metrics(raw)),
    )


def _names(author: Any, raw: dict[str, Any]) -> tuple[str, str]:
    if isinstance(author, str):
        return (
            ("", author[1:])
            if author.startswith("@")
            else (author, str(raw.get("handle") or "").lstrip("@"))
        )
    fields = {**raw, **(author if isinstance(author, dict) else {})}
    name = _first(fields, ("name", "displayName", "display_name")) or ""
    handle = _first(fields, ("screen_name", "username", "handle", "acct")) or ""
    return str(name), str(handle).lstrip("@")


def _metrics(raw: dict[str, Any]) -> Iterator[tuple[str, int]]:
    metrics = raw.get("public_metrics")
    fields = {**raw, **(metrics if isinstance(metrics, dict) else {})}
    for name, keys in METRICS.items():
        for key in keys:
            if str(fields.get(key, "")).isdecimal():
                yield name, int(fields[key])
                break


def _people(loaded: Any) -> dict[str, dict[str, Any]]:
    """Return the users listed next to the posts, by id."""
    includes = loaded.get("includes") if isinstance(loaded, dict) else None
    users = includes.get("users") if isinstance(includes, dict) else None
    people = [user for user in users if isinstance(user, dict)] if isinstance(users, list) else []
    return {str(user.get("id")): user for user in people}


def _lines(post: Post) -> Iterator[str]:
    if post.byline:
        yield f"{post.byline}:"
    yield post.text
    if post.metrics:
        yield " · ".join(f"{count:,} {name}" for name, count in post.metrics.items())
