"""Writes what the server publishes at /openapi.json into clients/openapi."""

import json
from pathlib import Path

from remem.app import create_app
from remem.settings import Settings

TARGET = Path(__file__).parents[1] / "clients" / "openapi" / "remem.json"


def published() -> str:
    """Keys keep the order of the routes, so that a change of one is a change of its lines."""
    return json.dumps(create_app(Settings()).openapi(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.write_text(published())
    print(f"Wrote {TARGET}")
