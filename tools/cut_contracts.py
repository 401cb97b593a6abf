"""Reduce a service's published OpenAPI file to the operations that a connector uses."""

import json
import sys
from pathlib import Path
from typing import Any

# The paths by contract, then the origin of each file.
OPERATIONS = {
    "github": (
        "/user",
        "/user/repos",
        "/repos/{owner}/{repo}",
        "/repos/{owner}/{repo}/branches/{branch}",
        "/repos/{owner}/{repo}/git/trees/{tree_sha}",
        "/repos/{owner}/{repo}/git/blobs/{file_sha}",
        "/repos/{owner}/{repo}/issues",
        "/repos/{owner}/{repo}/issues/comments",
        "/repos/{owner}/{repo}/issues/{issue_number}",
        "/repos/{owner}/{repo}/issues/{issue_number}/comments",
        "/repos/{owner}/{repo}/pulls/comments",
        "/repos/{owner}/{repo}/pulls/{pull_number}/comments",
    ),
}
ORIGINS = {"github": "npm @octokit/openapi 23.0.2, generated/api.github.com.json, MIT"}
_IDLE = ("description", "example", "examples", "externalDocs", "summary", "tags", "x-github")


def main(name: str, source: Path, target: Path) -> None:
    document = json.loads(source.read_text())
    cut: dict[str, Any] = {"x-origin": ORIGINS[name], "openapi": document["openapi"], "paths": {}}
    cut["components"] = {}
    for path in OPERATIONS[name]:
        shared = {"parameters": document["paths"][path].get("parameters", [])}
        cut["paths"][path] = {**shared, "get": _without_words(document["paths"][path]["get"])}
    _add_referred(document, cut, cut["paths"])
    target.write_text(json.dumps(cut, separators=(",", ":"), sort_keys=True) + "\n")


def _add_referred(document: Any, cut: Any, part: Any) -> None:
    for reference in _references(part):
        _, _, kind, name = reference.split("/")
        if name in cut["components"].setdefault(kind, {}):
            continue
        component = _without_words(document["components"][kind][name])
        cut["components"][kind][name] = component
        _add_referred(document, cut, component)


def _references(part: Any) -> list[str]:
    if isinstance(part, list):
        return [reference for inner in part for reference in _references(inner)]
    if not isinstance(part, dict):
        return []
    own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
    return own + [reference for inner in part.values() for reference in _references(inner)]


def _without_words(part: Any, inside_properties: bool = False) -> Any:
    """Remove descriptions, but keep properties that are named `description`."""
    if isinstance(part, list):
        return [_without_words(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: _without_words(value, key == "properties")
        for key, value in part.items()
        if inside_properties or key not in _IDLE
    }


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
