"""GitHub: documents of a repository as files, its issues and pull requests as talks."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from remem.adapters.connectors.github.api import PAGE, GitHubApi, repository_path
from remem.adapters.connectors.github.files import is_code, is_document
from remem.adapters.connectors.github.items import file_item, seen_file, seen_issue, talk_item
from remem.adapters.connectors.http import server_date
from remem.core.connectors.errors import MarkExpired
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
    WebhookCall,
)
from remem.core.connectors.provider import Field, OAuthApp, Provider
from remem.core.errors import Invalid
from remem.core.items import Item, LeftOut
from remem.core.time import iso, now

# Limit for pages of changed issues; if there are more, everything is listed again.
CHANGED_PAGES = 200
# Changes in the same second as a mark may be listed before or after it.
OVERLAP = timedelta(minutes=2)


class GitHubConnector:
    """Repositories by `owner/name`. Public ones can be read without a token, but slowly."""

    def __init__(
        self,
        base_url: str,
        client_id: str | None = None,
        client_secret: str | None = None,
        **options: Any,
    ) -> None:
        self._api = GitHubApi(base_url, **options)
        self.provider = github_provider(base_url, client_id, client_secret)

    async def account(self, access: Access) -> Account:
        _reads_code(access)
        if "token" not in access.credential:
            for repository in access.chosen:
                await self._api.repository(access, repository)
            return Account("public", "public repositories")
        user = self._api.json(await self._api.get(access, "/user"))
        return Account(str(user["id"]), str(user["login"]))

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        if "token" not in access.credential:
            return ResourcePage(())
        page = int(at or 1)
        params = {"per_page": PAGE, "page": page, "sort": "full_name"}
        repositories = self._api.json(await self._api.get(access, "/user/repos", params))
        names = tuple(
            Resource(repository["full_name"], repository["full_name"])
            for repository in repositories
        )
        return ResourcePage(names, str(page + 1) if len(repositories) == PAGE else None)

    async def begin(self, access: Access) -> Mark:
        since, trees = now(), {}
        for repository in access.chosen:
            reply, sha = await self._api.head(access, repository)
            since = min(since, server_date(reply))
            trees[repository] = sha
        return {"since": iso(since - OVERLAP), "trees": trees}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """List the files of a repository in one page, then its issues, least recently updated
        first."""
        at = at or {"repository": 0}
        index = at["repository"]
        if index >= len(access.chosen):
            return WalkPage((), None)
        repository = access.chosen[index]
        if "since" not in at:
            _, sha = await self._api.head(access, repository)
            files = await self._files(access, repository, sha)
            seen = tuple(seen_file(repository, path, blob) for path, blob in files.items())
            return WalkPage(seen, {"repository": index, "since": None, "page": 1})
        issues = await self._api.issues(access, repository, at["since"], at["page"])
        seen = tuple(seen_issue(repository, issue) for issue in issues)
        if len(issues) == PAGE:
            return WalkPage(seen, {"repository": index, **_next_position(at, issues)})
        next_mark = {"repository": index + 1} if index + 1 < len(access.chosen) else None
        return WalkPage(seen, next_mark)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """Return issues updated since the mark, and files that differ from the tree of the mark."""
        changes: list[SeenItem | Removed] = []
        new_mark = await self.begin(access)
        for repository in access.chosen:
            changes += await self._changed_files(
                access, repository, mark["trees"].get(repository), new_mark["trees"][repository]
            )
            changes += await self._changed_issues(access, repository, mark["since"])
        return ChangePage(tuple(changes), new_mark)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        repository, kind, name = seen.reference.split(":", 2)
        if kind == "file":
            return await self._read_file(access, repository, name, seen, folder)
        return await self._read_issue(access, repository, int(name), seen)

    def verify_webhook(
        self, headers: Mapping[str, str], body: bytes, secret: str
    ) -> WebhookCall | None:
        expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(
            expected.encode(), headers.get("x-hub-signature-256", "").encode()
        ):
            return None
        return WebhookCall(delivery=headers.get("x-github-delivery"))

    async def close(self) -> None:
        await self._api.close()

    async def _files(self, access: Access, repository: str, sha: str | None) -> dict[str, str]:
        """Return the files of a tree that are read, by path: documents, and code if enabled."""
        tree = await self._api.tree(access, repository, sha) if sha else {}
        return {
            path: blob
            for path, blob in tree.items()
            if is_document(path) or (_reads_code(access) and is_code(path))
        }

    async def _changed_files(
        self, access: Access, repository: str, old_sha: str | None, new_sha: str | None
    ) -> list[SeenItem | Removed]:
        if old_sha == new_sha:
            return []
        old = await self._files(access, repository, old_sha)
        new = await self._files(access, repository, new_sha)
        changed = [
            seen_file(repository, path, sha) for path, sha in new.items() if old.get(path) != sha
        ]
        return [
            *changed,
            *(Removed(f"{repository}:file:{path}") for path in old if path not in new),
        ]

    async def _changed_issues(self, access: Access, repository: str, since: str) -> list[SeenItem]:
        changed: dict[str, SeenItem] = {}
        position: dict[str, Any] = {"since": since, "page": 1}
        for _ in range(CHANGED_PAGES):
            issues = await self._api.issues(access, repository, position["since"], position["page"])
            seen = [seen_issue(repository, issue) for issue in issues]
            changed |= {issue.reference: issue for issue in seen}
            if len(issues) < PAGE:
                break
            position = _next_position(position, issues)
        else:
            raise MarkExpired
        for kind in ("issues", "pulls"):
            changed |= await self._changed_comments(access, repository, kind, since, changed)
        return list(changed.values())

    async def _changed_comments(
        self,
        access: Access,
        repository: str,
        kind: str,
        since: str,
        known_issues: Mapping[str, SeenItem],
    ) -> dict[str, SeenItem]:
        """Return issues with edited comments, which do not always update the issue's own date."""
        path = f"{repository_path(repository)}/{kind}/comments"
        params = {"since": since, "sort": "updated", "direction": "asc"}
        comments = await self._api.comments(access, path, params)
        changed: dict[str, SeenItem] = {}
        for comment in comments:
            url = comment.get("issue_url") or comment.get("pull_request_url") or ""
            number = url.rpartition("/")[2]
            reference = f"{repository}:issue:{number}"
            known = known_issues.get(reference)
            if number and (known is None or comment["updated_at"] > known.revision):
                path = f"{repository}#{number}"
                changed[reference] = SeenItem(reference, f"comment {comment['updated_at']}", path)
        return changed

    async def _read_file(
        self, access: Access, repository: str, name: str, seen: SeenItem, folder: Path
    ) -> Item | LeftOut | None:
        path = f"{repository_path(repository)}/git/blobs/{seen.revision}"
        reply = await self._api.get(access, path)
        if reply.status_code in (404, 409):
            return None
        return file_item(repository, name, seen.reference, self._api.json(reply), folder)

    async def _read_issue(
        self, access: Access, repository: str, number: int, seen: SeenItem
    ) -> Item | None:
        path = repository_path(repository)
        reply = await self._api.get(access, f"{path}/issues/{number}")
        if reply.status_code in (404, 410, 301):
            return None
        issue = self._api.json(reply)
        comments = await self._api.comments(access, f"{path}/issues/{number}/comments")
        if "pull_request" in issue:
            comments += await self._api.comments(access, f"{path}/pulls/{number}/comments")
        return talk_item(repository, number, seen.reference, issue, comments)


def _next_position(at: Mapping[str, Any], issues: list[dict[str, Any]]) -> dict[str, Any]:
    """Return where a list sorted by date continues; the next page if all have the same date."""
    last_updated = issues[-1]["updated_at"]
    return {"since": last_updated, "page": at["page"] + 1 if last_updated == at["since"] else 1}


def _reads_code(access: Access) -> bool:
    choice = str(access.settings.get("code") or "no").strip().lower()
    if choice not in ("yes", "no"):
        raise Invalid("code", "is neither yes nor no; say yes to read code too")
    return choice == "yes"


# The description of the GitHub connection and its OAuth settings.


def github_provider(base_url: str, client_id: str | None, client_secret: str | None) -> Provider:
    return Provider(
        title="GitHub",
        about="Documents of repositories, and their issues and pull requests with all comments.",
        help="Public repositories need no token. For private ones make a fine-grained token on"
        " github.com under Settings, Developer settings, with read access to Contents, Issues, Pull"
        " requests and Metadata.",
        fields=(
            Field(
                "token",
                "a fine-grained token",
                is_secret=True,
                is_required=False,
                example="github_pat_…",
            ),
            Field(
                "code", "yes, to read code as well as documents", is_required=False, example="no"
            ),
        ),
        choice="repositories, such as octo/notes",
        oauth=_oauth(base_url, client_id, client_secret),
    )


def _oauth(base_url: str, client_id: str | None, client_secret: str | None) -> OAuthApp:
    """GitHub has no scope that only reads private repositories; `repo` is the narrowest one."""
    site = _site(base_url)
    return OAuthApp(
        authorize_url=f"{site}/login/oauth/authorize",
        token_url=f"{site}/login/oauth/access_token",
        device_url=f"{site}/login/device/code",
        grant_url=f"{base_url.rstrip('/')}/applications/{{client_id}}/grant",
        scopes=("repo",),
        client_id=client_id,
        client_secret=client_secret,
    )


def _site(base_url: str) -> str:
    """Return the URL where people sign in. An Enterprise server has its API below that URL, while
    GitHub has it on another host."""
    if base_url.rstrip("/") == "https://api.github.com":
        return "https://github.com"
    return base_url.rstrip("/").removesuffix("/api/v3")
