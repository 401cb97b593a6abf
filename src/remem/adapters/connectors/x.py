"""Bookmarks of X. Every read costs money, so reads are few and limited per day."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from remem.adapters.connectors.http import ServiceApi
from remem.adapters.connectors.sign_in import with_client
from remem.core.connectors.errors import AskedTooOften
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import (
    DAY_S,
    Field,
    OAuthApp,
    Price,
    Provider,
)
from remem.core.errors import Invalid, Unavailable
from remem.core.items import Item, LeftOut
from remem.core.time import now

URL = "https://api.x.com"
BOOKMARKS = "bookmarks"
PAGE = 100
# How many known bookmarks are stored at first, to find where new ones end.
NEWEST = 5
# X lists no more than this; if it lists as many, others may exist.
MAX_BOOKMARKS = 800
READS_A_DAY = 300
USD_A_READ = 0.001
MONTH_S = 30 * DAY_S
ID = re.compile(r"[0-9]{1,20}")
# X's own client uses `post`, its older documentation `tweet`.
PREFIX = "post"
FIELDS = f"id,text,author_id,created_at,note_{PREFIX}"
REFUSED = "X does not accept the sign-in any more; connect X again."


class XConnector:
    """X lists the newest bookmarks first and does not date them, so a sync reads until it reaches
    a known one."""

    def __init__(
        self,
        urls: Mapping[str, str],
        client_id: str | None = None,
        client_secret: str | None = None,
        **options: Any,
    ) -> None:
        self._api = ServiceApi(urls.get("x", URL), "X", REFUSED, **options)
        self.provider = with_client(self.provider, client_id, client_secret)

    provider = Provider(
        title="X bookmarks",
        about="Posts that you have bookmarked on X.",
        help=f"X charges about {USD_A_READ} USD for each bookmark that is read, to the developer"
        f" account whose app you sign in with: at most about {READS_A_DAY * USD_A_READ:.2f} USD a"
        f" day with the limit of {READS_A_DAY} reads. The browser extension saves posts for free.",
        fields=(
            Field("token", "an access token with bookmark.read", is_secret=True),
            Field(
                "max_reads_a_day",
                "how many bookmarks may be read a day",
                is_required=False,
                example=str(READS_A_DAY),
            ),
        ),
        choice=BOOKMARKS,
        interval_s=DAY_S,
        walk_every_s=MONTH_S,
        oauth=OAuthApp(
            authorize_url="https://x.com/i/oauth2/authorize",
            token_url="https://api.x.com/2/oauth2/token",
            scopes=("bookmark.read", "tweet.read", "users.read", "offline.access"),
            revoke_url="https://api.x.com/2/oauth2/revoke",
            uses_basic_auth=True,
        ),
        # Others wrote the posts.
        index_only=True,
        # The browser extension also saves posts by URL.
        has_addresses=True,
        price=Price(USD_A_READ, READS_A_DAY, "max_reads_a_day"),
    )

    async def account(self, access: Access) -> Account:
        _limit(access)
        me = await self._me(access)
        return Account(me["id"], f"@{me['username']}")

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        return ResourcePage((Resource(BOOKMARKS, "Bookmarks"),))

    async def begin(self, access: Access) -> Mark:
        """Store the newest bookmarks, so that those added during the walk count as new."""
        if set(access.chosen) != {BOOKMARKS}:
            raise Invalid("chosen", f"is not known; choose {BOOKMARKS}")
        user = (await self._me(access))["id"]
        posts, _ = await self._page(access, user, None, NEWEST)
        return {"user": user, "known": [post.reference for post in posts]}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        at = at or {"user": (await self._me(access))["id"], "token": None, "total": 0}
        posts, next_token = await self._page(access, at["user"], at["token"])
        total = at["total"] + len(posts)
        if next_token and total < MAX_BOOKMARKS:
            return WalkPage(tuple(posts), {**at, "token": next_token, "total": total})
        return WalkPage(tuple(posts), None, is_complete=total < MAX_BOOKMARKS)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        posts, next_token = await self._page(access, mark["user"], mark.get("token"))
        known, earlier = set(mark["known"]), mark.get("new", [])
        new = [post.reference for post in posts if post.reference not in known]
        base = {"user": mark["user"]}
        if next_token and posts and len(new) == len(posts) and len(earlier) < MAX_BOOKMARKS:
            more = {"known": mark["known"], "token": next_token, "new": [*earlier, *new]}
            return ChangePage(tuple(posts), {**base, **more}, is_last=False)
        newest = list(dict.fromkeys([*earlier, *new, *mark["known"]]))[:MAX_BOOKMARKS]
        return ChangePage(tuple(posts), {**base, "known": newest})

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        """The list already contains every post in full."""
        return seen.item

    async def close(self) -> None:
        await self._api.close()

    async def _me(self, access: Access) -> dict[str, str]:
        body = self._json(await self._api.get("/2/users/me", _headers(access)))
        me = body.get("data") or {}
        if not ID.fullmatch(str(me.get("id"))):
            raise Unavailable("X does not say whose account it is; it is tried again.")
        return {"id": str(me["id"]), "username": str(me.get("username"))}

    async def _page(
        self, access: Access, user: str, token: str | None, max_posts: int = PAGE
    ) -> tuple[list[SeenItem], str | None]:
        """Return posts and the token of the next page. Every read counts for the limit of its day
        (UTC)."""
        day = now().astimezone(UTC).date().isoformat()
        size = min(max_posts, _limit(access) - access.meter.on(day))
        if size < 1:
            raise AskedTooOften(_tomorrow())
        params = {
            "max_results": str(size),
            f"{PREFIX}.fields": FIELDS,
            "expansions": "author_id",
            "user.fields": "username",
            **({"pagination_token": token} if token else {}),
        }
        reply = await self._api.get(f"/2/users/{user}/bookmarks", _headers(access), params)
        body = self._json(reply)
        names = {
            str(user_object.get("id")): str(user_object.get("username"))
            for user_object in (body.get("includes") or {}).get("users") or ()
        }
        posts = [_seen_item(post, names) for post in body.get("data") or () if post.get("id")]
        next_token = (body.get("meta") or {}).get("next_token")
        if next_token and next_token == token:
            raise Unavailable("X gives the same part of a list again; it is tried again.")
        access.meter.add(day, len(posts))
        return posts, next_token

    def _json(self, reply: httpx2.Response) -> dict[str, Any]:
        if reply.status_code in (402, 403):
            raise Invalid(
                "token", "X does not let this app read bookmarks; check its credits and permissions"
            )
        return self._api.json(reply)


def _headers(access: Access) -> dict[str, str]:
    token = access.credential.get("token", "")
    return {"Authorization": f"Bearer {token}", "User-Agent": "remem"}


def _limit(access: Access) -> int:
    limit = str(access.settings.get("max_reads_a_day") or READS_A_DAY)
    if not (limit.isascii() and limit.isdigit() and 1 <= int(limit) <= 100_000):
        raise Invalid("max_reads_a_day", "is not a number of reads; give one, such as 300")
    return int(limit)


def _tomorrow() -> datetime:
    current = now().astimezone(UTC)
    return current.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def _seen_item(post: Mapping[str, Any], names: Mapping[str, str]) -> SeenItem:
    """Describe a post. An edited post gets another id, so the post of an id never changes."""
    id = str(post["id"])
    long = post.get(f"note_{PREFIX}")
    text = str((long or {}).get("text") or post.get("text") or "")
    name = names.get(str(post.get("author_id")), "i")
    if not text.strip():
        return SeenItem(id, "1", path=id, item=LeftOut("document", id, "it has no text"))
    item = Item(
        kind="document",
        reference=id,
        title=f"@{name}: {' '.join(text.split())[:80]}",
        url=f"https://x.com/{name}/status/{id}",
        content=text,
        created_at=_parse_time(post.get("created_at")),
        metadata={"author": name},
    )
    return SeenItem(id, "1", path=item.title, item=item)


def _parse_time(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text))
    except ValueError:
        return None
