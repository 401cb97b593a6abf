"""Slack: threads and days of channels as talks, and messages that you mark with an emoji."""

import hashlib
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from remem.adapters.connectors.http import ServiceApi, server_date
from remem.adapters.connectors.sign_in import slack_app, with_client
from remem.adapters.connectors.slack.items import (
    build_items,
    build_talk,
    build_turns,
    covered_days,
    day_of,
    day_reference,
    has_reaction,
    marked_item,
    midnight,
)
from remem.adapters.connectors.slack.provider import SLACK
from remem.adapters.connectors.slack.socket import socket_events
from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.errors import Invalid, Unavailable
from remem.core.items import Item, LeftOut
from remem.core.time import now

URL = "https://slack.com"
PAGE = 200
NAMES_PAGE = 1_000
# Limit for the pages of one day, and of one thread.
PAGES = 50
USERS_PAGES = 50
NAMES_TTL = timedelta(hours=1)
CHANNEL = re.compile(r"[CGD][A-Z0-9]{2,30}")
MARKED = re.compile(r"marked(?::([a-z0-9_+'-]{1,100}))?")
EMOJI = "brain"
# Days that are read again at every sync, because edits and deletions have no date.
RECENT = timedelta(days=2)
REFUSED = (
    "Slack does not accept the token; open api.slack.com/apps, choose your app, OAuth &"
    " Permissions, install it again, and connect again with the new token."
)
REVOKED_ERRORS = (
    "invalid_auth",
    "not_authed",
    "token_revoked",
    "token_expired",
    "account_inactive",
    "user_removed_from_team",
)
GONE_ERRORS = ("channel_not_found", "not_in_channel", "thread_not_found", "is_archived")


class SlackConnector:
    """A thread is a talk, and so are the messages of a day in a channel outside of threads.
    Channels are read from the newest day to the oldest, and a day is never split."""

    def __init__(
        self,
        urls: Mapping[str, str],
        client_id: str | None = None,
        client_secret: str | None = None,
        **options: Any,
    ) -> None:
        url = self._url = urls.get("slack", URL)
        self._api = ServiceApi(url, "Slack", REFUSED, **options)
        offered = replace(self.provider, oauth=slack_app(url))
        self.provider = with_client(offered, client_id, client_secret)
        self._names: dict[str, tuple[dict[str, str], datetime]] = {}

    provider = SLACK

    async def account(self, access: Access) -> Account:
        identity = await self._call(access, "auth.test")
        return Account(
            f"{identity['team_id']}/{identity['user_id']}",
            f"{identity['user']} in {identity['team']}",
        )

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        filters = {"types": "public_channel,private_channel", "exclude_archived": "true"}
        listing = await self._call(access, "conversations.list", limit=PAGE, cursor=at, **filters)
        channels = [
            channel for channel in listing.get("channels", []) if channel.get("is_member", True)
        ]
        resources = [Resource(channel["id"], f"#{channel['name']}") for channel in channels]
        if at is None:
            name = f"Messages that you mark with :{EMOJI}:"
            resources.insert(0, Resource("marked", name))
        return ResourcePage(tuple(resources), _next_cursor(listing))

    async def begin(self, access: Access) -> Mark:
        for choice in access.chosen:
            _parse_choice(choice)
        self._names.pop(_token_key(access), None)
        return None

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        at = at or {"place": 0}
        if at["place"] >= len(access.chosen):
            return WalkPage((), None)
        chosen = access.chosen[at["place"]]
        next_mark = {"place": at["place"] + 1}
        if at["place"] + 1 >= len(access.chosen):
            next_mark = None
        if _parse_choice(chosen):
            seen, next_cursor = await self._marked(access, chosen, at.get("cursor"))
            return WalkPage(
                tuple(seen), {**at, "cursor": next_cursor} if next_cursor else next_mark
            )
        seen, _, until = await self._days(access, chosen, at.get("until"), None)
        return WalkPage(tuple(seen), {**at, "until": until} if until else next_mark)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """Return the last days of every channel, and the messages that were marked last."""
        mark = mark or {"place": 0}
        index = mark["place"]
        if index >= len(access.chosen):
            return ChangePage((), None)
        chosen = access.chosen[index]
        next_mark: Mark = {"place": index + 1}
        changes: list[SeenItem | Removed] = []
        if _parse_choice(chosen):
            changes += (await self._marked(access, chosen, None))[0]
        else:
            first = (now() - RECENT).date()
            until = mark.get("until")
            seen, days, next_until = await self._days(access, chosen, until, first)
            changes += seen
            present = {item.reference for item in seen}
            empty = (day_reference(chosen, day) for day in days)
            changes += [Removed(reference) for reference in empty if reference not in present]
            next_mark = {"place": index, "until": next_until} if next_until else next_mark
        is_last = next_mark["place"] >= len(access.chosen)
        return ChangePage(tuple(changes), None if is_last else next_mark, is_last=is_last)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        """Read a thread. Days and marked messages already come with the list."""
        channel, _, ts = seen.reference.split("/", 2)
        messages: list[dict[str, Any]] = []
        cursor: str | None = None
        for _ in range(PAGES):
            replies = await self._request(
                access, "conversations.replies", channel=channel, ts=ts, limit=PAGE, cursor=cursor
            )
            if replies is None:
                return None
            messages += replies.get("messages", [])
            cursor = _next_cursor(replies)
            if cursor is None:
                break
        names = await self._users(access)
        turns = build_turns(sorted(messages, key=lambda message: message["ts"]), names)
        if not turns:
            return LeftOut("talk", seen.reference, "it has no text")
        first = turns[0].text.split("\n")[0]
        return build_talk(seen.reference, f"{first[:80]} (thread)", channel, ts, turns)

    async def listen(self, access: Access) -> AsyncGenerator[None, None]:
        if token := access.credential.get("app_token"):
            async for _ in socket_events(self._api, self._url, token):
                yield

    async def close(self) -> None:
        await self._api.close()

    # Requests

    async def _request(self, access: Access, method: str, **params: Any) -> dict[str, Any] | None:
        """Call a method of the API; None for a channel or thread that is gone."""
        headers = {"Authorization": f"Bearer {access.credential.get('token', '')}"}
        query = {name: value for name, value in params.items() if value is not None}
        reply = await self._api.get(f"/api/{method}", headers, query)
        body = self._api.json(reply)
        if body.get("ok"):
            return {**body, "date": server_date(reply)}
        error = str(body.get("error"))
        if error in REVOKED_ERRORS:
            raise NeedsAuth(REFUSED)
        if error == "missing_scope":
            needed = str(body.get("needed"))[:100]
            raise Invalid(
                "token", f"lacks the permission {needed}; add it to the app, install again"
            )
        if error in GONE_ERRORS:
            return None
        raise Unavailable(f"Slack answers {error[:100]!r}; it is tried again.")

    async def _call(self, access: Access, method: str, **params: Any) -> dict[str, Any]:
        body = await self._request(access, method, **params)
        if body is None:
            raise Unavailable("Slack does not know what it is asked for; it is tried again.")
        return body

    async def _users(self, access: Access) -> dict[str, str]:
        key = _token_key(access)
        names, until = self._names.get(key, ({}, now()))
        if until > now():
            return names
        names, cursor = {}, None
        for _ in range(USERS_PAGES):
            listing = await self._call(access, "users.list", limit=NAMES_PAGE, cursor=cursor)
            names |= {user["id"]: _display_name(user) for user in listing.get("members", [])}
            cursor = _next_cursor(listing)
            if cursor is None:
                break
        self._names = {**dict(list(self._names.items())[-20:]), key: (names, now() + NAMES_TTL)}
        return names

    # Lists

    async def _days(
        self, access: Access, channel: str, until: str | None, first: date | None
    ) -> tuple[list[SeenItem], list[date], str | None]:
        """Read complete days before `until`, from `first` on. Return their items, the days that
        were read, and the `until` of the next call."""
        messages: list[dict[str, Any]] = []
        cursor: str | None = None
        # Slack leaves out messages of exactly that time.
        oldest = f"{float(midnight(first)) - 0.000001:.6f}" if first else None
        last: str | None = until
        for _ in range(PAGES):
            history = await self._request(
                access, "conversations.history",
                channel=channel, limit=PAGE, latest=until, oldest=oldest, cursor=cursor,
            )  # fmt: skip
            if history is None:
                return [], [], None
            messages += history.get("messages", [])
            cursor = _next_cursor(history)
            if cursor is None or len({day_of(message) for message in messages}) > 1:
                break
        if cursor is not None and messages:
            # The last day is not complete; the next call starts with it.
            split = min(day_of(message) for message in messages)
            complete = [message for message in messages if day_of(message) > split]
            messages = complete or messages
            last = midnight(split + timedelta(days=1) if complete else split)
        names = await self._users(access) if messages else {}
        days = covered_days(messages, first, until, history["date"])
        seen = list(build_items(channel, messages, names, history["date"]))
        return seen, days, last if cursor is not None and messages else None

    async def _marked(
        self, access: Access, chosen: str, cursor: str | None
    ) -> tuple[list[SeenItem], str | None]:
        emoji = _parse_choice(chosen)
        me = (await self._call(access, "auth.test"))["user_id"]
        reactions = await self._call(
            access, "reactions.list", full="true", limit=PAGE, cursor=cursor
        )
        names = await self._users(access)
        seen: list[SeenItem] = []
        for entry in reactions.get("items", []):
            message = entry.get("message") or {}
            if entry.get("type") == "message" and has_reaction(message, emoji, me):
                seen += [item for item in [marked_item(entry, message, names)] if item]
        return seen, _next_cursor(reactions)


def _parse_choice(chosen: str) -> str | None:
    """Return the emoji if marked messages were chosen; None for a channel."""
    if match := MARKED.fullmatch(chosen):
        return match[1] or EMOJI
    if not CHANNEL.fullmatch(chosen):
        raise Invalid("chosen", "is not a channel of Slack; give its id, such as C0123, or marked")
    return None


def _token_key(access: Access) -> str:
    return hashlib.sha256(access.credential.get("token", "").encode()).hexdigest()


def _next_cursor(body: Mapping[str, Any]) -> str | None:
    return (body.get("response_metadata") or {}).get("next_cursor") or None


def _display_name(user: Mapping[str, Any]) -> str:
    profile = user.get("profile") or {}
    names = (profile.get("display_name"), user.get("real_name"), user.get("name"), user["id"])
    return str(next(name for name in names if name))
