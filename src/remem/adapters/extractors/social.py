"""Posts and threads kept as JSON: the words, who wrote them and when, how they were received."""

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
        who = f"{self.author} (@{self.handle})" if self.author and self.handle else ""
        who = who or self.author or (f"@{self.handle}" if self.handle else "")
        return ", ".join(filter(None, [who, (self.date or "")[:10]]))


def recognises(loaded: Any) -> bool:
    raw = _raw_posts(loaded)
    return bool(raw) and all(_is_post(each) for each in raw[:20])


def write(loaded: Any) -> Extracted:
    people = _people(loaded)
    posts = [_post(each, people) for each in _raw_posts(loaded)]
    draft = Draft()
    for post in posts:
        if post.text:
            draft.mark(Joint.TURN, post.handle or post.author)
            draft.add("\n".join(_lines(post)))
    first = posts[0]
    found = {"author": first.author or first.handle, "published_at": first.date, "url": first.url}
    counts = first.metrics if len(posts) == 1 else {"post_count": len(posts)}
    return draft.done("tweet", {**found, **counts})


def _raw_posts(loaded: Any) -> list[dict[str, Any]]:
    if isinstance(loaded, dict):
        posts = next(
            (loaded[key] for key in LIST_KEYS if isinstance(loaded.get(key), list | dict)), None
        )
        return _raw_posts(posts) if posts else [_bare(loaded)]
    if not isinstance(loaded, list):
        return []
    return [_bare(each) for each in loaded if isinstance(each, dict)]


def _bare(wrapped: dict[str, Any]) -> dict[str, Any]:
    """A post without what an export or a feed wraps around it."""
    for key in ("tweet", "post", "status"):
        if isinstance(wrapped.get(key), dict):
            wrapped = wrapped[key]
    record = wrapped.get("record")
    return {**wrapped, **record} if isinstance(record, dict) else wrapped


def _is_post(raw: dict[str, Any]) -> bool:
    """Words, and two signs more: somebody, a date, how it was received."""
    if not _first(raw, TEXTS):
        return False
    inner = raw.get("public_metrics")
    counted = bool(KNOWN_METRICS & raw.keys()) or isinstance(inner, dict)
    signs = (any(key in raw for key in AUTHORS), any(key in raw for key in DATES), counted)
    return counted and sum(signs) >= 2


def _first(raw: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((raw[key] for key in keys if raw.get(key)), None)


def _post(raw: dict[str, Any], people: dict[str, dict[str, Any]]) -> Post:
    who = _first(raw, ("user", "author", "account")) or people.get(str(raw.get("author_id")), {})
    name, handle = _names(who, raw)
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


def _names(who: Any, raw: dict[str, Any]) -> tuple[str, str]:
    if isinstance(who, str):
        return (
            ("", who[1:])
            if who.startswith("@")
            else (who, str(raw.get("handle") or "").lstrip("@"))
        )
    fields = {**raw, **(who if isinstance(who, dict) else {})}
    name = _first(fields, ("name", "displayName", "display_name")) or ""
    handle = _first(fields, ("screen_name", "username", "handle", "acct")) or ""
    return str(name), str(handle).lstrip("@")


def _metrics(raw: dict[str, Any]) -> Iterator[tuple[str, int]]:
    inner = raw.get("public_metrics")
    fields = {**raw, **(inner if isinstance(inner, dict) else {})}
    for name, keys in METRICS.items():
        for key in keys:
            if str(fields.get(key, "")).isdecimal():
                yield name, int(fields[key])
                break


def _people(loaded: Any) -> dict[str, dict[str, Any]]:
    """Those named beside the posts, by their ids."""
    includes = loaded.get("includes") if isinstance(loaded, dict) else None
    users = includes.get("users") if isinstance(includes, dict) else None
    named = [each for each in users if isinstance(each, dict)] if isinstance(users, list) else []
    return {str(each.get("id")): each for each in named}


def _lines(post: Post) -> Iterator[str]:
    if post.byline:
        yield f"{post.byline}:"
    yield post.text
    if post.metrics:
        yield " · ".join(f"{count:,} {name}" for name, count in post.metrics.items())
