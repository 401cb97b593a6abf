"""A service's published contract as operations, with the schemas of requests and replies."""

import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema

CONTRACTS = Path(__file__).parents[1] / "contracts"


class OperationContract:
    def __init__(self, name: str) -> None:
        self.document = json.loads((CONTRACTS / f"{name}.json").read_text())

    @cached_property
    def _patterns(self) -> dict[re.Pattern[str], str]:
        return {_pattern(operation): operation for operation in self.document["operations"]}

    def operation(self, method: str, path: str) -> str:
        """The most specific operation that matches an address."""
        request = f"{method} {path}"
        matches = [name for pattern, name in self._patterns.items() if pattern.fullmatch(request)]
        assert matches, f"the contract knows no {request}"
        return min(matches, key=lambda name: name.count("{"))

    def check_request(self, operation: str, query: dict[str, str], body: Any) -> None:
        shapes = self.document["operations"][operation]
        if "query" in shapes:
            self._check(_parse(query, self._properties(shapes["query"])), shapes["query"])
        if "body" in shapes:
            self._check(body, shapes["body"])
        else:
            assert body is None, f"{operation} takes no body"

    def check_reply(self, operation: str, body: Any) -> None:
        self._check(body, self.document["operations"][operation]["reply"])

    def _check(self, value: Any, schema: dict[str, Any]) -> None:
        full_schema = {**schema, "definitions": self.document["definitions"]}
        error = jsonschema.exceptions.best_match(
            jsonschema.Draft7Validator(full_schema).iter_errors(value)
        )
        assert error is None, f"{list(error.absolute_path)}: {error.message[:800]}"

    def _properties(self, schema: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in schema:
            return self._properties(
                self.document["definitions"][unquote(schema["$ref"].removeprefix("#/definitions/"))]
            )
        properties = dict(schema.get("properties", {}))
        for kind in ("allOf", "anyOf"):
            for inner in schema.get(kind, ()):
                properties |= self._properties(inner)
        return properties


def _pattern(operation: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(operation)))


def _parse(query: dict[str, str], properties: dict[str, Any]) -> dict[str, Any]:
    """Convert the text of each query parameter to the type that the contract gives it."""
    parsed: dict[str, Any] = {}
    for name, value in query.items():
        kind = properties.get(name, {}).get("type")
        if kind in ("integer", "number") and value.isdigit():
            parsed[name] = int(value)
        elif kind == "boolean" and value in ("true", "false"):
            parsed[name] = value == "true"
        else:
            parsed[name] = value
    return parsed
