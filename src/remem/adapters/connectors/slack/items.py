"""Slack messages as items: threads, days of a channel, and messages marked with an emoji."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from remem.adapters.connectors.slack.text import message_text
from remem.core.connectors.model import SeenItem
from remem.core.errors import Unavailable
from remem.core.items import Item, ItemTurn

# Threads younger than this are read again each day, because edits and deletions have no date.
YOUNG_AGE = timedelta(days=7)
SYSTEM_SUBTYPES = ("channel_join", "channel_leave", "tombstone", "thread_broadcast")


def parse_ts(ts: str) -> datetime:
    try:
        return datetime.fromtimestamp(float(ts), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise Unavailable("Slack gave a message without a time; it is tried again.") from error


def day_of(message: Mapping[str, Any]) -> date:
    return parse_ts(message["ts"]).date()


def midnight(day: date) -> str:
    return f"{datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp():.6f}"


def day_reference(channel: str, day: date) -> str:
    return f"{channel}/day/{day.isoformat()}"


def covered_days(
    messages: list[dict[str, Any]], first: date | None, until: str | None, moment: datetime
) -> list[date]:
    """Return all days of a period that was read, including those without messages."""
    if first is None:
        return []
    last = parse_ts(until).date() - timedelta(days=1) if until else moment.date()
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    earliest = min((day_of(message) for message in messages), default=first)
    return [day for day in days if day >= earliest or not until]


def build_items(
    channel: str, messages: list[dict[str, Any]], names: Mapping[str, str], moment: datetime
) -> Iterable[SeenItem]:
    days: dict[date, list[dict[str, Any]]] = {}
    for message in sorted(messages, key=lambda entry: entry["ts"]):
        if message.get("reply_count"):
            yield _thread(channel, message, moment)
        elif message.get("subtype") not in SYSTEM_SUBTYPES and not _is_reply(message):
            days.setdefault(day_of(message), []).append(message)
    for day, day_messages in days.items():
        if turns := build_turns(day_messages, names):
            reference = day_reference(channel, day)
            talk = build_talk(
                reference, f"Slack {channel} on {day}", channel, day_messages[0]["ts"], turns
            )
            revision = _hash((turn.speaker, turn.text) for turn in turns)
            yield SeenItem(reference, revision, path=f"{channel} {day}", item=talk)


def _is_reply(message: Mapping[str, Any]) -> bool:
    return message.get("thread_ts", message["ts"]) != message["ts"]


def _thread(channel: str, message: Mapping[str, Any], moment: datetime) -> SeenItem:
    """Describe a thread. The revision of a young one changes daily, so that it is read again: the
    list does not show edited replies."""
    latest = str(message.get("latest_reply") or message["ts"])
    is_young = parse_ts(latest) > moment - YOUNG_AGE
    edited = (message.get("edited") or {}).get("ts")
    state = (message.get("text"), edited, message.get("reply_count"), latest)
    revision = _hash([*state, moment.date() if is_young else None])
    title = str(message.get("text") or "thread")[:80]
    return SeenItem(f"{channel}/thread/{message['ts']}", revision, path=title)


def build_turns(messages: list[dict[str, Any]], names: Mapping[str, str]) -> list[ItemTurn]:
    turns: list[ItemTurn] = []
    for message in messages:
        text = message_text(message, names)
        if text.strip() and message.get("subtype") != "tombstone":
            turns.append(ItemTurn(_speaker(message, names), text, parse_ts(message["ts"])))
    return turns


def _speaker(message: Mapping[str, Any], names: Mapping[str, str]) -> str:
    user = str(message.get("user") or "")
    bot = (message.get("bot_profile") or {}).get("name")
    return names.get(user) or str(message.get("username") or bot or user or "unknown")


def build_talk(reference: str, title: str, channel: str, ts: str, turns: list[ItemTurn]) -> Item:
    return Item(
        kind="talk",
        reference=reference,
        title=title,
        url=f"https://slack.com/archives/{channel}/p{ts.replace('.', '')}",
        turns=tuple(turns),
        created_at=parse_ts(ts),
        metadata={"channel": channel},
    )


def has_reaction(message: Mapping[str, Any], emoji: str | None, me: str) -> bool:
    return any(
        reaction.get("name") == emoji and me in (reaction.get("users") or ())
        for reaction in message.get("reactions") or ()
    )


def marked_item(
    entry: Mapping[str, Any], message: Mapping[str, Any], names: Mapping[str, str]
) -> SeenItem | None:
    turns = build_turns([dict(message)], names)
    if not turns:
        return None
    channel = str(entry.get("channel") or "")
    reference = f"{channel}/marked/{message['ts']}"
    title = turns[0].text.split("\n")[0][:80]
    item = build_talk(reference, title, channel, message["ts"], turns)
    return SeenItem(reference, _hash([turns[0].text]), path=title, item=item)


def _hash(parts: Iterable[Any]) -> str:
    return hashlib.sha256(repr(list(parts)).encode(errors="replace")).hexdigest()
