"""Writes the OpenAPI document that the server serves at /openapi.json into clients/openapi."""

import json
from pathlib import Path

from remem.app import create_app
from remem.settings import Settings

TARGET = Path(__file__).parents[1] / "clients" / "openapi" / "remem.json"


def published() -> str:
    """The document, with keys in the order of the routes, so that diffs are small."""
    return json.dumps(create_app(Settings()).openapi(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.write_text(published())
    print(f"Wrote {TARGET}")
