"""A Slack on loopback: one workspace, as the token of an internal app sees it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.tools.fake_service import Call, FakeService, Reply

TOKEN = "xoxp-xyzzy-never-to-be-seen"
CHANNEL = "C0GENERAL"
ME = "U0ADA"
USERS = {ME: "Ada", "U0BOB": "Bob"}


@dataclass
class FakeSlack(FakeService):
    contract_name: str = "slack"
    token: str | None = TOKEN
    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    channels: list[str] = field(default_factory=lambda: [CHANNEL])
    missing_scope: str | None = None
    clock: datetime = field(default_factory=lambda: datetime.now(UTC))
    # Each note on a day of its own, so that each is one talk.
    days: int = 0

    # What its people do

    def say(self, text: str, at: datetime, user: str = ME, **fields: Any) -> str:
        ts = f"{at.timestamp():.6f}"
        thread = fields.get("thread_ts")
        message = {"type": "message", "user": user, "text": text, "ts": ts, **fields}
        self.messages[ts] = message
        if thread:
            parent = self.messages[thread]
            replies = [one for one in self.messages.values() if one.get("thread_ts") == thread]
            count = len({one["ts"] for one in replies} - {thread})
            parent |= {"thread_ts": thread, "reply_count": count, "latest_reply": ts}
        return ts

    def write(self, name: str, text: str) -> None:
        if name in self.names:
            message = self.messages[self.names[name]]
            message |= {"text": text, "edited": {"user": ME, "ts": message["ts"]}}
            return
        at = self.clock - timedelta(days=self.days, seconds=5)
        self.names[name] = self.say(text, at)
        self.days += 1

    def remove(self, name: str) -> None:
        del self.messages[self.names.pop(name)]

    def rename(self, name: str, other: str) -> None:
        self.names[other] = self.names.pop(name)

    def mark(self, ts: str, emoji: str, user: str = ME) -> None:
        marks = [{"name": emoji, "users": [user], "count": 1}]
        self.messages[ts]["reactions"] = marks

    # What it answers

    def refused(self) -> Reply:
        return Reply({"ok": False, "error": "invalid_auth"})

    def find(self, call: Call) -> Reply:
        if self.missing_scope:
            return Reply({"ok": False, "error": "missing_scope", "needed": self.missing_scope})
        answer = getattr(self, "_" + call.path.rpartition("/")[2].replace(".", "_"))
        return answer(call.query)

    def _auth_test(self, query: dict[str, str]) -> Reply:
        who = {"team": "Tea", "team_id": "T0TEA", "user": "ada", "user_id": ME}
        return Reply({"ok": True, "url": "https://tea.slack.com/", **who})

    def _users_list(self, query: dict[str, str]) -> Reply:
        members = [
            {"id": id, "name": name.lower(), "profile": {"display_name": name}}
            for id, name in USERS.items()
        ]
        return Reply({"ok": True, "members": members})

    def _conversations_list(self, query: dict[str, str]) -> Reply:
        channels = [{"id": one, "name": "general", "is_member": True} for one in self.channels]
        return Reply({"ok": True, "channels": channels})

    def _conversations_history(self, query: dict[str, str]) -> Reply:
        if query["channel"] not in self.channels:
            return Reply({"ok": False, "error": "channel_not_found"})
        shown = [
            one
            for one in self.messages.values()
            if one.get("thread_ts", one["ts"]) == one["ts"]
            and float(query.get("oldest", 0)) < float(one["ts"])
            and float(one["ts"]) < float(query.get("latest", 9e9))
        ]
        return self._page(sorted(shown, key=lambda one: one["ts"], reverse=True), query)

    def _conversations_replies(self, query: dict[str, str]) -> Reply:
        thread = query["ts"]
        if thread not in self.messages:
            return Reply({"ok": False, "error": "thread_not_found"})
        found = [one for one in self.messages.values() if one.get("thread_ts") == thread]
        return self._page(sorted(found, key=lambda one: one["ts"]), query)

    def _reactions_list(self, query: dict[str, str]) -> Reply:
        items = [
            {"type": "message", "channel": CHANNEL, "message": one}
            for one in self.messages.values()
            if any(ME in mark["users"] for mark in one.get("reactions", ()))
        ]
        return Reply({"ok": True, "items": items})

    def _page(self, found: list[dict[str, Any]], query: dict[str, str]) -> Reply:
        size, place = int(query["limit"]), int(query.get("cursor", "at:0")[3:])
        more = place + size < len(found)
        after = {"next_cursor": f"at:{place + size}"} if more else {}
        part = found[place : place + size]
        return Reply({"ok": True, "messages": part, "has_more": more, "response_metadata": after})
