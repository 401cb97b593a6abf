"""The export of a Slack workspace: a ZIP with a folder for each channel, a file for each day."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from remem.adapters.connectors.slack.text import message_text
from remem.adapters.importers.bundle import Bundle, opened
from remem.core.errors import Unreadable
from remem.core.items import Item, LeftOut, Said

_DAY = re.compile(r"(?:^|.*/)(?P<channel>[^/]+)/(?P<day>\d{4}-\d{2}-\d{2})\.json")
# A day of a busy channel has a few megabytes.
_DAY_BYTES = 50_000_000
# Of threads that are not yet known to be over.
_HELD = 50_000
_OWN_NOTES = ("channel_join", "channel_leave", "tombstone", "thread_broadcast")


class SlackImporter:
    what = "the export of a Slack workspace (the ZIP)"

    def recognises(self, path: Path) -> bool:
        try:
            with opened(path) as bundle:
                listed = bundle.ending("channels.json", "groups.json", "dms.json", "mpims.json")
                return bool(listed) and bool(bundle.ending("users.json")) and bool(_days(bundle))
        except Unreadable:
            return False

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        with opened(path) as bundle:
            names = _names(bundle)
            days = _days(bundle)
            for channel in sorted({found["channel"] for found in days.values()}):
                own = [name for name, found in days.items() if found["channel"] == channel]
                yield from _channel(bundle, channel, own, names)


def _days(bundle: Bundle) -> dict[str, re.Match[str]]:
    return {name: found for name in bundle.names if (found := _DAY.fullmatch(name))}


def _names(bundle: Bundle) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in bundle.ending("users.json")[:1]:
        for user in _records(bundle, name) or ():
            profile = user.get("profile") if isinstance(user.get("profile"), dict) else {}
            shown = (profile.get("display_name"), user.get("real_name"), user.get("name"))
            found[str(user.get("id"))] = str(next((one for one in shown if one), user.get("id")))
    return found


def _channel(
    bundle: Bundle, channel: str, files: list[str], names: Mapping[str, str]
) -> Iterator[Item | LeftOut]:
    threads: dict[str, list[dict[str, Any]]] = {}
    for name in sorted(files):
        messages = _records(bundle, name)
        if messages is None:
            yield LeftOut("talk", name, "it is too large, or no list of messages")
            continue
        loose = [one for one in messages if not _thread(one)]
        for message in messages:
            if thread := _thread(message):
                threads.setdefault(thread, []).append(message)
        day = Path(name).stem
        yield from _talk(f"{channel}/day/{day}", f"#{channel} on {day}", channel, loose, names)
        while sum(map(len, threads.values())) > _HELD:
            yield from _thread_talk(channel, *threads.popitem(), names)
    for thread, messages in threads.items():
        yield from _thread_talk(channel, thread, messages, names)


def _thread_talk(
    channel: str, thread: str, messages: list[dict[str, Any]], names: Mapping[str, str]
) -> Iterator[Item | LeftOut]:
    messages = sorted(messages, key=lambda one: str(one.get("ts")))
    title = next(iter(message_text(messages[0], names).splitlines()), "")[:80]
    named = f"{title} (#{channel})" if title else f"A thread in #{channel}"
    yield from _talk(f"{channel}/thread/{thread}", named, channel, messages, names)


def _talk(
    reference: str,
    title: str,
    channel: str,
    messages: list[dict[str, Any]],
    names: Mapping[str, str],
) -> Iterator[Item | LeftOut]:
    turns = [turn for message in messages if (turn := _said(message, names))]
    if turns:
        yield Item(
            kind="talk",
            reference=reference,
            title=title,
            turns=tuple(turns),
            created_at=turns[0].at,
            metadata={"channel": channel},
        )


def _said(message: dict[str, Any], names: Mapping[str, str]) -> Said | None:
    text = message_text(message, names)
    if not text.strip() or message.get("subtype") in _OWN_NOTES:
        return None
    user = str(message.get("user") or "")
    speaker = names.get(user) or str(message.get("username") or user or "unknown")
    return Said(speaker, text, _moment(message.get("ts")))


def _thread(message: Mapping[str, Any]) -> str | None:
    """What it is a part of; a message that nobody answered is part of none."""
    thread = str(message.get("thread_ts") or "")
    is_first = thread == str(message.get("ts"))
    return thread if thread and not (is_first and not message.get("reply_count")) else None


def _moment(ts: Any) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(ts), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _records(bundle: Bundle, name: str) -> list[dict[str, Any]] | None:
    if bundle.size(name) > _DAY_BYTES:
        return None
    with bundle.open(name) as file:
        return _listed(file)


def _listed(file: IO[bytes]) -> list[dict[str, Any]] | None:
    try:
        found = json.load(file)
    except (ValueError, RecursionError):
        return None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else None
