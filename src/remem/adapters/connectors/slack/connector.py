"""Slack: threads and days of channels as talks, and messages that you mark with an emoji."""

import hashlib
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from remem.adapters.connectors.http import ServiceApi, date_of
from remem.adapters.connectors.sign_in import slack_app, with_client
from remem.adapters.connectors.slack.items import (
    day_of,
    day_reference,
    days_looked_at,
    has_mark,
    items_of,
    mark_item,
    midnight,
    talk_of,
    turns_of,
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
# So many messages of one day, and of one thread.
PAGES = 50
USERS_PAGES = 50
NAMES_LAST = timedelta(hours=1)
CHANNEL = re.compile(r"[CGD][A-Z0-9]{2,30}")
MARKED = re.compile(r"marked(?::([a-z0-9_+'-]{1,100}))?")
EMOJI = "brain"
# What is looked at again at every sync: edits and deletions come without a date.
RECENT = timedelta(days=2)
REFUSED = (
    "Slack does not accept the token; open api.slack.com/apps, choose your app, OAuth &"
    " Permissions, install it again, and connect again with the new token."
)
REVOKED = (
    "invalid_auth",
    "not_authed",
    "token_revoked",
    "token_expired",
    "account_inactive",
    "user_removed_from_team",
)
GONE = ("channel_not_found", "not_in_channel", "thread_not_found", "is_archived")


class SlackConnector:
    """A thread is one talk, and so is what is said outside of threads on one day in one channel.
    Channels are read from the newest day to the oldest, day by day: a day is never split."""

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
        who = await self._call(access, "auth.test")
        return Account(f"{who['team_id']}/{who['user_id']}", f"{who['user']} in {who['team']}")

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        asked = {"types": "public_channel,private_channel", "exclude_archived": "true"}
        found = await self._call(access, "conversations.list", limit=PAGE, cursor=at, **asked)
        shown = [one for one in found.get("channels", []) if one.get("is_member", True)]
        resources = [Resource(one["id"], f"#{one['name']}") for one in shown]
        if at is None:
            name = f"Messages that you mark with :{EMOJI}:"
            resources.insert(0, Resource("marked", name))
        return ResourcePage(tuple(resources), _after(found))

    async def begin(self, access: Access) -> Mark:
        for one in access.chosen:
            _check(one)
        self._names.pop(_key(access), None)
        return None

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        at = at or {"place": 0}
        if at["place"] >= len(access.chosen):
            return WalkPage((), None)
        chosen = access.chosen[at["place"]]
        following = {"place": at["place"] + 1}
        if at["place"] + 1 >= len(access.chosen):
            following = None
        if _check(chosen):
            seen, after = await self._marked(access, chosen, at.get("cursor"))
            return WalkPage(tuple(seen), {**at, "cursor": after} if after else following)
        seen, _, until = await self._days(access, chosen, at.get("until"), None)
        return WalkPage(tuple(seen), {**at, "until": until} if until else following)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """The last days of every channel, and what was marked last."""
        mark = mark or {"place": 0}
        place = mark["place"]
        if place >= len(access.chosen):
            return ChangePage((), None)
        chosen = access.chosen[place]
        fresh: Mark = {"place": place + 1}
        changes: list[SeenItem | Removed] = []
        if _check(chosen):
            changes += (await self._marked(access, chosen, None))[0]
        else:
            first = (now() - RECENT).date()
            until = mark.get("until")
            seen, days, following = await self._days(access, chosen, until, first)
            changes += seen
            kept = {one.reference for one in seen}
            empty = (day_reference(chosen, day) for day in days)
            changes += [Removed(reference) for reference in empty if reference not in kept]
            fresh = {"place": place, "until": following} if following else fresh
        is_last = fresh["place"] >= len(access.chosen)
        return ChangePage(tuple(changes), None if is_last else fresh, is_last=is_last)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        """Days and marked messages come with the list."""
        channel, _, ts = seen.reference.split("/", 2)
        messages: list[dict[str, Any]] = []
        cursor: str | None = None
        for _ in range(PAGES):
            found = await self._ask(
                access, "conversations.replies", channel=channel, ts=ts, limit=PAGE, cursor=cursor
            )
            if found is None:
                return None
            messages += found.get("messages", [])
            cursor = _after(found)
            if cursor is None:
                break
        names = await self._users(access)
        turns = turns_of(sorted(messages, key=lambda one: one["ts"]), names)
        if not turns:
            return LeftOut("talk", seen.reference, "it has no text")
        first = turns[0].text.split("\n")[0]
        return talk_of(seen.reference, f"{first[:80]} (thread)", channel, ts, turns)

    async def listen(self, access: Access) -> AsyncGenerator[None, None]:
        if token := access.credential.get("app_token"):
            async for _ in socket_events(self._api, self._url, token):
                yield

    async def close(self) -> None:
        await self._api.close()

    # Requests

    async def _ask(self, access: Access, method: str, **params: Any) -> dict[str, Any] | None:
        """None for a channel or thread that is gone."""
        headers = {"Authorization": f"Bearer {access.credential.get('token', '')}"}
        given = {name: value for name, value in params.items() if value is not None}
        reply = await self._api.get(f"/api/{method}", headers, given)
        found = self._api.json(reply)
        if found.get("ok"):
            return {**found, "date": date_of(reply)}
        error = str(found.get("error"))
        if error in REVOKED:
            raise NeedsAuth(REFUSED)
        if error == "missing_scope":
            needed = str(found.get("needed"))[:100]
            raise Invalid(
                "token", f"lacks the permission {needed}; add it to the app, install again"
            )
        if error in GONE:
            return None
        raise Unavailable(f"Slack answers {error[:100]!r}; it is tried again.")

    async def _call(self, access: Access, method: str, **params: Any) -> dict[str, Any]:
        found = await self._ask(access, method, **params)
        if found is None:
            raise Unavailable("Slack does not know what it is asked for; it is tried again.")
        return found

    async def _users(self, access: Access) -> dict[str, str]:
        key = _key(access)
        names, until = self._names.get(key, ({}, now()))
        if until > now():
            return names
        names, cursor = {}, None
        for _ in range(USERS_PAGES):
            found = await self._call(access, "users.list", limit=NAMES_PAGE, cursor=cursor)
            names |= {one["id"]: _name(one) for one in found.get("members", [])}
            cursor = _after(found)
            if cursor is None:
                break
        self._names = {**dict(list(self._names.items())[-20:]), key: (names, now() + NAMES_LAST)}
        return names

    # Lists

    async def _days(
        self, access: Access, channel: str, until: str | None, first: date | None
    ) -> tuple[list[SeenItem], list[date], str | None]:
        """Whole days before `until`, from `first` on: what they have, the days that were looked at,
        and where the next days begin."""
        messages: list[dict[str, Any]] = []
        cursor: str | None = None
        # Slack leaves out what was said at that very moment.
        oldest = f"{float(midnight(first)) - 0.000001:.6f}" if first else None
        last: str | None = until
        for _ in range(PAGES):
            found = await self._ask(
                access, "conversations.history",
                channel=channel, limit=PAGE, latest=until, oldest=oldest, cursor=cursor,
            )  # fmt: skip
            if found is None:
                return [], [], None
            messages += found.get("messages", [])
            cursor = _after(found)
            if cursor is None or len({day_of(one) for one in messages}) > 1:
                break
        if cursor is not None and messages:
            # The day that the part ends in is not whole; it begins the next one.
            split = min(day_of(one) for one in messages)
            whole = [one for one in messages if day_of(one) > split]
            messages = whole or messages
            last = midnight(split + timedelta(days=1) if whole else split)
        names = await self._users(access) if messages else {}
        days = days_looked_at(messages, first, until, found["date"])
        seen = list(items_of(channel, messages, names, found["date"]))
        return seen, days, last if cursor is not None and messages else None

    async def _marked(
        self, access: Access, chosen: str, cursor: str | None
    ) -> tuple[list[SeenItem], str | None]:
        emoji = _check(chosen)
        me = (await self._call(access, "auth.test"))["user_id"]
        found = await self._call(access, "reactions.list", full="true", limit=PAGE, cursor=cursor)
        names = await self._users(access)
        seen: list[SeenItem] = []
        for entry in found.get("items", []):
            message = entry.get("message") or {}
            if entry.get("type") == "message" and has_mark(message, emoji, me):
                seen += [one for one in [mark_item(entry, message, names)] if one]
        return seen, _after(found)


def _check(chosen: str) -> str | None:
    """The emoji whose messages were chosen; None for a channel."""
    if found := MARKED.fullmatch(chosen):
        return found[1] or EMOJI
    if not CHANNEL.fullmatch(chosen):
        raise Invalid("chosen", "is not a channel of Slack; give its id, such as C0123, or marked")
    return None


def _key(access: Access) -> str:
    return hashlib.sha256(access.credential.get("token", "").encode()).hexdigest()


def _after(found: Mapping[str, Any]) -> str | None:
    return (found.get("response_metadata") or {}).get("next_cursor") or None


def _name(user: Mapping[str, Any]) -> str:
    profile = user.get("profile") or {}
    given = (profile.get("display_name"), user.get("real_name"), user.get("name"), user["id"])
    return str(next(one for one in given if one))
