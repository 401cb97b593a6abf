"""A fake X on loopback: the bookmarks of an account, newest first, and how many were read."""

from dataclasses import dataclass, field
from typing import Any

from tests.tools.fake_service import Call, FakeService, Reply

TOKEN = "x-xyzzy-never-to-be-seen"


@dataclass
class FakeX(FakeService):
    contract_name: str = "x"
    token: str | None = TOKEN
    posts: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    reads: int = 0
    has_credits: bool = True
    reset: str | None = None

    def write(self, name: str, text: str, **fields: Any) -> None:
        if name in self.names:
            self.remove(name)
        id = str(1_000 + len(self.calls) + len(self.posts) + len(self.names) * 1_000)
        while id in self.posts:
            id = str(int(id) + 1)
        post = {"id": id, "text": text, "author_id": "7", "created_at": self.tick(), **fields}
        self.posts = {id: post, **self.posts}
        self.names[name] = id

    def remove(self, name: str) -> None:
        del self.posts[self.names.pop(name)]

    def paused(self) -> Reply:
        return Reply({}, 429, {"x-rate-limit-reset": str(self.reset)})

    def find(self, call: Call) -> Reply:
        if not self.has_credits:
            return Reply({"title": "CreditsDepleted"}, 402)
        if call.path == "/2/users/me":
            return Reply({"data": {"id": "42", "username": "ada"}})
        assert call.path == "/2/users/42/bookmarks"
        start = int(call.query.get("pagination_token", "p0")[1:])
        size = int(call.query["max_results"])
        posts = list(self.posts.values())[:800]
        page = posts[start : start + size]
        self.reads += len(page)
        more = {"next_token": f"p{start + size}"} if start + size < len(posts) else {}
        users = {"users": [{"id": "7", "username": "bob"}]}
        return Reply({"data": page, "includes": users, "meta": {"result_count": len(page), **more}})
