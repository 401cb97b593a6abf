"""Slack: threads and days of channels as talks, and messages that you mark with an emoji."""

import hashlib
import re
from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from remem.adapters.connectors.http import ServiceApi, date_of
from remem.adapters.connectors.sign_in import slack_app, with_client
from remem.adapters.connectors.slack_provider import SLACK
from remem.adapters.connectors.slack_socket import socket_events
from remem.adapters.connectors.slack_text import message_text
from remem.core.connectors import (
    Access,
    Account,
    ChangePage,
    Mark,
    NeedsAuth,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.errors import Invalid, Unavailable
from remem.core.items import Item, LeftOut, Said
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
# What is looked at again at every sync, and each day: edits and deletions come without a date.
RECENT, YOUNG = timedelta(days=2), timedelta(days=7)
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
OWN_NOTES = ("channel_join", "channel_leave", "tombstone", "thread_broadcast")


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
            empty = (_day_reference(chosen, day) for day in days)
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
        turns = _turns(sorted(messages, key=lambda one: one["ts"]), names)
        if not turns:
            return LeftOut("talk", seen.reference, "it has no text")
        first = turns[0].text.split("\n")[0]
        return _talk(seen.reference, f"{first[:80]} (thread)", channel, ts, turns)

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
        oldest = f"{float(_midnight(first)) - 0.000001:.6f}" if first else None
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
            if cursor is None or len({_day(one) for one in messages}) > 1:
                break
        if cursor is not None and messages:
            # The day that the part ends in is not whole; it begins the next one.
            split = min(_day(one) for one in messages)
            whole = [one for one in messages if _day(one) > split]
            messages = whole or messages
            last = _midnight(split + timedelta(days=1) if whole else split)
        names = await self._users(access) if messages else {}
        days = _looked_at(messages, first, until, found["date"])
        seen = list(_entries(channel, messages, names, found["date"]))
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
            if entry.get("type") == "message" and _has_mark(message, emoji, me):
                seen += [one for one in [_mark_item(entry, message, names)] if one]
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


def _moment(ts: str) -> datetime:
    try:
        return datetime.fromtimestamp(float(ts), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise Unavailable("Slack gave a message without a time; it is tried again.") from error


def _day(message: Mapping[str, Any]) -> date:
    return _moment(message["ts"]).date()


def _midnight(day: date) -> str:
    return f"{datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp():.6f}"


def _day_reference(channel: str, day: date) -> str:
    return f"{channel}/day/{day.isoformat()}"


def _looked_at(
    messages: list[dict[str, Any]], first: date | None, until: str | None, moment: datetime
) -> list[date]:
    """Every day of a short stretch, also those on which nothing was said."""
    if first is None:
        return []
    last = _moment(until).date() - timedelta(days=1) if until else moment.date()
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    earliest = min((_day(one) for one in messages), default=first)
    return [day for day in days if day >= earliest or not until]


def _entries(
    channel: str, messages: list[dict[str, Any]], names: Mapping[str, str], moment: datetime
) -> Iterable[SeenItem]:
    days: dict[date, list[dict[str, Any]]] = {}
    for message in sorted(messages, key=lambda one: one["ts"]):
        if message.get("reply_count"):
            yield _thread(channel, message, moment)
        elif message.get("subtype") not in OWN_NOTES and not _is_reply(message):
            days.setdefault(_day(message), []).append(message)
    for day, said in days.items():
        if turns := _turns(said, names):
            reference = _day_reference(channel, day)
            talk = _talk(reference, f"Slack {channel} on {day}", channel, said[0]["ts"], turns)
            revision = _hash((turn.speaker, turn.text) for turn in turns)
            yield SeenItem(reference, revision, path=f"{channel} {day}", item=talk)


def _is_reply(message: Mapping[str, Any]) -> bool:
    return message.get("thread_ts", message["ts"]) != message["ts"]


def _thread(channel: str, message: Mapping[str, Any], moment: datetime) -> SeenItem:
    """While it is young it is read once a day: an edited reply does not show in the list."""
    latest = str(message.get("latest_reply") or message["ts"])
    is_young = _moment(latest) > moment - YOUNG
    edited = (message.get("edited") or {}).get("ts")
    stands = (message.get("text"), edited, message.get("reply_count"), latest)
    revision = _hash([*stands, moment.date() if is_young else None])
    title = str(message.get("text") or "thread")[:80]
    return SeenItem(f"{channel}/thread/{message['ts']}", revision, path=title)


def _turns(messages: list[dict[str, Any]], names: Mapping[str, str]) -> list[Said]:
    turns: list[Said] = []
    for message in messages:
        text = message_text(message, names)
        if text.strip() and message.get("subtype") != "tombstone":
            turns.append(Said(_speaker(message, names), text, _moment(message["ts"])))
    return turns


def _speaker(message: Mapping[str, Any], names: Mapping[str, str]) -> str:
    user = str(message.get("user") or "")
    bot = (message.get("bot_profile") or {}).get("name")
    return names.get(user) or str(message.get("username") or bot or user or "unknown")


def _talk(reference: str, title: str, channel: str, ts: str, turns: list[Said]) -> Item:
    return Item(
        kind="talk",
        reference=reference,
        title=title,
        url=f"https://slack.com/archives/{channel}/p{ts.replace('.', '')}",
        turns=tuple(turns),
        created_at=_moment(ts),
        metadata={"channel": channel},
    )


def _has_mark(message: Mapping[str, Any], emoji: str | None, me: str) -> bool:
    return any(
        one.get("name") == emoji and me in (one.get("users") or ())
        for one in message.get("reactions") or ()
    )


def _mark_item(
    entry: Mapping[str, Any], message: Mapping[str, Any], names: Mapping[str, str]
) -> SeenItem | None:
    turns = _turns([dict(message)], names)
    if not turns:
        return None
    channel = str(entry.get("channel") or "")
    reference = f"{channel}/marked/{message['ts']}"
    title = turns[0].text.split("\n")[0][:80]
    item = _talk(reference, title, channel, message["ts"], turns)
    return SeenItem(reference, _hash([turns[0].text]), path=title, item=item)


def _hash(parts: Iterable[Any]) -> str:
    return hashlib.sha256(repr(list(parts)).encode(errors="replace")).hexdigest()
