"""Every way to read what somebody has kept, asked over HTTP."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from tests.conftest import Person

# It outlives what it tells of, and names no more than its id.
AUDIT = "audit trail"
# A chain keeps its name, which is the id of its first member, when that one is erased.
CHAIN = re.compile(r'"root_?[iI]d": ?"[^"]+"')
MODES = ("fast", "balanced", "deep", "best")


def readings(person: Person, query: str, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each path with all that it gives, as text and without the question itself."""
    paths = (_searches(person, query), _lists(person, query, ids))
    for path, body in (*chain(*paths), ("export", _exported(person))):
        yield path, CHAIN.sub("", body)


def _searches(person: Person, query: str) -> Iterator[tuple[str, str]]:
    late = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    soon = datetime.now(UTC).isoformat()
    for mode in MODES:
        recalled = {"query": query, "mode": mode, "limit": 50}
        yield f"recall {mode}", _told(person.post("/v3/recall", recalled).json())
        found = person.post("/v1/search", {**recalled, "include_related": True}).json()
        yield f"v1 search {mode}", _told(found)
        for moment in (None, soon, late):
            asked = {"query": query, "mode": mode, "limit": 100, "documents": True}
            asked |= {"as_of": moment} if moment else {}
            hits = _get(person, "/api/memories/search-index", **asked)
            yield f"search-index {mode} as of {moment}", hits
    yield "api search", _get(person, "/api/memories/search", query=query, limit=10)
    yield "list by words", _get(person, "/api/memories", q=query, limit=100)


def _lists(person: Person, query: str, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield "graph", _get(person, "/v3/memory-graph", limit=1000)
    for container in ("walk", "walk.below"):
        asked = {"container": container, "query": query}
        yield "profile", _get(person, "/v1/profile", **asked)
        yield "profile as markdown", _get(person, "/v1/profile", **asked, format="markdown")
    yield "timeline", _get(person, "/api/memories/timeline", limit=100)
    yield "list", _get(person, "/api/memories", limit=100)
    yield "due", _get(person, "/api/memories/foresight/active", limit=100, overdue=True)
    if ids:
        batch = person.post("/api/memories/batch-get", {"ids": list(ids)}).json()
        yield "batch-get", json.dumps(batch.get("memories", []))
    for id in ids:
        yield "related", _get(person, f"/v1/memories/{id}/related", depth=3)
        history = person.http.get(f"/api/memories/{id}/history").json()
        yield "history", json.dumps(history.get("versions", []))
        yield AUDIT, json.dumps(history.get("events", []))
    yield AUDIT, _get(person, "/api/events", limit=100)


def _get(person: Person, path: str, **asked: Any) -> str:
    reply = person.http.get(path, params=asked)
    if reply.status_code == 404:
        return ""
    assert reply.status_code == 200, (path, reply.text)
    if not reply.headers["content-type"].startswith("application/json"):
        return reply.text
    return _told(reply.json())


def _told(answer: dict[str, Any]) -> str:
    return json.dumps({name: part for name, part in answer.items() if name not in ("query", "id")})


def _exported(person: Person) -> str:
    lines = person.http.get("/v3/export", params={"vectors": True}).text.splitlines()
    return "\n".join(line for line in lines if json.loads(line).get("kind") != "event")
