"""Cut a service's published OpenAPI file to the operations that a connector uses."""

import json
import sys
from pathlib import Path
from typing import Any

# By the name of the contract: the operations, and where the file comes from.
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
    whole = json.loads(source.read_text())
    kept: dict[str, Any] = {"x-origin": ORIGINS[name], "openapi": whole["openapi"], "paths": {}}
    kept["components"] = {}
    for path in OPERATIONS[name]:
        shared = {"parameters": whole["paths"][path].get("parameters", [])}
        kept["paths"][path] = {**shared, "get": _without_words(whole["paths"][path]["get"])}
    _add_referred(whole, kept, kept["paths"])
    target.write_text(json.dumps(kept, separators=(",", ":"), sort_keys=True) + "\n")


def _add_referred(whole: Any, kept: Any, part: Any) -> None:
    for reference in _references(part):
        _, _, kind, name = reference.split("/")
        if name in kept["components"].setdefault(kind, {}):
            continue
        found = _without_words(whole["components"][kind][name])
        kept["components"][kind][name] = found
        _add_referred(whole, kept, found)


def _references(part: Any) -> list[str]:
    if isinstance(part, list):
        return [one for inner in part for one in _references(inner)]
    if not isinstance(part, dict):
        return []
    own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
    return own + [one for inner in part.values() for one in _references(inner)]


def _without_words(part: Any, inside_properties: bool = False) -> Any:
    """A property may be called `description`; what describes is left out."""
    if isinstance(part, list):
        return [_without_words(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: _without_words(value, key == "properties")
        for key, value in part.items()
        if inside_properties or key not in _IDLE
    }


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
