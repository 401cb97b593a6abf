"""Realistic contents for the web app: what one person might have saved over some weeks."""

import json
from collections.abc import Container
from pathlib import Path
from typing import Any

import httpx2

SAMPLES: dict[str, Any] = json.loads(Path(__file__).with_name("sample_data.json").read_text())
# A saved page with a tracking pixel, a frame, scripts, handlers and links that run.
HOSTILE: dict[str, Any] = SAMPLES["hostile"]


def fill(http: httpx2.Client, distilled: Container[str] | None = None) -> dict[str, str]:
    """Save everything and return the id of each document by its title. Memories are distilled from
    the documents with these titles, or from all."""
    for project in SAMPLES["projects"]:
        _post(http, "/v3/projects", project)
    ids = {}
    for sample in SAMPLES["documents"]:
        title = sample["title"]
        index_only = distilled is not None and title not in distilled
        ids[title] = save(http, {**sample, "index_only": index_only})
    for memory in SAMPLES["memories"]:
        _post(http, "/api/memories", memory)
    return ids


def save(http: httpx2.Client, document: dict[str, Any]) -> str:
    return _post(http, "/v3/memory", {"content_type": "markdown", **document})["id"]


def _post(http: httpx2.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    reply = http.post(path, json=body)
    assert reply.status_code in (200, 201, 202), reply.text
    return reply.json()
