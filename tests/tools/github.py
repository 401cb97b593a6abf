"""A stateful fake of GitHub, on loopback. Every request and reply is checked against the published
contract, but no reply here was recorded from the real service."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from tests.tools.contract import Contract
from tests.tools.http_server import QuietHandler, served

TOKEN = "github_pat_xyzzy_never_to_be_seen"
REPOSITORY = "octo/notes"
CLIENT_ID = "Iv1.xyzzy"


@dataclass
class FakeGitHub:
    """`limit` is how many requests it answers before the quota is spent; None means no quota."""

    url: str = ""
    files: dict[str, str] = field(default_factory=dict)
    issues: dict[int, dict[str, Any]] = field(default_factory=dict)
    comments: dict[int, dict[str, Any]] = field(default_factory=dict)
    trees: dict[str, dict[str, str]] = field(default_factory=dict)
    blobs: dict[str, str] = field(default_factory=dict)
    token: str | None = TOKEN
    limit: int | None = None
    violations: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    clock: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    contract: Contract = field(default_factory=lambda: Contract("github"))
    # The consents of people: challenges by code, and device codes that were typed in.
    challenges: dict[str, str] = field(default_factory=dict)
    typed: set[str] = field(default_factory=set)

    def reset(self) -> None:
        """Return to the initial state, at the same address."""
        fresh = FakeGitHub(url=self.url, violations=self.violations, contract=self.contract)
        self.__dict__.update(fresh.__dict__)

    # Consent, at github.com itself: no published contract describes it

    def consent(self, params: dict[str, str]) -> str:
        """The address that the browser is redirected to after a person consents."""
        assert params["client_id"] == CLIENT_ID and params["code_challenge_method"] == "S256"
        code = f"code-{len(self.challenges)}"
        self.challenges[code] = params["code_challenge"]
        query = urlencode({"code": code, "state": params["state"]})
        return f"{params['redirect_uri']}?{query}"

    def login(self, path: str, form: dict[str, str]) -> dict[str, Any]:
        if form.get("client_id") != CLIENT_ID:
            return {"error": "incorrect_client_credentials"}
        if path == "/login/device/code":
            return {
                "device_code": "device-xyzzy", "user_code": "WDJB-MJHT", "interval": 1,
                "verification_uri": f"{self.url}/login/device", "expires_in": 900,
            }  # fmt: skip
        if form.get("device_code"):
            is_typed = form["device_code"] in self.typed
            return self._grant() if is_typed else {"error": "authorization_pending"}
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if self.challenges.pop(form.get("code", ""), None) != challenge:
            return {"error": "bad_verification_code"}
        return self._grant()

    def _grant(self) -> dict[str, Any]:
        return {"access_token": TOKEN, "token_type": "bearer", "scope": "repo"}

    # Actions of the repository's owner

    def tick(self) -> str:
        self.clock += timedelta(minutes=10)
        return self.clock.strftime("%Y-%m-%dT%H:%M:%SZ")

    def write(self, name: str, text: str) -> None:
        self.tick()
        self.files[f"{name}.md"] = text

    def remove(self, name: str) -> None:
        self.tick()
        del self.files[f"{name}.md"]

    def open_issue(self, number: int, title: str, body: str, **fields: Any) -> None:
        at = self.tick()
        self.issues[number] = {
            "number": number, "title": title, "body": body, "state": "open", "created_at": at,
            "updated_at": at, "user": {"login": "ada"}, "labels": [], **fields,
        }  # fmt: skip

    def comment(self, id: int, number: int, body: str, *, moves: bool = True) -> None:
        at = self.tick()
        comment = self.comments.get(id, {"id": id, "created_at": at, "user": {"login": "bob"}})
        issue_url = f"https://api.github.com/repos/{REPOSITORY}/issues/{number}"
        self.comments[id] = {**comment, "body": body, "updated_at": at, "issue_url": issue_url}
        if moves:
            self.issues[number]["updated_at"] = at

    # Replies

    def answer(self, path: str, params: dict[str, str], token: str | None) -> tuple[int, Any]:
        if self.token is None or (token and token != self.token):
            return 401, {"message": "Bad credentials"}
        if self.limit is not None:
            self.limit -= 1
            if self.limit < 0:
                return 403, {"message": "API rate limit exceeded"}
        return self._find(path, params)

    def _find(self, path: str, params: dict[str, str]) -> tuple[int, Any]:
        root = f"/repos/{REPOSITORY}"
        sample = self.contract.sample
        if path == "/user":
            return 200, sample(path, {"login": "octo", "id": 7})
        if path == "/user/repos":
            return 200, [sample(path, {"full_name": REPOSITORY})]
        if path == root:
            return 200, sample(path, {"full_name": REPOSITORY, "default_branch": "main"})
        if path == f"{root}/branches/main":
            tree = {"commit": {"commit": {"tree": {"sha": self._commit()}}}}
            return 200, sample(path, tree)
        if path.startswith(f"{root}/git/trees/"):
            return self._tree(path)
        if path.startswith(f"{root}/git/blobs/"):
            return self._blob(path)
        if path == f"{root}/issues":
            return 200, [self._issue(issue) for issue in self._page(self.issues, params)]
        if path in (f"{root}/issues/comments", f"{root}/pulls/comments"):
            comments = self._page(self.comments, params) if "/issues/" in path else []
            return 200, [sample(path, comment) for comment in comments]
        if path.startswith(f"{root}/issues/"):
            return self._issue_or_its_comments(path)
        return 404, {"message": "Not Found"}

    def _commit(self) -> str:
        self.blobs |= {_sha(text): text for text in self.files.values()}
        sha = _sha(json.dumps(self.files, sort_keys=True))
        self.trees[sha] = {name: _sha(text) for name, text in self.files.items()}
        return sha

    def _tree(self, path: str) -> tuple[int, Any]:
        sha = path.rpartition("/")[2]
        if sha not in self.trees:
            return 404, {"message": "Not Found"}
        entries = [
            {"path": name, "mode": "100644", "type": "blob", "sha": blob, "size": 1, "url": "x"}
            for name, blob in self.trees[sha].items()
        ]
        return 200, {"sha": sha, "url": "x", "truncated": False, "tree": entries}

    def _blob(self, path: str) -> tuple[int, Any]:
        sha = path.rpartition("/")[2]
        if sha not in self.blobs:
            return 404, {"message": "Not Found"}
        data = self.blobs[sha].encode()
        content = base64.encodebytes(data).decode()
        blob = {"content": content, "encoding": "base64", "size": len(data), "sha": sha}
        return 200, self.contract.sample(path, blob)

    def _page(self, entries: dict[int, dict[str, Any]], params: dict[str, str]) -> list[Any]:
        size, page = int(params.get("per_page", 30)), int(params.get("page", 1))
        matches = sorted(entries.values(), key=lambda entry: entry["updated_at"])
        since = params.get("since", "")
        matches = [entry for entry in matches if _second(entry["updated_at"]) >= _second(since)]
        return matches[(page - 1) * size : page * size]

    def _issue(self, issue: dict[str, Any]) -> Any:
        path = f"/repos/{REPOSITORY}/issues"
        return self.contract.sample(path, {**issue, "html_url": f"https://github.com{path}"})

    def _issue_or_its_comments(self, path: str) -> tuple[int, Any]:
        parts = path.split("/")
        number = int(parts[5])
        if number not in self.issues:
            return 404, {"message": "Not Found"}
        if len(parts) == 6:
            return 200, self._issue(self.issues[number])
        comments = [
            comment
            for comment in self.comments.values()
            if comment["issue_url"].endswith(f"/{number}")
        ]
        return 200, [self.contract.sample(path, comment) for comment in comments]


def _sha(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def _second(moment: str) -> str:
    return moment[:19]


@contextmanager
def running(fake: FakeGitHub) -> Iterator[FakeGitHub]:
    class Handler(QuietHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            path, params = unquote(parts.path), dict(parse_qsl(parts.query))
            fake.requests.append(path)
            if path == "/login/oauth/authorize":
                self.send_response_only(302)
                self.send_header("Location", fake.consent(params))
                self.end_headers()
                return
            token = (self.headers.get("Authorization") or "").removeprefix("Bearer ") or None
            status, body = fake.answer(path, params, token)
            try:
                fake.contract.check_request(path, params)
                if status == 200:
                    fake.contract.check_reply(path, status, body)
            except Exception as error:
                fake.violations.append(f"{path} {params}: {error}"[:2_000])
            data = json.dumps(body).encode()
            self.send_response_only(status)
            self.send_header("Date", fake.clock.strftime("%a, %d %b %Y %H:%M:%S GMT"))
            if status == 403:
                reset = datetime.now(UTC) + timedelta(minutes=20)
                self.send_header("x-ratelimit-remaining", "0")
                self.send_header("x-ratelimit-reset", str(int(reset.timestamp())))
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            form = dict(parse_qsl(self.rfile.read(length).decode()))
            fake.requests.append(self.path)
            data = json.dumps(fake.login(self.path, form)).encode()
            self.send_response_only(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with served(Handler) as fake.url:
        yield fake
    assert not fake.violations, "\n".join(fake.violations)
