"""Bookmarks of X. Every read costs money there, so there are few, with a limit for each day."""

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
# By so many it is known where the bookmarks that are new begin.
NEWEST = 5
# X lists no more; with as many, absence says nothing.
MOST_BOOKMARKS = 800
READS_A_DAY = 300
USD_A_READ = 0.001
MONTH_S = 30 * DAY_S
ID = re.compile(r"[0-9]{1,20}")
# X's own client says `post`, its older documentation `tweet`.
PREFIX = "post"
FIELDS = f"id,text,author_id,created_at,note_{PREFIX}"
REFUSED = "X does not accept the sign-in any more; connect X again."


class XConnector:
    """The newest bookmarks come first and have no date of their own: a sync reads until it meets
    one that it knows."""

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
        # Somebody else speaks in it.
        index_only=True,
        # The browser extension saves posts by their addresses too.
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
        """The newest that are there, so that what is bookmarked during the walk is known as new."""
        if set(access.chosen) != {BOOKMARKS}:
            raise Invalid("chosen", f"is not known; choose {BOOKMARKS}")
        user = (await self._me(access))["id"]
        posts, _ = await self._page(access, user, None, NEWEST)
        return {"user": user, "known": [post.reference for post in posts]}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        at = at or {"user": (await self._me(access))["id"], "token": None, "total": 0}
        posts, after = await self._page(access, at["user"], at["token"])
        total = at["total"] + len(posts)
        if after and total < MOST_BOOKMARKS:
            return WalkPage(tuple(posts), {**at, "token": after, "total": total})
        return WalkPage(tuple(posts), None, is_complete=total < MOST_BOOKMARKS)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        posts, after = await self._page(access, mark["user"], mark.get("token"))
        known, before = set(mark["known"]), mark.get("new", [])
        new = [post.reference for post in posts if post.reference not in known]
        fresh = {"user": mark["user"]}
        if after and posts and len(new) == len(posts) and len(before) < MOST_BOOKMARKS:
            more = {"known": mark["known"], "token": after, "new": [*before, *new]}
            return ChangePage(tuple(posts), {**fresh, **more}, is_last=False)
        kept = list(dict.fromkeys([*before, *new, *mark["known"]]))[:MOST_BOOKMARKS]
        return ChangePage(tuple(posts), {**fresh, "known": kept})

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        """The list gives every post whole."""
        return seen.item

    async def close(self) -> None:
        await self._api.close()

    async def _me(self, access: Access) -> dict[str, str]:
        found = self._json(await self._api.get("/2/users/me", _headers(access)))
        me = found.get("data") or {}
        if not ID.fullmatch(str(me.get("id"))):
            raise Unavailable("X does not say whose account it is; it is tried again.")
        return {"id": str(me["id"]), "username": str(me.get("username"))}

    async def _page(
        self, access: Access, user: str, token: str | None, most: int = PAGE
    ) -> tuple[list[SeenItem], str | None]:
        """Posts, and where the next ones begin. Every read of a day (UTC) counts, whatever for."""
        day = now().astimezone(UTC).date().isoformat()
        size = min(most, _limit(access) - access.meter.on(day))
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
        found = self._json(reply)
        names = {
            str(one.get("id")): str(one.get("username"))
            for one in (found.get("includes") or {}).get("users") or ()
        }
        posts = [_seen(post, names) for post in found.get("data") or () if post.get("id")]
        after = (found.get("meta") or {}).get("next_token")
        if after and after == token:
            raise Unavailable("X gives the same part of a list again; it is tried again.")
        access.meter.add(day, len(posts))
        return posts, after

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
    given = str(access.settings.get("max_reads_a_day") or READS_A_DAY)
    if not (given.isascii() and given.isdigit() and 1 <= int(given) <= 100_000):
        raise Invalid("max_reads_a_day", "is not a number of reads; give one, such as 300")
    return int(given)


def _tomorrow() -> datetime:
    current = now().astimezone(UTC)
    return current.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def _seen(post: Mapping[str, Any], names: Mapping[str, str]) -> SeenItem:
    """An edited post has another id: what stands under one never changes."""
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
        created_at=_moment(post.get("created_at")),
        metadata={"author": name},
    )
    return SeenItem(id, "1", path=item.title, item=item)


def _moment(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text))
    except ValueError:
        return None
