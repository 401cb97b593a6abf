"""Messages of Slack as items: threads, days of a channel, and messages with a mark."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from remem.adapters.connectors.slack.text import message_text
from remem.core.connectors.model import SeenItem
from remem.core.errors import Unavailable
from remem.core.items import Item, Said

# What is looked at again each day: edits and deletions come without a date.
YOUNG = timedelta(days=7)
OWN_NOTES = ("channel_join", "channel_leave", "tombstone", "thread_broadcast")


def moment_of(ts: str) -> datetime:
    try:
        return datetime.fromtimestamp(float(ts), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise Unavailable("Slack gave a message without a time; it is tried again.") from error


def day_of(message: Mapping[str, Any]) -> date:
    return moment_of(message["ts"]).date()


def midnight(day: date) -> str:
    return f"{datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp():.6f}"


def day_reference(channel: str, day: date) -> str:
    return f"{channel}/day/{day.isoformat()}"


def days_looked_at(
    messages: list[dict[str, Any]], first: date | None, until: str | None, moment: datetime
) -> list[date]:
    """Every day of a short stretch, also those on which nothing was said."""
    if first is None:
        return []
    last = moment_of(until).date() - timedelta(days=1) if until else moment.date()
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    earliest = min((day_of(one) for one in messages), default=first)
    return [day for day in days if day >= earliest or not until]


def items_of(
    channel: str, messages: list[dict[str, Any]], names: Mapping[str, str], moment: datetime
) -> Iterable[SeenItem]:
    days: dict[date, list[dict[str, Any]]] = {}
    for message in sorted(messages, key=lambda one: one["ts"]):
        if message.get("reply_count"):
            yield _thread(channel, message, moment)
        elif message.get("subtype") not in OWN_NOTES and not _is_reply(message):
            days.setdefault(day_of(message), []).append(message)
    for day, said in days.items():
        if turns := turns_of(said, names):
            reference = day_reference(channel, day)
            talk = talk_of(reference, f"Slack {channel} on {day}", channel, said[0]["ts"], turns)
            revision = _hash((turn.speaker, turn.text) for turn in turns)
            yield SeenItem(reference, revision, path=f"{channel} {day}", item=talk)


def _is_reply(message: Mapping[str, Any]) -> bool:
    return message.get("thread_ts", message["ts"]) != message["ts"]


def _thread(channel: str, message: Mapping[str, Any], moment: datetime) -> SeenItem:
    """While it is young it is read once a day: an edited reply does not show in the list."""
    latest = str(message.get("latest_reply") or message["ts"])
    is_young = moment_of(latest) > moment - YOUNG
    edited = (message.get("edited") or {}).get("ts")
    stands = (message.get("text"), edited, message.get("reply_count"), latest)
    revision = _hash([*stands, moment.date() if is_young else None])
    title = str(message.get("text") or "thread")[:80]
    return SeenItem(f"{channel}/thread/{message['ts']}", revision, path=title)


def turns_of(messages: list[dict[str, Any]], names: Mapping[str, str]) -> list[Said]:
    turns: list[Said] = []
    for message in messages:
        text = message_text(message, names)
        if text.strip() and message.get("subtype") != "tombstone":
            turns.append(Said(_speaker(message, names), text, moment_of(message["ts"])))
    return turns


def _speaker(message: Mapping[str, Any], names: Mapping[str, str]) -> str:
    user = str(message.get("user") or "")
    bot = (message.get("bot_profile") or {}).get("name")
    return names.get(user) or str(message.get("username") or bot or user or "unknown")


def talk_of(reference: str, title: str, channel: str, ts: str, turns: list[Said]) -> Item:
    return Item(
        kind="talk",
        reference=reference,
        title=title,
        url=f"https://slack.com/archives/{channel}/p{ts.replace('.', '')}",
        turns=tuple(turns),
        created_at=moment_of(ts),
        metadata={"channel": channel},
    )


def has_mark(message: Mapping[str, Any], emoji: str | None, me: str) -> bool:
    return any(
        one.get("name") == emoji and me in (one.get("users") or ())
        for one in message.get("reactions") or ()
    )


def mark_item(
    entry: Mapping[str, Any], message: Mapping[str, Any], names: Mapping[str, str]
) -> SeenItem | None:
    turns = turns_of([dict(message)], names)
    if not turns:
        return None
    channel = str(entry.get("channel") or "")
    reference = f"{channel}/marked/{message['ts']}"
    title = turns[0].text.split("\n")[0][:80]
    item = talk_of(reference, title, channel, message["ts"], turns)
    return SeenItem(reference, _hash([turns[0].text]), path=title, item=item)


def _hash(parts: Iterable[Any]) -> str:
    return hashlib.sha256(repr(list(parts)).encode(errors="replace")).hexdigest()
