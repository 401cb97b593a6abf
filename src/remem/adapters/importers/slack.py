"""Slack workspace exports: a ZIP with a folder per channel and a file per day."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from remem.adapters.connectors.slack.text import message_text
from remem.adapters.importers.bundle import Bundle, open_bundle
from remem.core.errors import Unreadable
from remem.core.items import Item, ItemTurn, LeftOut

_DAY = re.compile(r"(?:^|.*/)(?P<channel>[^/]+)/(?P<day>\d{4}-\d{2}-\d{2})\.json")
# Limit for a file; a day of a busy channel has a few megabytes.
_DAY_BYTES = 50_000_000
# Limit for messages kept in memory, of threads that may continue.
_MAX_HELD_MESSAGES = 50_000
_SYSTEM_SUBTYPES = ("channel_join", "channel_leave", "tombstone", "thread_broadcast")


class SlackImporter:
    description = "the export of a Slack workspace (the ZIP)"

    def recognises(self, path: Path) -> bool:
        try:
            with open_bundle(path) as bundle:
                listed = bundle.names_ending(
                    "channels.json", "groups.json", "dms.json", "mpims.json"
                )
                return (
                    bool(listed) and bool(bundle.names_ending("users.json")) and bool(_days(bundle))
                )
        except Unreadable:
            return False

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        with open_bundle(path) as bundle:
            names = _names(bundle)
            days = _days(bundle)
            for channel in sorted({match["channel"] for match in days.values()}):
                files = [name for name, match in days.items() if match["channel"] == channel]
                yield from _channel(bundle, channel, files, names)


def _days(bundle: Bundle) -> dict[str, re.Match[str]]:
    return {name: match for name in bundle.names if (match := _DAY.fullmatch(name))}


def _names(bundle: Bundle) -> dict[str, str]:
    names: dict[str, str] = {}
    for name in bundle.names_ending("users.json")[:1]:
        for user in _read_messages(bundle, name) or ():
            profile = user.get("profile") if isinstance(user.get("profile"), dict) else {}
            candidates = (profile.get("display_name"), user.get("real_name"), user.get("name"))
            names[str(user.get("id"))] = str(
                next((candidate for candidate in candidates if candidate), user.get("id"))
            )
    return names


def _channel(
    bundle: Bundle, channel: str, files: list[str], names: Mapping[str, str]
) -> Iterator[Item | LeftOut]:
    threads: dict[str, list[dict[str, Any]]] = {}
    for name in sorted(files):
        messages = _read_messages(bundle, name)
        if messages is None:
            yield LeftOut("talk", name, "it is too large, or no list of messages")
            continue
        unthreaded = [item for item in messages if not _thread_of(item)]
        for message in messages:
            if thread := _thread_of(message):
                threads.setdefault(thread, []).append(message)
        day = Path(name).stem
        yield from _talk(f"{channel}/day/{day}", f"#{channel} on {day}", channel, unthreaded, names)
        while sum(map(len, threads.values())) > _MAX_HELD_MESSAGES:
            yield from _thread_talk(channel, *threads.popitem(), names)
    for thread, messages in threads.items():
        yield from _thread_talk(channel, thread, messages, names)


def _thread_talk(
    channel: str, thread: str, messages: list[dict[str, Any]], names: Mapping[str, str]
) -> Iterator[Item | LeftOut]:
    messages = sorted(messages, key=lambda message: str(message.get("ts")))
    title = next(iter(message_text(messages[0], names).splitlines()), "")[:80]
    talk_title = f"{title} (#{channel})" if title else f"A thread in #{channel}"
    yield from _talk(f"{channel}/thread/{thread}", talk_title, channel, messages, names)


def _talk(
    reference: str,
    title: str,
    channel: str,
    messages: list[dict[str, Any]],
    names: Mapping[str, str],
) -> Iterator[Item | LeftOut]:
    turns = [turn for message in messages if (turn := _turn(message, names))]
    if turns:
        yield Item(
            kind="talk",
            reference=reference,
            title=title,
            turns=tuple(turns),
            created_at=turns[0].at,
            metadata={"channel": channel},
        )


def _turn(message: dict[str, Any], names: Mapping[str, str]) -> ItemTurn | None:
    text = message_text(message, names)
    if not text.strip() or message.get("subtype") in _SYSTEM_SUBTYPES:
        return None
    user = str(message.get("user") or "")
    speaker = names.get(user) or str(message.get("username") or user or "unknown")
    return ItemTurn(speaker, text, _parse_ts(message.get("ts")))


def _thread_of(message: Mapping[str, Any]) -> str | None:
    """Return the thread of a message; None for a message without replies."""
    thread = str(message.get("thread_ts") or "")
    is_first = thread == str(message.get("ts"))
    return thread if thread and not (is_first and not message.get("reply_count")) else None


def _parse_ts(ts: Any) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(ts), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _read_messages(bundle: Bundle, name: str) -> list[dict[str, Any]] | None:
    if bundle.size(name) > _DAY_BYTES:
        return None
    with bundle.open(name) as file:
        return _parse_list(file)


def _parse_list(file: IO[bytes]) -> list[dict[str, Any]] | None:
    try:
        value = json.load(file)
    except (ValueError, RecursionError):
        return None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else None
