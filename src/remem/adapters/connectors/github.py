"""GitHub: documents of a repository as files, its issues and pull requests as talks."""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

import httpx2

from remem.adapters.connectors.github_files import is_code, is_document
from remem.adapters.connectors.github_provider import github_provider
from remem.adapters.connectors.http import ServiceApi
from remem.core.connectors import (
    Access,
    Account,
    ChangePage,
    Mark,
    MarkExpired,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
    WebhookCall,
)
from remem.core.errors import Invalid, Unavailable
from remem.core.items import Item, LeftOut, Said
from remem.core.time import iso, now

PAGE = 100
# Of issues that have changed; where there are more, everything is listed again.
CHANGED_PAGES = 200
MARKDOWN = (".md", ".mdx", ".markdown")
# As many characters as a text may have.
FILE_BYTES = 500_000
COMMENT_PAGES = 20
# Neither part is a dot or two: they would lead to another path of the API.
REPOSITORY = re.compile(r"[A-Za-z0-9_-]{1,100}/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}")
# What changed in the second that a mark was taken in may be listed before or after it.
OVERLAP = timedelta(minutes=2)
REFUSED = (
    "GitHub does not accept the token; make a new one under Settings, Developer settings,"
    " Fine-grained tokens, and connect again with it."
)


class GitHubConnector:
    """Repositories by `owner/name`. A token is optional: public ones are read without, slowly."""

    def __init__(
        self,
        base_url: str,
        client_id: str | None = None,
        client_secret: str | None = None,
        **options: Any,
    ) -> None:
        self._api = ServiceApi(base_url, "GitHub", REFUSED, **options)
        self.provider = github_provider(base_url, client_id, client_secret)

    async def account(self, access: Access) -> Account:
        _with_code(access)
        if "token" not in access.credential:
            for repository in access.chosen:
                await self._repository(access, repository)
            return Account("public", "public repositories")
        found = _json(await self._get(access, "/user"))
        return Account(str(found["id"]), str(found["login"]))

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        if "token" not in access.credential:
            return ResourcePage(())
        page = int(at or 1)
        params = {"per_page": PAGE, "page": page, "sort": "full_name"}
        found = _json(await self._get(access, "/user/repos", params))
        names = tuple(Resource(one["full_name"], one["full_name"]) for one in found)
        return ResourcePage(names, str(page + 1) if len(found) == PAGE else None)

    async def begin(self, access: Access) -> Mark:
        since, trees = now(), {}
        for repository in access.chosen:
            reply, sha = await self._head(access, repository)
            since = min(since, _moment_of(reply))
            trees[repository] = sha
        return {"since": iso(since - OVERLAP), "trees": trees}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """Files of a repository in one page, then its issues from the longest unchanged on."""
        at = at or {"repository": 0}
        place = at["repository"]
        if place >= len(access.chosen):
            return WalkPage((), None)
        repository = access.chosen[place]
        if "since" not in at:
            _, sha = await self._head(access, repository)
            files = await self._tree(access, repository, sha) if sha else {}
            seen = tuple(_file(repository, path, blob) for path, blob in files.items())
            return WalkPage(seen, {"repository": place, "since": None, "page": 1})
        found = await self._issues(access, repository, at["since"], at["page"])
        seen = tuple(_issue(repository, one) for one in found)
        if len(found) == PAGE:
            return WalkPage(seen, {"repository": place, **_after(at, found)})
        following = {"repository": place + 1} if place + 1 < len(access.chosen) else None
        return WalkPage(seen, following)

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """What is listed since the mark; files by comparing the tree with that of the mark."""
        changes: list[SeenItem | Removed] = []
        fresh = await self.begin(access)
        for repository in access.chosen:
            changes += await self._changed_files(
                access, repository, mark["trees"].get(repository), fresh["trees"][repository]
            )
            changes += await self._changed_talks(access, repository, mark["since"])
        return ChangePage(tuple(changes), fresh)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        repository, kind, name = seen.reference.split(":", 2)
        if kind == "file":
            return await self._read_file(access, repository, name, seen, folder)
        return await self._read_talk(access, repository, int(name), seen)

    def verify_webhook(
        self, headers: Mapping[str, str], body: bytes, secret: str
    ) -> WebhookCall | None:
        made = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(made.encode(), headers.get("x-hub-signature-256", "").encode()):
            return None
        return WebhookCall(delivery=headers.get("x-github-delivery"))

    async def close(self) -> None:
        await self._api.close()

    # Requests

    async def _get(
        self, access: Access, path: str, params: Mapping[str, Any] | None = None
    ) -> httpx2.Response:
        headers = {
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "remem",
        }
        if token := access.credential.get("token"):
            headers["Authorization"] = f"Bearer {token}"
        return await self._api.get(path, headers, params)

    async def _repository(self, access: Access, repository: str) -> dict[str, Any]:
        reply = await self._get(access, _path(repository))
        if reply.status_code in (403, 404, 451):
            raise Invalid(
                "chosen",
                f"{repository} is not there, or the token may not read it; check its name and the"
                " token's repositories",
            )
        return _json(reply)

    async def _head(self, access: Access, repository: str) -> tuple[httpx2.Response, str | None]:
        """The tree of the default branch; None for a repository that is empty or gone."""
        reply = await self._get(access, _path(repository))
        if reply.status_code in (404, 451):
            return reply, None
        branch = quote(str(_json(reply)["default_branch"]), safe="")
        commit = await self._get(access, f"{_path(repository)}/branches/{branch}")
        if commit.status_code == 404:
            return reply, None
        return reply, str(_json(commit)["commit"]["commit"]["tree"]["sha"])

    async def _tree(self, access: Access, repository: str, sha: str) -> dict[str, str]:
        """Documents by path, each with the sha of its content."""
        path = f"{_path(repository)}/git/trees/{sha}"
        reply = await self._get(access, path, {"recursive": "1"})
        if reply.status_code in (404, 409):
            raise MarkExpired
        found = _json(reply)
        entries = found["tree"]
        if found.get("truncated"):
            entries = await self._subtrees(access, repository, sha, "")
        return {
            one["path"]: one["sha"]
            for one in entries
            if one["type"] == "blob"
            and (is_document(one["path"]) or (_with_code(access) and is_code(one["path"])))
        }

    async def _subtrees(
        self, access: Access, repository: str, sha: str, above: str
    ) -> list[dict[str, Any]]:
        """Folder by folder, where one reply cannot contain all of them."""
        found = _json(await self._get(access, f"{_path(repository)}/git/trees/{sha}"))["tree"]
        entries = [{**one, "path": f"{above}{one['path']}"} for one in found]
        for folder in [one for one in entries if one["type"] == "tree"]:
            below = f"{folder['path']}/"
            entries += await self._subtrees(access, repository, folder["sha"], below)
        return entries

    async def _issues(
        self, access: Access, repository: str, since: str | None, page: int
    ) -> list[dict[str, Any]]:
        params = {"state": "all", "sort": "updated", "direction": "asc"}
        params |= {"per_page": str(PAGE), "page": str(page)}
        if since:
            params["since"] = since
        reply = await self._get(access, f"{_path(repository)}/issues", params)
        # 410: the repository has no issues.
        return [] if reply.status_code in (404, 410, 451) else _json(reply)

    async def _changed_files(
        self, access: Access, repository: str, before: str | None, after: str | None
    ) -> list[SeenItem | Removed]:
        if before == after:
            return []
        old = await self._tree(access, repository, before) if before else {}
        new = await self._tree(access, repository, after) if after else {}
        changed = [
            _file(repository, path, sha) for path, sha in new.items() if old.get(path) != sha
        ]
        return [
            *changed,
            *(Removed(f"{repository}:file:{path}") for path in old if path not in new),
        ]

    async def _changed_talks(self, access: Access, repository: str, since: str) -> list[SeenItem]:
        found: dict[str, SeenItem] = {}
        at: dict[str, Any] = {"since": since, "page": 1}
        for _ in range(CHANGED_PAGES):
            issues = await self._issues(access, repository, at["since"], at["page"])
            found |= {seen.reference: seen for seen in (_issue(repository, one) for one in issues)}
            if len(issues) < PAGE:
                break
            at = _after(at, issues)
        else:
            raise MarkExpired
        for kind in ("issues", "pulls"):
            found |= await self._changed_comments(access, repository, kind, since, found)
        return list(found.values())

    async def _changed_comments(
        self, access: Access, repository: str, kind: str, since: str, found: Mapping[str, SeenItem]
    ) -> dict[str, SeenItem]:
        """A comment that was edited does not always move the date of its issue."""
        path = f"{_path(repository)}/{kind}/comments"
        params = {"since": since, "sort": "updated", "direction": "asc"}
        comments = await self._comments(access, path, params)
        changed: dict[str, SeenItem] = {}
        for comment in comments:
            url = comment.get("issue_url") or comment.get("pull_request_url") or ""
            number = url.rpartition("/")[2]
            reference = f"{repository}:issue:{number}"
            known = found.get(reference)
            if number and (known is None or comment["updated_at"] > known.revision):
                path = f"{repository}#{number}"
                changed[reference] = SeenItem(reference, f"comment {comment['updated_at']}", path)
        return changed

    # Things

    async def _read_file(
        self, access: Access, repository: str, name: str, seen: SeenItem, folder: Path
    ) -> Item | LeftOut | None:
        reply = await self._get(access, f"{_path(repository)}/git/blobs/{seen.revision}")
        if reply.status_code in (404, 409):
            return None
        found = _json(reply)
        if found["size"] > FILE_BYTES:
            return LeftOut("document", seen.reference, "it is larger than 500 kB")
        if not found["size"]:
            return LeftOut("document", seen.reference, "it is empty")
        try:
            data = base64.b64decode(found["content"])
        except (binascii.Error, ValueError) as error:
            raise Unavailable(
                "GitHub gave a file that is not base64; it is tried again."
            ) from error
        item = Item(
            kind="document",
            reference=seen.reference,
            title=PurePosixPath(name).name,
            url=f"https://github.com/{repository}/blob/HEAD/{quote(name)}",
            metadata={"repository": repository, "path": name},
        )
        if is_document(name):
            kind = "markdown" if name.lower().endswith(MARKDOWN) else "text"
            text = data.decode("utf-8-sig", "replace")
            return replace(item, content=text, content_type=kind)
        file = folder / "code"
        file.write_bytes(data)
        return replace(item, file=file, index_only=True)

    async def _read_talk(
        self, access: Access, repository: str, number: int, seen: SeenItem
    ) -> Item | None:
        reply = await self._get(access, f"{_path(repository)}/issues/{number}")
        if reply.status_code in (404, 410, 301):
            return None
        issue = _json(reply)
        comments = await self._comments(access, f"{_path(repository)}/issues/{number}/comments")
        if "pull_request" in issue:
            comments += await self._comments(access, f"{_path(repository)}/pulls/{number}/comments")
        turns = [_said(issue), *map(_said, sorted(comments, key=lambda one: one["created_at"]))]
        return Item(
            kind="talk",
            reference=seen.reference,
            title=f"{issue['title']} ({repository}#{number})",
            url=issue["html_url"],
            turns=tuple(turn for turn in turns if turn.text.strip()),
            tags=tuple(str(label["name"]) for label in issue["labels"] if isinstance(label, dict)),
            created_at=datetime.fromisoformat(issue["created_at"]),
            metadata={"repository": repository, "number": number, "state": issue["state"]},
        )

    async def _comments(
        self, access: Access, path: str, params: Mapping[str, str] | None = None
    ) -> list[dict[str, Any]]:
        comments: list[dict[str, Any]] = []
        for page in range(1, COMMENT_PAGES + 1):
            asked = {**(params or {}), "per_page": str(PAGE), "page": str(page)}
            reply = await self._get(access, path, asked)
            found = _json(reply) if reply.status_code == 200 else []
            comments += found
            if len(found) < PAGE:
                break
        return comments


def _path(repository: str) -> str:
    if not REPOSITORY.fullmatch(repository):
        raise Invalid("chosen", "is not a repository; give its owner and name, as in octo/notes")
    return f"/repos/{repository}"


def _json(reply: httpx2.Response) -> Any:
    if reply.status_code != 200:
        raise Unavailable(
            f"GitHub answers {reply.status_code} where it should not; it is tried again."
        )
    return reply.json()


def _moment_of(reply: httpx2.Response) -> datetime:
    """By the service's clock, which need not be ours."""
    try:
        return parsedate_to_datetime(reply.headers["date"])
    except (KeyError, ValueError):
        return now()


def _after(at: Mapping[str, Any], found: list[dict[str, Any]]) -> dict[str, Any]:
    """Where a list that is sorted by date goes on; a page more where all have one date."""
    last = found[-1]["updated_at"]
    return {"since": last, "page": at["page"] + 1 if last == at["since"] else 1}


def _with_code(access: Access) -> bool:
    given = str(access.settings.get("code") or "no").strip().lower()
    if given not in ("yes", "no"):
        raise Invalid("code", "is neither yes nor no; say yes to read code too")
    return given == "yes"


def _file(repository: str, path: str, sha: str) -> SeenItem:
    return SeenItem(f"{repository}:file:{path}", sha, path=f"{repository}/{path}")


def _issue(repository: str, issue: Mapping[str, Any]) -> SeenItem:
    number = issue["number"]
    return SeenItem(f"{repository}:issue:{number}", issue["updated_at"], f"{repository}#{number}")


def _said(comment: Mapping[str, Any]) -> Said:
    user = comment.get("user") or {}
    at = datetime.fromisoformat(comment["created_at"])
    return Said(str(user.get("login") or "ghost"), str(comment.get("body") or ""), at)
