"""A fake Slack on loopback: one workspace, as the token of an internal app sees it."""

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
    # Each note is on its own day, so that each is a separate conversation.
    days: int = 0

    # Actions of the members

    def say(self, text: str, at: datetime, user: str = ME, **fields: Any) -> str:
        ts = f"{at.timestamp():.6f}"
        thread = fields.get("thread_ts")
        message = {"type": "message", "user": user, "text": text, "ts": ts, **fields}
        self.messages[ts] = message
        if thread:
            parent = self.messages[thread]
            replies = [
                reply for reply in self.messages.values() if reply.get("thread_ts") == thread
            ]
            count = len({reply["ts"] for reply in replies} - {thread})
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

    # Replies

    def refused(self) -> Reply:
        return Reply({"ok": False, "error": "invalid_auth"})

    def find(self, call: Call) -> Reply:
        if self.missing_scope:
            return Reply({"ok": False, "error": "missing_scope", "needed": self.missing_scope})
        answer = getattr(self, "_" + call.path.rpartition("/")[2].replace(".", "_"))
        return answer(call.query)

    def _auth_test(self, query: dict[str, str]) -> Reply:
        identity = {"team": "Tea", "team_id": "T0TEA", "user": "ada", "user_id": ME}
        return Reply({"ok": True, "url": "https://tea.slack.com/", **identity})

    def _users_list(self, query: dict[str, str]) -> Reply:
        members = [
            {"id": id, "name": name.lower(), "profile": {"display_name": name}}
            for id, name in USERS.items()
        ]
        return Reply({"ok": True, "members": members})

    def _conversations_list(self, query: dict[str, str]) -> Reply:
        channels = [{"id": id, "name": "general", "is_member": True} for id in self.channels]
        return Reply({"ok": True, "channels": channels})

    def _conversations_history(self, query: dict[str, str]) -> Reply:
        if query["channel"] not in self.channels:
            return Reply({"ok": False, "error": "channel_not_found"})
        messages = [
            message
            for message in self.messages.values()
            if message.get("thread_ts", message["ts"]) == message["ts"]
            and float(query.get("oldest", 0)) < float(message["ts"])
            and float(message["ts"]) < float(query.get("latest", 9e9))
        ]
        return self._page(sorted(messages, key=lambda message: message["ts"], reverse=True), query)

    def _conversations_replies(self, query: dict[str, str]) -> Reply:
        thread = query["ts"]
        if thread not in self.messages:
            return Reply({"ok": False, "error": "thread_not_found"})
        replies = [
            message for message in self.messages.values() if message.get("thread_ts") == thread
        ]
        return self._page(sorted(replies, key=lambda message: message["ts"]), query)

    def _reactions_list(self, query: dict[str, str]) -> Reply:
        items = [
            {"type": "message", "channel": CHANNEL, "message": message}
            for message in self.messages.values()
            if any(ME in mark["users"] for mark in message.get("reactions", ()))
        ]
        return Reply({"ok": True, "items": items})

    def _page(self, messages: list[dict[str, Any]], query: dict[str, str]) -> Reply:
        size, start = int(query["limit"]), int(query.get("cursor", "at:0")[3:])
        more = start + size < len(messages)
        cursor = {"next_cursor": f"at:{start + size}"} if more else {}
        page = messages[start : start + size]
        return Reply({"ok": True, "messages": page, "has_more": more, "response_metadata": cursor})
