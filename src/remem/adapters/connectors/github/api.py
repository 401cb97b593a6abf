"""Requests to GitHub."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx2

from remem.adapters.connectors.http import ServiceApi
from remem.core.connectors.errors import MarkExpired
from remem.core.connectors.model import Access
from remem.core.errors import Invalid

PAGE = 100
COMMENT_PAGES = 20
# Neither part is a dot or two: they would lead to another path of the API.
REPOSITORY = re.compile(r"[A-Za-z0-9_-]{1,100}/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}")
REFUSED = (
    "GitHub does not accept the token; make a new one under Settings, Developer settings,"
    " Fine-grained tokens, and connect again with it."
)


class GitHubApi:
    def __init__(self, base_url: str, **options: Any) -> None:
        self._api = ServiceApi(base_url, "GitHub", REFUSED, **options)

    async def get(
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

    async def repository(self, access: Access, repository: str) -> dict[str, Any]:
        reply = await self.get(access, repository_path(repository))
        if reply.status_code in (403, 404, 451):
            raise Invalid(
                "chosen",
                f"{repository} is not there, or the token may not read it; check its name and the"
                " token's repositories",
            )
        return self.json(reply)

    async def head(self, access: Access, repository: str) -> tuple[httpx2.Response, str | None]:
        """Return the tree of the default branch; None for a repository that is empty or gone."""
        reply = await self.get(access, repository_path(repository))
        if reply.status_code in (404, 451):
            return reply, None
        branch = quote(str(self.json(reply)["default_branch"]), safe="")
        commit = await self.get(access, f"{repository_path(repository)}/branches/{branch}")
        if commit.status_code == 404:
            return reply, None
        return reply, str(self.json(commit)["commit"]["commit"]["tree"]["sha"])

    async def tree(self, access: Access, repository: str, sha: str) -> dict[str, str]:
        """Return the SHA of each file's content, by path."""
        path = f"{repository_path(repository)}/git/trees/{sha}"
        reply = await self.get(access, path, {"recursive": "1"})
        if reply.status_code in (404, 409):
            raise MarkExpired
        body = self.json(reply)
        entries = body["tree"]
        if body.get("truncated"):
            entries = await self._subtrees(access, repository, sha, "")
        return {entry["path"]: entry["sha"] for entry in entries if entry["type"] == "blob"}

    async def _subtrees(
        self, access: Access, repository: str, sha: str, parent: str
    ) -> list[dict[str, Any]]:
        """List a tree folder by folder, when it is too large for one reply."""
        path = f"{repository_path(repository)}/git/trees/{sha}"
        children = self.json(await self.get(access, path))["tree"]
        entries = [{**entry, "path": f"{parent}{entry['path']}"} for entry in children]
        for folder in [entry for entry in entries if entry["type"] == "tree"]:
            prefix = f"{folder['path']}/"
            entries += await self._subtrees(access, repository, folder["sha"], prefix)
        return entries

    async def issues(
        self, access: Access, repository: str, since: str | None, page: int
    ) -> list[dict[str, Any]]:
        params = {"state": "all", "sort": "updated", "direction": "asc"}
        params |= {"per_page": str(PAGE), "page": str(page)}
        if since:
            params["since"] = since
        reply = await self.get(access, f"{repository_path(repository)}/issues", params)
        # 410: the repository has no issues.
        return [] if reply.status_code in (404, 410, 451) else self.json(reply)

    async def comments(
        self, access: Access, path: str, params: Mapping[str, str] | None = None
    ) -> list[dict[str, Any]]:
        comments: list[dict[str, Any]] = []
        for page in range(1, COMMENT_PAGES + 1):
            page_params = {**(params or {}), "per_page": str(PAGE), "page": str(page)}
            reply = await self.get(access, path, page_params)
            batch = self.json(reply) if reply.status_code == 200 else []
            comments += batch
            if len(batch) < PAGE:
                break
        return comments

    def json(self, reply: httpx2.Response) -> Any:
        return self._api.json(reply)

    async def close(self) -> None:
        await self._api.close()


def repository_path(repository: str) -> str:
    if not REPOSITORY.fullmatch(repository):
        raise Invalid("chosen", "is not a repository; give its owner and name, as in octo/notes")
    return f"/repos/{repository}"
