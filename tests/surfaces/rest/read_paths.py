"""Every way to read a person's data over HTTP."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from tests.conftest import Person

# It outlives its subjects, and has only their ids.
AUDIT = "audit trail"
# A chain is identified by the id of its first version, even after that one is erased.
CHAIN = re.compile(r'"root_?[iI]d": ?"[^"]+"')
MODES = ("fast", "balanced", "deep", "best")


def readings(person: Person, query: str, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each path with its whole reply, as text and without the query itself."""
    yield from searches(person, query)
    yield from lists(person, ids)


def searches(
    person: Person, query: str, best_as_of: int | None = None
) -> Iterator[tuple[str, str]]:
    """Replies that depend on the query: as of three moments in each mode; in the slowest mode,
    `best`, as of only the moment number `best_as_of` if it is given."""
    for path, body in chain(
        _search_replies(person, query, best_as_of), _profile_replies(person, query)
    ):
        yield path, CHAIN.sub("", body)


def lists(person: Person, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Replies that do not depend on the query."""
    for path, body in (*_list_replies(person, ids), ("export", _export_without_events(person))):
        yield path, CHAIN.sub("", body)


def _search_replies(
    person: Person, query: str, best_as_of: int | None
) -> Iterator[tuple[str, str]]:
    now = datetime.now(UTC)
    moments = (None, now.isoformat(), (now + timedelta(minutes=5)).isoformat())
    for mode in MODES:
        body = {"query": query, "mode": mode, "limit": 50}
        yield f"recall {mode}", _as_text(person.post("/v3/recall", body).json())
        reply = person.post("/v1/search", {**body, "include_related": True}).json()
        yield f"v1 search {mode}", _as_text(reply)
        is_single = mode == "best" and best_as_of is not None
        for moment in [moments[best_as_of]] if is_single else moments:
            params = {"query": query, "mode": mode, "limit": 100, "documents": True}
            params |= {"as_of": moment} if moment else {}
            hits = _get(person, "/api/memories/search-index", **params)
            yield f"search-index {mode} as of {moment}", hits
    yield "api search", _get(person, "/api/memories/search", query=query, limit=10)
    yield "list by words", _get(person, "/api/memories", q=query, limit=100)


def _profile_replies(person: Person, query: str) -> Iterator[tuple[str, str]]:
    for container in ("walk", "walk.below"):
        params = {"container": container, "query": query}
        yield "profile", _get(person, "/v1/profile", **params)
        yield "profile as markdown", _get(person, "/v1/profile", **params, format="markdown")


def _list_replies(person: Person, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield "graph", _get(person, "/v3/memory-graph", limit=1000)
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


def _get(person: Person, path: str, **params: Any) -> str:
    reply = person.http.get(path, params=params)
    if reply.status_code == 404:
        return ""
    assert reply.status_code == 200, (path, reply.text)
    if not reply.headers["content-type"].startswith("application/json"):
        return reply.text
    return _as_text(reply.json())


def _as_text(reply: dict[str, Any]) -> str:
    return json.dumps({name: part for name, part in reply.items() if name not in ("query", "id")})


def _export_without_events(person: Person) -> str:
    lines = person.http.get("/v3/export", params={"vectors": True}).text.splitlines()
    return "\n".join(line for line in lines if json.loads(line).get("kind") != "event")
